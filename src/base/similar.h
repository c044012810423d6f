/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Near names for hints: "did you mean". Edit distance with transpositions; case counts half. */
#ifndef SPILE_BASE_SIMILAR_H
#define SPILE_BASE_SIMILAR_H

#include <stddef.h>

struct arena;

/* Distance between two names in half steps; stops early and returns limit + 1 beyond limit. */
unsigned similar_distance(const char *a, const char *b, unsigned limit);

/*
 * The names closest to NAME, best first (of those as far: letters exchanged, letters missing or too
 * many, letters mistaken; then by strcmp), at most max (64 at most), none farther than about a
 * third of its length; each name once. ret has room for max pointers, which point into names.
 * Returns how many there are.
 */
size_t similar_names(const char *name, const char *const *names, size_t n_names, const char **ret,
		     size_t max);
/* "a, b, c", in the arena; "" for none, the name itself for one. */
const char *similar_join(struct arena *arena, const char *const *names, size_t n);

#endif
