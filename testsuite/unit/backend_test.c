/* links: backend sema probe parse */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A second back end: no more than an instance of struct backend, which takes the program that pass
 * 2 makes of a script through the steps that the driver calls. It makes a list of what is probed,
 * and serves no builtins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/backend.h"
#include "base/strbuf.h"
#include "parse/parse.h"
#include "sema/sema.h"

/* ---- the back end ---- */

static struct error *list_open(struct backend_job *job)
{
	struct strbuf *text = arena_new(job->arena, struct strbuf);

	strbuf_init(text);
	job->state = text;
	return job->options.n_defines ? error_create("lists have no limits") : NULL;
}

static struct error *list_check(struct backend_job *job)
{
	vec_foreach(f, &job->program->functions)
		if ((*f)->builtin)
			return error_create("function %s is not available in a list",
					    (*f)->name->text);
	return NULL;
}

static struct error *list_gather(struct backend_job *job, bool *ok)
{
	return NULL;
}

static struct error *list_lower(struct backend_job *job)
{
	vec_foreach(g, &job->program->globals)
		strbuf_addf(job->state, "global %s\n", (*g)->name->text);
	vec_foreach(p, &job->program->probes)
		strbuf_addf(job->state, "probe %s: %s\n", (*p)->pn, (*p)->kind->name);
	return NULL;
}

static void list_show(const struct backend_job *job, FILE *out)
{
	const struct strbuf *text = job->state;

	fwrite(strbuf_cstr(text), 1, text->len, out);
}

static const char *list_said(const struct backend_job *job, int pass)
{
	return pass == 3 ? "translated to a list" : "built nothing";
}

static void list_close(struct backend_job *job)
{
	strbuf_deinit(job->state);
}

static const struct backend list_backend = {
	.name = "list",
	.makes = "lists",
	.open = list_open,
	.check = list_check,
	.gather = list_gather,
	.lower = list_lower,
	.show = list_show,
	.said = list_said,
	.close = list_close,
};

/* ---- the driver's part ---- */

static const char *config_value(const char *name, void *data)
{
	return "";
}

/* The program of a script, which asks neither for a kernel nor for the library. */
static const struct ir_program *analyse(struct backend_job *job, const struct backend *backend,
					const char *script)
{
	struct parse_env parse_env = { .kernel_vr = "6.1.0",
				       .arch = "x86_64",
				       .compatible = "5.6",
				       .runtime = backend->name,
				       .privilege = "stapdev",
				       .config = config_value };
	struct interner *in = interner_create(job->arena);
	struct probe_env env = { .arena = job->arena,
				 .in = in,
				 .sink = job->sink,
				 .no_target_reason = "there is none" };
	struct parser *parser = parser_create(job->arena, in, job->sink, &parse_env);
	struct ast_file *file = parse_text(parser, "<input>", script, strlen(script), false);
	struct sema_input input = { .arena = job->arena,
				    .in = in,
				    .sink = job->sink,
				    .files = &file,
				    .n_files = 1,
				    .catalog = &probe_catalog,
				    .env = &env,
				    .options.max_map_entries = 2048 };

	assert_non_null(file);
	return sema_analyse(&input);
}

/*
 * The script through BACKEND to pass 3: what it shows, or what its check or the analysis refuses
 * it for; the caller's to free.
 */
static char *translate(const struct backend *backend, const char *script)
{
	struct backend_job job = { .arena = arena_create() };
	struct error *err;
	size_t len;
	char *ret;
	bool ok = true;
	FILE *out;

	job.sink = diag_sink_create(job.arena, source_map_create(job.arena));
	assert_null(backend->open(&job));
	job.program = analyse(&job, backend, script);
	assert_non_null(job.program);
	out = open_memstream(&ret, &len);
	err = backend->check(&job);
	if (!err) {
		assert_null(backend->gather(&job, &ok));
		assert_true(ok);
		assert_null(backend->lower(&job));
		assert_non_null(backend->said(&job, 3));
		backend->show(&job, out);
	} else {
		fputs(err->text, out);
		error_destroy(err);
	}
	fclose(out);
	backend->close(&job);
	arena_destroy(job.arena);
	return ret;
}

static void assert_translated(const char *script, const char *expected)
{
	char *text = translate(&list_backend, script);

	assert_string_equal(text, expected);
	free(text);
}

static void lowers(void **state)
{
	assert_translated(
		"global n probe begin { n++ } probe end, timer.s(1) { printf(\"%d\", n) }",
		"global n\n"
		"probe begin: begin\n"
		"probe end: end\n"
		"probe timer.s(1): timer\n");
}

/* What the language says by itself is the program's: %( runtime %) is this back end's name. */
static void is_asked_for(void **state)
{
	assert_translated("%( runtime == \"list\" %? probe begin %: probe end %) { print(1) }",
			  "probe begin: begin\n");
}

static void refuses(void **state)
{
	assert_translated("probe begin { println(pid()) }",
			  "function pid is not available in a list");
}

static void refuses_options(void **state)
{
	static const char *const defines[] = { "MAXACTION=1" };
	struct backend_job job = { .arena = arena_create(),
				   .options = { .defines = defines, .n_defines = 1 } };
	struct error *err = list_backend.open(&job);

	assert_non_null(err);
	error_destroy(err);
	list_backend.close(&job);
	arena_destroy(job.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lowers),
		cmocka_unit_test(is_asked_for),
		cmocka_unit_test(refuses),
		cmocka_unit_test(refuses_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
