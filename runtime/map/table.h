/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash tables under the arrays. All nodes are taken at load; a node lies on its hash chain and on one doubly linked
 * list that is the array's order: insertion order until a sorted foreach rearranges it. A node holds its keys and its value
 * inline: a long is 8 bytes; a string is a stp_u32 length and string_size bytes, of which only the first len
 * are ever touched.
 *
 * A table does no locking. Plain arrays are under the script's lock of the array. Arrays of statistics have
 * one table per context, each with a spin lock, and one that foreach merges into, under the script's lock.
 */
#ifndef STP_MAP_TABLE_H
#define STP_MAP_TABLE_H

#include "../compat/portable.h"

struct stp_node {
	struct stp_node *chain;
	struct stp_node *next, *prev;
	stp_u32 hash;
	stp_u32 reserved;
	union {
		stp_u64 sequence; /* arrays of statistics: when the key came, across CPUs */
		stp_long rank;	  /* while sorting by a number */
	};
};

struct stp_layout { /* offsets from the start of a node */
	stp_u32 key_off[STP_MAX_KEYS];
	stp_u32 value_off;
	stp_u32 node_size;
	stp_u32 n_keys;
	stp_u32 string_keys;
	stp_u32 string_size;
};

struct stp_table {
	const struct stp_layout *layout;
	struct stp_node **buckets;
	char *pool;
	stp_u32 mask;
	stp_u32 capacity;
	stp_u32 n;
	stp_u32 n_fresh; /* nodes of the pool that were ever used */
	int wrap;
	struct stp_node *head, *tail, *free;
	struct stp_spin lock;
};

/* value_size: of the value in a node. */
void stp_layout_init(struct stp_layout *l, const struct stp_map *m, stp_u32 value_size);
/* 0 or a negative errno; release accepts a zeroed or half-made table. The layout must outlive it. */
int stp_table_init(struct stp_table *t, const struct stp_layout *l, stp_u32 capacity, int wrap);
void stp_table_release(struct stp_table *t);

stp_u32 stp_key_hash(const struct stp_layout *l, const union stp_val *k);
struct stp_node *stp_table_find(const struct stp_table *t, const union stp_val *k, stp_u32 hash);
/* A new last element with these keys, which must be absent; the value is not set. NULL when full and not wrapping. */
struct stp_node *stp_table_insert(struct stp_table *t, const union stp_val *k, stp_u32 hash);
/* The same with the keys of a node of a table with equal keys. */
struct stp_node *stp_table_insert_like(struct stp_table *t, const struct stp_layout *from, const struct stp_node *node);
struct stp_node *stp_table_find_like(const struct stp_table *t, const struct stp_layout *from,
				     const struct stp_node *node);
void stp_table_remove(struct stp_table *t, struct stp_node *node);
void stp_table_clear(struct stp_table *t);
int stp_node_matches(const struct stp_layout *l, const struct stp_node *node, const union stp_val *k, stp_u32 wild);

static inline void *stp_node_at(const struct stp_node *node, stp_u32 off)
{
	return (char *)node + off;
}

static inline struct stp_str stp_node_str(const struct stp_node *node, stp_u32 off)
{
	const char *p = (const char *)node + off;

	return (struct stp_str){ p + 4, *(const stp_u32 *)(const void *)p };
}

static inline void stp_node_set_str(struct stp_node *node, stp_u32 off, struct stp_str v, stp_u32 size)
{
	char *p = (char *)node + off;

	if (v.len >= size)
		v.len = size - 1;
	*(stp_u32 *)(void *)p = v.len;
	memmove(p + 4, v.s, v.len);
}

static inline stp_long *stp_node_long(const struct stp_node *node, stp_u32 off)
{
	return stp_node_at(node, off);
}

static inline int stp_key_is_string(const struct stp_layout *l, stp_u32 i)
{
	return l->string_keys >> i & 1;
}

#endif
