/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loader/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BUFFER_MB 4095

enum { OPT_TIMEOUT = 256 };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ NULL, 0, NULL, 0 },
};

static int usage(FILE *f, int status)
{
	fputs("Usage: staprun [OPTIONS] MODULE.ko [NAME=VALUE ...]\n"
	      "       staprun -d NAME\n"
	      "Loads a compiled script, prints its output, and removes it.\n"
	      "  -v            more words       -V  version       -h  this help\n"
	      "  -w            no warnings\n"
	      "  -c CMD        start the probes, run CMD, stop when it ends; target() is its pid\n"
	      "  -x PID        target() is PID\n"
	      "  -o FILE       output to FILE instead of standard output\n"
	      "  -b MB         output buffer per CPU, 1-4095\n"
	      "  -R            load under a unique name\n"
	      "  -d            remove the loaded module NAME\n"
	      "  -C WHEN       colors: always, never, auto\n"
	      "  -T MS         poll interval of the reader, default 200\n"
	      "  --timeout=SEC stop after SEC seconds\n",
	      f);
	return status;
}

static int complain(const char *text)
{
	fprintf(stderr, "ERROR: %s\nTry '--help' for more information.\n", text);
	return 1;
}

static int parse_option(struct loader_options *opt, int c, char *arg)
{
	char text[128], *end;
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
		return *arg && !arg[strspn(arg, "0123456789")] && strlen(arg) < 10 && atoi(arg) > 0 ?
			       -1 :
			       complain("Invalid target process ID number.");
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
	case 'R':
		opt->rename = true;
		return -1;
	case 'd':
		opt->remove = true;
		return -1;
	case 'b':
		mb = strtol(arg, &end, 10);
		opt->buffer_mb = mb;
		return !*end && mb >= 1 && mb <= MAX_BUFFER_MB ? -1 :
								 complain("Invalid buffer size (should be 1-4095).");
	case '?':
		return complain("unknown option or missing argument");
	default:
		snprintf(text, sizeof(text), "staprun option -%c is not built yet", c);
		return complain(text);
	}
}

static int check(const struct loader_options *opt)
{
	size_t i;

	if (!opt->module)
		return usage(stderr, 1);
	if (opt->command && opt->target)
		return complain("You can't specify the '-c' and '-x' options together.");
	if (opt->remove && (opt->n_params || opt->command || opt->target || opt->output))
		return complain("'-d' takes a module name and nothing else.");
	for (i = 0; i < opt->n_params; i++) {
		const char *param = opt->params[i];

		if (!strchr(param, '=') || *param == '=' || strpbrk(param, "\"\001\n")) {
			fprintf(stderr, "ERROR: invalid module option '%s' (should be NAME=VALUE)\n", param);
			return 1;
		}
	}
	return -1;
}

int loader_options_parse(struct loader_options *opt, int argc, char **argv)
{
	int c, status;

	memset(opt, 0, sizeof(*opt));
	opterr = 1;
	while ((c = getopt_long(argc, argv, "+vVhwc:x:o:b:dRT:C:S:DLAN:M:r:uF:", long_options, NULL)) != -1) {
		if (c == 'h')
			return usage(stdout, 0);
		if (c == 'V') {
			puts("Systemtap module loader/runner (Spile) " SPILE_VERSION);
			return 0;
		}
		status = parse_option(opt, c, optarg);
		if (status >= 0)
			return status;
	}
	if (optind < argc) {
		opt->module = argv[optind];
		opt->params = argv + optind + 1;
		opt->n_params = argc - optind - 1;
	}
	return check(opt);
}
