// SPDX-License-Identifier: GPL-2.0-or-later
/* Hash tables under the arrays: keys, chains and the order list. See table.h. */
#include "table.h"

#define STRING_HEAD 4 /* the length */

stp_u64 stp_hash_seed;
stp_u64 stp_hash_factor;

static stp_u32 align8(stp_u32 n)
{
	return (n + 7) & ~7u;
}

/**
 * stp_layout_init - where keys and value are in a node
 * @value_size: bytes of the value, rounded up to 8 here
 *
 * Context: any; writes only *l.
 */
void stp_layout_init(struct stp_layout *l, const struct stp_map *m, stp_u32 value_size)
{
	stp_u32 off = sizeof(struct stp_node), i;

	l->n_keys = m->n_keys;
	l->string_keys = m->string_keys;
	l->string_size = m->string_size;
	for (i = 0; i < m->n_keys; i++) {
		l->key_off[i] = off;
		off += stp_key_is_string(l, i) ? align8(STRING_HEAD + m->string_size) : 8;
	}
	l->value_off = off;
	l->node_size = off + align8(value_size);
}

/**
 * stp_table_init - take the memory of a table
 * @l: has to outlive the table
 * @wrap: a full table gives up its first element for a new one
 *
 * Buckets are a power of two of at least capacity, 2^24 at most. Returns 0, -EINVAL for no
 * capacity, or -ENOMEM; either leaves a table that stp_table_release() accepts.
 *
 * Context: process, may sleep.
 */
int stp_table_init(struct stp_table *t, const struct stp_layout *l, stp_u32 capacity, int wrap)
{
	stp_u32 n_buckets = 1;

	if (!capacity)
		return -EINVAL;
	while (n_buckets < capacity && n_buckets < 1u << 24)
		n_buckets <<= 1;
	t->layout = l;
	t->capacity = capacity;
	t->wrap = wrap;
	t->mask = n_buckets - 1;
	t->buckets = stp_mem_alloc(n_buckets * sizeof(*t->buckets));
	t->pool = stp_mem_alloc((unsigned long)capacity * l->node_size);
	return t->buckets && t->pool ? 0 : -ENOMEM;
}

/**
 * stp_table_release - give a table's memory back
 *
 * Context: process; nobody uses the table. Also zeroed, half made, or released before.
 */
void stp_table_release(struct stp_table *t)
{
	stp_mem_free(t->buckets);
	stp_mem_free(t->pool);
	t->buckets = NULL;
	t->pool = NULL;
}

static inline stp_u64 load64(const char *p)
{
	stp_u64 v;

	__builtin_memcpy(&v, p, 8);
	return v;
}

static inline stp_u32 load32(const char *p)
{
	stp_u32 v;

	__builtin_memcpy(&v, p, 4);
	return v;
}

/* Up to 7 bytes as one number; together with the length it identifies them. */
static inline stp_u64 load_short(const char *p, stp_u32 n)
{
	if (n >= 4)
		return load32(p) | (stp_u64)load32(p + n - 4) << 32;
	if (!n)
		return 0;
	return (stp_u8)p[0] | (stp_u32)(stp_u8)p[n >> 1] << 8 | (stp_u32)(stp_u8)p[n - 1] << 16;
}

/*
 * Both halves of a product with a factor that nobody knows. With a known one, or with the lower
 * half alone, what the top bit of a word does to the hash would be known, and could be undone by
 * the next word, whatever the seed.
 */
static inline stp_u64 mix(stp_u64 h, stp_u64 v)
{
	unsigned __int128 product = (unsigned __int128)(h ^ v) * stp_hash_factor;

	return (stp_u64)product ^ (stp_u64)(product >> 64);
}

static inline stp_u64 hash_string(stp_u64 h, struct stp_str s)
{
	h = mix(h, s.len);
	if (s.len < 8)
		return mix(h, load_short(s.s, s.len));
	for (; s.len >= 16; s.s += 8, s.len -= 8)
		h = mix(h, load64(s.s));
	/* 8 to 15 left: two loads that overlap */
	h = mix(h, load64(s.s));
	return mix(h, load64(s.s + s.len - 8));
}

static inline int equal_bytes(const char *a, const char *b, stp_u32 n)
{
	if (n < 8)
		return load_short(a, n) == load_short(b, n);
	for (; n >= 16; a += 8, b += 8, n -= 8)
		if (load64(a) != load64(b))
			return 0;
	return load64(a) == load64(b) && load64(a + n - 8) == load64(b + n - 8);
}

/*
 * The compiler's string buffers cannot exceed string_size, but a view may: what is stored is cut,
 * so is what is sought.
 */
static inline struct stp_str cut(const struct stp_layout *l, struct stp_str s)
{
	if (stp_unlikely(s.len >= l->string_size))
		s.len = l->string_size - 1;
	return s;
}

/**
 * stp_key_hash - the hash that all tables keep their nodes by
 *
 * It depends on stp_hash_seed and stp_hash_factor, so that keys chosen by those who are probed
 * (names of files, of commands) cannot be made to fall on one chain. Reads at most 9 keys of
 * MAXSTRINGLEN - 1 bytes; a longer string counts as what would be stored of it.
 *
 * Context: any; touches no table.
 */
stp_u32 stp_key_hash(const struct stp_layout *l, const union stp_val *k)
{
	stp_u64 h = stp_hash_seed;
	stp_u32 i;

	for (i = 0; i < l->n_keys; i++)
		h = stp_key_is_string(l, i) ? hash_string(h, cut(l, k[i].s)) : mix(h, k[i].l);
	return h ^ h >> 32;
}

static inline int key_equal(const struct stp_layout *l, const struct stp_node *node, stp_u32 i,
			    const union stp_val *k)
{
	struct stp_str have, want;

	if (!stp_key_is_string(l, i))
		return *stp_node_long(node, l->key_off[i]) == k->l;
	have = stp_node_str(node, l->key_off[i]);
	want = cut(l, k->s);
	return have.len == want.len && equal_bytes(have.s, want.s, have.len);
}

/**
 * stp_table_find - the node with these keys, or NULL
 * @hash: of @k
 *
 * Walks one chain: a few nodes as a rule, all of them when every hash agrees. Good until the next
 * change of the table.
 *
 * Context: any, with the table's lock held, whichever that is (see table.h).
 */
struct stp_node *stp_table_find(const struct stp_table *t, const union stp_val *k, stp_u32 hash)
{
	const struct stp_layout *l = t->layout;
	struct stp_node *node;
	stp_u32 i;

	for (node = t->buckets[hash & t->mask]; node; node = node->chain) {
		if (node->hash != hash)
			continue;
		for (i = 0; i < l->n_keys && key_equal(l, node, i, &k[i]); i++)
			;
		if (stp_likely(i == l->n_keys))
			return node;
	}
	return NULL;
}

/**
 * stp_node_matches - do the keys of a node that are not wild equal @k?
 *
 * Context: as stp_table_find().
 */
int stp_node_matches(const struct stp_layout *l, const struct stp_node *node,
		     const union stp_val *k, stp_u32 wild)
{
	stp_u32 i;

	for (i = 0; i < l->n_keys; i++)
		if (!(wild >> i & 1) && !key_equal(l, node, i, &k[i]))
			return 0;
	return 1;
}

/* The keys of a node as values. */
static void keys_of(const struct stp_layout *l, const struct stp_node *node, union stp_val *k)
{
	stp_u32 i;

	for (i = 0; i < l->n_keys; i++) {
		if (stp_key_is_string(l, i))
			k[i].s = stp_node_str(node, l->key_off[i]);
		else
			k[i].l = *stp_node_long(node, l->key_off[i]);
	}
}

/**
 * stp_table_find_like - the node with the same keys as one of another table
 * @from: layout of @node
 *
 * Context: as stp_table_find(), with the other table's lock too.
 */
struct stp_node *stp_table_find_like(const struct stp_table *t, const struct stp_layout *from,
				     const struct stp_node *node)
{
	union stp_val k[STP_MAX_KEYS];

	keys_of(from, node, k);
	return stp_table_find(t, k, node->hash);
}

static void list_remove(struct stp_table *t, struct stp_node *node)
{
	if (node->prev)
		node->prev->next = node->next;
	else
		t->head = node->next;
	if (node->next)
		node->next->prev = node->prev;
	else
		t->tail = node->prev;
}

static void chain_remove(struct stp_table *t, struct stp_node *node)
{
	struct stp_node **link = &t->buckets[node->hash & t->mask];

	while (*link != node)
		link = &(*link)->chain;
	*link = node->chain;
}

/**
 * stp_table_remove - give a node back to its table
 *
 * The node must be in it. Walks one chain. The memory stays readable: a node is only ever used
 * again as a node.
 *
 * Context: as stp_table_find(), for writing.
 */
void stp_table_remove(struct stp_table *t, struct stp_node *node)
{
	list_remove(t, node);
	chain_remove(t, node);
	node->next = t->free;
	t->free = node;
	t->n--;
}

static struct stp_node *take_node(struct stp_table *t)
{
	struct stp_node *node;

	if (stp_unlikely(t->n == t->capacity)) {
		if (!t->wrap)
			return NULL;
		stp_table_remove(t, t->head);
	}
	node = t->free;
	if (node)
		t->free = node->next;
	else
		node = (struct stp_node *)(t->pool +
					   (unsigned long)t->n_fresh++ * t->layout->node_size);
	t->n++;
	return node;
}

/**
 * stp_table_insert - a new last element
 * @k: keys that the table does not have; strings are copied and cut to what a node holds
 *
 * The value is whatever was there: the caller sets it. NULL when the table is full and does not
 * wrap; one that wraps removes its first element. No loop but that over the keys and the chain of
 * the removed element.
 *
 * Context: as stp_table_find(), for writing.
 */
struct stp_node *stp_table_insert(struct stp_table *t, const union stp_val *k, stp_u32 hash)
{
	const struct stp_layout *l = t->layout;
	struct stp_node *node = take_node(t);
	struct stp_node **bucket = &t->buckets[hash & t->mask];
	stp_u32 i;

	if (stp_unlikely(!node))
		return NULL;
	node->hash = hash;
	for (i = 0; i < l->n_keys; i++) {
		if (stp_key_is_string(l, i))
			stp_node_set_str(node, l->key_off[i], k[i].s, l->string_size);
		else
			*stp_node_long(node, l->key_off[i]) = k[i].l;
	}
	node->chain = *bucket;
	*bucket = node;
	node->prev = t->tail;
	node->next = NULL;
	if (t->tail)
		t->tail->next = node;
	else
		t->head = node;
	t->tail = node;
	return node;
}

/**
 * stp_table_insert_like - a new last element with the keys of a node of another table
 * @from: layout of @node; keys are of the same types in both
 *
 * Context: as stp_table_insert(), with the other table's lock too.
 */
struct stp_node *stp_table_insert_like(struct stp_table *t, const struct stp_layout *from,
				       const struct stp_node *node)
{
	union stp_val k[STP_MAX_KEYS];

	keys_of(from, node, k);
	return stp_table_insert(t, k, node->hash);
}

/**
 * stp_table_clear - remove all elements
 *
 * One memset() of the buckets, at most 2^24 words; nothing when it is empty. Context: as
 * stp_table_find(), for writing.
 */
void stp_table_clear(struct stp_table *t)
{
	if (!t->n)
		return;
	memset(t->buckets, 0, (t->mask + 1ul) * sizeof(*t->buckets));
	t->head = NULL;
	t->tail = NULL;
	t->free = NULL;
	t->n = 0;
	t->n_fresh = 0;
}
