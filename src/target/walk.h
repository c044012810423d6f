/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From where a value is and a path to a fetch program. A walk holds where the value is and its
 * type; each access moves it on: a pointer is loaded and becomes the address of what it points to,
 * a member adds its offset, a subscript its multiple. What is left at the end is loaded, or its
 * address taken. Where walks begin is resolve.c's to know; all is in the target's arena.
 */
#ifndef SPILE_TARGET_WALK_H
#define SPILE_TARGET_WALK_H

#include "diag/diag.h"
#include "target/convention.h"
#include "target/internal.h"
#include "target/variables.h"

/* Where a walk stands. location.address is a copy of its own, which accesses extend. */
struct walk {
	struct target *target;
	struct arena *arena;
	const struct target_query *query;
	const struct target_scope *scope; /* of the variable; NULL: it is of none */
	struct target_value *ret;
	struct location location;
	const struct target_type *type;
	enum fetch_space space; /* whose memory all of it is in */
	uint64_t piece_bit;     /* PIECES: first bit of the object that the value is in */
	unsigned bit_offset,
		bits; /* bits != 0: a bit-field, that many bits from there, or from the address */
};

/* Ends the walk with a status and the row that says why, whose arguments follow; returns false. */
bool walk_fail(struct walk *w, enum target_status status, const char *hint, enum diag_tag tag, ...);
/*
 * Takes the query's path, and fills ret with what is at its end; false: the walk has failed.
 * location, type and space must be set.
 */
bool walk_path(struct walk *w);

#endif
