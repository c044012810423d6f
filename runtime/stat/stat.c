// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics scalars: one aggregate per context, fed without a lock. Deleting only moves the
 * generation on: each CPU empties its own aggregate at its next sample, and readers pass over those
 * of an older generation. While it is fed, an aggregate has no generation, and its count tells two
 * readings of the same one apart: that is how a reader on another CPU knows that no sample is half
 * in what it copied.
 */
#include "../compat/portable.h"
#include "../print/hist.h"
#include "agg.h"

#define READ_TRIES                                                                                 \
	1000 /* a feed is some twenty instructions: only a CPU that was stopped in one takes longer */

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

/* Also after an init that failed half-way. */
static void stats_exit(void)
{
	stp_u32 i;

	for (i = 0; i < stp_script.n_stats; i++)
		stat_release(stp_script.stats[i]);
}

/* What is wrong goes to the kernel log. -EINVAL for a bad histogram. */
static int stats_init(void)
{
	stp_u32 i;
	int rc;

	for (i = 0; i < stp_script.n_stats; i++) {
		rc = stat_prepare(stp_script.stats[i]);
		if (rc) {
			stp_log("statistics %s: %s", stp_script.stats[i]->name,
				rc == -EINVAL
					? "histogram: Number of buckets must be between 1 and 126"
					: "out of memory");
			stats_exit();
			return rc;
		}
	}
	return 0;
}

const struct stp_member stp_member_stats = { .init = stats_init, .exit = stats_exit };

/* What is written now is half a sample until the aggregate has a generation again. */
static inline void feed_begin(struct stp_agg *a)
{
	__atomic_store_n(&a->generation, STP_AGG_FED, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE); /* pairs with the acquires in snapshot() */
}

/**
 * stp_stat_add - feed a sample to this context's aggregate
 *
 * Empties it first when it was deleted since. Cannot fail. Context: any handler; no lock, since the
 * context is this handler's alone.
 */
void stp_stat_add(struct stp_ctx *c, struct stp_stat *st, stp_long v)
{
	struct stat_impl *impl = st->impl;
	struct stp_agg *a = impl->agg[c->cpu];
	stp_u64 generation = __atomic_load_n(&impl->generation, __ATOMIC_RELAXED),
		old = a->generation;

	feed_begin(a);
	if (stp_unlikely(old != generation)) {
		stp_agg_reset(a, &st->desc);
		feed_begin(a);
	}
	stp_agg_add(a, &st->desc, v);
	__atomic_store_n(&a->generation, generation, __ATOMIC_RELEASE);
}

/**
 * stp_stat_clear - delete all samples
 *
 * One atomic addition: the contexts empty their aggregates when they next feed them. Context: any
 * handler.
 */
void stp_stat_clear(struct stp_ctx *c, struct stp_stat *st)
{
	struct stat_impl *impl = st->impl;

	__atomic_fetch_add(&impl->generation, 1, __ATOMIC_RELAXED);
}

static stp_u64 live_generation(const struct stat_impl *impl)
{
	return __atomic_load_n(&impl->generation, __ATOMIC_RELAXED);
}

/*
 * The aggregate of context i, or NULL when it holds nothing. It may be fed while it is looked at.
 */
static const struct stp_agg *live_agg(const struct stat_impl *impl, int i)
{
	const struct stp_agg *a = impl->agg[i];
	stp_u64 generation;

	if (!a)
		return NULL;
	generation = __atomic_load_n(&a->generation, __ATOMIC_ACQUIRE);
	if (generation != live_generation(impl) && generation != STP_AGG_FED)
		return NULL;
	return __atomic_load_n(&a->count, __ATOMIC_RELAXED) ? a : NULL;
}

/*
 * What an aggregate holds but its histogram, between two samples. Returns 0 when it holds nothing.
 * A CPU that was stopped in the middle of a feed is not waited for without bound: then that one
 * sample may be half in it.
 */
static int snapshot(const struct stat_impl *impl, const struct stp_agg *a, struct stp_agg *copy)
{
	stp_u64 count, generation;
	int tries;

	for (tries = 0; tries < READ_TRIES; tries++, stp_relax()) {
		count = __atomic_load_n(&a->count, __ATOMIC_ACQUIRE);
		generation = __atomic_load_n(&a->generation, __ATOMIC_ACQUIRE);
		if (generation == STP_AGG_FED)
			continue;
		if (generation != live_generation(impl))
			return 0;
		*copy = *a;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&a->generation, __ATOMIC_ACQUIRE) == generation &&
		    __atomic_load_n(&a->count, __ATOMIC_RELAXED) == count)
			return count != 0;
	}
	*copy = *a;
	return 1;
}

/**
 * stp_stat_get - a figure over all contexts
 * @what: one of STP_STAT_*
 *
 * One step for each context, no lock: samples that come meanwhile are in it or not. Sets the error
 * for an empty aggregate as the language has it. Context: any handler.
 */
stp_long stp_stat_get(struct stp_ctx *c, struct stp_stat *st, stp_u32 what)
{
	const struct stat_impl *impl = st->impl;
	struct stp_agg_sum sum = { 0 };
	struct stp_agg copy;
	int i;

	for (i = 0; i < stp_n_ctx; i++)
		if (impl->agg[i] && snapshot(impl, impl->agg[i], &copy))
			stp_agg_fold(&sum, &copy, &st->desc);
	return stp_agg_extract(c, &sum, &st->desc, what);
}

static stp_u64 fold_buckets(struct stp_ctx *c, void *source, const union stp_val *key,
			    stp_u64 *buckets)
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

/**
 * stp_stat_bucket - one bucket of the histogram, over all contexts
 *
 * An index out of range and an empty aggregate set the error. A sample that comes meanwhile may be
 * in the bucket and not in others. Context: any handler.
 */
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

/**
 * stp_stat_n_buckets - the number of buckets to iterate over
 *
 * 0 with the error set when nothing was sampled. Context: any handler, as stp_stat_get().
 */
stp_u32 stp_stat_n_buckets(struct stp_ctx *c, struct stp_stat *st)
{
	if (stp_stat_get(c, st, STP_STAT_COUNT))
		return st->desc.hist.n_buckets;
	stp_error(c, "empty aggregate");
	return 0;
}

/**
 * stp_stat_print_hist - write the histogram as a record
 * @hist_id: of the shape, for the reader, which makes the table of it
 *
 * Context: any handler, as stp_stat_get(); see stp_hist_print() for what can fail.
 */
void stp_stat_print_hist(struct stp_ctx *c, struct stp_stat *st, stp_u32 hist_id)
{
	stp_hist_print(c, &st->desc.hist, hist_id, fold_buckets, st, NULL);
}

/**
 * stp_stat_sprint_hist - the histogram as text, in scratch
 *
 * Context: any handler, as stp_stat_get(); see stp_hist_sprint() for what can fail.
 */
struct stp_str stp_stat_sprint_hist(struct stp_ctx *c, struct stp_stat *st)
{
	return stp_hist_sprint(c, &st->desc.hist, fold_buckets, st, NULL);
}
