/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays of statistics: each context feeds its own table under that table's spin lock, which only a reader or deleter
 * on another CPU ever contends for. Reads of one element fold it from all tables.
 */
#include "../print/hist.h"
#include "map.h"

static inline struct stp_agg *agg_of(const struct stp_map_impl *impl, const struct stp_node *node)
{
	return stp_node_at(node, impl->agg_layout.value_off);
}

void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long v)
{
	struct stp_map_impl *impl = m->impl;
	struct stp_table *t = impl->per_ctx[c->cpu];
	stp_u32 hash = stp_key_hash(&impl->agg_layout, k);
	unsigned long flags = stp_spin_lock(&t->lock);
	struct stp_node *node = stp_table_find(t, k, hash);

	if (stp_unlikely(!node)) {
		node = stp_table_insert(t, k, hash);
		if (node) {
			node->sequence = __atomic_fetch_add(&impl->sequence, 1, __ATOMIC_RELAXED);
			stp_agg_reset(agg_of(impl, node), &m->desc);
		}
	}
	if (stp_likely(node))
		stp_agg_add(agg_of(impl, node), &m->desc, v);
	stp_spin_unlock(&t->lock, flags);
	if (stp_unlikely(!node))
		stp_error(c, impl->overflow);
}

/* Adds the element's share of every context to sum, and its histogram to buckets or its bucket `index` to *one. */
static void fold(const struct stp_map *m, const union stp_val *k, struct stp_agg_sum *sum, stp_u64 *buckets,
		 stp_u32 index, stp_u64 *one)
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
		flags = stp_spin_lock(&t->lock);
		node = stp_table_find(t, k, hash);
		if (node) {
			const struct stp_agg *a = agg_of(impl, node);

			stp_agg_fold(sum, a, &m->desc);
			for (b = 0; buckets && b < m->desc.hist.n_buckets; b++)
				buckets[b] += a->hist[b];
			if (one)
				*one += a->hist[index];
		}
		stp_spin_unlock(&t->lock, flags);
	}
}

stp_long stp_map_stat_get(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_u32 what)
{
	struct stp_agg_sum sum = { 0 };

	fold(m, k, &sum, NULL, 0, NULL);
	return stp_agg_extract(c, &sum, &m->desc, what);
}

stp_long stp_map_stat_bucket(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long index)
{
	struct stp_agg_sum sum = { 0 };
	stp_u64 n = 0;

	if (index < 0 || index >= (stp_long)m->desc.hist.n_buckets) {
		stp_error(c, "histogram index out of range");
		return 0;
	}
	fold(m, k, &sum, NULL, index, &n);
	if (!sum.count)
		stp_error(c, "empty aggregate");
	return (stp_long)n;
}

stp_u32 stp_map_stat_n_buckets(struct stp_ctx *c, struct stp_map *m, const union stp_val *k)
{
	if (stp_map_stat_get(c, m, k, STP_STAT_COUNT))
		return m->desc.hist.n_buckets;
	stp_error(c, "empty aggregate");
	return 0;
}

static stp_u64 fold_buckets(void *source, const union stp_val *key, stp_u64 *buckets)
{
	const struct stp_map *m = source;
	struct stp_agg_sum sum = { 0 };

	memset(buckets, 0, m->desc.hist.n_buckets * sizeof(*buckets));
	fold(m, key, &sum, buckets, 0, NULL);
	return sum.count;
}

void stp_map_print_hist(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_u32 hist_id, int newline)
{
	stp_hist_print(c, &m->desc.hist, hist_id, newline, fold_buckets, m, k);
}

struct stp_str stp_map_sprint_hist(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, int newline)
{
	return stp_hist_sprint(c, &m->desc.hist, newline, fold_buckets, m, k);
}

/* Folds one context's table into main; 0 when main is full. */
static int merge_table(struct stp_map *m, const struct stp_table *t)
{
	struct stp_map_impl *impl = m->impl;
	const struct stp_node *from;

	for (from = t->head; from; from = from->next) {
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

void stp_map_merge(struct stp_ctx *c, struct stp_map *m)
{
	struct stp_map_impl *impl = m->impl;
	unsigned long flags;
	int i, fits = 1;

	stp_table_clear(&impl->main);
	for (i = 0; i < stp_n_ctx && fits; i++) {
		struct stp_table *t = impl->per_ctx[i];

		if (!t || !t->n)
			continue;
		flags = stp_spin_lock(&t->lock);
		fits = merge_table(m, t);
		stp_spin_unlock(&t->lock, flags);
	}
	if (!fits)
		stp_error(c, impl->merge_overflow);
}
