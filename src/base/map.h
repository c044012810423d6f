/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash map from a pointer key (usually an interned string) to a pointer. Open addressing, in an arena, never shrinks.
 * map_foreach visits in insertion order, so output made from it does not depend on addresses.
 */
#ifndef SPILE_BASE_MAP_H
#define SPILE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct map_entry {
	const void *key;
	void *value;
};

struct map {
	struct arena *arena;
	struct map_entry *entries; /* insertion order; n used */
	uint32_t *slots;           /* 1 + index into entries, 0 empty */
	size_t n, cap, n_slots;
};

void map_init(struct map *m, struct arena *arena);
void *map_get(const struct map *m, const void *key); /* NULL when absent */
bool map_has(const struct map *m, const void *key);
void map_put(struct map *m, const void *key, void *value); /* replaces */
void map_truncate(struct map *m, size_t n); /* keeps the first n entries that were put */

#define map_foreach(it, m)                                                                         \
	for (struct map_entry *it = (m)->entries; it && it < (m)->entries + (m)->n; it++)

#endif
