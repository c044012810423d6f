/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned strings: open addressing with linear probing over pointers to the interned objects.
 * The table doubles at three quarters full; outgrown tables stay in the arena.
 */
#include "base/intern.h"

#include <string.h>

#include "base/arena.h"

struct interner {
	struct arena *arena;
	const struct istr **slots;
	size_t n, n_slots; /* n_slots is a power of two */
};

uint32_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * 16777619u;
	return h;
}

uint64_t hash_bytes64(const void *p, size_t n, uint64_t seed)
{
	const unsigned char *s = p;
	uint64_t h = 14695981039346656037ull ^ seed;

	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * 1099511628211ull;
	return h;
}

struct interner *interner_create(struct arena *arena)
{
	struct interner *in = arena_new(arena, struct interner);

	in->arena = arena;
	in->n_slots = 256;
	in->slots = arena_new_array(arena, const struct istr *, in->n_slots);
	return in;
}

/* All strings are distinct, so places are found by hash alone, without comparing. */
static void interner_grow(struct interner *in)
{
	size_t n_slots = in->n_slots * 2;
	const struct istr **slots = arena_new_array(in->arena, const struct istr *, n_slots);

	for (size_t i = 0; i < in->n_slots; i++) {
		const struct istr *s = in->slots[i];
		size_t at;

		if (!s)
			continue;
		at = s->hash & (n_slots - 1);
		while (slots[at])
			at = (at + 1) & (n_slots - 1);
		slots[at] = s;
	}
	in->slots = slots;
	in->n_slots = n_slots;
}

const struct istr *intern_n(struct interner *in, const char *s, size_t n)
{
	uint32_t hash = hash_bytes(s, n);
	struct istr *fresh;
	size_t at;

	if (n > UINT32_MAX - 1)
		arena_out_of_memory();
	for (at = hash & (in->n_slots - 1); in->slots[at]; at = (at + 1) & (in->n_slots - 1)) {
		const struct istr *old = in->slots[at];

		if (old->hash == hash && old->len == n && !memcmp(old->text, s, n))
			return old;
	}
	fresh = arena_alloc(in->arena, sizeof(*fresh) + n + 1);
	fresh->len = (uint32_t)n;
	fresh->hash = hash;
	memcpy(fresh->text, s, n);
	in->slots[at] = fresh;
	in->n++;
	if (in->n * 4 > in->n_slots * 3)
		interner_grow(in);
	return fresh;
}

const struct istr *intern(struct interner *in, const char *s)
{
	return intern_n(in, s, strlen(s));
}
