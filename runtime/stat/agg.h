/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregates. Each CPU feeds its own struct stp_agg; a read folds those of all CPUs into a struct stp_agg_sum and takes
 * the wanted figure from that. Arithmetic wraps modulo 2^64, which also makes the one-pass form of the
 * combined variance bit-identical to the definition sum(n_c * (m_c - M)^2) + sum((n_c - 1) * var_c).
 *
 * Nothing here locks: feeding belongs to one CPU, and a fold beside a feed may see a sample half.
 */
#ifndef STP_STAT_AGG_H
#define STP_STAT_AGG_H

#include "../uapi/script.h"

struct stp_agg {
	stp_u64 generation; /* statistics scalars: samples of an older one were deleted */
	stp_u64 count;
	stp_long sum, min, max;
	stp_long mean, m2; /* Welford's, scaled by 2^bit_shift */
	stp_u64 hist[];	   /* desc.hist.n_buckets */
};

struct stp_agg_sum {
	stp_u64 count;
	stp_long sum, min, max;
	stp_u64 nm2, nm, var; /* sums of n*m*m, n*m and (n-1)*var over the CPUs */
};

unsigned long stp_agg_size(const struct stp_stat_desc *desc);
void stp_agg_reset(struct stp_agg *a, const struct stp_stat_desc *desc);
void stp_agg_add(struct stp_agg *a, const struct stp_stat_desc *desc, stp_long v);
void stp_agg_fold(struct stp_agg_sum *sum, const struct stp_agg *a, const struct stp_stat_desc *desc);
/* The figure of one of STP_STAT_*; the sum is not empty. */
stp_long stp_agg_value(const struct stp_agg_sum *sum, const struct stp_stat_desc *desc, stp_u32 what);

/* The same with the language's rules for an empty aggregate: 0 for count and sum, else the error. */
stp_long stp_agg_extract(struct stp_ctx *c, const struct stp_agg_sum *sum, const struct stp_stat_desc *desc,
			 stp_u32 what);

/* Folds the buckets (n of the shape, zeroed by the callee) and returns the number of samples. */
typedef stp_u64 stp_hist_fold_fn(void *source, const union stp_val *key, stp_u64 *buckets);

/* A HIST record of what fold collects; "empty aggregate" when that is nothing. count: samples, known before. */
void stp_hist_print(struct stp_ctx *c, const struct stp_hist_shape *shape, stp_u32 hist_id, int newline,
		    stp_hist_fold_fn *fold, void *source, const union stp_val *key);
struct stp_str stp_hist_sprint(struct stp_ctx *c, const struct stp_hist_shape *shape, int newline,
			       stp_hist_fold_fn *fold, void *source, const union stp_val *key);

#endif
