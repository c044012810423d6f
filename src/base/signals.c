/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one question about inherited signal dispositions, asked by stap, staprun, stapio and
 * spile-vm alike.
 */
#include "base/signals.h"

#include <signal.h>
#include <stddef.h>

bool signal_stays_ignored(int sig)
{
	struct sigaction old;

	return sig == SIGHUP && !sigaction(sig, NULL, &old) && old.sa_handler == SIG_IGN;
}
