/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, as data. Parsing reports misuse itself, on stderr, in the
 * reference's words, and asks for nothing of the world beyond the rc file. Strings point into argv
 * or the arena.
 */
#ifndef SPILE_DRIVER_OPTIONS_H
#define SPILE_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* When messages are coloured; AUTO: on a terminal that is not dumb. */
enum options_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
/* What is listed instead of running; list_point is the probe point of NAMES and VARIABLES. */
enum options_list {
	LIST_NONE,
	LIST_NAMES,
	LIST_VARIABLES,
	LIST_PROBE_TYPES,
	LIST_PROBE_ALIASES,
	LIST_FUNCTIONS
};

/* The arguments of an option that may be repeated, in order. */
struct option_strings {
	const char **data;
	size_t n, cap;
};

/*
 * All that the command line says, and nothing that was found out about the machine. NULL, 0 and
 * false: not given, unless said otherwise.
 */
struct options {
	bool done; /* --help, --version: printed */
	int last_pass;
	int verbose[6];                       /* by pass, [1..5]; [0] is the -v count */
	const char *script_text;              /* -e, or NULL */
	const char *script_file;              /* or NULL; "-" is standard input */
	struct option_strings extra_scripts;  /* -E */
	struct option_strings args;           /* $1 ... */
	struct option_strings tapset_dirs;    /* -I */
	struct option_strings defines;        /* -D */
	struct option_strings set_globals;    /* -G */
	struct option_strings make_variables; /* -B NAME=VALUE */
	struct option_strings modinfo;        /* --modinfo NAME=VALUE */
	struct option_strings carried;        /* -d */
	struct option_strings sysenv;         /* --sysenv NAME=VALUE */
	enum options_list list;
	const char *list_point;
	const char *release;     /* -r */
	const char *runtime;     /* --runtime: the name of a back end */
	const char *arch;        /* -a */
	const char *module_name; /* -m */
	const char *output;      /* -o */
	const char *rotation;    /* -S */
	const char *command;     /* -c */
	long target_pid;         /* -x, 0 none */
	long namespaces_pid;     /* --target-namespaces, 0 none */
	unsigned timeout;        /* -T seconds, 0 none */
	unsigned buffer_mb;      /* -s, 0 default */
	const char *remote;      /* --remote, NULL here */
	const char *guest;       /* of it: the kernel behind "vm:", NULL: the newest */
	const char *runtime_dir; /* -R */
	const char *tmpdir;      /* --tmpdir */
	const char *sysroot;     /* --sysroot */
	const char *compatible;
	const char *dump_after; /* --dump-after: a step of pass 2, or NULL */
	enum options_color color;
	bool guru, keep, unoptimised, no_warnings, fatal_warnings, timing, suppress_handler_errors,
		suppress_time_limits;
	bool debug;         /* --debug */
	bool inline_stacks; /* --inline-stacks */
	bool no_download;   /* --download-debuginfo=no */
	bool check_version; /* --check-version */
	bool flight;        /* -F */
	bool bulk;          /* -b */
	/* --example: script_file is the name of one of those that come with the tapset */
	bool example;
	bool skip_badvars, no_global_display, no_cache, poison_cache, clean_cache, keep_going;
};

/* RUN: *ret is complete and its parts fit together. */
enum options_result {
	OPTIONS_RUN,
	OPTIONS_DONE /* --help, --version: exit 0 */,
	OPTIONS_FAILED /* exit 1 */
};

/*
 * Reads $SYSTEMTAP_DIR/rc, or ~/.systemtap/rc, and then argv. Everything that is wrong has been
 * said on standard error when it fails.
 */
enum options_result options_parse(struct arena *arena, int argc, char **argv, struct options *ret);

#endif
