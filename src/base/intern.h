/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned strings: one object per distinct byte string and interner, so equality is pointer
 * equality. They carry their length and may hold NULs; text is NUL-terminated besides. They live as
 * long as the interner's arena.
 */
#ifndef SPILE_BASE_INTERN_H
#define SPILE_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct interner;

/* An interned string: never written to after it was made. len is without the terminating NUL. */
struct istr {
	uint32_t len;
	uint32_t hash; /* of the text; stable between runs */
	char text[];
};

/* Lives in the arena, and so do all strings made by it. */
struct interner *interner_create(struct arena *arena);
/*
 * The one object for these n bytes, or for a NUL-terminated text. The bytes are copied on first
 * sight.
 */
const struct istr *intern_n(struct interner *in, const char *s, size_t n);
const struct istr *intern(struct interner *in, const char *s);

/*
 * FNV-1a of n bytes. For tables, and for keys by content that need not resist attack. Stable
 * between runs.
 */
uint32_t hash_bytes(const void *p, size_t n);
/* The same in 64 bits, from a start that SEED changes. */
uint64_t hash_bytes64(const void *p, size_t n, uint64_t seed);

#endif
