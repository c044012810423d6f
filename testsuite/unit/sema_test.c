/* links: sema probe parse */
/* sources: testsuite/unit/fake_target.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Golden tests of pass 2 against the kernel of fake_target.c and the tapset of testsuite/sema/tapset. NAME.stp is analysed
 * and dumped; the text must equal NAME.out. err.TAG.CASE.stp must report TAG, and its rendered diagnostics equal .err.
 * Comment lines at the top give conditions: "# guru", "# verbose", "# no-target", "# unoptimised", "# skip-badvars",
 * "# no-display", "# set NAME=VALUE", "# list POINT", "# variables POINT". UPDATE=1 rewrites the expected files.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "diag/render.h"
#include "ir/dump.h"
#include "library/library.h"
#include "parse/parse.h"
#include "sema/sema.h"

#define CORPUS SPILE_SOURCE_DIR "/testsuite/sema"

struct target *fake_target_create(struct arena *arena);

static char **scripts; /* names without .stp */
static size_t n_scripts;
static bool tags_seen[DIAG_TAG_MAX];

struct session {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct parser *parser;
	struct parse_env parse_env;
	struct probe_env env;
	struct sema_input input;
	struct ast_file *files[1];
	const char *set[4];
	const char *list;
	bool with_variables;
};

static void read_directives(struct session *s, const char *text)
{
	struct sema_options *o = &s->input.options;

	for (const char *line = text; *line == '#';
	     line += strcspn(line, "\n"), line += *line == '\n') {
		char *copy = arena_strndup(s->arena, line, strcspn(line, "\n"));

		if (!strcmp(copy, "# guru"))
			s->parse_env.guru = s->env.guru = o->guru = true;
		else if (!strcmp(copy, "# verbose"))
			o->verbose = 1;
		else if (!strcmp(copy, "# no-target"))
			s->env.target = NULL;
		else if (!strcmp(copy, "# unoptimised"))
			o->unoptimised = true;
		else if (!strcmp(copy, "# skip-badvars"))
			o->skip_badvars = true;
		else if (!strcmp(copy, "# no-display"))
			o->no_global_display = true;
		else if (!strncmp(copy, "# set ", 6))
			s->set[o->n_set++] = copy + 6;
		else if (!strncmp(copy, "# list ", 7))
			s->list = copy + 7;
		else if (!strncmp(copy, "# variables ", 12))
			s->list = copy + 12;
		if (!strncmp(copy, "# variables ", 12))
			s->with_variables = true;
	}
}

static const char *config_value(const char *name, void *data)
{
	return "";
}

static void session_init(struct session *s, const char *text)
{
	static const char *const dirs[] = { CORPUS "/tapset" };
	struct library_options options = {
		.dirs = dirs, .n_dirs = 1, .release = "6.1.0-56-amd64", .arch = "x86_64"
	};

	memset(s, 0, sizeof(*s));
	s->arena = arena_create();
	s->in = interner_create(s->arena);
	s->sink = diag_sink_create(s->arena, source_map_create(s->arena));
	s->env = (struct probe_env){ .arena = s->arena,
				     .in = s->in,
				     .sink = s->sink,
				     .target = fake_target_create(s->arena),
				     .no_target_reason = "none is installed" };
	s->parse_env = (struct parse_env){ .kernel_vr = "6.1.0-56-amd64",
					   .arch = "x86_64",
					   .compatible = "5.6",
					   .runtime = "kernel",
					   .privilege = "stapdev",
					   .config = config_value };
	s->input = (struct sema_input){ .arena = s->arena,
					.in = s->in,
					.sink = s->sink,
					.files = s->files,
					.catalog = &probe_catalog,
					.env = &s->env };
	s->input.options.max_map_entries = 2048;
	s->input.options.set_globals = s->set;
	read_directives(s, text);
	s->parser = parser_create(s->arena, s->in, s->sink, &s->parse_env);
	assert_null(library_open(s->arena, s->in, s->parser, &options, &s->input.library));
}

/* ---- what the dump leaves out ---- */

static void dump_storage(const struct ir_program *p, struct strbuf *out)
{
	static const char *const storages[] = { "plain", "slot", "constant" };

	strbuf_adds(out, p->globals.n ? "# storage\n" : "");
	vec_foreach(g, &p->globals) {
		strbuf_addf(out, "%s: %s", (*g)->name->text, storages[(*g)->storage]);
		if ((*g)->has_init && (*g)->type == IR_STRING)
			strbuf_addf(out, " = \"%s\"", (*g)->init_string->text);
		else if ((*g)->has_init)
			strbuf_addf(out, " = %lld", (long long)(*g)->init_long);
		if ((*g)->is_array)
			strbuf_addf(out, " [%u]%s", (*g)->capacity, (*g)->wrap ? " wraps" : "");
		if ((*g)->type == IR_STATS)
			strbuf_addf(out, " collect %u shift %u hist %u/%u", (*g)->collect,
				    (*g)->bit_shift, (*g)->hist.kind, (*g)->hist.n_buckets);
		strbuf_addc(out, '\n');
	}
}

static void dump_uses(const struct ir_global_uses *uses, const char *of, struct strbuf *out)
{
	strbuf_adds(out, uses->n ? of : "");
	vec_foreach(l, uses)
		strbuf_addf(out, " %s%s", l->global->name->text, l->write ? "+" : "");
}

static void dump_attach(const struct ir_attach *at, struct strbuf *out)
{
	if (at->tag == IR_ATTACH_SESSION && at->session.sequence)
		strbuf_addf(out, " sequence %lld", (long long)at->session.sequence);
	if (at->tag == IR_ATTACH_TIMER)
		strbuf_addf(out, " interval %lld", (long long)at->timer.interval);
}

static void dump_handlers(const struct ir_program *p, struct strbuf *out)
{
	strbuf_adds(out, "# handlers\n");
	vec_foreach(h, &p->probes) {
		strbuf_addf(out, "%s: %s points %zu%s", (*h)->pn, (*h)->kind->name, (*h)->points.n,
			    (*h)->full_regs ? " full" : "");
		dump_attach(&(*h)->points.data[0].attach, out);
		strbuf_adds(out, " locks");
		dump_uses(&(*h)->locks, "", out);
		dump_uses(&(*h)->condition_locks, " condition", out);
		dump_uses(&(*h)->entry_locks, " entry", out);
		strbuf_addc(out, '\n');
	}
	vec_foreach(f, &p->functions)
		strbuf_addf(out, "%s: %s%s%s%s%s\n", (*f)->c_name, (*f)->pure ? "pure " : "",
			    (*f)->recursive ? "recursive " : "", (*f)->runtime ? (*f)->runtime : "",
			    (*f)->next_overload ? "next " : "",
			    (*f)->next_overload ? (*f)->next_overload->c_name : "");
}

static void dump_formats(const struct ir_program *p, struct strbuf *out)
{
	strbuf_adds(out, p->formats.n ? "# formats\n" : "");
	for (size_t i = 0; i < p->formats.n; i++) {
		const struct ir_format *f = &p->formats.data[i];

		strbuf_addf(out, "%zu: ", i);
		for (uint32_t k = 0; k < f->text->len; k++)
			if (f->text->text[k] == '\n')
				strbuf_adds(out, "\\n");
			else
				strbuf_addc(out, f->text->text[k]);
		strbuf_addf(out, " (%u args, strings %llx, memory %llx)\n", f->n_args,
			    (unsigned long long)f->strings, (unsigned long long)f->memory);
	}
	for (size_t i = 0; i < p->hists.n; i++)
		strbuf_addf(out, "histogram %zu: kind %u, %u buckets\n", i, p->hists.data[i].kind,
			    p->hists.data[i].n_buckets);
	vec_foreach(regex, &p->regexes)
		strbuf_addf(out, "regex %u: \"%s\"%s\n", (*regex)->index, (*regex)->text->text,
			    (*regex)->kept ? " kept" : "");
	if (p->embedded.n || p->needs_guru_unit)
		strbuf_addf(out, "embedded: %zu%s\n", p->embedded.n,
			    p->needs_guru_unit ? ", own unit" : "");
	if (p->anchor_symbol)
		strbuf_addf(out, "anchor: %s\n", p->anchor_symbol);
}

static bool list(struct session *s, struct strbuf *out)
{
	const struct ast_point *point =
		parse_probe_point(s->parser, "<input>", s->list, strlen(s->list));
	struct sema_listing listing = { 0 };

	assert_non_null(point);
	s->env.listing = true;
	if (!sema_list(&s->input, point, s->with_variables, &listing))
		return false;
	for (size_t i = 0; i < listing.n; i++)
		strbuf_addf(out, "%s\n", listing.lines[i]);
	return true;
}

/* The rendered diagnostics, then the program. True: no errors. */
static bool run(struct session *s, const char *text, size_t len, struct strbuf *out)
{
	struct diag_style style = { .verbose = 1 };
	struct ir_program *program = NULL;
	struct strbuf listed;
	bool good;

	strbuf_init(&listed);
	s->files[0] = parse_text(s->parser, "<input>", text, len, false);
	assert_non_null(s->files[0]);
	assert_int_equal(diag_error_count(s->sink), 0);
	s->input.n_files = 1;
	if (s->list)
		good = list(s, &listed);
	else
		good = (program = sema_analyse(&s->input)) != NULL;
	assert_int_equal(good, diag_error_count(s->sink) == 0);
	diag_render(s->sink, 0, &style, out);
	strbuf_adds(out, strbuf_cstr(&listed));
	strbuf_deinit(&listed);
	if (!program)
		return good;
	assert_null(ir_verify(program, s->arena));
	ir_dump(program, 1, out);
	dump_storage(program, out);
	dump_handlers(program, out);
	dump_formats(program, out);
	return good;
}

/* ---- goldens ---- */

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

/* File names as seen from the corpus, wherever the tree stands. */
static void forget_directory(char *text)
{
	size_t n = strlen(CORPUS "/");

	while ((text = strstr(text, CORPUS "/")))
		memmove(text, text + n, strlen(text + n) + 1);
}

static void compare_golden(const char *name, const char *suffix, char *actual)
{
	char *path = corpus_path(name, suffix), *expected;
	size_t len;

	forget_directory(actual);
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

static void check_tag(const struct session *s, const char *name)
{
	size_t len = strcspn(name + 4, ".");
	bool found = false;

	for (size_t i = 0; i < diag_count(s->sink); i++) {
		const char *tag = diag_tag_name(diag_get(s->sink, i)->tag);

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
	strbuf_adds(&out, "");
	session_init(&s, text);
	if (!run(&s, text, len, &out) && !is_error)
		fail_msg("%s: %s", name, strbuf_cstr(&out));
	for (size_t i = 0; i < diag_count(s.sink); i++)
		tags_seen[diag_get(s.sink, i)->tag] = true;
	if (is_error)
		check_tag(&s, name);
	compare_golden(name, is_error ? ".err" : ".out", out.s);
	strbuf_deinit(&out);
	arena_destroy(s.arena);
	free(text);
}

/* ---- robustness ---- */

static void survive(const char *directives, const char *text, size_t len)
{
	struct session s;
	struct ir_program *program;

	session_init(&s, directives);
	s.files[0] = parse_text(s.parser, "<input>", text, len, false);
	s.input.n_files = s.files[0] != NULL;
	if (s.files[0] && !diag_error_count(s.sink)) {
		program = sema_analyse(&s.input);
		assert_int_equal(program != NULL, diag_error_count(s.sink) == 0);
		assert_true(!program || !ir_verify(program, s.arena));
	}
	arena_destroy(s.arena);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Swap two words of the script, again and again: most of what comes out parses and means something odd. */
static void test_mutations(void **state)
{
	uint32_t seed = 2463534242u;

	for (size_t i = 0; i < n_scripts; i++) {
		size_t len;
		char *text = read_corpus(scripts[i], ".stp", &len);

		for (int round = 0; round < 40; round++) {
			char *copy = strdup(text);
			size_t from = next_random(&seed) % len, to = next_random(&seed) % len,
			       n = 1 + next_random(&seed) % 6;

			for (size_t k = 0; k < n && from + k < len && to + k < len; k++)
				copy[to + k] = text[from + k];
			survive(text, copy, len);
			free(copy);
		}
		free(text);
	}
}

/* A script of thousands of statements is analysed in time that grows with its length only. */
static void test_long_script(void **state)
{
	struct strbuf text, out;
	struct session s;
	struct timespec from, to;

	strbuf_init(&text);
	strbuf_init(&out);
	strbuf_adds(&text, "global a\n");
	for (int i = 0; i < 2000; i++)
		strbuf_addf(
			&text,
			"function f%d(x) { return x + %s%d%s }\nprobe begin { a[f%d(%d)]++; printf(\"%%d\\n\", a[%d]) }\n",
			i, i ? "f" : "", i ? i - 1 : 1, i ? "(x)" : "", i, i, i);
	session_init(&s, "");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	assert_true(run(&s, text.s, text.len, &out));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	assert_in_range((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000, 0,
			20000);
	strbuf_deinit(&text);
	strbuf_deinit(&out);
	arena_destroy(s.arena);
}

/* Every diagnostic of sema/ has a script that provokes it. */
static void test_every_tag_is_tested(void **state)
{
	bool complete = true;

	if (getenv("UPDATE"))
		skip();
	for (int tag = DIAG_DUPLICATE_GLOBAL; tag <= DIAG_NO_PROBES; tag++) {
		/* wrappers are never reported on their own; the fake kernel's anchor always exists */
		if (tags_seen[tag] || tag == DIAG_WHILE_RESOLVING || tag == DIAG_WHILE_PROCESSING ||
		    tag == DIAG_NO_ANCHOR)
			continue;
		print_error("no script reports %s\n", diag_tag_name((enum diag_tag)tag));
		complete = false;
	}
	assert_true(complete);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_scripts(void)
{
	DIR *dir = opendir(CORPUS);
	const char *only = getenv("ONLY");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".stp") || (only && !strstr(entry->d_name, only)))
			continue;
		scripts = realloc(scripts, (n_scripts + 1) * sizeof(*scripts));
		scripts[n_scripts++] = strndup(entry->d_name, (size_t)(dot - entry->d_name));
	}
	if (dir)
		closedir(dir);
	if (scripts)
		qsort(scripts, n_scripts, sizeof(*scripts), by_name);
}

int main(void)
{
	struct CMUnitTest *tests;
	size_t n = 0;
	int failed;

	find_scripts();
	tests = calloc(n_scripts + 3, sizeof(*tests));
	for (size_t i = 0; i < n_scripts; i++)
		tests[n++] = (struct CMUnitTest){ scripts[i], test_script, NULL, NULL, scripts[i] };
	if (!getenv("ONLY")) {
		tests[n++] = (struct CMUnitTest){ "mutations", test_mutations, NULL, NULL, NULL };
		tests[n++] =
			(struct CMUnitTest){ "a long script", test_long_script, NULL, NULL, NULL };
		tests[n++] = (struct CMUnitTest){ "every tag is tested", test_every_tag_is_tested,
						  NULL, NULL, NULL };
	}
	failed = _cmocka_run_group_tests("sema", tests, n, NULL, NULL);
	free(tests);
	for (size_t i = 0; i < n_scripts; i++)
		free(scripts[i]);
	free(scripts);
	return failed;
}
