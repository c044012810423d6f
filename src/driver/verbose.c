/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clocks for -v. Times of children are counted when they were waited for, so a pass includes the
 * compilers it ran.
 */
#include "driver/verbose.h"

#include <stdio.h>
#include <unistd.h>

void clock_start(struct pass_clock *c)
{
	getrusage(RUSAGE_SELF, &c->self);
	getrusage(RUSAGE_CHILDREN, &c->children);
	clock_gettime(CLOCK_MONOTONIC, &c->wall);
}

/* Milliseconds between two times of getrusage(). */
static long ms(const struct timeval *now, const struct timeval *then)
{
	return (now->tv_sec - then->tv_sec) * 1000 + (now->tv_usec - then->tv_usec) / 1000;
}

/* From /proc/self/statm, in pages; zeros when that cannot be read. */
static void print_memory(FILE *to)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long size = 0, resident = 0, shared = 0, text = 0, lib = 0, data = 0,
	     kb = sysconf(_SC_PAGESIZE) / 1024;

	if (f && fscanf(f, "%ld %ld %ld %ld %ld %ld", &size, &resident, &shared, &text, &lib,
			&data) != 6)
		size = 0;
	if (f)
		fclose(f);
	fprintf(to, " using %ldvirt/%ldres/%ldshr/%lddata kb,", size * kb, resident * kb,
		shared * kb, data * kb);
}

/* On standard error, as the end of the line that the pass began. */
void clock_print(const struct pass_clock *c, bool memory)
{
	struct rusage self, children;
	struct timespec wall;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	clock_gettime(CLOCK_MONOTONIC, &wall);
	if (memory)
		print_memory(stderr);
	fprintf(stderr, " in %ldusr/%ldsys/%ldreal ms.\n",
		ms(&self.ru_utime, &c->self.ru_utime) +
			ms(&children.ru_utime, &c->children.ru_utime),
		ms(&self.ru_stime, &c->self.ru_stime) +
			ms(&children.ru_stime, &c->children.ru_stime),
		(wall.tv_sec - c->wall.tv_sec) * 1000 + (wall.tv_nsec - c->wall.tv_nsec) / 1000000);
}

const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}
