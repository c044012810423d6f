/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching the tables that a module carries, which are in the order of their addresses. Context:
 * any.
 */
#ifndef STP_UNWIND_SEARCH_H
#define STP_UNWIND_SEARCH_H

#include "uapi/types.h"

/*
 * How many of n rows begin at or before ADDR, so that the last one that does is one less; 0: none.
 * ADDRS: the first row's address, which stands STRIDE words before the next one's.
 */
static inline stp_u32 stp_rows_until(const stp_u32 *addrs, stp_u32 n, stp_u32 stride, stp_u32 addr)
{
	stp_u32 low = 0, high = n;

	while (low < high) {
		stp_u32 middle = low + (high - low) / 2;

		if (addrs[middle * stride] <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
