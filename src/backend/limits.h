/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The -D NAME=VALUE options that set limits, by a table of names: whoever has limits states a table
 * with a row for each, and a structure with a member for each row; other names mean nothing here.
 * Nothing is allocated but errors.
 */
#ifndef SPILE_BACKEND_LIMITS_H
#define SPILE_BACKEND_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A member of SIZE bytes (4 or 8) at OFFSET, the least and greatest value it takes, and the one it
 * has without the option, which may be outside of that range.
 */
struct limit_row {
	const char *name; /* NULL ends a table */
	size_t offset, size;
	long long min, max, standard;
};

#define LIMIT_FIELD(type, member) offsetof(type, member), sizeof(((type *)0)->member)

/*
 * Sets the members of RET that have rows: to what DEFINES ("NAME[=VALUE]", n) say, else to the
 * standard. Without a value it is 1, and the last of several holds. An error, owned by the caller,
 * for a value that is no number or out of range; the members set before it stay set.
 */
struct error *limits_read(const struct limit_row *rows, const char *const *defines, size_t n,
			  void *ret) ERROR_MUST_CHECK;
/* Is NAME among them, with a value or without? */
bool limits_defined(const char *const *defines, size_t n, const char *name);

#endif
