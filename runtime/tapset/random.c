// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pseudo-random numbers, without the kernel's generators: some of those take locks that sleep on a real-time kernel.
 * SplitMix64: Steele, Lea, Flood, OOPSLA 2014.
 *
 * Context: any handler.
 */
#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include "access/access.h"
#include "tapset/functions.h"

#define GOLDEN_GAMMA 0x9e3779b97f4a7c15ull

static atomic64_t sequence = ATOMIC64_INIT(0);

stp_long stp_fn_randint(struct stp_ctx *c, stp_long n)
{
	u64 z = atomic64_add_return(GOLDEN_GAMMA, &sequence) ^ ktime_get_mono_fast_ns();

	if (n < 1) {
		stp_errorf(c, "randint(%lld): there is no number in that range", n);
		return 0;
	}
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return mul_u64_u64_shr(z ^ z >> 31, n, 64);
}
