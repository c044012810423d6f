// SPDX-License-Identifier: GPL-2.0-or-later
/* Giving many probes of one kind back to the kernel with few grace periods. */
#include "probes/probes.h"

#define BATCH 512

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
	u32 i, all = *n, filled = 0;

	for (i = 0; i < all; i++) {
		batch[filled++] = (char *)first + i * size;
		if (filled < BATCH && i + 1 < all)
			continue;
		unregister(batch, filled);
		WRITE_ONCE(*n, *n - filled);
		filled = 0;
	}
}
