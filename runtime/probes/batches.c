// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Giving many probes of one kind back to the kernel, a batch for one grace period (some 10 ms). The
 * kernel may take most of the time for each probe by itself: where entries are reached by ftrace
 * and there is no fprobe, it goes through all patchable functions for each (1 ms, in an emulator
 * 10). So batches grow only as long as one is quick: who is told how many are left sees the number
 * go down.
 */
#include <linux/ktime.h>
#include "probes/probes.h"

#define BATCH 512u
#define FIRST 32
#define QUICK_NS (100 * NSEC_PER_MSEC)

/* Static, for giving back must not fail for want of memory. */
static void *batch[BATCH];

/**
 * stp_in_batches - call @unregister for all elements of an array, many at a time
 * @first: what is to be unregistered, in the first element; NULL is allowed when @n is 0
 * @size: of an element
 * @n: elements; fewer by and by, for who asks how many are left, and 0 at the end
 * @unregister: gets at most 512 pointers, in the order of the array, and may wait
 *
 * Context: process, may sleep. The lock of arming is held.
 */
void stp_in_batches(void *first, size_t size, u32 *n, void (*unregister)(void **list, u32 n))
{
	u32 i, all = *n, filled = 0, room = FIRST;

	for (i = 0; i < all; i++) {
		u64 began;

		batch[filled++] = (char *)first + i * size;
		if (filled < room && i + 1 < all)
			continue;
		began = ktime_get_ns();
		unregister(batch, filled);
		if (ktime_get_ns() - began < QUICK_NS)
			room = min(2 * room, BATCH);
		WRITE_ONCE(*n, *n - filled);
		filled = 0;
	}
}
