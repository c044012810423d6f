/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun's options, compatible with the reference's where they exist in both; letters of the
 * reference that are not built are refused by name.
 */
#include "loader/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/option_rows.h"

#define MAX_BUFFER_MB 4095
#define HELP_COLUMN 17 /* of --help, where texts begin */

struct setting {
	struct loader_options *opt;
	const struct option_row *row;
	char *arg; /* NULL: the option takes none */
};

/* A row of the table below; without help it is refused. */
struct option_row {
	struct option_name called;
	int (*set)(const struct setting *s); /* -1: fine; else the exit status */
	size_t member;   /* of struct loader_options, for the setters that say so */
	const char *why; /* for refuse() */
};

static void print_help(FILE *to);

static int usage(FILE *f, int status)
{
	fputs("Usage: staprun [OPTIONS] MODULE.ko [NAME=VALUE ...]\n"
	      "       staprun -A [OPTIONS] NAME\n"
	      "       staprun -d NAME ...\n"
	      "Loads a compiled script, prints its output, and removes it.\n",
	      f);
	print_help(f);
	return status;
}

/* Always 1, the exit status. */
static int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static int complain(const char *fmt, ...)
{
	va_list ap;

	fputs("ERROR: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nTry '--help' for more information.\n", stderr);
	return 1;
}

/* ---- setters of many ---- */

/* Where the row says that the value goes. */
static void *member(const struct setting *s)
{
	return (char *)s->opt + s->row->member;
}

/* member: a bool */
static int set_flag(const struct setting *s)
{
	*(bool *)member(s) = true;
	return -1;
}

/* member: a text */
static int set_text(const struct setting *s)
{
	*(const char **)member(s) = s->arg;
	return -1;
}

static bool is_pid(const char *text)
{
	return *text && !text[strspn(text, "0123456789")] && strlen(text) < 10 && atoi(text) > 0;
}

/* A letter that the reference has, and this has not. */
static int refuse(const struct setting *s)
{
	return complain("staprun option -%c is not built: %s", s->row->called.letter, s->row->why);
}

/* Accepted for the reference's sake: what it asks for is always so. */
static int no_effect(const struct setting *s)
{
	return -1;
}

/* ---- setters of one ---- */

static int set_help(const struct setting *s)
{
	return usage(stdout, 0);
}

static int set_version(const struct setting *s)
{
	puts("Systemtap module loader/runner (Spile) " SPILE_VERSION);
	return 0;
}

static int set_verbose(const struct setting *s)
{
	s->opt->verbose++;
	return -1;
}

static int set_command(const struct setting *s)
{
	s->opt->command = s->arg;
	return *s->arg ? -1 : complain("Empty CMD string invalid.");
}

static int set_target(const struct setting *s)
{
	s->opt->target = s->arg;
	return is_pid(s->arg) ? -1 : complain("Invalid target process ID number.");
}

static int set_namespaces(const struct setting *s)
{
	s->opt->namespaces = s->arg;
	return is_pid(s->arg) ? -1 : complain("Invalid namespaces process ID number.");
}

static int set_parent(const struct setting *s)
{
	s->opt->parent = is_pid(s->arg) ? atoi(s->arg) : 0;
	return s->opt->parent ? -1 : complain("Invalid --parent (should be a process id).");
}

/* The text is kept for the reader; only its form is checked here. */
static int set_rotation(const struct setting *s)
{
	unsigned files;
	uint64_t size;

	s->opt->rotation = s->arg;
	return file_rotation_parse(s->arg, &size, &files)
		       ? -1
		       : complain(
				 "Invalid output size (should be SIZE[,N], in megabytes and files).");
}

static int set_buffer(const struct setting *s)
{
	char *end;
	long mb = strtol(s->arg, &end, 10);

	s->opt->buffer_mb = mb;
	return !*end && mb >= 1 && mb <= MAX_BUFFER_MB
		       ? -1
		       : complain("Invalid buffer size (should be 1-4095).");
}

/* ---- the table ---- */

#define FLAG(name, letter, m, help)                                                                \
	{                                                                                          \
		{ name, letter, no_argument, NULL, help }, set_flag,                               \
			offsetof(struct loader_options, m)                                         \
	}
#define TEXT(name, letter, m, value, help)                                                         \
	{                                                                                          \
		{ name, letter, required_argument, value, help }, set_text,                        \
			offsetof(struct loader_options, m)                                         \
	}
#define ONE(name, letter, arg, set, value, help)                                                   \
	{                                                                                          \
		{ name, letter, arg, value, help }, set                                            \
	}
#define REFUSED(name, letter, arg, why)                                                            \
	{                                                                                          \
		{ name, letter, arg, NULL, NULL }, refuse, 0, why                                  \
	}

/* In the order of --help. testsuite/options reads the names and letters, and the manual page. */
static const struct option_row rows[] = {
	ONE(NULL, 'v', no_argument, set_verbose, NULL, "more words, repeatable"),
	ONE("version", 'V', no_argument, set_version, NULL, "version"),
	ONE("help", 'h', no_argument, set_help, NULL, "this text"),
	FLAG(NULL, 'w', no_warnings, "no warnings"),
	ONE(NULL, 'c', required_argument, set_command, "CMD",
	    "start the probes, run CMD, stop when it ends; target() is its pid"),
	ONE(NULL, 'x', required_argument, set_target, "PID", "target() is PID"),
	ONE(NULL, 'N', required_argument, set_namespaces, "PID",
	    "ns_*() count as process PID does"),
	TEXT(NULL, 'o', output, "FILE", "output to FILE instead of standard output"),
	ONE(NULL, 'S', required_argument, set_rotation, "SIZE[,N]",
	    "go on in FILE.0, FILE.1, ... of SIZE megabytes each; keep the last N"),
	ONE(NULL, 'b', required_argument, set_buffer, "MB", "output buffer per CPU, 1-4095"),
	FLAG(NULL, 'R', rename, "load under a unique name"),
	FLAG(NULL, 'L', load_only,
	     "load and start, then leave the module running: a flight recorder"),
	FLAG(NULL, 'A', attach, "attach to the loaded module NAME"),
	FLAG(NULL, 'D', daemon, "go to the background once started, print the pid; needs -o"),
	FLAG(NULL, 'd', remove,
	     "remove loaded modules that nobody is attached to; '*': all of them"),
	TEXT(NULL, 'C', color, "WHEN", "colors: always, never, auto"),
	TEXT(NULL, 'T', poll_ms, "MS", "poll interval of the reader, default 200"),
	TEXT("timeout", 0, timeout, "SEC", "stop after SEC seconds"),
	FLAG("progress", 0, progress, "tell how many probes are attached while it takes long"),
	ONE("parent", 0, required_argument, set_parent, "PID", "stop when process PID is dead"),
	/* uprobes are part of the kernel now */
	ONE(NULL, 'u', no_argument, no_effect, NULL, "does nothing; for old scripts"),

	REFUSED(NULL, 'F', required_argument, "the module's files are found by its name"),
	REFUSED(NULL, 'M', required_argument, "there is no display of a running script"),
	REFUSED(NULL, 'r', required_argument, "the module knows where it runs, see remote_id()"),
};
#define N_ROWS (sizeof(rows) / sizeof(rows[0]))
static const struct option_rows table = { rows, N_ROWS, sizeof(rows[0]) };

static void print_help(FILE *to)
{
	option_rows_print(to, &table, HELP_COLUMN);
}

/* Options that do not go together, by their letter or name. */
static const char *const exclusive[][2] = {
	{ "c", "x" }, { "A", "c" }, { "A", "x" }, { "A", "b" }, { "A", "L" },       { "A", "R" },
	{ "D", "c" }, { "D", "L" }, { "L", "c" }, { "L", "o" }, { "L", "timeout" },
};

/* Whether the row is what a letter or a name means. */
static bool is_called(const struct option_row *row, const char *name)
{
	return name[1] ? row->called.name && !strcmp(row->called.name, name)
		       : row->called.letter == *name;
}

/* given: by row, whether the option was there. */
static bool was_given(const bool *given, const char *name)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (is_called(&rows[i], name))
			return given[i];
	return false;
}

/* -1: fine; else the exit status. */
static int check_pairs(const bool *given)
{
	static const char *const need_output[] = { "S", "D" };

	for (size_t i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++) {
		const char *a = exclusive[i][0], *b = exclusive[i][1];

		if (was_given(given, a) && was_given(given, b))
			return complain("You can't specify the '-%s' and '%s%s' options together.",
					a, b[1] ? "--" : "-", b);
	}
	for (size_t i = 0; i < sizeof(need_output) / sizeof(need_output[0]); i++)
		if (was_given(given, need_output[i]) && !was_given(given, "o"))
			return complain("'-%s' needs an output file ('-o FILE').", need_output[i]);
	return -1;
}

/* What stands behind the options. */
static int check_arguments(const struct loader_options *opt)
{
	size_t i;

	if (!opt->module)
		return usage(stderr, 1);
	if (opt->remove)
		return -1;
	if (opt->attach && (opt->n_params || strchr(opt->module, '/')))
		return complain("'-A' takes the name of a loaded module.");
	for (i = 0; i < opt->n_params; i++) {
		const char *param = opt->params[i];

		if (!strchr(param, '=') || *param == '=' || *param == '-' ||
		    strpbrk(param, "\"\001\n")) {
			fprintf(stderr,
				"ERROR: invalid module option '%s' (should be NAME=VALUE)\n",
				param);
			return 1;
		}
	}
	return -1;
}

/* What goes together. -1: fine; else the exit status. */
static int check(const struct loader_options *opt, const bool *given)
{
	int status;

	if (opt->remove && (opt->command || opt->target || opt->output || opt->attach ||
			    opt->load_only || opt->daemon))
		return complain("'-d' takes module names and nothing else.");
	status = check_pairs(given);
	return status >= 0 ? status : check_arguments(opt);
}

int loader_options_parse(struct loader_options *opt, int argc, char **argv)
{
	bool given[N_ROWS] = { false };
	int row, status;

	memset(opt, 0, sizeof(*opt));
	while ((row = option_rows_next(&table, argc, argv)) != OPTION_END) {
		struct setting s = { opt, NULL, optarg };

		if (row == OPTION_UNKNOWN)
			return complain("unknown option or missing argument");
		s.row = &rows[row];
		given[row] = true;
		status = s.row->set(&s);
		if (status >= 0)
			return status;
	}
	if (optind < argc) {
		opt->module = argv[optind];
		opt->params = argv + optind + 1;
		opt->n_params = argc - optind - 1;
	}
	return check(opt, given);
}
