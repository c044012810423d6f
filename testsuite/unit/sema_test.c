/* links: sema codegen probe parse testcase */
/* sources: testsuite/unit/fake_target.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 2 against the kernel of fake_target.c and the tapset of testsuite/sema/tapset. As a program for spile-test,
 * "sema_test OPTIONS SCRIPT" analyses a script and dumps the program; diagnostics go to standard error. A script
 * err.TAG.CASE.stp must report TAG, any other must have no errors. The status is 0 when that holds. OPTIONS: --guru,
 * --verbose, --no-target, --no-anchor, --unoptimised, --skip-badvars, --no-display, --set NAME=VALUE, and --list POINT or
 * --variables POINT instead of a dump. The cases are in testsuite/sema.
 *
 * Without arguments it runs the robustness tests, for which every one of those scripts is a seed.
 */
#include <getopt.h>
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
#include "codegen/codegen.h"
#include "codegen/sharing.h"
#include "diag/render.h"
#include "ir/dump.h"
#include "library/library.h"
#include "parse/parse.h"
#include "runner.h"
#include "sema/sema.h"

#define CORPUS SPILE_SOURCE_DIR "/testsuite/sema"

struct target *fake_target_create(struct arena *arena);
extern bool fake_target_has_anchor;

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

/* Status 2 and what is known, for an option that is not. */
static void read_options(struct session *s, int argc, char **argv)
{
	enum {
		GURU = 1,
		VERBOSE,
		NO_TARGET,
		NO_ANCHOR,
		UNOPTIMISED,
		SKIP_BADVARS,
		NO_DISPLAY,
		SET,
		LIST,
		VARIABLES
	};
	static const struct option options[] = {
		{ "guru", no_argument, NULL, GURU },
		{ "verbose", no_argument, NULL, VERBOSE },
		{ "no-target", no_argument, NULL, NO_TARGET },
		{ "no-anchor", no_argument, NULL, NO_ANCHOR },
		{ "unoptimised", no_argument, NULL, UNOPTIMISED },
		{ "skip-badvars", no_argument, NULL, SKIP_BADVARS },
		{ "no-display", no_argument, NULL, NO_DISPLAY },
		{ "set", required_argument, NULL, SET },
		{ "list", required_argument, NULL, LIST },
		{ "variables", required_argument, NULL, VARIABLES },
		{ 0 },
	};
	struct sema_options *o = &s->input.options;

	fake_target_has_anchor = true;
	if (!argc)
		return;
	optind = 0; /* begin anew */
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == GURU)
			s->parse_env.guru = s->env.guru = o->guru = true;
		if (c == NO_TARGET)
			s->env.target = NULL;
		if (c == NO_ANCHOR)
			fake_target_has_anchor = false;
		o->verbose |= c == VERBOSE;
		o->unoptimised |= c == UNOPTIMISED;
		o->skip_badvars |= c == SKIP_BADVARS;
		o->no_global_display |= c == NO_DISPLAY;
		if (c == SET && o->n_set < 4)
			s->set[o->n_set++] = arena_strdup(s->arena, optarg);
		if (c == LIST || c == VARIABLES)
			s->list = arena_strdup(s->arena, optarg);
		s->with_variables |= c == VARIABLES;
		if (c == '?')
			exit(2);
	}
}

static const char *config_value(const char *name, void *data)
{
	return "";
}

static void session_init(struct session *s, int argc, char **argv)
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
	read_options(s, argc, argv);
	s->parser = parser_create(s->arena, s->in, s->sink, &s->parse_env);
	assert_null(library_open(s->arena, s->in, s->parser, &options, &s->input.library));
}

/* ---- what the dump leaves out ---- */

static void dump_storage(const struct ir_program *p, struct strbuf *out)
{
	static const char *const storages[] = { "plain", "counter", "constant" };

	strbuf_adds(out, p->globals.n ? "# storage\n" : "");
	vec_foreach(g, &p->globals) {
		strbuf_addf(out, "%s: %s", (*g)->name->text, storages[sharing_storage(*g)]);
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

static void dump_locks(struct lock_uses uses, const char *of, struct strbuf *out)
{
	strbuf_adds(out, uses.n ? of : "");
	vec_foreach(l, &uses)
		strbuf_addf(out, " %s%s", l->global->name->text, l->write ? "+" : "");
}

static void dump_attach(const struct ir_attach *at, struct strbuf *out)
{
	if (at->tag == IR_ATTACH_SESSION && at->session.sequence)
		strbuf_addf(out, " sequence %lld", (long long)at->session.sequence);
	if (at->tag == IR_ATTACH_TIMER)
		strbuf_addf(out, " interval %lld", (long long)at->timer.interval);
}

static void dump_handlers(const struct ir_program *p, struct arena *arena, struct strbuf *out)
{
	strbuf_adds(out, "# handlers\n");
	vec_foreach(h, &p->probes) {
		strbuf_addf(out, "%s: %s points %zu%s", (*h)->pn, (*h)->kind->name, (*h)->points.n,
			    (*h)->full_regs ? " full" : "");
		dump_attach(&(*h)->points.data[0].attach, out);
		strbuf_adds(out, " locks");
		dump_locks(sharing_body_locks(arena, *h), "", out);
		dump_locks(sharing_condition_locks(arena, *h), " condition", out);
		dump_locks(sharing_entry_locks(arena, *h), " entry", out);
		strbuf_addc(out, '\n');
	}
	vec_foreach(f, &p->functions)
		strbuf_addf(out, "%s: %s%s%s%s%s\n", (*f)->unique_name, (*f)->pure ? "pure " : "",
			    (*f)->recursive ? "recursive " : "", (*f)->builtin ? "builtin " : "",
			    (*f)->next_overload ? "next " : "",
			    (*f)->next_overload ? (*f)->next_overload->unique_name : "");
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
	if (p->embedded.n)
		strbuf_addf(out, "embedded: %zu\n", p->embedded.n);
	if (p->anchor.symbol)
		strbuf_addf(out, "anchor: %s\n", p->anchor.symbol);
}

static bool list(struct session *s, struct strbuf *out)
{
	const struct ast_file *file =
		parse_probe_text(s->parser, "<input>", s->list, strlen(s->list));
	struct sema_listing listing = { 0 };

	assert_non_null(file);
	if (!sema_list(&s->input, file->probes.data[0]->points.data[0], s->with_variables,
		       &listing))
		return false;
	for (size_t i = 0; i < listing.n; i++)
		strbuf_addf(out, "%s\n", listing.lines[i]);
	return true;
}

/* What the back end refuses belongs to pass 2. */
static bool analyse(struct session *s, struct ir_program **ret)
{
	const struct codegen_limits limits = { .max_string = 512 };
	const struct stp_regex *const *regexes;

	*ret = sema_analyse(&s->input);
	if (*ret)
		assert_null(codegen_check(s->arena, s->sink, *ret, &limits, &regexes));
	if (diag_error_count(s->sink))
		*ret = NULL;
	return *ret;
}

/* Analyse; the program or the list goes to OUT, the rendered diagnostics to DIAGS. True: no errors. */
static bool run(struct session *s, const char *text, size_t len, struct strbuf *out,
		struct strbuf *diags)
{
	struct diag_style style = { .verbose = 1 };
	struct ir_program *program = NULL;
	bool good;

	s->files[0] = parse_text(s->parser, "<input>", text, len, false);
	assert_non_null(s->files[0]);
	assert_int_equal(diag_error_count(s->sink), 0);
	s->input.n_files = 1;
	if (s->list)
		good = list(s, out);
	else
		good = analyse(s, &program);
	assert_int_equal(good, diag_error_count(s->sink) == 0);
	diag_render(s->sink, 0, &style, diags);
	if (!program)
		return good;
	assert_null(ir_verify(program, s->arena));
	ir_dump(program, 1, out);
	dump_storage(program, out);
	dump_handlers(program, s->arena, out);
	dump_formats(program, out);
	return good;
}

/* ---- one script, for spile-test ---- */

static char *read_script(const char *path, size_t *len)
{
	char *text = NULL;
	struct error *err = file_read(path, &text, len);

	if (err)
		fprintf(stderr, "%s\n", err->text);
	error_destroy(err);
	return text;
}

/* File names as seen from the corpus, wherever the tree stands. */
static void print_without_directory(const char *text, FILE *to)
{
	for (const char *at; (at = strstr(text, CORPUS "/")); text = at + strlen(CORPUS "/"))
		fwrite(text, 1, at - text, to);
	fputs(text, to);
}

static bool is_reported(const struct session *s, const char *name)
{
	size_t len = strcspn(name, ".");

	for (size_t i = 0; i < diag_count(s->sink); i++)
		for (const struct diagnostic *d = diag_get(s->sink, i); d; d = d->outer) {
			const char *tag = diag_tag_name(d->tag);

			if (strlen(tag) == len && !memcmp(tag, name, len))
				return true;
		}
	fprintf(stderr, "sema_test: %.*s was not reported\n", (int)len, name);
	return false;
}

static int run_script(int argc, char **argv)
{
	const char *path = argv[argc - 1], *name = path_base(path);
	struct strbuf out, diags;
	struct session s;
	bool good;
	size_t len;
	char *text;

	session_init(&s, argc, argv);
	text = read_script(path, &len);
	if (!text)
		return 2;
	strbuf_init(&out);
	strbuf_init(&diags);
	good = run(&s, text, len, &out, &diags);
	print_without_directory(strbuf_cstr(&out), stdout);
	print_without_directory(strbuf_cstr(&diags), stderr);
	if (!strncmp(name, "err.", 4))
		good = is_reported(&s, name + 4);
	strbuf_deinit(&out);
	strbuf_deinit(&diags);
	arena_destroy(s.arena);
	free(text);
	return !good;
}

/* ---- robustness ---- */

static void survive(int argc, char **argv, const char *text, size_t len)
{
	struct session s;
	struct ir_program *program;

	session_init(&s, argc, argv);
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

	const struct test_list *scripts = *state;

	vec_foreach(it, &scripts->cases) {
		const struct test_case *tc = *it;
		char *path, *text, **argv;
		size_t len;
		int argc;

		assert_true(asprintf(&path, "%s/%s", tc->dir, tc->script) > 0);
		text = read_script(path, &len);
		free(path);
		assert_non_null(text);
		argv = test_case_arguments(scripts->arena, tc, &argc);
		for (int round = 0; round < 40; round++) {
			char *copy = strdup(text);
			size_t from = next_random(&seed) % len, to = next_random(&seed) % len,
			       n = 1 + next_random(&seed) % 6;

			for (size_t k = 0; k < n && from + k < len && to + k < len; k++)
				copy[to + k] = text[from + k];
			survive(argc, argv, copy, len);
			free(copy);
		}
		free(text);
	}
}

/* A script of thousands of statements is analysed in time that grows with its length only. */
static void test_long_script(void **state)
{
	struct strbuf text, out, diags;
	struct session s;
	struct timespec from, to;

	strbuf_init(&text);
	strbuf_init(&out);
	strbuf_init(&diags);
	strbuf_adds(&text, "global a\n");
	for (int i = 0; i < 2000; i++)
		strbuf_addf(
			&text,
			"function f%d(x) { return x + %s%d%s }\nprobe begin { a[f%d(%d)]++; printf(\"%%d\\n\", a[%d]) }\n",
			i, i ? "f" : "", i ? i - 1 : 1, i ? "(x)" : "", i, i, i);
	session_init(&s, 0, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	assert_true(run(&s, text.s, text.len, &out, &diags));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	assert_in_range((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000, 0,
			20000);
	strbuf_deinit(&text);
	strbuf_deinit(&out);
	strbuf_deinit(&diags);
	arena_destroy(s.arena);
}

int main(int argc, char **argv)
{
	struct test_list scripts = { 0 };
	const struct CMUnitTest tests[] = {
		{ "mutations", test_mutations, NULL, NULL, &scripts },
		{ "a long script", test_long_script, NULL, NULL, NULL },
	};
	int failed;

	if (argc > 1)
		return run_script(argc, argv);
	scripts.arena = arena_create();
	error_destroy(test_list_add(&scripts, CORPUS));
	if (!scripts.cases.n)
		return 2;
	failed = _cmocka_run_group_tests("sema", tests, 2, NULL, NULL);
	arena_destroy(scripts.arena);
	return failed;
}
