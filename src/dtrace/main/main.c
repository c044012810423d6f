/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dtrace: headers (-h) and objects (-G) from the description of a program's marks, as builds of
 * programs call it. $CC and $CFLAGS compile and preprocess. The exit status is 0 or 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "dtrace/description.h"
#include "dtrace/generate.h"

/* A command line in the making; its arguments are the arena's or live as long as the program. */
struct arguments {
	const char **data;
	size_t n, cap;
};

/* What the command line asks for: exactly one of header and object. */
struct request {
	struct arena *arena;
	const char *source, *out;
	bool header, object, preprocess, keep, types;
	struct arguments preprocessor; /* -I, -D */
};

/* Gives STATUS back, which becomes the exit status. */
static int usage(FILE *to, int status)
{
	fputs("Usage: dtrace -h [--types] | -G [-k] [-C [-I DIR] [-D NAME[=VALUE]]] [-o FILE] -s FILE.d\n"
	      "  -h       make a header with a macro for each probe, and one that says whether it is used\n"
	      "  -G       make an object with the semaphores of the probes\n"
	      "  -s FILE  the description of the probes\n"
	      "  -o FILE  what is made; default: FILE.h or FILE.o in this directory\n"
	      "  -C       run the C preprocessor over the description, with -I and -D\n"
	      "  -k       keep the C text of -G\n"
	      "  --types  with -h: define the types of the arguments, PROVIDER_PROBE_argN\n"
	      "  --help, -V, --version\n",
	      to);
	return status;
}

/* The words of variable NAME, or of DEFAULT_VALUE; no command in it is run. */
static struct error *add_variable(struct request *q, struct arguments *argv, const char *name,
				  const char *default_value)
{
	const char *value = getenv(name);
	wordexp_t words;

	if (wordexp(value && *value ? value : default_value, &words, WRDE_NOCMD))
		return error_create("$%s is no command line: %s", name, value);
	for (size_t i = 0; i < words.we_wordc; i++)
		vec_push(q->arena, argv, (const char *)arena_strdup(q->arena, words.we_wordv[i]));
	wordfree(&words);
	return NULL;
}

/*
 * The source behind $CC -E with -I and -D of the command line: heap text of LEN bytes, the
 * caller's, set only when there is no error. What the preprocessor says goes to standard error also
 * when it succeeds, for then it warns.
 */
static struct error *preprocess(struct request *q, char **ret, size_t *len)
{
	struct arguments argv = { 0 };
	struct error *err = add_variable(q, &argv, "CC", "cc");
	struct subprocess sp = { .in = SUBPROCESS_NULL };
	char *messages = NULL;
	int status;

	if (err)
		return err;
	vec_push(q->arena, &argv, "-E");
	vec_foreach(word, &q->preprocessor)
		vec_push(q->arena, &argv, *word);
	vec_push(q->arena, &argv, "-x");
	vec_push(q->arena, &argv, "c");
	vec_push(q->arena, &argv, q->source);
	vec_push(q->arena, &argv, NULL);
	sp.argv = argv.data;
	err = subprocess_capture(&sp, ret, len, &messages, &status);
	if (!err && messages)
		fputs(messages, stderr);
	free(messages);
	if (err || !status)
		return err;
	free(*ret);
	return error_create("the preprocessor failed");
}

/*
 * Positions in errors are those of the source, also behind the preprocessor: it leaves line marks.
 */
static struct error *read_source(struct request *q, struct dtrace_probes *ret)
{
	struct error *err;
	char *text;
	size_t len;

	err = q->preprocess ? preprocess(q, &text, &len) : file_read(q->source, &text, &len);
	if (err)
		return err;
	if (strlen(text) < len)
		err = error_create("%s: a NUL byte at offset %zu, which is no text", q->source,
				   strlen(text));
	else
		err = dtrace_parse(q->arena, q->source, text, ret);
	free(text);
	return err;
}

/* -o, or the name of the description with another end. */
static const char *output_name(const struct request *q, const char *suffix)
{
	const char *base = path_base(q->source);
	size_t n = strlen(base);

	if (q->out)
		return q->out;
	if (n > 2 && !strcmp(base + n - 2, ".d"))
		n -= 2;
	return arena_printf(q->arena, "%.*s%s", (int)n, base, suffix);
}

/*
 * UNIT to the object OUT, by $CC with $CFLAGS. The compiler's messages go to standard error as they
 * come.
 */
static struct error *compile(struct request *q, const char *unit, const char *out)
{
	struct arguments argv = { 0 };
	struct error *err = add_variable(q, &argv, "CC", "cc");
	struct subprocess sp = { .in = SUBPROCESS_NULL,
				 .out = SUBPROCESS_INHERIT,
				 .err = SUBPROCESS_INHERIT };

	if (!err)
		err = add_variable(q, &argv, "CFLAGS", "-g");
	if (err)
		return err;
	vec_push(q->arena, &argv, "-fPIC");
	vec_push(q->arena, &argv, "-c");
	vec_push(q->arena, &argv, unit);
	vec_push(q->arena, &argv, "-o");
	vec_push(q->arena, &argv, out);
	vec_push(q->arena, &argv, NULL);
	sp.argv = argv.data;
	return subprocess_run(&sp);
}

/* The text is a temporary file, which stays, and is named, with -k. */
static struct error *write_object(struct request *q, const struct strbuf *text)
{
	const char *out = output_name(q, ".o"), *unit;
	struct error *err;
	char *dir;

	err = dir_create_temp(q->arena, "dtrace", &dir);
	if (err)
		return err;
	unit = path_join(q->arena, dir, "semaphores.c");
	err = file_write_atomic(unit, strbuf_cstr(text), text->len, 0644);
	if (!err)
		err = compile(q, unit, out);
	if (q->keep)
		fprintf(stderr, "dtrace: kept %s\n", unit);
	else
		error_destroy(dir_remove_all(dir));
	return err;
}

/*
 * A device, a pipe or a link is written to, not replaced: -o /dev/stdout. What is at the end of a
 * link may be a file, which then becomes shorter first.
 */
static struct error *write_header(const char *out, const struct strbuf *text)
{
	struct stat st;
	int fd, errnum;

	if (lstat(out, &st) || S_ISREG(st.st_mode))
		return file_write_atomic(out, strbuf_cstr(text), text->len, 0644);
	fd = open(out, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_create_errno(errno, "cannot write %s", out);
	errnum = file_write_all(fd, text->s, text->len);
	if (close(fd) && !errnum)
		errnum = errno;
	return errnum ? error_create_errno(errnum, "cannot write %s", out) : NULL;
}

/* The whole work. Files are complete or not there: they are written beside and renamed. */
static struct error *run(struct request *q)
{
	struct dtrace_probes probes = { 0 };
	struct error *err = read_source(q, &probes);
	struct strbuf text;

	if (err)
		return err;
	strbuf_init(&text);
	if (q->header) {
		err = dtrace_header(q->arena, &probes, q->types, &text);
		if (!err)
			err = write_header(output_name(q, ".h"), &text);
	} else {
		dtrace_semaphores(&probes, &text);
		err = write_object(q, &text);
	}
	strbuf_deinit(&text);
	return err;
}

/*
 * -1: go on; else the exit status. Operands are passed over: builds name their objects behind -G.
 */
static int parse(int argc, char **argv, struct request *q)
{
	static const struct option names[] = { { "help", no_argument, NULL, 'H' },
					       { "version", no_argument, NULL, 'V' },
					       { "types", no_argument, NULL, 'T' },
					       { 0 } };
	int c;

	while ((c = getopt_long(argc, argv, "hGCkVs:o:I:D:", names, NULL)) != -1) {
		switch (c) {
		case 'h':
			q->header = true;
			break;
		case 'G':
			q->object = true;
			break;
		case 'C':
			q->preprocess = true;
			break;
		case 'k':
			q->keep = true;
			break;
		case 'T':
			q->types = true;
			break;
		case 's':
			q->source = optarg;
			break;
		case 'o':
			q->out = optarg;
			break;
		case 'I':
		case 'D':
			vec_push(q->arena, &q->preprocessor,
				 arena_printf(q->arena, "-%c%s", c, optarg));
			break;
		case 'H':
			return usage(stdout, 0);
		case 'V':
			puts("dtrace (Spile) " SPILE_VERSION);
			return 0;
		default:
			return usage(stderr, 1);
		}
	}
	return q->source && q->header != q->object ? -1 : usage(stderr, 1);
}

/* One arena for the whole run; what is on the heap belongs to the function that got it. */
int main(int argc, char **argv)
{
	struct request q = { .arena = arena_create() };
	int status = parse(argc, argv, &q);
	struct error *err;

	if (status < 0) {
		cleanup_guard(NULL, NULL);
		err = run(&q);
		status = err != NULL;
		if (err)
			fprintf(stderr, "dtrace: %s\n", err->text);
		error_destroy(err);
	}
	arena_destroy(q.arena);
	return status;
}
