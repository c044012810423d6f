/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of the reader. Handlers only count and wake; the session asks. After a request to stop,
 * an alarm each second makes a write that blocks on a stalled pipe return, so that Ctrl-C works
 * there too.
 */
#ifndef SPILE_READER_SIGNALS_H
#define SPILE_READER_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* What signals have said so far; written by their handlers, read and cleared by the session. */
struct signal_state {
	/* SIGINT, SIGTERM, SIGHUP; what staprun passes on within a second of another counts once */
	int stops;
	int stop_signal; /* the first of them, 0: none */
	bool detach;     /* SIGQUIT */
	bool rotate;     /* SIGUSR2 */
	bool child;      /* SIGCHLD */
	bool orphaned;   /* our parent has died (PR_SET_PDEATHSIG) */
};

/*
 * Installs the handlers, ignores SIGPIPE and unblocks all signals. parent: staprun's pid, 0 when
 * started by hand; when it dies, orphaned is set. ret_fd becomes readable when something happened;
 * it belongs to this file.
 */
struct error *signals_init(pid_t parent, int *ret_fd) ERROR_MUST_CHECK;
/* What happened since the last call; stops counts from the start. */
struct signal_state signals_take(void);
/*
 * Back to the default dispositions, but for HUP that was inherited as ignored. Async-signal-safe:
 * in a child, before exec.
 */
void signals_reset(void);

#endif
