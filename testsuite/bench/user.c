/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-user COUNT: calls a function in a loop whose entry is a mark too; prints this thread's CPU
 * nanoseconds a call, as bench-loop. Without COUNT: the offset of the function in this file.
 */
#include <stdio.h>
#include <stdlib.h>

#include <sys/sdt.h>

#include "clock.h"

extern const char __executable_start[];

/* no instruction stands before the mark's, so an entry and a mark are one uprobe */
__attribute__((noinline, noclone)) void work(long a, long b)
{
	STAP_PROBE2(bench, work, a, b);
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0;
	long long start;

	if (count < 1) {
		printf("%ld\n", (long)((const char *)work - __executable_start));
		return 0;
	}
	for (long i = 0; i < 1000; i++)
		work(i, count);
	start = thread_ns();
	for (long i = 0; i < count; i++)
		work(i, count);
	printf("%lld\n", (thread_ns() - start) / count);
	return 0;
}
