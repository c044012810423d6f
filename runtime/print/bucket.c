// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which bucket of a histogram a value belongs to: all that collecting one needs. The table is
 * hist.c's.
 */
#include "hist.h"

static int bit_length(stp_u64 v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

/**
 * stp_hist_bucket - the bucket a value belongs to
 *
 * Returns 0 .. n_buckets - 1 for a shape that stp_hist_valid() takes. Context: any; also user
 * space.
 */
stp_u32 stp_hist_bucket(const struct stp_hist_shape *shape, stp_long v)
{
	stp_u64 bucket;

	if (shape->kind == STP_HIST_LOG)
		return v >= 0 ? STP_HIST_LOG_ZERO + bit_length(v)
			      : STP_HIST_LOG_ZERO - bit_length(-(stp_u64)v);
	if (v < shape->low)
		return 0;
	bucket = ((stp_u64)v - (stp_u64)shape->low) / (stp_u64)shape->step;
	return bucket < shape->n_buckets - 2 ? 1 + bucket : shape->n_buckets - 1;
}

/**
 * stp_hist_valid - can a histogram of this shape be kept?
 *
 * Its kind is known, it has 3 to 128 buckets, and a linear one a step of at least 1. Asked once, at
 * load; the others here rely on it.
 *
 * Context: any; also user space.
 */
int stp_hist_valid(const struct stp_hist_shape *shape)
{
	if (shape->kind == STP_HIST_LOG)
		return shape->n_buckets == STP_HIST_LOG_BUCKETS;
	return shape->kind == STP_HIST_LINEAR && shape->step > 0 && shape->n_buckets >= 3 &&
	       shape->n_buckets <= STP_HIST_MAX_BUCKETS;
}
