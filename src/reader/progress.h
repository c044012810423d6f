/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far attaching the probes has come, on standard error: "armed 1,200 of 22,526". Shown to
 * somebody who watches (a terminal, or -v), from a second after the start until the session runs.
 */
#ifndef SPILE_READER_PROGRESS_H
#define SPILE_READER_PROGRESS_H

#include "reader/control.h"

/* For one start of one session. */
struct progress {
	bool wanted, terminal, shown;
	stp_u64 next; /* when to look next: ns, CLOCK_MONOTONIC */
};

/* verbose: of -v. now: ns. */
void progress_begin(struct progress *p, int verbose, stp_u64 now);
/* Looks at the ledger when it is time to. Call it now and then while the session starts. */
void progress_show(struct progress *p, struct control *c, stp_u64 now);
/* Takes the line away from a terminal. Any number of times. */
void progress_end(struct progress *p);

#endif
