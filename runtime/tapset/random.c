// SPDX-License-Identifier: GPL-2.0-or-later
/* Pseudo-random numbers of a range. Context: any handler. */
#include <linux/math64.h>
#include "access/access.h"
#include "core/random.h"
#include "tapset/functions.h"

static atomic64_t sequence = ATOMIC64_INIT(0);

stp_long stp_fn_randint(struct stp_ctx *c, stp_long n)
{
	if (n < 1) {
		stp_errorf(c, "randint(%lld): there is no number in that range", n);
		return 0;
	}
	return mul_u64_u64_shr(stp_random(&sequence), n, 64);
}
