/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash map from a pointer key (usually an interned string) to a pointer. Open addressing, in an
 * arena, never shrinks. map_foreach visits in insertion order, so output made from it does not
 * depend on addresses.
 */
#ifndef SPILE_BASE_MAP_H
#define SPILE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* What map_foreach() gives: a key as it was put, and its value, which may be changed. */
struct map_entry {
	const void *key;
	void *value;
};

/*
 * Needs map_init() before use. Entries are never removed but from the end (map_truncate), so
 * their order is that of insertion. Pointers to entries are invalid after map_put().
 */
struct map {
	struct arena *arena;
	struct map_entry *entries; /* insertion order; n used */
	uint32_t *slots;           /* 1 + index into entries, 0 empty */
	size_t n, cap, n_slots;
};

/* An empty map; its memory comes from the arena, and there is nothing to release. */
void map_init(struct map *m, struct arena *arena);
/*
 * The value; NULL when the key is absent, or when NULL was put for it: map_has() tells the two
 * apart.
 */
void *map_get(const struct map *m, const void *key);
bool map_has(const struct map *m, const void *key);
/* Adds the key, or replaces its value; a replaced entry keeps its place in the order. */
void map_put(struct map *m, const void *key, void *value);
/*
 * Keeps the first n entries that were put, for going back to an earlier state. n above the count
 * changes nothing.
 */
void map_truncate(struct map *m, size_t n);

#define map_foreach(it, m)                                                                         \
	for (struct map_entry *it = (m)->entries; it && it < (m)->entries + (m)->n; it++)

#endif
