/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run seen from user space: attach to a loaded module, start it, print what it says until it
 * has stopped, report.
 *
 * The module stops in good order when exit() was called, when it is asked to, and when we close its
 * control channel; whatever happens here, leaving this function leaves no running session behind -
 * unless it was started and then detached from, by SIGQUIT or because that was asked for; then it
 * goes on in the module, and another reader may attach.
 */
#ifndef SPILE_READER_SESSION_H
#define SPILE_READER_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

#include "reader/output.h"

/* From stapio's command line. Texts must outlive the session. */
struct session_options {
	const char *root; /* STP_PROC_ROOT */
	const char *module;
	const char *command;          /* -c, or NULL */
	pid_t target;                 /* -x, or 0 */
	pid_t namespaces;             /* -N, or 0 */
	struct output_options output; /* -o, -S */
	const char *color;            /* -C, or NULL */
	int poll_ms;                  /* -T */
	double timeout;               /* seconds, 0: none */
	int verbose;
	bool no_warnings;
	bool progress;  /* of attaching, on standard error, be it a terminal or not */
	bool attach;    /* -A: the session was started before */
	bool load_only; /* -L: detach once it is started, print nothing */
	int ready_fd;   /* -1: none; else be a daemon once started, and say so with a byte here */
	pid_t parent; /* staprun; 0: none. When it dies we end the session and remove the module */
};

/*
 * Runs one session to its end, prints everything about it, and releases it. Returns the exit
 * status: 0, 1 (the run failed, or an error was shown), or one of STP_READER_*. Once per process,
 * because of its signal handlers.
 */
int session_run(const struct session_options *opt);

#endif
