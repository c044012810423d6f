/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What -v says of a pass: memory and times, in the reference's words. On standard error. Times
 * are in milliseconds; those of children count once they were waited for.
 */
#ifndef SPILE_DRIVER_VERBOSE_H
#define SPILE_DRIVER_VERBOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

struct pass_clock { /* when a pass began */
	struct rusage self, children;
	struct timespec wall;
};

/* Notes the time used so far, by this process and by children that were waited for. */
void clock_start(struct pass_clock *c);
/* " using ... kb," when MEMORY, then " in ... ms." */
void clock_print(const struct pass_clock *c, bool memory);
/* "s" unless n is 1 */
const char *plural(size_t n);

#endif
