/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio: started by staprun for a loaded module; may be started by hand by whoever owns the
 * module's files. Runs with the caller's identity and needs no privileges. --parent, --ready and
 * --root are for staprun and for tests.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "reader/control.h"
#include "reader/messages.h"
#include "reader/session.h"

enum { OPT_TIMEOUT = 256, OPT_PARENT, OPT_ROOT, OPT_READY, OPT_PROGRESS };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "parent", required_argument, NULL, OPT_PARENT },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "ready", required_argument, NULL, OPT_READY },
	{ "progress", no_argument, NULL, OPT_PROGRESS },
	{ NULL, 0, NULL, 0 },
};

static int usage(FILE *f, int status)
{
	fputs("Usage: stapio [-v] [-w] [-A | -L] [-c CMD | -x PID] [-N PID] [-o FILE [-S SIZE[,N]]] [-T MS]\n"
	      "              [-C WHEN] [--timeout=SEC] [--progress] MODULE\n"
	      "Starts a loaded module and prints its output. Normally run by staprun.\n",
	      f);
	return status;
}

/* A whole number from min to max, or -1. */
static long parse_number(const char *text, long min, long max)
{
	char *end;
	long v = strtol(text, &end, 10);

	return *text && !*end && v >= min && v <= max ? v : -1;
}

static int bad_value(const char *what, const char *text)
{
	fprintf(stderr, "ERROR: invalid %s '%s'\n", what, text);
	return 1;
}

/* 0, or the exit status after a complaint. */
static int parse_option(struct session_options *opt, int c, char *arg)
{
	struct messages scratch = { 0 };
	uint64_t size;
	char *end;
	long v;

	switch (c) {
	case 'v':
		opt->verbose++;
		return 0;
	case 'w':
		opt->no_warnings = true;
		return 0;
	case 'c':
		opt->command = arg;
		return 0;
	case 'o':
		opt->output.path = arg;
		return 0;
	case 'S':
		if (!file_rotation_parse(arg, &size, &opt->output.keep))
			return bad_value("output size", arg);
		opt->output.limit = size;
		return 0;
	case 'A':
		opt->attach = true;
		return 0;
	case 'L':
		opt->load_only = true;
		return 0;
	case 'C':
		opt->color = arg;
		return messages_set_color(&scratch, arg) ? 0 : bad_value("color mode", arg);
	case 'x':
		v = parse_number(arg, 1, 0x7fffffff);
		opt->target = v;
		return v < 0 ? bad_value("process id", arg) : 0;
	case 'N':
		v = parse_number(arg, 1, 0x7fffffff);
		opt->namespaces = v;
		return v < 0 ? bad_value("process id", arg) : 0;
	case 'T':
		v = parse_number(arg, 1, 1000000);
		opt->poll_ms = v;
		return v < 0 ? bad_value("poll interval", arg) : 0;
	case OPT_TIMEOUT:
		opt->timeout = strtod(arg, &end);
		return *arg && !*end && opt->timeout > 0 ? 0 : bad_value("timeout", arg);
	case OPT_PARENT:
		v = parse_number(arg, 1, 0x7fffffff);
		opt->parent = v;
		return v < 0 ? bad_value("process id", arg) : 0;
	case OPT_READY:
		v = parse_number(arg, 0, 0x7fffffff);
		opt->ready_fd = v;
		return v < 0 ? bad_value("descriptor", arg) : 0;
	case OPT_PROGRESS:
		opt->progress = true;
		return 0;
	case OPT_ROOT:
		opt->root = arg;
		return 0;
	default:
		return usage(stderr, 1);
	}
}

int main(int argc, char **argv)
{
	struct session_options opt = { .root = STP_PROC_ROOT, .poll_ms = 200, .ready_fd = -1 };
	int c;

	file_guard_standard();
	while ((c = getopt_long(argc, argv, "+vwALc:x:N:o:S:T:C:hV", long_options, NULL)) != -1) {
		if (c == 'h')
			return usage(stdout, 0);
		if (c == 'V') {
			puts("stapio (Spile) " SPILE_VERSION);
			return 0;
		}
		if (parse_option(&opt, c, optarg))
			return 1;
	}
	if (argc - optind != 1 || strchr(argv[optind], '/') || (opt.command && opt.target))
		return usage(stderr, 1);
	opt.module = argv[optind];
	return session_run(&opt);
}
