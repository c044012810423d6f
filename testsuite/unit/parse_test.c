/* links: parse testcase */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The front end. As a program for spile-test, "parse_test OPTIONS SCRIPT" parses a script and prints it; diagnostics go to
 * standard error. A script err.TAG.CASE.stp must report TAG, any other must have no errors and read back as what
 * was printed. The status is 0 when that holds. OPTIONS: --guru, --library, --macro-file, --compatible V, --arg TEXT
 * (one each), --point for what -l is given, --check-version. The cases are in testsuite/parse.
 *
 * Without arguments it runs the robustness tests, for which every one of those scripts is a seed: its prefixes, and
 * random changes of bytes, must parse or be refused without harm.
 */
#include <getopt.h>
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
#include "runner.h"

#define CORPUS SPILE_SOURCE_DIR "/testsuite/parse"

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

/* Status 2 and what is known, for an option that is not. */
static void read_options(struct session *s, int argc, char **argv)
{
	enum { GURU = 1, LIBRARY, MACRO_FILE, POINT, CHECK_VERSION, COMPATIBLE, ARG };
	static const struct option options[] = {
		{ "guru", no_argument, NULL, GURU },
		{ "library", no_argument, NULL, LIBRARY },
		{ "macro-file", no_argument, NULL, MACRO_FILE },
		{ "point", no_argument, NULL, POINT },
		{ "check-version", no_argument, NULL, CHECK_VERSION },
		{ "compatible", required_argument, NULL, COMPATIBLE },
		{ "arg", required_argument, NULL, ARG },
		{ 0 },
	};

	if (!argc)
		return;
	optind = 0; /* begin anew */
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		s->env.guru |= c == GURU;
		s->library |= c == LIBRARY;
		s->macro_file |= c == MACRO_FILE;
		s->point |= c == POINT;
		s->env.check_version |= c == CHECK_VERSION;
		if (c == COMPATIBLE)
			s->env.compatible = optarg;
		else if (c == ARG && s->env.n_args < 16)
			s->args[s->env.n_args++] = optarg;
		else if (c == '?')
			exit(2);
	}
}

static void session_init(struct session *s, int argc, char **argv)
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
	read_options(s, argc, argv);
	for (size_t i = 0; i < s->env.n_args; i++)
		s->args[i] = arena_strdup(s->arena, s->args[i]);
	s->env.compatible = arena_strdup(s->arena, s->env.compatible);
	s->parser = parser_create(s->arena, s->in, s->sink, &s->env);
	assert_true(parse_macro_file(s->parser, "lib.stpm", macros, sizeof(macros) - 1));
}

/* A session with the options of a case. */
static void session_init_for(struct session *s, const struct test_case *tc)
{
	struct arena *arena = arena_create();
	int argc;
	char **argv = test_case_arguments(arena, tc, &argc);

	session_init(s, argc, argv);
	arena_destroy(arena);
}

/* Parse; the tree goes to TREE, the rendered diagnostics to DIAGS. True: no errors. */
static bool session_run(struct session *s, const char *text, size_t len, struct strbuf *tree,
			struct strbuf *diags)
{
	struct diag_style style = { 0 };
	struct ast_file *file = NULL;
	bool good;

	if (s->macro_file)
		good = parse_macro_file(s->parser, "<input>", text, len);
	else if (s->point)
		good = (file = parse_probe_text(s->parser, "<input>", text, len)) != NULL;
	else
		good = (file = parse_text(s->parser, "<input>", text, len, s->library)) != NULL;
	assert_int_equal(good, diag_error_count(s->sink) == 0);
	diag_render(s->sink, 0, &style, diags);
	diag_render_parse_count(s->sink, diags);
	if (file)
		ast_print_file(file, tree);
	return good;
}

static char *read_script(const char *path, size_t *len)
{
	char *text = NULL;
	struct error *err = file_read(path, &text, len);

	if (err)
		fprintf(stderr, "%s\n", err->text);
	error_destroy(err);
	return text;
}

/* ---- one script, for spile-test ---- */

static bool is_reported(const struct session *s, const char *name)
{
	size_t len = strcspn(name, ".");

	for (size_t i = 0; i < diag_count(s->sink); i++)
		for (const struct diagnostic *d = diag_get(s->sink, i); d; d = d->outer) {
			const char *tag = diag_tag_name(d->tag);

			if (strlen(tag) == len && !memcmp(tag, name, len))
				return true;
		}
	fprintf(stderr, "parse_test: %.*s was not reported\n", (int)len, name);
	return false;
}

/* What was printed must parse again, and print the same. */
static bool reads_back(int argc, char **argv, const char *printed)
{
	struct session s;
	struct strbuf again, diags;
	bool same;

	session_init(&s, argc, argv);
	s.library = true; /* argument references are gone, embedded C may be there */
	strbuf_init(&again);
	strbuf_init(&diags);
	same = session_run(&s, printed, strlen(printed), &again, &diags) &&
	       !strcmp(strbuf_cstr(&again), printed);
	if (!same)
		fprintf(stderr, "parse_test: what was printed reads back as\n%s%s",
			strbuf_cstr(&diags), strbuf_cstr(&again));
	strbuf_deinit(&again);
	strbuf_deinit(&diags);
	arena_destroy(s.arena);
	return same;
}

static int run_script(int argc, char **argv)
{
	const char *name = path_base(argv[argc - 1]);
	struct strbuf tree, diags;
	struct session s;
	bool good, held;
	size_t len;
	char *text;

	session_init(&s, argc, argv);
	text = read_script(argv[argc - 1], &len);
	if (!text)
		return 2;
	strbuf_init(&tree);
	strbuf_init(&diags);
	good = session_run(&s, text, len, &tree, &diags);
	fputs(strbuf_cstr(&tree), stdout);
	fputs(strbuf_cstr(&diags), stderr);
	if (!strncmp(name, "err.", 4))
		held = is_reported(&s, name + 4);
	else
		held = good &&
		       (s.macro_file || s.point || reads_back(argc, argv, strbuf_cstr(&tree)));
	strbuf_deinit(&tree);
	strbuf_deinit(&diags);
	arena_destroy(s.arena);
	free(text);
	return !held;
}

/* ---- robustness ---- */

static void survive(const struct test_case *tc, const char *text, size_t len)
{
	/* an exact copy, so that the sanitizer sees a read beyond the end */
	char *copy = malloc(len ? len : 1);
	struct session s;
	struct strbuf tree, diags;

	memcpy(copy, text, len);
	strbuf_init(&tree);
	strbuf_init(&diags);
	session_init_for(&s, tc);
	session_run(&s, copy, len, &tree, &diags);
	strbuf_deinit(&tree);
	strbuf_deinit(&diags);
	arena_destroy(s.arena);
	free(copy);
}

static char *read_case(const struct test_case *tc, size_t *len)
{
	char *path, *text;

	assert_true(asprintf(&path, "%s/%s", tc->dir, tc->script) > 0);
	text = read_script(path, len);
	free(path);
	assert_non_null(text);
	return text;
}

/*
 * How many variants of a script of LEN bytes are parsed, at most MOST: long ones are made of one
 * thing over and over.
 */
static size_t n_variants(size_t len, size_t most)
{
	size_t n = 1000000 / (len + 1) + 10;

	return n < most ? n : most;
}

static void test_prefixes(void **state)
{
	const struct test_case *tc = *state;
	size_t len;
	char *text = read_case(tc, &len);

	for (size_t n = 0; n < len; n += len / n_variants(len, 1500) + 1)
		survive(tc, text, n);
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
	const struct test_case *tc = *state;
	uint32_t seed = hash_bytes(tc->script, strlen(tc->script) - 4) | 1;
	size_t len;
	char *text = read_case(tc, &len), *copy;

	copy = malloc(len + 1);
	for (size_t round = len ? n_variants(len, 300) : 0; round; round--) {
		memcpy(copy, text, len + 1);
		for (uint32_t n = 1 + next_random(&seed) % 4; n; n--)
			copy[next_random(&seed) % len] =
				interesting[next_random(&seed) % (sizeof(interesting) - 1)];
		survive(tc, copy, len);
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
		survive(&(struct test_case){ 0 }, text.s, text.len);
		strbuf_deinit(&text);
	}
}

/* ---- by hand ---- */

static void test_argument_use(void **state)
{
	static const char text[] = "probe begin { println($1, @3) }";
	char *argv[] = { "", "--arg", "5", "--arg", "6", "--arg", "x", NULL };
	struct session s;

	session_init(&s, 7, argv);
	assert_non_null(parse_text(s.parser, "<input>", text, sizeof(text) - 1, false));
	assert_true(s.args_used[0]);
	assert_false(s.args_used[1]);
	assert_true(s.args_used[2]);
	arena_destroy(s.arena);
}

static void test_clone(void **state)
{
	size_t len;
	char *text = read_script(CORPUS "/expressions.stp", &len);
	char *argv[] = { "", "--guru", NULL };
	struct ast_file *file;
	struct session s;
	struct strbuf a, b;

	session_init(&s, 2, argv);
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

	session_init(&s, 0, NULL);
	file = parse_text(s.parser, "<input>", text, sizeof(text) - 1, false);
	assert_non_null(file);
	assert_int_equal(ast_walk_stmt(file->probes.data[0]->body, &v), WALK_CONTINUE);
	assert_int_equal(counts[AST_EXPR_CALL], 1); /* g(y) was pruned */
	assert_int_equal(counts[AST_EXPR_NAME], 6); /* x i z v n s */
	assert_int_equal(counts[AST_EXPR_TARGET], 1);
	assert_int_equal(counts[AST_EXPR_EXTRACT], 1);
	arena_destroy(s.arena);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest fixed[] = {
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_argument_use),
		cmocka_unit_test(test_clone),
		cmocka_unit_test(test_walk),
	};
	const size_t n_fixed = sizeof(fixed) / sizeof(fixed[0]);
	struct test_list list = { 0 };
	struct CMUnitTest *tests;
	size_t n = 0;
	int failed;

	if (argc > 1)
		return run_script(argc, argv);
	list.arena = arena_create();
	error_destroy(test_list_add(&list, CORPUS));
	if (!list.cases.n)
		return 2;
	tests = calloc(list.cases.n * 2 + n_fixed, sizeof(*tests));
	vec_foreach(it, &list.cases) {
		tests[n++] = (struct CMUnitTest){ "prefixes", test_prefixes, NULL, NULL, *it };
		tests[n++] = (struct CMUnitTest){ "mutations", test_mutations, NULL, NULL, *it };
	}
	memcpy(tests + n, fixed, sizeof(fixed));
	n += n_fixed;
	failed = _cmocka_run_group_tests("parse", tests, n, NULL, NULL);
	free(tests);
	arena_destroy(list.arena);
	return failed;
}
