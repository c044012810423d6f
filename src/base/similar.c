/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Near names for hints. The distance is that of Damerau and Levenshtein for adjacent
 * transpositions, on three rows, in half steps so that a difference of case can count half.
 */
#include "base/similar.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define NAME_LIMIT 128 /* longer names are compared by this much of them */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

static unsigned substitution(char a, char b)
{
	if (a == b)
		return 0;
	return tolower((unsigned char)a) == tolower((unsigned char)b) ? 1 : 2;
}

unsigned similar_distance(const char *a, const char *b, unsigned limit)
{
	unsigned rows[3][NAME_LIMIT + 1];
	unsigned *prev2 = rows[0], *prev = rows[1], *row = rows[2];
	size_t na = strnlen(a, NAME_LIMIT), nb = strnlen(b, NAME_LIMIT);
	size_t gap = na > nb ? na - nb : nb - na;

	if (2 * gap > limit)
		return limit + 1;
	for (size_t j = 0; j <= nb; j++)
		prev[j] = 2 * j;
	for (size_t i = 1; i <= na; i++) {
		unsigned best = row[0] = 2 * i;

		for (size_t j = 1; j <= nb; j++) {
			row[j] = min3(prev[j] + 2, row[j - 1] + 2,
				      prev[j - 1] + substitution(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    prev2[j - 2] + 2 < row[j])
				row[j] = prev2[j - 2] + 2;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return limit + 1;
		unsigned *t = prev2;

		prev2 = prev;
		prev = row;
		row = t;
	}
	return prev[nb];
}

/* Are all letters of the one in the other, in the same order? */
static bool is_part(const char *name, const char *other)
{
	const char *less = strlen(name) < strlen(other) ? name : other;
	const char *more = less == name ? other : name;

	for (; *less && *more; more++)
		less += tolower((unsigned char)*less) == tolower((unsigned char)*more);
	return !*less;
}

/* The same letters in another order? */
static bool is_shuffled(const char *name, const char *other)
{
	int count[256] = { 0 };

	for (; *name; name++)
		count[(unsigned char)*name]++;
	for (; *other; other++)
		count[(unsigned char)*other]--;
	for (size_t i = 0; i < 256; i++)
		if (count[i])
			return false;
	return true;
}

/*
 * Of names as far from NAME: letters exchanged are likelier than one forgotten, and that than one
 * mistaken.
 */
static int likelihood(const char *name, const char *other)
{
	return is_shuffled(name, other) ? 2 : is_part(name, other);
}

static bool is_likelier(const char *name, const char *a, const char *b)
{
	int one = likelihood(name, a), other = likelihood(name, b);

	return one != other ? one > other : strcmp(a, b) < 0;
}

size_t similar_names(const char *name, const char *const *names, size_t n_names, const char **ret,
		     size_t max)
{
	unsigned limit = 2 * (strlen(name) / 3 + 1);
	unsigned distance[64];
	size_t n = 0;

	if (max > sizeof(distance) / sizeof(*distance))
		max = sizeof(distance) / sizeof(*distance);
	for (size_t i = 0; i < n_names; i++) {
		unsigned d = similar_distance(name, names[i], limit);
		size_t at = n;

		if (d > limit)
			continue;
		while (at > 0 &&
		       (d < distance[at - 1] ||
			(d == distance[at - 1] && is_likelier(name, names[i], ret[at - 1]))))
			at--;
		if (at >= max || (at > 0 && strcmp(ret[at - 1], names[i]) == 0))
			continue;
		size_t moved = (n < max ? n : max - 1) - at;

		memmove(ret + at + 1, ret + at, moved * sizeof(*ret));
		memmove(distance + at + 1, distance + at, moved * sizeof(*distance));
		ret[at] = names[i];
		distance[at] = d;
		if (n < max)
			n++;
	}
	return n;
}

const char *similar_join(struct arena *arena, const char *const *names, size_t n)
{
	const char *joined = "";

	for (size_t i = 0; i < n; i++)
		joined = i ? arena_printf(arena, "%s, %s", joined, names[i]) : names[i];
	return joined;
}
