/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics scalars: one aggregate per context, fed without a lock. Deleting only moves the generation on: each
 * CPU empties its own aggregate at its next sample, and readers pass over those of an older generation.
 */
#include "../compat/portable.h"
#include "../print/hist.h"
#include "agg.h"

struct stat_impl {
	stp_u64 generation;
	struct stp_agg *agg[]; /* stp_n_ctx; NULL for CPUs that cannot exist */
};

static void stat_release(struct stp_stat *st)
{
	struct stat_impl *impl = st->impl;
	int i;

	if (!impl)
		return;
	for (i = 0; i < stp_n_ctx; i++)
		stp_mem_free(impl->agg[i]);
	stp_mem_free(impl);
	st->impl = NULL;
}

static int stat_prepare(struct stp_stat *st)
{
	struct stat_impl *impl;
	int i;

	if (st->desc.hist.kind != STP_HIST_NONE && !stp_hist_valid(&st->desc.hist))
		return -EINVAL;
	impl = stp_mem_alloc(sizeof(*impl) + stp_n_ctx * sizeof(impl->agg[0]));
	if (!impl)
		return -ENOMEM;
	st->impl = impl;
	for (i = 0; i < stp_n_ctx; i++) {
		if (!stp_ctx_exists(i))
			continue;
		impl->agg[i] = stp_mem_alloc(stp_agg_size(&st->desc));
		if (!impl->agg[i])
			return -ENOMEM;
	}
	return 0;
}

int stp_stats_init(void)
{
	stp_u32 i;
	int rc;

	for (i = 0; i < stp_script.n_stats; i++) {
		rc = stat_prepare(stp_script.stats[i]);
		if (rc) {
			stp_log("statistics %s: %s", stp_script.stats[i]->name,
				rc == -EINVAL ? "histogram: Number of buckets must be between 1 and 126" : "out of memory");
			stp_stats_exit();
			return rc;
		}
	}
	return 0;
}

void stp_stats_exit(void)
{
	stp_u32 i;

	for (i = 0; i < stp_script.n_stats; i++)
		stat_release(stp_script.stats[i]);
}

void stp_stat_add(struct stp_ctx *c, struct stp_stat *st, stp_long v)
{
	struct stat_impl *impl = st->impl;
	struct stp_agg *a = impl->agg[c->cpu];
	stp_u64 generation = __atomic_load_n(&impl->generation, __ATOMIC_RELAXED);

	if (stp_unlikely(a->generation != generation)) {
		stp_agg_reset(a, &st->desc);
		a->generation = generation;
	}
	stp_agg_add(a, &st->desc, v);
}

void stp_stat_clear(struct stp_ctx *c, struct stp_stat *st)
{
	struct stat_impl *impl = st->impl;

	__atomic_fetch_add(&impl->generation, 1, __ATOMIC_RELAXED);
}

/* The aggregate of context i, or NULL when it holds nothing. */
static const struct stp_agg *live_agg(const struct stat_impl *impl, int i)
{
	const struct stp_agg *a = impl->agg[i];

	return a && a->count && a->generation == impl->generation ? a : NULL;
}

stp_long stp_stat_get(struct stp_ctx *c, struct stp_stat *st, stp_u32 what)
{
	const struct stat_impl *impl = st->impl;
	struct stp_agg_sum sum = { 0 };
	int i;

	for (i = 0; i < stp_n_ctx; i++) {
		const struct stp_agg *a = live_agg(impl, i);

		if (a)
			stp_agg_fold(&sum, a, &st->desc);
	}
	return stp_agg_extract(c, &sum, &st->desc, what);
}

static stp_u64 fold_buckets(void *source, const union stp_val *key, stp_u64 *buckets)
{
	const struct stp_stat *st = source;
	const struct stat_impl *impl = st->impl;
	stp_u64 count = 0;
	stp_u32 b;
	int i;

	memset(buckets, 0, st->desc.hist.n_buckets * sizeof(*buckets));
	for (i = 0; i < stp_n_ctx; i++) {
		const struct stp_agg *a = live_agg(impl, i);

		if (!a)
			continue;
		count += a->count;
		for (b = 0; b < st->desc.hist.n_buckets; b++)
			buckets[b] += a->hist[b];
	}
	return count;
}

stp_long stp_stat_bucket(struct stp_ctx *c, struct stp_stat *st, stp_long index)
{
	const struct stat_impl *impl = st->impl;
	stp_u64 count = 0, n = 0;
	int i;

	if (index < 0 || index >= (stp_long)st->desc.hist.n_buckets) {
		stp_error(c, "histogram index out of range");
		return 0;
	}
	for (i = 0; i < stp_n_ctx; i++) {
		const struct stp_agg *a = live_agg(impl, i);

		if (!a)
			continue;
		count += a->count;
		n += a->hist[index];
	}
	if (!count)
		stp_error(c, "empty aggregate");
	return (stp_long)n;
}

stp_u32 stp_stat_n_buckets(struct stp_ctx *c, struct stp_stat *st)
{
	if (stp_stat_get(c, st, STP_STAT_COUNT))
		return st->desc.hist.n_buckets;
	stp_error(c, "empty aggregate");
	return 0;
}

void stp_stat_print_hist(struct stp_ctx *c, struct stp_stat *st, stp_u32 hist_id, int newline)
{
	stp_hist_print(c, &st->desc.hist, hist_id, newline, fold_buckets, st, NULL);
}

struct stp_str stp_stat_sprint_hist(struct stp_ctx *c, struct stp_stat *st, int newline)
{
	return stp_hist_sprint(c, &st->desc.hist, newline, fold_buckets, st, NULL);
}
