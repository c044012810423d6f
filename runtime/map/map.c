// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrays of longs and strings, and the set-up of all arrays. Callers hold the script's lock of the
 * array.
 */
#include "../print/hist.h"
#include "map.h"

static stp_u32 value_size(const struct stp_map *m)
{
	switch ((enum stp_type)m->value) {
	case STP_STRING:
		return 4 + m->string_size;
	case STP_STATS:
		return sizeof(struct stp_agg_sum);
	case STP_LONG:
		break;
	}
	return sizeof(stp_long);
}

static int prepare_contexts(struct stp_map *m, struct stp_map_impl *impl)
{
	int i, rc;

	if (m->desc.hist.kind != STP_HIST_NONE && !stp_hist_valid(&m->desc.hist))
		return -EINVAL;
	stp_layout_init(&impl->agg_layout, m, stp_agg_size(&m->desc));
	impl->per_ctx = stp_mem_alloc(stp_n_ctx * sizeof(*impl->per_ctx));
	if (!impl->per_ctx)
		return -ENOMEM;
	for (i = 0; i < stp_n_ctx; i++) {
		if (!stp_ctx_exists(i))
			continue;
		impl->per_ctx[i] = stp_mem_alloc(sizeof(struct stp_table));
		if (!impl->per_ctx[i])
			return -ENOMEM;
		rc = stp_table_init(impl->per_ctx[i], &impl->agg_layout, m->capacity,
				    m->flags & STP_MAP_WRAP);
		if (rc)
			return rc;
	}
	return 0;
}

static int map_prepare(struct stp_map *m)
{
	struct stp_map_impl *impl = stp_mem_alloc(sizeof(*impl));
	int rc;

	if (!impl)
		return -ENOMEM;
	m->impl = impl;
	if (m->flags & STP_MAP_SIZED)
		snprintf(impl->overflow, sizeof(impl->overflow),
			 "Array overflow, check size limit (%u)", m->capacity);
	else
		snprintf(impl->overflow, sizeof(impl->overflow),
			 "Array overflow, check MAXMAPENTRIES");
	snprintf(impl->merge_overflow, sizeof(impl->merge_overflow), "aggregation overflow in %s",
		 m->name);
	stp_layout_init(&impl->layout, m, value_size(m));
	rc = stp_table_init(&impl->main, &impl->layout, m->capacity, m->flags & STP_MAP_WRAP);
	if (!rc && m->value == STP_STATS)
		rc = prepare_contexts(m, impl);
	return rc;
}

static void map_release(struct stp_map *m)
{
	struct stp_map_impl *impl = m->impl;
	int i;

	if (!impl)
		return;
	for (i = 0; impl->per_ctx && i < stp_n_ctx; i++) {
		if (!impl->per_ctx[i])
			continue;
		stp_table_release(impl->per_ctx[i]);
		stp_mem_free(impl->per_ctx[i]);
	}
	stp_mem_free(impl->per_ctx);
	stp_table_release(&impl->main);
	stp_mem_free(impl);
	m->impl = NULL;
}

/* Also after an init that failed half-way. */
static void maps_exit(void)
{
	stp_u32 i;

	for (i = 0; i < stp_script.n_maps; i++)
		map_release(stp_script.maps[i]);
}

/*
 * All of it, at full capacity: no handler allocates. What is wrong goes to the kernel log. -EINVAL
 * for a capacity of 0 or a bad histogram.
 */
static int maps_init(void)
{
	stp_u32 i;
	int rc;

	stp_hash_seed = stp_random_seed();
	stp_hash_factor = stp_random_seed() | 1;
	for (i = 0; i < stp_script.n_maps; i++) {
		rc = map_prepare(stp_script.maps[i]);
		if (rc) {
			stp_log("array %s of %u elements: %s", stp_script.maps[i]->name,
				stp_script.maps[i]->capacity,
				rc == -EINVAL ? "bad size or histogram" : "out of memory");
			maps_exit();
			return rc;
		}
	}
	return 0;
}

const struct stp_member stp_member_maps = { .init = maps_init, .exit = maps_exit };

static inline struct stp_node *find(const struct stp_map *m, const union stp_val *k)
{
	const struct stp_map_impl *impl = m->impl;

	return stp_table_find(&impl->main, k, stp_key_hash(&impl->layout, k));
}

/*
 * *fresh: the element is new and its value not set. NULL with the error set when the array is full.
 */
static inline struct stp_node *find_or_insert(struct stp_ctx *c, struct stp_map *m,
					      const union stp_val *k, int *fresh)
{
	struct stp_map_impl *impl = m->impl;
	stp_u32 hash = stp_key_hash(&impl->layout, k);
	struct stp_node *node = stp_table_find(&impl->main, k, hash);

	*fresh = 0;
	if (stp_likely(node))
		return node;
	node = stp_table_insert(&impl->main, k, hash);
	if (!node)
		stp_error(c, impl->overflow);
	*fresh = 1;
	return node;
}

/**
 * stp_map_get - the number of an element, 0 when there is none
 *
 * Creates nothing. One hash chain is walked, see stp_table_find().
 *
 * Context: any handler that holds the array's lock for reading.
 */
stp_long stp_map_get(struct stp_ctx *c, struct stp_map *m, const union stp_val *k)
{
	const struct stp_map_impl *impl = m->impl;
	const struct stp_node *node = find(m, k);

	return node ? *stp_node_long(node, impl->layout.value_off) : 0;
}

/**
 * stp_entry_value - what a function was entered with, kept in an array by the probe of its entry
 *
 * 0 with the error set when nothing was kept for this call; uncaught it leaves the hit out. An
 * array that never was full has given up no call: this one's entry was not seen, or in the parent
 * before a fork.
 *
 * Context: any handler that holds the array's lock for reading.
 */
stp_u64 stp_entry_value(struct stp_ctx *c, struct stp_map *m, const union stp_val *k)
{
	const struct stp_map_impl *impl = m->impl;
	const struct stp_node *node = find(m, k);

	if (node)
		return (stp_u64)*stp_node_long(node, impl->layout.value_off);
	stp_error_skip(
		c,
		"what it was at the function's entry was not kept: the call began before the session, in the parent before a fork, or more than MAXMAPENTRIES calls ago",
		impl->main.n < impl->main.capacity ? STP_SKIP_FOREIGN : STP_SKIP_ENTRY);
	return 0;
}

/**
 * stp_map_get_str - the string of an element, "" when there is none
 *
 * A copy in scratch, since the element may change once the lock is gone; "" with the error set when
 * scratch is used up. Creates nothing.
 *
 * Context: any handler that holds the array's lock for reading.
 */
struct stp_str stp_map_get_str(struct stp_ctx *c, struct stp_map *m, const union stp_val *k)
{
	const struct stp_map_impl *impl = m->impl;
	const struct stp_node *node = find(m, k);
	struct stp_str v;

	if (!node)
		return stp_empty();
	v = stp_node_str(node, impl->layout.value_off);
	return stp_scratch_copy(c, v.s, v.len);
}

/**
 * stp_map_set - set the number of an element, creating it
 *
 * When the array is full the error is set and nothing changed; one that wraps gives up its first
 * element in order instead. Context: any handler that holds the array's lock for writing.
 */
void stp_map_set(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long v)
{
	const struct stp_map_impl *impl = m->impl;
	int fresh;
	struct stp_node *node = find_or_insert(c, m, k, &fresh);

	if (node)
		*stp_node_long(node, impl->layout.value_off) = v;
}

/**
 * stp_map_set_str - set the string of an element, creating it
 * @v: cut to MAXSTRINGLEN - 1 bytes
 *
 * A full array: as stp_map_set(). Context: any handler that holds the array's lock for writing.
 */
void stp_map_set_str(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, struct stp_str v)
{
	const struct stp_map_impl *impl = m->impl;
	int fresh;
	struct stp_node *node = find_or_insert(c, m, k, &fresh);

	if (node)
		stp_node_set_str(node, impl->layout.value_off, v, m->string_size);
}

/**
 * stp_map_add - add to the number of an element, creating it
 *
 * Wraps modulo 2^64. Returns the new value; 0 with the error set when the array is full.
 *
 * Context: any handler that holds the array's lock for writing.
 */
stp_long stp_map_add(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_long d)
{
	const struct stp_map_impl *impl = m->impl;
	int fresh;
	struct stp_node *node = find_or_insert(c, m, k, &fresh);
	stp_long *value;

	if (stp_unlikely(!node))
		return 0;
	value = stp_node_long(node, impl->layout.value_off);
	*value = fresh ? d : (stp_long)((stp_u64)*value + (stp_u64)d);
	return *value;
}

/**
 * stp_map_append_str - append to the string of an element, creating it
 *
 * What does not fit into MAXSTRINGLEN is dropped without an error, as for strings everywhere. A
 * full array: as stp_map_set(). Context: any handler that holds the array's lock for writing.
 */
void stp_map_append_str(struct stp_ctx *c, struct stp_map *m, const union stp_val *k,
			struct stp_str v)
{
	const struct stp_map_impl *impl = m->impl;
	int fresh;
	struct stp_node *node = find_or_insert(c, m, k, &fresh);
	struct stp_str old;

	if (!node)
		return;
	if (fresh) {
		stp_node_set_str(node, impl->layout.value_off, v, m->string_size);
		return;
	}
	old = stp_node_str(node, impl->layout.value_off);
	if (v.len > m->string_size - 1 - old.len)
		v.len = m->string_size - 1 - old.len;
	memmove((char *)old.s + old.len, v.s, v.len);
	*(stp_u32 *)stp_node_at(node, impl->layout.value_off) = old.len + v.len;
}

static int all_wild(const struct stp_layout *l, stp_u32 wild)
{
	stp_u32 all = (1u << l->n_keys) - 1;

	return (wild & all) == all;
}

/* What table_has() and table_delete() look at, in elements. */
static stp_u64 work_of(const struct stp_table *t, stp_u32 wild)
{
	if (!wild)
		return 0;
	return all_wild(t->layout, wild) ? stp_table_clear_work(t) : t->n;
}

/* The same of the tables of all contexts, which are charged as one. */
static stp_u64 work_of_all(const struct stp_map_impl *impl, stp_u32 wild)
{
	stp_u64 work = 0;
	int i;

	for (i = 0; wild && i < stp_n_ctx; i++)
		if (impl->per_ctx[i] && impl->per_ctx[i]->n)
			work += work_of(impl->per_ctx[i], wild);
	return work;
}

static int table_has(const struct stp_ctx *c, const struct stp_table *t, const union stp_val *k,
		     stp_u32 wild)
{
	const struct stp_node *node;
	stp_u32 looked = 0;

	if (!wild)
		return !!stp_table_find(t, k, stp_key_hash(t->layout, k));
	if (all_wild(t->layout, wild))
		return t->n != 0;
	for (node = t->head; node; node = node->next, stp_map_pause(c, &looked, 1))
		if (stp_node_matches(t->layout, node, k, wild))
			return 1;
	return 0;
}

static void table_delete(const struct stp_ctx *c, struct stp_table *t, const union stp_val *k,
			 stp_u32 wild)
{
	struct stp_node *node, *next;
	stp_u32 looked = 0;

	if (!wild) {
		node = stp_table_find(t, k, stp_key_hash(t->layout, k));
		if (node)
			stp_table_remove(t, node);
		return;
	}
	if (all_wild(t->layout, wild)) {
		stp_table_clear(t);
		return;
	}
	for (node = t->head; node; node = next, stp_map_pause(c, &looked, 1)) {
		next = node->next;
		if (stp_node_matches(t->layout, node, k, wild))
			stp_table_remove(t, node);
	}
}

/**
 * stp_map_has - is there an element with these keys?
 * @wild: bit i: any key i will do; 0 is one look-up, else up to the whole array is walked
 *
 * A walk is charged to MAXACTION: 0 with the error set when there is not so much left.
 *
 * Context: any handler that holds the array's lock for reading. Arrays of statistics need none: the
 * tables are looked at one after the other, each under its own lock; one that is not had in time
 * counts as a skip.
 */
int stp_map_has(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_u32 wild)
{
	struct stp_map_impl *impl = m->impl;
	unsigned long flags;
	int i, has = 0;

	if (!impl->per_ctx)
		return stp_map_charge(c, work_of(&impl->main, wild)) &&
		       table_has(c, &impl->main, k, wild);
	if (!stp_map_charge(c, work_of_all(impl, wild)))
		return 0;
	for (i = 0; i < stp_n_ctx && !has; i++) {
		struct stp_table *t = impl->per_ctx[i];

		if (!t || !t->n)
			continue;
		if (!stp_map_lock(c, t, &flags)) {
			stp_skip_lock(c);
			return 0;
		}
		has = table_has(c, t, k, wild);
		stp_map_unlock(c, t, flags);
	}
	return has;
}

/**
 * stp_map_delete - delete the elements with these keys
 * @wild: as for stp_map_has(); all keys wild is stp_map_clear()
 *
 * That there are none is no error. Walks and clearing are charged to MAXACTION; when there is not
 * so much left, the error is set and nothing is deleted, or of an array of statistics not all.
 * Context: any handler that holds the array's lock for writing; arrays of statistics as for
 * stp_map_has(). There, what other CPUs add meanwhile may stay.
 */
void stp_map_delete(struct stp_ctx *c, struct stp_map *m, const union stp_val *k, stp_u32 wild)
{
	struct stp_map_impl *impl = m->impl;
	unsigned long flags;
	int i;

	if (wild == ~0u)
		__atomic_fetch_add(&impl->clears, 1, __ATOMIC_RELAXED);
	if (!impl->per_ctx) {
		if (stp_map_charge(c, work_of(&impl->main, wild)))
			table_delete(c, &impl->main, k, wild);
		return;
	}
	if (!stp_map_charge(c, work_of_all(impl, wild)))
		return;
	for (i = 0; i < stp_n_ctx; i++) {
		struct stp_table *t = impl->per_ctx[i];

		if (!t || !t->n)
			continue;
		if (!stp_map_lock(c, t, &flags)) {
			stp_skip_lock(c);
			return;
		}
		table_delete(c, t, k, wild);
		stp_map_unlock(c, t, flags);
	}
}

/**
 * stp_map_clear - delete all elements
 *
 * Clears the hash table, not the nodes: the time depends on the capacity, at most 2^24 words for
 * each table, and is charged to MAXACTION. Context: as stp_map_delete().
 */
void stp_map_clear(struct stp_ctx *c, struct stp_map *m)
{
	stp_map_delete(c, m, NULL, ~0u);
}
