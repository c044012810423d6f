/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms: which bucket a value belongs to, which value stands before a bucket, and the printed table. Compiled
 * into base.o and into the reader. Nothing here allocates or fails.
 */
#ifndef STP_PRINT_HIST_H
#define STP_PRINT_HIST_H

#include "../uapi/script.h"

#define STP_HIST_MAX_BUCKETS 128

/* The bucket of v: 0 .. n_buckets - 1. */
stp_u32 stp_hist_bucket(const struct stp_hist_shape *shape, stp_long v);

/* 1 when a histogram of this shape can be kept: kind known, 3 to 128 buckets, linear step at least 1. */
int stp_hist_valid(const struct stp_hist_shape *shape);

/*
 * The printed table, ending in an empty line: at most size bytes go to out, without a NUL. Returns the whole length.
 * The shape must be valid.
 */
unsigned long stp_hist_format(char *out, unsigned long size, const struct stp_hist_shape *shape,
			      const stp_u64 *buckets);

#endif
