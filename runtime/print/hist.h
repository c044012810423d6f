/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms: which bucket a value belongs to, which value stands before a bucket, and the printed
 * table. Compiled into base.o and into the reader. Nothing here allocates or fails.
 *
 * Context: any, in the kernel and in the reader.
 */
#ifndef STP_PRINT_HIST_H
#define STP_PRINT_HIST_H

#include "../uapi/arrays.h"

#define STP_HIST_MAX_BUCKETS 128 /* those for out-of-range values included */
/*
 * The bucket of value 0 in a logarithmic one; 64 + k holds 2^(k-1) .. 2^k - 1, 64 - k the negatives
 * of it.
 */
#define STP_HIST_LOG_ZERO 64

stp_u32 stp_hist_bucket(const struct stp_hist_shape *shape, stp_long v);
int stp_hist_valid(const struct stp_hist_shape *shape);
unsigned long stp_hist_format(char *out, unsigned long size, const struct stp_hist_shape *shape,
			      const stp_u64 *buckets);

#endif
