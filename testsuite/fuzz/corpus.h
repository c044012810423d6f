/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts that are mutated, as tokens, and the mutations. Tokens are only as exact as mutation
 * needs: names with their $ or @, numbers, strings, operators of up to three characters. Comments
 * are dropped, blanks become one blank or new line.
 */
#ifndef SPILE_FUZZ_CORPUS_H
#define SPILE_FUZZ_CORPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct token {
	const char *text;
	uint32_t len;
	bool new_line; /* stood behind one */
};

typedef VEC(struct token) token_list;

struct corpus {
	struct arena *arena;
	VEC(token_list) scripts;
};

/*
 * Add the scripts below path (a folder, or one file) in the order of their names. Left out are
 * those meant to fail (err.*, diag_*) and those with embedded C: what a mutation does to C is the
 * compiler's to say.
 */
struct error *corpus_add(struct corpus *c, const char *path) ERROR_MUST_CHECK;

/* Random numbers that depend on nothing but the seed; any state is a valid one. */
struct random {
	uint64_t state;
};
/* From 0 to n - 1; n is not 0. */
uint32_t random_below(struct random *r, uint32_t n);

/*
 * One script with one to four mutations: tokens removed, doubled, swapped, replaced, or spliced in
 * from other scripts.
 */
void corpus_mutate(const struct corpus *c, struct random *r, struct strbuf *ret);

#endif
