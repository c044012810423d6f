/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What embedded C says about itself, read from its text once. A pragma is a comment with nothing
 * but the pragma in it; STAP_NEXT and THIS are identifiers. Neither counts inside a string, a
 * character constant or another comment.
 */
#ifndef SPILE_SEMA_PRAGMA_H
#define SPILE_SEMA_PRAGMA_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/vec.h"

struct arena;

/* What one text says of itself; false and empty without pragmas. */
struct pragmas {
	bool pure;              /* no effects: a call whose value nobody wants may be dropped */
	bool guru;              /* only scripts with -g may call it */
	bool string;            /* of an expression: its value is a string */
	bool suffix;            /* of top-level C: it belongs behind everything else */
	bool next;              /* STAP_NEXT: may hand the call to the next overload */
	bool this;              /* THIS: wants its arguments as members of a structure */
	struct pragma_globals { /* pragma:read:NAME, pragma:write:NAME, in order */
		struct pragma_global {
			const char *name; /* in the arena */
			bool write;
		} * data;
		size_t n, cap;
	} globals;
};

/* Reads the text of a %{ %}; unknown pragmas are comments like any other. */
void pragmas_read(struct arena *arena, const struct istr *text, struct pragmas *ret);

#endif
