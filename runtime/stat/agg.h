/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregates. Each CPU feeds its own struct stp_agg; a read folds those of all CPUs into a struct
 * stp_agg_sum and takes the wanted figure from that. Arithmetic wraps modulo 2^64, which also makes
 * the one-pass form of the combined variance bit-identical to the definition sum(n_c * (m_c - M)^2)
 * + sum((n_c - 1) * var_c).
 *
 * Nothing here locks: feeding belongs to one CPU, and whoever folds keeps it from being fed
 * meanwhile or takes a copy.
 *
 * Context: any handler.
 */
#ifndef STP_STAT_AGG_H
#define STP_STAT_AGG_H

#include "../uapi/arrays.h"

#define STP_AGG_FED (~0ull) /* for a generation: its context is just feeding it */

/*
 * One context's samples; only that context writes, or whoever holds the lock of the table it is in.
 */
struct stp_agg {
	/* statistics scalars: samples of an older one were deleted; or STP_AGG_FED */
	stp_u64 generation;
	stp_u64 count; /* samples; the rest means nothing while it is 0 */
	stp_long sum, min, max;
	/*
	 * Welford's running mean and sum of squared differences (B. P. Welford, Technometrics 4(3),
	 * 1962), the samples scaled by 2^bit_shift; kept up with STP_STAT_VARIANCE only.
	 */
	stp_long mean, m2;
	stp_u64 hist[]; /* desc.hist.n_buckets */
};

/* On the reader's stack, or the value of a merged element. */
struct stp_agg_sum {
	stp_u64 count; /* 0: nothing was folded in, min and max mean nothing */
	stp_long sum, min, max;
	stp_u64 nm2, nm, var; /* sums of n*m*m, n*m and (n-1)*var over the CPUs */
};

unsigned long stp_agg_size(const struct stp_stat_desc *desc);
void stp_agg_reset(struct stp_agg *a, const struct stp_stat_desc *desc);
void stp_agg_add(struct stp_agg *a, const struct stp_stat_desc *desc, stp_long v);
void stp_agg_fold(struct stp_agg_sum *sum, const struct stp_agg *a,
		  const struct stp_stat_desc *desc);
stp_long stp_agg_value(const struct stp_agg_sum *sum, const struct stp_stat_desc *desc,
		       stp_u32 what);
stp_long stp_agg_extract(struct stp_ctx *c, const struct stp_agg_sum *sum,
			 const struct stp_stat_desc *desc, stp_u32 what);

/* Folds the buckets (n of the shape, zeroed by the callee) and returns the number of samples. */
typedef stp_u64 stp_hist_fold_fn(struct stp_ctx *c, void *source, const union stp_val *key,
				 stp_u64 *buckets);

void stp_hist_print(struct stp_ctx *c, const struct stp_hist_shape *shape, stp_u32 hist_id,
		    stp_hist_fold_fn *fold, void *source, const union stp_val *key);
struct stp_str stp_hist_sprint(struct stp_ctx *c, const struct stp_hist_shape *shape,
			       stp_hist_fold_fn *fold, void *source, const union stp_val *key);

#endif
