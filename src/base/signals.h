/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which inherited signal dispositions stap, staprun and stapio respect. All three, and what they
 * start, follow the same rule, so a signal means the same in every stage of a session.
 */
#ifndef SPILE_BASE_SIGNALS_H
#define SPILE_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* What asks a session to end, as members of an array: every stage takes these. */
#define SIGNALS_END SIGINT, SIGTERM, SIGHUP
/*
 * What a user tells a session that runs: to end, to go on without a reader (QUIT), to go on in the
 * next file (USR2). staprun passes them on to stapio, which takes signals of its own besides.
 */
#define SIGNALS_SESSION SIGNALS_END, SIGQUIT, SIGUSR2

/*
 * Was sig inherited as ignored, and is to stay so? Only HUP, as nohup sets it. INT and QUIT, which
 * a shell ignores for `command &`, are taken all the same: they are how a session is ended and
 * left; so are TERM and the others. PIPE is not asked about here: what it does is each program's.
 * To be asked before a handler is installed, for what is looked at is the disposition now.
 */
bool signal_stays_ignored(int sig);
/* Sets the action of each of N signals but of one that stays ignored. Async-signal-safe. */
void signals_set(const int *signals, size_t n, const struct sigaction *action);

#endif
