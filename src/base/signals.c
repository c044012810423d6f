/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one question about inherited signal dispositions, asked by stap, staprun, stapio and
 * spile-vm alike, and the answer for many signals.
 */
#include "base/signals.h"

bool signal_stays_ignored(int sig)
{
	struct sigaction old;

	return sig == SIGHUP && !sigaction(sig, NULL, &old) && old.sa_handler == SIG_IGN;
}

void signals_set(const int *signals, size_t n, const struct sigaction *action)
{
	for (size_t i = 0; i < n; i++)
		if (!signal_stays_ignored(signals[i]))
			sigaction(signals[i], action, NULL);
}
