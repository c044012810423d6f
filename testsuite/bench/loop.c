/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-loop COUNT: getppid() in a loop; prints this thread's CPU nanoseconds a call. In a guest
 * whose clock counts instructions (-icount shift=0) that is instructions a call, and the reader's
 * share of the processor is not in it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0;
	long long start;

	if (count < 1) {
		fprintf(stderr, "usage: bench-loop COUNT\n");
		return 1;
	}
	for (long i = 0; i < 1000; i++) /* caches, lazily patched code */
		syscall(SYS_getppid);
	start = thread_ns();
	for (long i = 0; i < count; i++)
		syscall(SYS_getppid);
	printf("%lld\n", (thread_ns() - start) / count);
	return 0;
}
