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

#define MAX_BUFFER_MB 4095

/* Options without a letter have one here that no other has, so all are told by one character. */
enum { OPT_TIMEOUT = 't', OPT_PARENT = 'p', OPT_PROGRESS = 'P' };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "parent", required_argument, NULL, OPT_PARENT },
	{ "progress", no_argument, NULL, OPT_PROGRESS },
	{ NULL, 0, NULL, 0 },
};

static int usage(FILE *f, int status)
{
	fputs("Usage: staprun [OPTIONS] MODULE.ko [NAME=VALUE ...]\n"
	      "       staprun -A [OPTIONS] NAME\n"
	      "       staprun -d NAME ...\n"
	      "Loads a compiled script, prints its output, and removes it.\n"
	      "  -v            more words       -V  version       -h  this help\n"
	      "  -w            no warnings\n"
	      "  -c CMD        start the probes, run CMD, stop when it ends; target() is its pid\n"
	      "  -x PID        target() is PID\n"
	      "  -N PID        ns_*() count as process PID does\n"
	      "  -o FILE       output to FILE instead of standard output\n"
	      "  -S SIZE[,N]   go on in FILE.0, FILE.1, ... of SIZE megabytes each; keep the last N\n"
	      "  -b MB         output buffer per CPU, 1-4095\n"
	      "  -R            load under a unique name\n"
	      "  -L            load and start, then leave the module running: a flight recorder\n"
	      "  -A            attach to the loaded module NAME\n"
	      "  -D            go to the background once started, print the pid; needs -o\n"
	      "  -d            remove loaded modules that nobody is attached to; '*': all of them\n"
	      "  -C WHEN       colors: always, never, auto\n"
	      "  -T MS         poll interval of the reader, default 200\n"
	      "  --timeout=SEC stop after SEC seconds\n"
	      "  --progress    tell how many probes are attached while it takes long\n",
	      f);
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

/* Of a letter that the reference has, and this has not. */
static const char *why_not(int letter)
{
	static const struct {
		char letter;
		const char *why;
	} rows[] = {
		{ 'F', "the module's files are found by its name" },
		{ 'M', "there is no display of a running script" },
		{ 'r', "the module knows where it runs, see remote_id()" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].letter == letter)
			return rows[i].why;
	return "it is not known";
}

static bool is_pid(const char *text)
{
	return *text && !text[strspn(text, "0123456789")] && strlen(text) < 10 && atoi(text) > 0;
}

/* -1: fine; else the exit status. */
static int parse_option(struct loader_options *opt, int c, char *arg)
{
	unsigned files;
	uint64_t size;
	char *end;
	long mb;

	switch (c) {
	case 'v':
		opt->verbose++;
		return -1;
	case 'w':
		opt->no_warnings = true;
		return -1;
	case 'c':
		opt->command = arg;
		return *arg ? -1 : complain("Empty CMD string invalid.");
	case 'x':
		opt->target = arg;
		return is_pid(arg) ? -1 : complain("Invalid target process ID number.");
	case 'N':
		opt->namespaces = arg;
		return is_pid(arg) ? -1 : complain("Invalid namespaces process ID number.");
	case 'o':
		opt->output = arg;
		return -1;
	case 'C':
		opt->color = arg;
		return -1;
	case 'T':
		opt->poll_ms = arg;
		return -1;
	case OPT_TIMEOUT:
		opt->timeout = arg;
		return -1;
	case OPT_PARENT:
		opt->parent = is_pid(arg) ? atoi(arg) : 0;
		return opt->parent ? -1 : complain("Invalid --parent (should be a process id).");
	case OPT_PROGRESS:
		opt->progress = true;
		return -1;
	case 'R':
		opt->rename = true;
		return -1;
	case 'd':
		opt->remove = true;
		return -1;
	case 'A':
		opt->attach = true;
		return -1;
	case 'L':
		opt->load_only = true;
		return -1;
	case 'D':
		opt->daemon = true;
		return -1;
	case 'u':
		return -1; /* uprobes are part of the kernel now */
	case 'S':
		opt->rotation = arg;
		return file_rotation_parse(arg, &size, &files)
			       ? -1
			       : complain(
					 "Invalid output size (should be SIZE[,N], in megabytes and files).");
	case 'b':
		mb = strtol(arg, &end, 10);
		opt->buffer_mb = mb;
		return !*end && mb >= 1 && mb <= MAX_BUFFER_MB
			       ? -1
			       : complain("Invalid buffer size (should be 1-4095).");
	case '?':
		return complain("unknown option or missing argument");
	default:
		return complain("staprun option -%c is not built: %s", c, why_not(c));
	}
}

/* Pairs of letters that do not go together; t is --timeout. */
static const char exclusive[][3] = { "cx", "Ac", "Ax", "Ab", "AL", "AR",
				     "Dc", "DL", "Lc", "Lo", "Lt" };

/* given: by letter, whether the option was there. -1: fine; else the exit status. */
static int check_pairs(const bool *given)
{
	size_t i, k;

	for (i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++) {
		char names[2][12];

		if (!given[(int)exclusive[i][0]] || !given[(int)exclusive[i][1]])
			continue;
		for (k = 0; k < 2; k++)
			snprintf(names[k], sizeof(names[k]),
				 exclusive[i][k] == OPT_TIMEOUT ? "--timeout" : "-%c",
				 exclusive[i][k]);
		return complain("You can't specify the '%s' and '%s' options together.", names[0],
				names[1]);
	}
	for (i = 0; i < 2; i++)
		if (given[(int)"SD"[i]] && !given['o'])
			return complain("'-%c' needs an output file ('-o FILE').", "SD"[i]);
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
				"ERROR: invalid module option '%s' (should be NAME=VALUE)%s\n",
				param, *param == '-' ? "; options stand before the module" : "");
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
	bool given[128] = { false }; /* by the option's character */
	int c, status;

	memset(opt, 0, sizeof(*opt));
	opterr = 1;
	while ((c = getopt_long(argc, argv, "+vVhwc:x:o:b:dRT:C:S:DLAN:M:r:uF:", long_options,
				NULL)) != -1) {
		if (c == 'h')
			return usage(stdout, 0);
		if (c == 'V') {
			puts("Systemtap module loader/runner (Spile) " SPILE_VERSION);
			return 0;
		}
		given[c] = true;
		status = parse_option(opt, c, optarg);
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
