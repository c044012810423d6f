/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-front: any bytes as a script, through passes 1 to 3, against the kernel of
 * testsuite/unit/fake_target.c and without a tapset. What must hold: the text of -p1 is a script
 * that gives the same text again; a program comes out of pass 2 if and only if no error was
 * reported; it is a verified one; and C can be made of it. A breach aborts.
 *
 * In the profile "fuzz" it is a libFuzzer program (spile-front CORPUS-DIR -dict=script.dict ...);
 * in any other it runs the files and the files of the folders it is given, once each, which is how
 * the check replays corpus/ and found/.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ast/tree.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "codegen/codegen.h"
#include "diag/render.h"
#include "ir/dump.h"
#include "ir/ir.h"
#include "parse/parse.h"
#include "sema/sema.h"

struct target *fake_target_create(struct arena *arena);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All of one script; everything is in the arena. */
struct session {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct parse_env parse_env;
	struct probe_env env;
	struct sema_input input;
};

static const char *config_value(const char *name, void *data)
{
	return strcmp(name, "CONFIG_HZ") ? "y" : "250";
}

/* Options follow from the length, so the same bytes do the same. */
static void session_init(struct session *s, size_t size)
{
	memset(s, 0, sizeof(*s));
	s->arena = arena_create();
	s->in = interner_create(s->arena);
	s->sink = diag_sink_create(s->arena, source_map_create(s->arena));
	s->env = (struct probe_env){ .arena = s->arena,
				     .in = s->in,
				     .sink = s->sink,
				     .guru = true,
				     .target = fake_target_create(s->arena),
				     .no_target_reason = "none is installed" };
	s->parse_env = (struct parse_env){ .kernel_vr = "6.1.0-56-amd64",
					   .arch = "x86_64",
					   .compatible = size % 16 == 3 ? "1.1" : "5.6",
					   .runtime = "kernel",
					   .privilege = "stapdev",
					   .guru = true,
					   .config = config_value };
	s->input = (struct sema_input){ .arena = s->arena,
					.in = s->in,
					.sink = s->sink,
					.catalog = &probe_catalog,
					.env = &s->env,
					.options = { .guru = true,
						     .unoptimised = size % 8 == 5,
						     .skip_badvars = size % 8 == 6,
						     .max_map_entries = 2048 } };
}

static struct ast_file *parse(struct session *s, const char *text, size_t len)
{
	struct parser *p = parser_create(s->arena, s->in, s->sink, &s->parse_env);

	return parse_text(p, "<input>", text, len, false);
}

static void breach(const char *what, const struct strbuf *one, const struct strbuf *other)
{
	fprintf(stderr, "spile-front: %s\n%s\n----\n%s\n", what, strbuf_cstr(one),
		strbuf_cstr(other));
	abort();
}

static void render(struct session *s, struct strbuf *out)
{
	struct diag_style style = { .verbose = 1 };

	diag_render(s->sink, 0, &style, out);
}

/* The text of FILE, read back, gives the text of FILE. */
static void check_printed(const struct ast_file *file, size_t size)
{
	struct strbuf text, again;
	struct session s;
	struct ast_file *same;

	session_init(&s, size);
	strbuf_init(&text);
	strbuf_init(&again);
	ast_print_file(file, &text);
	same = parse(&s, strbuf_cstr(&text), text.len);
	if (!same) {
		render(&s, &again);
		breach("the text of -p1 is refused", &text, &again);
	}
	ast_print_file(same, &again);
	if (text.len != again.len || memcmp(text.s, again.s, text.len))
		breach("the text of -p1 gives another text", &text, &again);
	strbuf_deinit(&text);
	strbuf_deinit(&again);
	arena_destroy(s.arena);
}

static void translate(struct session *s, const struct ir_program *program)
{
	const struct stp_regex *const *regexes;
	struct codegen_input input = {
		.arena = s->arena,
		.program = program,
		.script_name = "<input>",
		.limits = { .max_string = 512, .max_action = 1000, .max_errors = 0 },
	};
	struct strbuf script, guru;
	struct error *err = codegen_check(s->arena, s->sink, program, &input.limits, &regexes);

	if (err || diag_error_count(s->sink)) {
		error_destroy(err);
		return;
	}
	input.regexes = regexes;
	strbuf_init(&script);
	strbuf_init(&guru);
	codegen_program(&input, &script, &guru);
	strbuf_deinit(&script);
	strbuf_deinit(&guru);
}

static void analyse(struct session *s, struct ast_file *file)
{
	struct ast_file *files[] = { file };
	struct ir_program *program;

	s->input.files = files;
	s->input.n_files = 1;
	program = sema_analyse(&s->input);
	if ((program != NULL) != (diag_error_count(s->sink) == 0)) {
		fputs("spile-front: a program with errors, or none without\n", stderr);
		abort();
	}
	if (program && ir_verify(program, s->arena)) {
		fputs("spile-front: the program is not valid\n", stderr);
		abort();
	}
	if (program)
		translate(s, program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ast_file *file;
	struct strbuf diags;
	struct session s;

	session_init(&s, size);
	strbuf_init(&diags);
	file = parse(&s, (const char *)data, size);
	if (file) {
		check_printed(file, size);
		analyse(&s, file);
	}
	render(&s, &diags);
	strbuf_deinit(&diags);
	arena_destroy(s.arena);
	return 0;
}

#ifndef SPILE_LIBFUZZER

static size_t n_run;

static bool run_file(const char *path)
{
	struct error *err;
	char *text;
	size_t len;

	err = file_read(path, &text, &len);
	if (err) {
		fprintf(stderr, "spile-front: %s\n", err->text);
		error_destroy(err);
		return false;
	}
	/* a copy of just that length, for sanitizers to see where it ends */
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	memcpy(copy, text, len);
	LLVMFuzzerTestOneInput(copy, len);
	n_run++;
	free(copy);
	free(text);
	return true;
}

/* A file, or the files of a folder. */
static bool run_path(const char *path)
{
	struct dirent *entry;
	struct stat st;
	bool good = true;
	DIR *dir;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return run_file(path);
	dir = opendir(path);
	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		char *file;

		if (entry->d_name[0] == '.' || asprintf(&file, "%s/%s", path, entry->d_name) < 0)
			continue;
		good &= run_file(file);
		free(file);
	}
	closedir(dir);
	return good;
}

int main(int argc, char **argv)
{
	bool good = true;

	for (int i = 1; i < argc; i++)
		good &= run_path(argv[i]);
	printf("%zu run\n", n_run);
	return good && n_run ? 0 : 1;
}

#endif
