/* links: parse */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Golden tests of the front end. testsuite/parse/NAME.stp is parsed and printed; the text must
 * equal NAME.out and read back as the same text. err.TAG.CASE.stp must report TAG, and its rendered
 * diagnostics equal err.TAG.CASE.err. Leading comment lines give conditions: "# guru", "# library",
 * "# macro-file", "# compatible V", "# arg TEXT" (one each),
 * "# point" for a lone probe point. UPDATE=1 in the environment rewrites the expected files.
 *
 * Every script also seeds the robustness tests: each of its prefixes, and random changes of bytes,
 * must parse or be refused without harm.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ast/tree.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "diag/render.h"
#include "parse/parse.h"

#define CORPUS SPILE_SOURCE_DIR "/testsuite/parse"

static char **scripts; /* names without .stp */
static size_t n_scripts;
static bool tags_seen[DIAG_TAG_MAX];

static const char *config_value(const char *name, void *data)
{
	if (!strcmp(name, "CONFIG_SMP"))
		return "y";
	return !strcmp(name, "CONFIG_HZ") ? "250" : "";
}

struct session {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct parser *parser;
	const char *args[16];
	bool args_used[16];
	struct parse_env env;
	bool library, macro_file, point;
};

static void read_directives(struct session *s, const char *text)
{
	for (const char *line = text; *line == '#';
	     line += strcspn(line, "\n"), line += *line == '\n') {
		size_t len = strcspn(line, "\n");
		char *copy = arena_strndup(s->arena, line, len);

		if (!strcmp(copy, "# guru"))
			s->env.guru = true;
		else if (!strcmp(copy, "# library"))
			s->library = true;
		else if (!strcmp(copy, "# macro-file"))
			s->macro_file = true;
		else if (!strcmp(copy, "# point"))
			s->point = true;
		else if (!strncmp(copy, "# compatible ", 13))
			s->env.compatible = copy + 13;
		else if (!strncmp(copy, "# arg ", 6) && s->env.n_args < 16)
			s->args[s->env.n_args++] = copy + 6;
	}
}

static void session_init(struct session *s, const char *directives)
{
	static const char macros[] =
		"@define lib_twice(x) %( (@x + @x) %)\n@define lib_name %( \"library\" %)\n"
		"@define lib_c %( %{ 1 %} %)\n";

	memset(s, 0, sizeof(*s));
	s->arena = arena_create();
	s->in = interner_create(s->arena);
	s->sink = diag_sink_create(s->arena, source_map_create(s->arena));
	s->env = (struct parse_env){
		.kernel_vr = "6.1.0-56-amd64",
		.arch = "x86_64",
		.compatible = "5.6",
		.runtime = "kernel",
		.privilege = "stapdev",
		.config = config_value,
		.args = s->args,
		.args_used = s->args_used,
	};
	read_directives(s, directives);
	s->parser = parser_create(s->arena, s->in, s->sink, &s->env);
	assert_true(parse_macro_file(s->parser, "lib.stpm", macros, sizeof(macros) - 1));
}

/* Parse; the printed tree, or the rendered diagnostics when there were errors. True: no errors. */
static bool session_run(struct session *s, const char *text, size_t len, struct strbuf *out)
{
	struct diag_style style = { 0 };
	struct ast_file *file = NULL;
	struct ast_point *point = NULL;
	bool good;

	if (s->macro_file)
		good = parse_macro_file(s->parser, "<input>", text, len);
	else if (s->point)
		good = (point = parse_probe_point(s->parser, "<input>", text, len)) != NULL;
	else
		good = (file = parse_text(s->parser, "<input>", text, len, s->library)) != NULL;
	assert_int_equal(good, diag_error_count(s->sink) == 0);
	diag_render(s->sink, 0, &style, out);
	diag_render_parse_count(s->sink, out);
	if (file)
		ast_print_file(file, out);
	if (point)
		ast_print_point(point, out);
	if (point)
		strbuf_addc(out, '\n');
	return good;
}

static char *corpus_path(const char *name, const char *suffix)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s%s", CORPUS, name, suffix) > 0);
	return path;
}

static char *read_corpus(const char *name, const char *suffix, size_t *len)
{
	char *path = corpus_path(name, suffix), *text = NULL;
	struct error *err = file_read(path, &text, len);

	if (err)
		print_error("%s\n", err->text);
	error_destroy(err);
	free(path);
	return text;
}

static void compare_golden(const char *name, const char *suffix, const char *actual)
{
	char *path = corpus_path(name, suffix), *expected;
	size_t len;

	if (getenv("UPDATE")) {
		assert_null(file_write_atomic(path, actual, strlen(actual), 0644));
		free(path);
		return;
	}
	free(path);
	expected = read_corpus(name, suffix, &len);
	assert_non_null(expected);
	if (strcmp(expected, actual))
		print_error("%s%s differs\n", name, suffix);
	assert_string_equal(actual, expected);
	free(expected);
}

/* What was printed must parse again, and print the same. */
static void check_round_trip(const char *text, const char *printed)
{
	struct session s;
	struct strbuf again;
	const char *tree = strstr(printed, "# file ");

	if (!tree)
		return;
	session_init(&s, text);
	s.library = true; /* argument references are gone, embedded C may be there */
	s.env.compatible = "5.6";
	strbuf_init(&again);
	if (!session_run(&s, tree, strlen(tree), &again))
		fail_msg("%s", strbuf_cstr(&again));
	assert_string_equal(strstr(again.s, "# file "), tree);
	strbuf_deinit(&again);
	arena_destroy(s.arena);
}

static void check_tag(const struct session *s, const char *name)
{
	size_t len = strcspn(name + 4, ".");
	bool found = false;

	for (size_t i = 0; i < diag_count(s->sink); i++) {
		const char *tag = diag_tag_name(diag_get(s->sink, i)->tag);

		tags_seen[diag_get(s->sink, i)->tag] = true;
		found = found || (strlen(tag) == len && !memcmp(tag, name + 4, len));
	}
	if (!found)
		print_error("%s: the tag was not reported\n", name);
	assert_true(found);
}

static void test_script(void **state)
{
	const char *name = *state;
	bool is_error = !strncmp(name, "err.", 4);
	struct session s;
	struct strbuf out;
	size_t len;
	char *text = read_corpus(name, ".stp", &len);

	assert_non_null(text);
	strbuf_init(&out);
	session_init(&s, text);
	if (session_run(&s, text, len, &out) == is_error && !diag_count(s.sink))
		fail_msg("%s: %s", name, strbuf_cstr(&out));
	if (is_error)
		check_tag(&s, name);
	else if (diag_error_count(s.sink))
		fail_msg("%s: %s", name, strbuf_cstr(&out));
	compare_golden(name, is_error ? ".err" : ".out", strbuf_cstr(&out));
	if (!is_error)
		check_round_trip(text, strbuf_cstr(&out));
	strbuf_deinit(&out);
	arena_destroy(s.arena);
	free(text);
}

/* ---- robustness ---- */

static void survive(const char *directives, const char *text, size_t len)
{
	/* an exact copy, so that the sanitizer sees a read beyond the end */
	char *copy = malloc(len ? len : 1);
	struct session s;
	struct strbuf out;

	memcpy(copy, text, len);
	strbuf_init(&out);
	session_init(&s, directives);
	session_run(&s, copy, len, &out);
	strbuf_deinit(&out);
	arena_destroy(s.arena);
	free(copy);
}

static void test_prefixes(void **state)
{
	const char *name = *state;
	size_t len;
	char *text = read_corpus(name, ".stp", &len);

	assert_non_null(text);
	for (size_t n = 0; n < len; n++)
		survive(text, text, n);
	free(text);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void test_mutations(void **state)
{
	static const char interesting[] = "{}()[]%:?@$\"\\/*+-=<>.,;!&|~'#\n\0\xff"
					  "0az ";
	const char *name = *state;
	uint32_t seed = hash_bytes(name, strlen(name)) | 1;
	size_t len;
	char *text = read_corpus(name, ".stp", &len), *copy;

	assert_non_null(text);
	copy = malloc(len + 1);
	for (int round = 0; len && round < 300; round++) {
		memcpy(copy, text, len + 1);
		for (uint32_t n = 1 + next_random(&seed) % 4; n; n--)
			copy[next_random(&seed) % len] =
				interesting[next_random(&seed) % (sizeof(interesting) - 1)];
		survive(text, copy, len);
	}
	free(copy);
	free(text);
}

/* Nesting without end must be refused, not overflow a stack. */
static void test_depth(void **state)
{
	static const struct {
		const char *before, *item, *middle, *close, *after;
	} cases[] = {
		{ "probe begin { x = ", "(", "1", ")", " }" },
		{ "probe begin { x = ", "-", "1", "", " }" },
		{ "probe begin { x = ", "1 + ", "1", "", " }" },
		{ "probe begin { x = ", "a[", "1", "]", " }" },
		{ "probe begin ", "{", "", "}", "" },
		{ "probe begin { ", "if (1) ", "x = 1", "", " }" },
		{ "probe ", "{", "a", "}", " { }" },
		{ "probe ", "{a,b}.", "c", "", " { }" },
		{ "probe begin { ", "%( 1 == 1 %? ", "x = 1", "%)", " }" },
		{ "@define a(x) %( @x @x %) probe begin { ", "@a(", "x ", ")", " }" },
		{ "@define a %( @b @b %) @define b %( @a @a %) probe begin { ", "@a", "", "",
		  " }" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text;

		strbuf_init(&text);
		strbuf_adds(&text, cases[i].before);
		for (int j = 0; j < 20000; j++)
			strbuf_adds(&text, cases[i].item);
		strbuf_adds(&text, cases[i].middle);
		for (int j = 0; j < 20000; j++)
			strbuf_adds(&text, cases[i].close);
		strbuf_adds(&text, cases[i].after);
		survive("", text.s, text.len);
		strbuf_deinit(&text);
	}
}

/* Every row of the parser has a negative test. Runs last. */
static void test_all_tags(void **state)
{
	for (int tag = 0; tag < DIAG_TAG_MAX; tag++) {
		if (strncmp(diag_tag_name(tag), "PARSE_", 6) || tags_seen[tag])
			continue;
		fail_msg("no negative test for %s", diag_tag_name(tag));
	}
}

/* ---- by hand ---- */

static void test_argument_use(void **state)
{
	static const char text[] = "probe begin { println($1, @3) }";
	struct session s;

	session_init(&s, "# arg 5\n# arg 6\n# arg x\n");
	assert_non_null(parse_text(s.parser, "<input>", text, sizeof(text) - 1, false));
	assert_true(s.args_used[0]);
	assert_false(s.args_used[1]);
	assert_true(s.args_used[2]);
	arena_destroy(s.arena);
}

static void test_clone(void **state)
{
	size_t len;
	char *text = read_corpus("expressions", ".stp", &len);
	struct ast_file *file;
	struct session s;
	struct strbuf a, b;

	session_init(&s, text);
	file = parse_text(s.parser, "<input>", text, len, false);
	assert_non_null(file);
	vec_foreach(probe, &file->probes) {
		strbuf_init(&a);
		strbuf_init(&b);
		ast_print_stmt((*probe)->body, 0, &a);
		ast_print_stmt(ast_clone_stmt(s.arena, (*probe)->body), 0, &b);
		assert_string_equal(strbuf_cstr(&a), strbuf_cstr(&b));
		strbuf_deinit(&a);
		strbuf_deinit(&b);
	}
	arena_destroy(s.arena);
	free(text);
}

static enum walk count_expr(struct ast_expr *expr, void *data)
{
	size_t *counts = data;

	counts[expr->kind]++;
	return expr->kind == AST_EXPR_CALL ? WALK_PRUNE : WALK_CONTINUE;
}

static void test_walk(void **state)
{
	static const char text[] =
		"global a, s\nprobe begin { a[x, 1] = f(g(y)) ? $p->q[i]->r : -z "
		"foreach ([v] in a[1] limit n) printf(\"%d\", @sum(s)) }";
	size_t counts[64] = { 0 };
	const struct ast_visitor v = { .expr = count_expr, .data = counts };
	struct ast_file *file;
	struct session s;

	session_init(&s, "");
	file = parse_text(s.parser, "<input>", text, sizeof(text) - 1, false);
	assert_non_null(file);
	assert_int_equal(ast_walk_stmt(file->probes.data[0]->body, &v), WALK_CONTINUE);
	assert_int_equal(counts[AST_EXPR_CALL], 1); /* g(y) was pruned */
	assert_int_equal(counts[AST_EXPR_NAME], 6); /* x i z v n s */
	assert_int_equal(counts[AST_EXPR_TARGET], 1);
	assert_int_equal(counts[AST_EXPR_EXTRACT], 1);
	arena_destroy(s.arena);
}

static int is_script(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && !strcmp(d->d_name + n - 4, ".stp");
}

static void find_scripts(void)
{
	struct dirent **list;
	int n = scandir(CORPUS, &list, is_script, alphasort);

	scripts = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof(*scripts));
	for (int i = 0; i < n; i++) {
		scripts[n_scripts++] = strndup(list[i]->d_name, strlen(list[i]->d_name) - 4);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int main(void)
{
	static const struct CMUnitTest fixed[] = {
		cmocka_unit_test(test_depth),    cmocka_unit_test(test_argument_use),
		cmocka_unit_test(test_clone),    cmocka_unit_test(test_walk),
		cmocka_unit_test(test_all_tags),
	};
	const size_t n_fixed = sizeof(fixed) / sizeof(fixed[0]);
	struct CMUnitTest *tests;
	size_t n = 0;
	int failed;

	find_scripts();
	tests = calloc(n_scripts * 3 + n_fixed, sizeof(*tests));
	for (size_t i = 0; i < n_scripts; i++) {
		tests[n++] = (struct CMUnitTest){ scripts[i], test_script, NULL, NULL, scripts[i] };
		tests[n++] =
			(struct CMUnitTest){ "prefixes", test_prefixes, NULL, NULL, scripts[i] };
		tests[n++] =
			(struct CMUnitTest){ "mutations", test_mutations, NULL, NULL, scripts[i] };
	}
	memcpy(tests + n, fixed, sizeof(fixed));
	n += n_fixed;
	failed = _cmocka_run_group_tests("parse", tests, n, NULL, NULL);
	for (size_t i = 0; i < n_scripts; i++)
		free(scripts[i]);
	free(scripts);
	free(tests);
	return failed;
}
