/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash tables under the arrays. All nodes are taken at load; a node lies on its hash chain and on
 * one doubly linked list that is the array's order: insertion order until a sorted foreach
 * rearranges it. A node holds its keys and its value
 * inline: a long is 8 bytes; a string is a stp_u32 length and string_size bytes, of which only the
 * first len are ever touched.
 *
 * A table does no locking. Plain arrays are under the script's lock of the array. Arrays of
 * statistics have one table per context, each with a spin lock that its users take
 * (stp_map_lock()), and one that foreach merges into, which whoever iterates has to himself.
 *
 * Context: init and release process, at load and unload; all else any handler.
 */
#ifndef STP_MAP_TABLE_H
#define STP_MAP_TABLE_H

#include "../compat/portable.h"
#include "../core/scratch.h"

/* An element; its keys and value follow, at the offsets of its table's layout. */
struct stp_node {
	struct stp_node *chain;       /* next in its bucket */
	struct stp_node *next, *prev; /* in the order list; next also in the list of free nodes */
	stp_u32 hash;                 /* of the keys, see stp_key_hash() */
	stp_u32 reserved;             /* keeps what follows 8-aligned */
	union {
		stp_u64 sequence; /* arrays of statistics: when the key came, across CPUs */
		stp_long rank;    /* while sorting by a number */
	};
};

/*
 * What a node looks like: made at load, constant. Offsets are bytes from the start of a node,
 * multiples of 8.
 */
struct stp_layout {
	stp_u32 key_off[STP_MAX_KEYS];
	stp_u32 value_off;
	stp_u32 node_size;   /* bytes, a multiple of 8 */
	stp_u32 n_keys;      /* 1 .. STP_MAX_KEYS */
	stp_u32 string_keys; /* bit i: key i is a string */
	stp_u32 string_size; /* MAXSTRINGLEN: the longest string kept is one byte less */
};

/* The first half is constant after stp_table_init(). */
struct stp_table {
	const struct stp_layout *layout;
	struct stp_node **buckets; /* mask + 1 of them */
	char *pool;                /* capacity nodes */
	stp_u32 mask;              /* a power of two less 1 */
	stp_u32 capacity;          /* elements, at least 1 */
	stp_u32 n;                 /* elements now */
	stp_u32 n_fresh; /* nodes of the pool used since the table was last emptied as a whole */
	int wrap;        /* constant: a full table gives up its first element */
	struct stp_node *head, *tail; /* the order list */
	struct stp_node *free;        /* nodes given back one by one, singly linked by next */
	struct stp_spin lock;         /* of tables per context; the others have the array's */
};

/* Drawn at load, before the first key; constant. The factor is odd. */
extern stp_u64 stp_hash_seed, stp_hash_factor;

/* table.c */
void stp_layout_init(struct stp_layout *l, const struct stp_map *m, stp_u32 value_size);
int stp_table_init(struct stp_table *t, const struct stp_layout *l, stp_u32 capacity, int wrap);
void stp_table_release(struct stp_table *t);

stp_u32 stp_key_hash(const struct stp_layout *l, const union stp_val *k);
struct stp_node *stp_table_find(const struct stp_table *t, const union stp_val *k, stp_u32 hash);
struct stp_node *stp_table_insert(struct stp_table *t, const union stp_val *k, stp_u32 hash);
struct stp_node *stp_table_insert_like(struct stp_table *t, const struct stp_layout *from,
				       const struct stp_node *node);
struct stp_node *stp_table_find_like(const struct stp_table *t, const struct stp_layout *from,
				     const struct stp_node *node);
void stp_table_remove(struct stp_table *t, struct stp_node *node);
void stp_table_clear(struct stp_table *t);
/*
 * What stp_table_clear() takes, in elements that are looked at: a memset() of words is far cheaper.
 */
static inline stp_u64 stp_table_clear_work(const struct stp_table *t)
{
	return t->n ? (t->mask + 1ull) / 32 : 0;
}
int stp_node_matches(const struct stp_layout *l, const struct stp_node *node,
		     const union stp_val *k, stp_u32 wild);

/*
 * What lies OFF bytes into a node; a string there is good until the node is changed or given back.
 */
static inline void *stp_node_at(const struct stp_node *node, stp_u32 off)
{
	return (char *)node + off;
}

static inline struct stp_str stp_node_str(const struct stp_node *node, stp_u32 off)
{
	const char *p = (const char *)node + off;

	return (struct stp_str){ p + 4, *(const stp_u32 *)(const void *)p };
}

/* Cuts V to SIZE - 1 bytes; V may view the node itself. */
static inline void stp_node_set_str(struct stp_node *node, stp_u32 off, struct stp_str v,
				    stp_u32 size)
{
	char *p = (char *)node + off;

	if (v.len >= size)
		v.len = size - 1;
	*(stp_u32 *)(void *)p = v.len;
	memmove(p + 4, v.s, v.len);
}

/* The number that lies there; good as stp_node_at(). */
static inline stp_long *stp_node_long(const struct stp_node *node, stp_u32 off)
{
	return stp_node_at(node, off);
}

/* Is key i a string? i is below n_keys. */
static inline int stp_key_is_string(const struct stp_layout *l, stp_u32 i)
{
	return l->string_keys >> i & 1;
}

#endif
