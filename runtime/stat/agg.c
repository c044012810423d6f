// SPDX-License-Identifier: GPL-2.0-or-later
/* Aggregates: the arithmetic. See agg.h. */
#include "../compat/portable.h"
#include "../print/hist.h"
#include "agg.h"

/**
 * stp_agg_size - bytes of an aggregate, its histogram included
 *
 * Context: any.
 */
unsigned long stp_agg_size(const struct stp_stat_desc *desc)
{
	stp_u32 n = desc->hist.kind == STP_HIST_NONE ? 0 : desc->hist.n_buckets;

	return sizeof(struct stp_agg) + n * sizeof(stp_u64);
}

/**
 * stp_agg_reset - make it empty, of generation 0
 *
 * Context: any; only the context the aggregate belongs to, or at load. Not for struct stp_agg_sum.
 */
void stp_agg_reset(struct stp_agg *a, const struct stp_stat_desc *desc)
{
	memset(a, 0, stp_agg_size(desc));
}

static stp_long add(stp_long a, stp_long b)
{
	return (stp_long)((stp_u64)a + (stp_u64)b);
}

static stp_long sub(stp_long a, stp_long b)
{
	return (stp_long)((stp_u64)a - (stp_u64)b);
}

static stp_u64 mul(stp_u64 a, stp_u64 b)
{
	return a * b;
}

static void add_variance(struct stp_agg *a, stp_long scaled)
{
	stp_long d;

	if (a->count == 1) {
		a->mean = scaled;
		a->m2 = 0;
		return;
	}
	d = sub(scaled, a->mean);
	a->mean = add(a->mean, d / (stp_long)a->count);
	a->m2 = add(a->m2, (stp_long)mul(d, sub(scaled, a->mean)));
}

/**
 * stp_agg_add - feed a sample
 *
 * Constant work; what @desc does not collect is not kept up, but for count, sum, min and max.
 *
 * Context: any handler on the context the aggregate belongs to, or under the lock of the table it
 * is in.
 */
void stp_agg_add(struct stp_agg *a, const struct stp_stat_desc *desc, stp_long v)
{
	if (a->count++ == 0) {
		a->max = v;
		a->min = v;
		a->sum = v;
	} else {
		a->sum = add(a->sum, v);
		if (v < a->min)
			a->min = v;
		if (v > a->max)
			a->max = v;
	}
	if (desc->collect & STP_STAT_VARIANCE)
		add_variance(a, (stp_long)((stp_u64)v << desc->bit_shift));
	if (desc->hist.kind != STP_HIST_NONE)
		a->hist[stp_hist_bucket(&desc->hist, v)]++;
}

/**
 * stp_agg_fold - add a context's share to a sum
 * @sum: zeroed before the first
 *
 * Histograms are folded by the callers, who may want one bucket only.
 *
 * Context: any; nobody feeds the aggregate meanwhile.
 */
void stp_agg_fold(struct stp_agg_sum *sum, const struct stp_agg *a,
		  const struct stp_stat_desc *desc)
{
	if (!a->count)
		return;
	if (!sum->count) {
		sum->min = a->min;
		sum->max = a->max;
	} else {
		if (a->min < sum->min)
			sum->min = a->min;
		if (a->max > sum->max)
			sum->max = a->max;
	}
	sum->count += a->count;
	sum->sum = add(sum->sum, a->sum);
	if (!(desc->collect & STP_STAT_VARIANCE))
		return;
	sum->nm += mul(a->count, a->mean);
	sum->nm2 += mul(mul(a->count, a->mean), a->mean);
	if (a->count > 1)
		sum->var += mul(a->count - 1, a->m2 / (stp_long)(a->count - 1));
}

static stp_long variance(const struct stp_agg_sum *sum, stp_u32 shift)
{
	stp_long mean, s;

	if (sum->count < 2)
		return 0;
	mean = (stp_long)((stp_u64)sum->sum << shift) / (stp_long)sum->count;
	s = (stp_long)(sum->nm2 - 2 * mul(mean, sum->nm) + mul(mul(mean, mean), sum->count) +
		       sum->var);
	s /= (stp_long)(sum->count - 1);
	if (shift >= 32)
		return s < 0 ? -1 : 0;
	return s >> (2 * shift);
}

/**
 * stp_agg_value - a figure of a sum that is not empty
 * @what: one of STP_STAT_*
 *
 * An empty one would divide by 0: stp_agg_extract() is for those. Context: any.
 */
stp_long stp_agg_value(const struct stp_agg_sum *sum, const struct stp_stat_desc *desc,
		       stp_u32 what)
{
	switch (what) {
	case STP_STAT_SUM:
	case STP_STAT_SUM_FED:
		return sum->sum;
	case STP_STAT_MIN:
		return sum->min;
	case STP_STAT_MAX:
		return sum->max;
	case STP_STAT_AVG:
		return sum->sum / (stp_long)sum->count;
	case STP_STAT_VARIANCE:
		return variance(sum, desc->bit_shift);
	default:
		return (stp_long)sum->count;
	}
}

/**
 * stp_agg_extract - a figure of a sum, by the language's rules for an empty one
 *
 * Count and sum of nothing are 0; the others set the error and return 0. Context: any handler.
 */
stp_long stp_agg_extract(struct stp_ctx *c, const struct stp_agg_sum *sum,
			 const struct stp_stat_desc *desc, stp_u32 what)
{
	if (sum->count)
		return stp_agg_value(sum, desc, what);
	if (what != STP_STAT_COUNT && what != STP_STAT_SUM)
		stp_error(c, "empty aggregate");
	return 0;
}
