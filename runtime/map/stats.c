// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrays of statistics: each context feeds its own table under that table's spin lock, which only a
 * reader or deleter on another CPU ever contends for. Reads of one element fold it from all tables.
 */
#include "../print/hist.h"
#include "map.h"

static inline struct stp_agg *agg_of(const struct stp_map_impl *impl, const struct stp_node *node)
{
	return stp_node_at(node, impl->agg_layout.value_off);
}

/**
 * stp_map_stat_add - feed a sample to an element, creating it
 *
 * This context's table only; its lock is contended for by readers and deleters of other CPUs alone,
 * whose hold is bounded by their MAXACTION. When it is not had in time, the sample is lost and the
 * hit a skip. When the table is full and does not wrap, the error is set and the sample lost.
 *
 * Context: any handler; no script lock.
 */
void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long v)
{
	struct stp_map_impl *impl = m->impl;
	struct stp_table *t = impl->per_ctx[c->cpu];
	stp_u32 hash = stp_key_hash(&impl->agg_layout, k);
	struct stp_node *node;
	unsigned long flags;

	if (stp_unlikely(!stp_map_lock(c, t, &flags))) {
		stp_skip_lock(c);
		return;
	}
	node = stp_table_find(t, k, hash);
	if (stp_unlikely(!node)) {
		node = stp_table_insert(t, k, hash);
		if (node) {
			node->sequence = __atomic_fetch_add(&impl->sequence, 1, __ATOMIC_RELAXED);
			stp_agg_reset(agg_of(impl, node), &m->desc);
		}
	}
	if (stp_likely(node))
		stp_agg_add(agg_of(impl, node), &m->desc, v);
	stp_map_unlock(c, t, flags);
	if (stp_unlikely(!node))
		stp_error(c, impl->overflow);
}

/*
 * Adds the element's share of every context to sum, and its histogram to buckets or its bucket
 * `index` to *one. A context whose lock is not had in time is left out, and the hit a skip.
 */
static void fold(struct stp_ctx *c, const struct stp_map *m, const union stp_val *k,
		 struct stp_agg_sum *sum, stp_u64 *buckets, stp_u32 index, stp_u64 *one)
{
	const struct stp_map_impl *impl = m->impl;
	stp_u32 hash = stp_key_hash(&impl->agg_layout, k), b;
	int i;

	for (i = 0; i < stp_n_ctx; i++) {
		struct stp_table *t = impl->per_ctx[i];
		const struct stp_node *node;
		unsigned long flags;

		if (!t || !t->n)
			continue;
		if (!stp_map_lock(c, t, &flags)) {
			stp_skip_lock(c);
			continue;
		}
		node = stp_table_find(t, k, hash);
		if (node) {
			const struct stp_agg *a = agg_of(impl, node);

			stp_agg_fold(sum, a, &m->desc);
			for (b = 0; buckets && b < m->desc.hist.n_buckets; b++)
				buckets[b] += a->hist[b];
			if (one)
				*one += a->hist[index];
		}
		stp_map_unlock(c, t, flags);
	}
}

/**
 * stp_map_stat_get - a figure of an element, over all contexts
 * @what: one of STP_STAT_*
 *
 * One look-up in the table of each context, each under its own lock: samples that come meanwhile
 * may or may not be in it. The error is set for an empty aggregate as the language has it.
 *
 * Context: any handler; no script lock.
 */
stp_long stp_map_stat_get(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			  stp_u32 what)
{
	struct stp_agg_sum sum = { 0 };

	fold(c, m, k, &sum, NULL, 0, NULL);
	return stp_agg_extract(c, &sum, &m->desc, what);
}

/**
 * stp_map_stat_bucket - one bucket of an element's histogram, over all contexts
 *
 * An index out of range and an empty aggregate set the error; the first returns 0. Context: any
 * handler, as stp_map_stat_get().
 */
stp_long stp_map_stat_bucket(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			     stp_long index)
{
	struct stp_agg_sum sum = { 0 };
	stp_u64 n = 0;

	if (index < 0 || index >= (stp_long)m->desc.hist.n_buckets) {
		stp_error(c, "histogram index out of range");
		return 0;
	}
	fold(c, m, k, &sum, NULL, index, &n);
	if (!sum.count)
		stp_error(c, "empty aggregate");
	return (stp_long)n;
}

/**
 * stp_map_stat_n_buckets - the number of buckets to iterate over
 *
 * The same for all elements; 0 with the error set when this one is empty. Context: any handler, as
 * stp_map_stat_get().
 */
stp_u32 stp_map_stat_n_buckets(struct stp_ctx *c, struct stp_map *m, const union stp_val *k)
{
	if (stp_map_stat_get(c, m, k, STP_STAT_COUNT))
		return m->desc.hist.n_buckets;
	stp_error(c, "empty aggregate");
	return 0;
}

static stp_u64 fold_buckets(struct stp_ctx *c, void *source, const union stp_val *key,
			    stp_u64 *buckets)
{
	const struct stp_map *m = source;
	struct stp_agg_sum sum = { 0 };

	memset(buckets, 0, m->desc.hist.n_buckets * sizeof(*buckets));
	fold(c, m, key, &sum, buckets, 0, NULL);
	return sum.count;
}

/**
 * stp_map_print_hist - write an element's histogram as a record
 * @hist_id: of the shape, for the reader, which makes the table of it
 *
 * Context: any handler, as stp_map_stat_get(); see stp_hist_print() for what can fail.
 */
void stp_map_print_hist(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			stp_u32 hist_id)
{
	stp_hist_print(c, &m->desc.hist, hist_id, fold_buckets, m, k);
}

/**
 * stp_map_sprint_hist - an element's histogram as text, in scratch
 *
 * Context: any handler, as stp_map_stat_get(); see stp_hist_sprint() for what can fail.
 */
struct stp_str stp_map_sprint_hist(struct stp_ctx *c, struct stp_map *m, const union stp_val *k)
{
	return stp_hist_sprint(c, &m->desc.hist, fold_buckets, m, k);
}

/* Folds one context's table into main; 0 when main is full. */
static int merge_table(const struct stp_ctx *c, struct stp_map *m, const struct stp_table *t)
{
	struct stp_map_impl *impl = m->impl;
	const struct stp_node *from;
	stp_u32 looked = 0;

	for (from = t->head; from; from = from->next, stp_map_pause(c, &looked, 1)) {
		struct stp_node *node = stp_table_find_like(&impl->main, t->layout, from);
		struct stp_agg_sum *sum;

		if (!node) {
			node = stp_table_insert_like(&impl->main, t->layout, from);
			if (!node)
				return 0;
			node->sequence = from->sequence;
			memset(stp_node_at(node, impl->layout.value_off), 0, sizeof(*sum));
		} else if (from->sequence < node->sequence) {
			node->sequence = from->sequence;
		}
		sum = stp_node_at(node, impl->layout.value_off);
		stp_agg_fold(sum, agg_of(impl, from), &m->desc);
	}
	return 1;
}

/**
 * stp_map_merge - rebuild main from the tables of all contexts
 *
 * Takes the tables' locks one at a time, each for as long as its elements need: one look-up and one
 * fold each, charged to MAXACTION, as is that main is cleared before. Returns 1; or 0 with the
 * error set, when the keys do not fit, then main holds a part, or when there is not so much left. A
 * table whose lock is not had in time is left out, and the hit a skip.
 *
 * Context: any handler that holds the array's lock for writing: it guards main.
 */
int stp_map_merge(struct stp_ctx *c, struct stp_map *m)
{
	struct stp_map_impl *impl = m->impl;
	unsigned long flags;
	stp_u64 n = 0;
	int i, fits = 1;

	for (i = 0; i < stp_n_ctx; i++)
		n += impl->per_ctx[i] ? impl->per_ctx[i]->n : 0;
	if (!stp_map_charge(c, stp_table_clear_work(&impl->main) + 2 * n))
		return 0;
	stp_table_clear(&impl->main);
	for (i = 0; i < stp_n_ctx && fits; i++) {
		struct stp_table *t = impl->per_ctx[i];

		if (!t || !t->n)
			continue;
		if (!stp_map_lock(c, t, &flags)) {
			stp_skip_lock(c);
			continue;
		}
		fits = merge_table(c, m, t);
		stp_map_unlock(c, t, flags);
	}
	if (!fits)
		stp_error(c, impl->merge_overflow);
	return fits;
}
