// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * foreach. Sorting is a stable bottom-up merge sort of the order list itself, so the array keeps
 * the order. It needs no memory and no recursion; numbers to sort by are put into the nodes first.
 * A `limit` sorts everything too: the places behind the limit are unspecified, and picking the top
 * few from a linked list costs about the same.
 *
 * A loop whose body sorts the same array again walks a snapshot, which is in the scratch of the
 * handler and so needs no giving back, however the loop is left. Of a plain array it is the
 * addresses of the nodes, which stay: the compiler refuses bodies that store to the array. Of
 * statistics it is the keys too, as the next merge makes all nodes anew.
 */
#include "map.h"

_Static_assert(sizeof(struct stp_node) == STP_SNAPSHOT_HEAD &&
		       sizeof(struct stp_node *) == STP_SNAPSHOT_SLOT,
	       "uapi/arrays.h");

struct order {
	stp_u32 off; /* of the string to compare; 0: compare the ranks */
	int dir;
};

/* <= 0: a stays before b. */
static inline int compare(const struct order *o, const struct stp_node *a, const struct stp_node *b)
{
	int diff;

	if (o->off)
		diff = stp_str_cmp(stp_node_str(a, o->off), stp_node_str(b, o->off));
	else
		diff = a->rank < b->rank ? -1 : a->rank > b->rank;
	return o->dir < 0 ? -diff : diff;
}

static struct stp_node *skip(struct stp_node *node, stp_u32 n)
{
	while (node && n--)
		node = node->next;
	return node;
}

/*
 * Merges the runs a (n long) and b (up to n long, ending before end) behind *tail; returns the new
 * last node.
 */
static struct stp_node *merge_runs(const struct order *o, struct stp_node *tail, struct stp_node *a,
				   struct stp_node *b, struct stp_node *end, stp_u32 n)
{
	stp_u32 n_a = n;

	while (n_a || b != end) {
		struct stp_node **from = &b;

		if (n_a && (b == end || compare(o, a, b) <= 0)) {
			from = &a;
			n_a--;
		}
		tail->next = *from;
		tail = *from;
		*from = (*from)->next;
	}
	return tail;
}

static void sort_list(const struct stp_ctx *c, struct stp_table *t, const struct order *o)
{
	struct stp_node head = { .next = t->head }, *node, *prev = NULL;
	stp_u32 run, looked = 0;

	for (run = 1; run < t->n; run <<= 1) {
		struct stp_node *tail = &head, *a = head.next;

		while (a) {
			struct stp_node *b = skip(a, run), *end;

			if (!b) {
				tail->next = a;
				break;
			}
			end = skip(b, run);
			tail = merge_runs(o, tail, a, b, end, run);
			tail->next = end;
			a = end;
			stp_map_pause(c, &looked, 2 * run);
		}
	}
	t->head = head.next;
	for (node = t->head; node; prev = node, node = node->next) {
		node->prev = prev;
		stp_map_pause(c, &looked, 1);
	}
	t->tail = prev;
}

static void rank_nodes(const struct stp_ctx *c, struct stp_map *m, int by, stp_u32 what)
{
	struct stp_map_impl *impl = m->impl;
	const struct stp_layout *l = &impl->layout;
	struct stp_node *node;
	stp_u32 looked = 0;

	for (node = impl->main.head; node; node = node->next, stp_map_pause(c, &looked, 1)) {
		if (by > 0)
			node->rank = *stp_node_long(node, l->key_off[by - 1]);
		else if (m->value == STP_STATS)
			node->rank = stp_agg_value(stp_node_at(node, l->value_off), &m->desc, what);
		else
			node->rank = *stp_node_long(node, l->value_off);
	}
}

static void sort_by(const struct stp_ctx *c, struct stp_map *m, int by, int dir, stp_u32 what)
{
	struct stp_map_impl *impl = m->impl;
	const struct stp_layout *l = &impl->layout;
	struct order o = { .dir = dir };

	if (by > 0 && stp_key_is_string(l, by - 1))
		o.off = l->key_off[by - 1];
	else if (by < 0 && m->value == STP_STRING)
		o.off = l->value_off;
	else
		rank_nodes(c, m, by, what);
	sort_list(c, &impl->main, &o);
}

/* Steps of sort_list() and rank_nodes(): n for each doubling, and one round more. */
static stp_u64 sort_work(stp_u32 n)
{
	stp_u64 rounds = 1;
	stp_u32 run;

	for (run = 1; run < n; run <<= 1)
		rounds++;
	return n * rounds;
}

/* A copy of the head and the keys of a node at AT. Returns what is behind it. */
static char *copy_keys(const struct stp_layout *l, char *at, const struct stp_node *node)
{
	struct stp_node *copy = (struct stp_node *)at;
	stp_u32 i;

	*copy = *node;
	for (i = 0; i < l->n_keys; i++) {
		if (stp_key_is_string(l, i))
			stp_node_set_str(copy, l->key_off[i], stp_node_str(node, l->key_off[i]),
					 l->string_size);
		else
			*stp_node_long(copy, l->key_off[i]) = *stp_node_long(node, l->key_off[i]);
	}
	return at + l->value_off;
}

/*
 * The elements as they are now, in scratch: addresses of nodes, NULL behind the last. NULL with the
 * error set when there is no room, or not so much of MAXACTION left.
 */
static struct stp_node **take_snapshot(struct stp_ctx *c, const struct stp_map_impl *impl)
{
	const struct stp_layout *l = &impl->layout;
	const stp_u64 slots = ((stp_u64)impl->main.n + 1) * STP_SNAPSHOT_SLOT,
		      bytes = slots + (impl->per_ctx ? (stp_u64)impl->main.n * l->value_off : 0);
	struct stp_node *node, **slot, **first;
	stp_u32 looked = 0;
	char *copy;

	if (!stp_map_charge(c, impl->main.n))
		return NULL;
	first = (struct stp_node **)stp_scratch(c, bytes < ~0u ? (stp_u32)bytes : ~0u);
	if (!first)
		return NULL;
	copy = (char *)first + slots;
	for (slot = first, node = impl->main.head; node; slot++, node = node->next) {
		*slot = node;
		if (impl->per_ctx) {
			*slot = (struct stp_node *)copy;
			copy = copy_keys(l, copy, node);
		}
		stp_map_pause(c, &looked, 1);
	}
	*slot = NULL;
	return first;
}

/* The next element, whether the slice takes it or not; NULL at the end. */
static inline struct stp_node *step(struct stp_iter *it)
{
	struct stp_node *node = it->next;

	if (stp_unlikely(it->wild & STP_ITER_SNAPSHOT && node)) {
		struct stp_node **slot = it->next;

		node = *slot;
		it->next = slot + 1;
	} else if (node) {
		it->next = node->next;
	}
	return node;
}

/**
 * stp_foreach_begin - order the array and stand before its first element
 *
 * Sorting relinks the nodes, n log n steps, interrupts off but in a handler of the session; each
 * string step looks at MAXSTRINGLEN bytes at most. An array of statistics is merged first. With
 * STP_ITER_SNAPSHOT in @wild the order is noted in scratch, which has to stay taken until the loop
 * ends. All are charged to MAXACTION before they begin: when there is not so much left, the merge
 * fails or scratch is used up, the error is set and the loop finds nothing. @slice is read again at
 * every step, so its values have to outlive the loop.
 *
 * Context: any handler that holds the array's lock, for writing when @by is not 0 or the array is
 * one of statistics, whose `main` is rebuilt.
 */
void stp_foreach_begin(struct stp_ctx *c, struct stp_iter *it, struct stp_map *m, int by, int dir,
		       stp_u32 what, stp_long limit, const union stp_val *slice, stp_u32 wild)
{
	struct stp_map_impl *impl = m->impl;

	it->node = NULL;
	it->next = NULL;
	it->left = limit < 0 ? 0 : (stp_u64)limit;
	it->map = m;
	it->slice = slice;
	it->wild = wild;
	it->passed = 0;
	it->clears = __atomic_load_n(&impl->clears, __ATOMIC_RELAXED);
	if (impl->per_ctx) {
		if (!stp_map_merge(c, m) || !stp_map_charge(c, sort_work(impl->main.n)))
			return;
		/*
		 * a merge leaves `sequence` in the ranks: back to the order in which the keys came
		 */
		sort_list(c, &impl->main, &(struct order){ .dir = 1 });
	}
	if (by) {
		if (!stp_map_charge(c, sort_work(impl->main.n)))
			return;
		sort_by(c, m, by, dir, what);
	}
	it->next = wild & STP_ITER_SNAPSHOT ? (void *)take_snapshot(c, impl) : impl->main.head;
}

/**
 * stp_foreach_next - step to the next element that the slice takes
 *
 * Passes over at most the elements that are left; those passed over are charged to MAXACTION. The
 * element behind is noted before the body runs; the compiler refuses bodies that add to the array
 * or delete some of it. Deleting all of it ends the loop.
 *
 * Context: as stp_foreach_begin(). Returns 1 with an element current; 0 at the end or the limit, or
 * with the error set when there is no MAXACTION left.
 */
int stp_foreach_next(struct stp_ctx *c, struct stp_iter *it)
{
	const struct stp_map_impl *impl = it->map->impl;
	struct stp_node *node;

	if (!it->left || it->clears != __atomic_load_n(&impl->clears, __ATOMIC_RELAXED))
		return 0;
	node = step(it);
	while (node && it->slice && !stp_node_matches(&impl->layout, node, it->slice, it->wild)) {
		node = step(it);
		if (++it->passed == STP_ELEMENTS_OF_ACTION) {
			it->passed = 0;
			if (!stp_map_charge(c, STP_ELEMENTS_OF_ACTION))
				return 0;
			if (c->flags & STP_CTX_SLEEP)
				stp_resched();
		}
	}
	it->node = node;
	if (!node)
		return 0;
	it->left--;
	return 1;
}

/**
 * stp_iter_key - a number among the current element's keys
 * @i: below the array's number of keys, of a key that is no string; not checked
 *
 * Context: in the loop, after stp_foreach_next() returned 1.
 */
stp_long stp_iter_key(struct stp_ctx *c, const struct stp_iter *it, stp_u32 i)
{
	const struct stp_map_impl *impl = it->map->impl;

	return *stp_node_long(it->node, impl->layout.key_off[i]);
}

static struct stp_str copy_out(struct stp_ctx *c, struct stp_str v)
{
	return stp_scratch_copy(c, v.s, v.len);
}

/**
 * stp_iter_key_str - a string among the current element's keys
 * @i: below the array's number of keys, of a key that is a string; not checked
 *
 * Returns a copy in scratch, so that it outlives the element; "" with the error set when scratch is
 * used up. Context: as stp_iter_key().
 */
struct stp_str stp_iter_key_str(struct stp_ctx *c, const struct stp_iter *it, stp_u32 i)
{
	const struct stp_map_impl *impl = it->map->impl;

	return copy_out(c, stp_node_str(it->node, impl->layout.key_off[i]));
}

/**
 * stp_iter_value - the current element's number
 *
 * Of arrays of numbers only; an element of statistics has no value, only extractors. Context: as
 * stp_iter_key().
 */
stp_long stp_iter_value(struct stp_ctx *c, const struct stp_iter *it)
{
	const struct stp_map_impl *impl = it->map->impl;

	return *stp_node_long(it->node, impl->layout.value_off);
}

/**
 * stp_iter_value_str - the current element's string
 *
 * Of arrays of strings only. A copy in scratch; "" with the error set when that is used up.
 * Context: as stp_iter_key().
 */
struct stp_str stp_iter_value_str(struct stp_ctx *c, const struct stp_iter *it)
{
	const struct stp_map_impl *impl = it->map->impl;

	return copy_out(c, stp_node_str(it->node, impl->layout.value_off));
}
