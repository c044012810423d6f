/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 1: the library is opened, then the user's scripts are parsed. The order matters: macros of
 * the library are visible in user scripts. Only here are the user's scripts read.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ast/tree.h"
#include "base/file.h"
#include "driver/argv.h"
#include "driver/example.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "driver/verbose.h"
#include "remote/remote.h"

/* "-" is standard input, and its name "<input>". The text is on the heap. */
static struct error *read_script(struct session *s, const char *path, const char **name,
				 char **text, size_t *len)
{
	*name = strcmp(path, "-") ? path : "<input>";
	return file_read(strcmp(path, "-") ? path : "/dev/stdin", text, len);
}

/* TEXT must live as long as the session. False: errors are in the sink. */
static bool add_script(struct session *s, const char *name, const char *text, size_t len)
{
	struct ast_file *file = parse_text(s->parser, name, text, len, false);

	if (!file)
		return false;
	vec_push(s->arena, &s->files, file);
	return true;
}

/* A file of the library only makes sense as part of it. */
static bool is_library_file(const struct session *s)
{
	char script[PATH_MAX], dir[PATH_MAX];
	size_t n;

	if (!realpath(s->options.script_file, script) || !realpath(s->tapset_dir, dir))
		return false;
	n = strlen(dir);
	return !strncmp(script, dir, n) && script[n] == '/';
}

/*
 * Every script is parsed even when one before it is bad, so that all mistakes are shown at once.
 */
static bool parse_user_scripts(struct session *s)
{
	const struct options *o = &s->options;
	const char *file = o->script_file;
	bool fine = true;

	if (o->example) {
		file = example_path(s, file);
		if (!file)
			return false;
	}
	if (o->script_text)
		fine = add_script(s, "<input>", o->script_text, strlen(o->script_text));
	if (file && !o->example && is_library_file(s)) {
		fprintf(stderr,
			"usage error: tapset file '%s' cannot be run directly as a session "
			"script.\n",
			o->script_file);
		return false;
	}
	if (file) {
		const char *name;
		char *text;
		size_t len;
		struct error *err = read_script(s, file, &name, &text, &len);

		if (err) {
			session_show_error(err);
			return false;
		}
		fine = add_script(s, name, arena_strndup(s->arena, text, len), len);
		free(text);
	}
	for (size_t i = 0; i < o->extra_scripts.n; i++) {
		const char *text = o->extra_scripts.data[i];

		fine &= add_script(s, arena_printf(s->arena, "<input%zu>", i + 1), text,
				   strlen(text));
	}
	return fine;
}

#define ARGUMENTS "<arguments>"

/*
 * Puts the script of argc and argv before all others. Arguments count as used then, whichever of
 * them the script takes.
 */
static bool add_argv(struct session *s)
{
	struct ast_file **files = s->files.data, *first;
	const struct options *o = &s->options;
	bool wanted, fine = true;
	struct strbuf text;

	strbuf_init(&text);
	wanted = argv_script(s->in, files, s->files.n, o->args.data, o->args.n, &text);
	if (wanted)
		fine = add_script(s, ARGUMENTS, arena_strndup(s->arena, text.s, text.len),
				  text.len);
	strbuf_deinit(&text);
	if (!wanted || !fine)
		return fine;
	files = s->files.data;
	first = files[s->files.n - 1];
	memmove(&files[1], &files[0], (s->files.n - 1) * sizeof(*files));
	files[0] = first;
	for (size_t i = 0; i < o->args.n; i++)
		s->parse_env.args_used[i] = true;
	return true;
}

/* For -vv: a directory of the library, how many files it has and how many of them are indexed. */
static void say_searched(void *arg, const char *dir, unsigned found, unsigned used)
{
	fprintf(stderr, "Searched: \"%s\", found: %u, processed: %u\n", dir, found, used);
}

/* For -vvv: a file of the library, when it is parsed, which may be long after pass 1. */
static void say_processing(void *arg, const char *path)
{
	fprintf(stderr, "Processing tapset \"%s\"\n", path);
}

/*
 * Folders of -I that are none: what they were given for will be missed in a way that names
 * something else. false: -W makes an error of it.
 */
static bool warn_missing_folders(struct session *s)
{
	bool fine = true;
	struct stat st;

	for (size_t i = 0; i < s->options.tapset_dirs.n && !s->options.no_warnings; i++) {
		const char *dir = s->options.tapset_dirs.data[i];
		int problem = 0;

		if (stat(dir, &st))
			problem = errno;
		else if (!S_ISDIR(st.st_mode))
			problem = ENOTDIR;
		else if (access(dir, R_OK | X_OK))
			problem = errno;
		if (!problem)
			continue;
		fprintf(stderr, "WARNING: no tapset is read from '%s' (-I): %s\n", dir,
			strerror(problem));
		fine = !s->options.fatal_warnings;
	}
	return fine;
}

/* Diagnostics are shown here, also when the scripts are fine: warnings. */
bool pass_parse(struct session *s)
{
	VEC(const char *) dirs = { 0 };
	struct library_options lib = { .release = s->release,
				       .arch = s->parse_env.arch,
				       .cache_dir = s->cache_dir,
				       .searched = s->options.verbose[1] >= 2 ? say_searched : NULL,
				       .processing =
					       s->options.verbose[1] >= 3 ? say_processing : NULL };
	struct error *err;
	bool fine;

	if (!warn_missing_folders(s))
		return false;
	for (size_t i = 0; i < s->options.tapset_dirs.n; i++)
		vec_push(s->arena, &dirs, s->options.tapset_dirs.data[i]);
	lib.n_strict = dirs.n;
	vec_push(s->arena, &dirs, s->tapset_dir);
	if (s->tapset_made_dir)
		vec_push(s->arena, &dirs, s->tapset_made_dir);
	lib.dirs = dirs.data;
	lib.n_dirs = dirs.n;
	/* the library comes first: its macros are visible in user scripts */
	err = library_open(s->arena, s->in, s->parser, &lib, &s->library);
	if (err) {
		session_show_error(err);
		return false;
	}
	fine = parse_user_scripts(s) && add_argv(s);
	fine &= session_show_diagnostics(s);
	return fine;
}

/* false when -W makes an error of it */
static bool warn_unused_arguments(struct session *s)
{
	bool fine = true;

	if (s->options.no_warnings)
		return true;
	for (size_t i = 0; i < s->options.args.n; i++) {
		if (s->parse_env.args_used[i])
			continue;
		fprintf(stderr, "WARNING: unused command line option $%zu/@%zu\n", i + 1, i + 1);
		fine = !s->options.fatal_warnings;
	}
	return fine;
}

/*
 * A guest is started here, as the first pass has found the script good enough to go on with: it
 * boots while the later passes compile.
 */
bool pass1_run(struct session *s)
{
	struct strbuf text;

	if (!pass_parse(s))
		return false;
	if (!warn_unused_arguments(s))
		return false;
	if (s->options.last_pass == 5 && s->options.remote)
		s->guest = remote_vm_prepare(s->kernel_spec);
	if (s->options.last_pass > 1)
		return true;
	strbuf_init(&text);
	strbuf_adds(&text, "# parse tree dump\n");
	vec_foreach(file, &s->files)
		if (strcmp((*file)->name, ARGUMENTS) != 0) /* part of the library */
			ast_print_file(*file, &text);
	fwrite(strbuf_cstr(&text), 1, text.len, stdout);
	strbuf_deinit(&text);
	return true;
}

/* The line of -v; verbose.c adds what the pass took. */
void pass1_say(struct session *s)
{
	size_t n = library_file_count(s->library);

	fprintf(stderr, "Pass 1: parsed user script and %zu library script%s", n, plural(n));
}
