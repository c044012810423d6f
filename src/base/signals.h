/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which inherited signal dispositions stap, staprun and stapio respect. All three, and what they
 * start, follow the same rule, so a signal means the same in every stage of a session.
 */
#ifndef SPILE_BASE_SIGNALS_H
#define SPILE_BASE_SIGNALS_H

#include <stdbool.h>

/*
 * Was sig inherited as ignored, and is to stay so? Only HUP, as nohup sets it. INT and QUIT, which
 * a shell ignores for `command &`, are taken all the same: they are how a session is ended and
 * left; so are TERM and the others. PIPE is not asked about here: what it does is each program's.
 * To be asked before a handler is installed, for what is looked at is the disposition now.
 */
bool signal_stays_ignored(int sig);

#endif
