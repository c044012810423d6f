/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudo-random numbers, without the kernel's generators: those take locks, some of which sleep on
 * a real-time kernel. SplitMix64: Steele, Lea, Flood, OOPSLA 2014.
 *
 * Context: any.
 */
#ifndef STP_CORE_RANDOM_H
#define STP_CORE_RANDOM_H

#include <linux/atomic.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

/* 64 random bits. The sequence begins with 0; the time makes it another in each run. */
static inline u64 stp_random(atomic64_t *sequence)
{
	u64 z = atomic64_add_return(0x9e3779b97f4a7c15ull, sequence) ^ ktime_get_mono_fast_ns();

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif
