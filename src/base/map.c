/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pointer map: entries in an array in order of insertion, and an index table of twice the
 * capacity over it. Only the table depends on addresses.
 */
#include "base/map.h"

#include <string.h>

#include "base/arena.h"

static size_t map_hash(const void *key)
{
	uint64_t k = (uintptr_t)key;

	/* Fibonacci hashing: low bits of pointers are all alike */
	return (size_t)((k * 11400714819323198485ull) >> 20);
}

void map_init(struct map *m, struct arena *arena)
{
	memset(m, 0, sizeof(*m));
	m->arena = arena;
}

/* The slot holding the key, or the empty one where it belongs. n_slots > 0. */
static size_t map_slot(const struct map *m, const void *key)
{
	size_t at = map_hash(key) & (m->n_slots - 1);

	while (m->slots[at] && m->entries[m->slots[at] - 1].key != key)
		at = (at + 1) & (m->n_slots - 1);
	return at;
}

static const struct map_entry *map_find(const struct map *m, const void *key)
{
	uint32_t i;

	if (!m->n_slots)
		return NULL;
	i = m->slots[map_slot(m, key)];
	return i ? &m->entries[i - 1] : NULL;
}

void *map_get(const struct map *m, const void *key)
{
	const struct map_entry *e = map_find(m, key);

	return e ? e->value : NULL;
}

bool map_has(const struct map *m, const void *key)
{
	return map_find(m, key) != NULL;
}

/* Both arrays double; the old ones stay in the arena. */
static void map_grow(struct map *m)
{
	size_t cap = m->cap ? m->cap * 2 : 8;
	struct map_entry *entries = arena_new_array(m->arena, struct map_entry, cap);

	if (cap > UINT32_MAX / 4)
		arena_out_of_memory();
	if (m->n)
		memcpy(entries, m->entries, m->n * sizeof(*entries));
	m->entries = entries;
	m->cap = cap;
	m->n_slots = cap * 2;
	m->slots = arena_new_array(m->arena, uint32_t, m->n_slots);
	for (size_t i = 0; i < m->n; i++)
		m->slots[map_slot(m, m->entries[i].key)] = (uint32_t)i + 1;
}

void map_put(struct map *m, const void *key, void *value)
{
	size_t at;

	if (m->n == m->cap)
		map_grow(m);
	at = map_slot(m, key);
	if (m->slots[at]) {
		m->entries[m->slots[at] - 1].value = value;
		return;
	}
	m->entries[m->n] = (struct map_entry){ .key = key, .value = value };
	m->slots[at] = (uint32_t)++m->n;
}

/* Backwards, so that no later entry ever sought its slot past the one that is emptied. */
void map_truncate(struct map *m, size_t n)
{
	while (m->n > n) {
		m->slots[map_slot(m, m->entries[m->n - 1].key)] = 0;
		m->n--;
	}
}
