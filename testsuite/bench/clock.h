/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPILE_BENCH_CLOCK_H
#define SPILE_BENCH_CLOCK_H

#include <time.h>

/*
 * CPU time of this thread, in ns: in a guest whose clock counts instructions (-icount shift=0) its
 * instructions.
 */
static inline long long thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

#endif
