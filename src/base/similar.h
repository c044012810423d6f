/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Near names for hints: "did you mean". Edit distance with transpositions; case counts half. */
#ifndef SPILE_BASE_SIMILAR_H
#define SPILE_BASE_SIMILAR_H

#include <stddef.h>

struct arena;

/* Distance between two names in half steps; stops early and returns limit + 1 beyond limit. */
unsigned similar_distance(const char *a, const char *b, unsigned limit);

/* The names closest to NAME, best first (ties by strcmp), at most max, none farther than about a third of its
 * length. Returns how many; joined, when asked for, is "a, b, c" in the arena. */
size_t similar_names(const char *name, const char *const *names, size_t n_names, const char **ret,
		     size_t max);
const char *similar_join(struct arena *arena, const char *const *names, size_t n);

#endif
