/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searching what is in order. */
#ifndef SPILE_BASE_BISECT_H
#define SPILE_BASE_BISECT_H

#include <stddef.h>

/*
 * How many of the numbers 0 to N - 1 come before what is looked for, so that it is the first one
 * behind them: BEFORE, an expression of I, is true of these and false of all others. It is asked of
 * log2(N) + 1 of them at most. N is evaluated once.
 */
#define bisect(i, n, before)                                                                       \
	({                                                                                         \
		size_t low_ = 0, high_ = (n);                                                      \
                                                                                                   \
		while (low_ < high_) {                                                             \
			size_t i = low_ + (high_ - low_) / 2;                                      \
                                                                                                   \
			if (before)                                                                \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
