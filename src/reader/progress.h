/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far attaching the probes has come, and letting them go, on standard error: "armed 1,200 of
 * 22,526", "stopping: letting go of 1,200 points". Shown to somebody who watches (a terminal, -v or
 * --progress): from a second after the start until the session runs, and from a tenth of one after
 * it was told to stop until it has.
 */
#ifndef SPILE_READER_PROGRESS_H
#define SPILE_READER_PROGRESS_H

#include "reader/control.h"

/* For one session. */
struct progress {
	bool watched, terminal; /* constant */
	bool wanted, attaching, stopping, shown;
	stp_u64 next; /* when to look next: ns, CLOCK_MONOTONIC */
};

/* always: where standard error is no terminal, too. now: ns. */
void progress_begin(struct progress *p, bool always, stp_u64 now);
/* Attaching is over, whatever came of it. */
void progress_attached(struct progress *p);
/* The session was told to stop. */
void progress_stop(struct progress *p, stp_u64 now);
/*
 * Looks at the ledger when it is time to. Call it now and then while the session starts or stops.
 */
void progress_show(struct progress *p, struct control *c, stp_u64 now);
/* Milliseconds until it is time to, at most ms. */
int progress_due(const struct progress *p, stp_u64 now, int ms);
/*
 * Takes the line away from a terminal; nothing more is shown, unless the session is told to stop
 * later. Any number of times.
 */
void progress_end(struct progress *p);

#endif
