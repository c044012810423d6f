/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The -D NAME=VALUE options that set limits, by a table of names. A
 * back end states a table with a row per limit and a structure with a member per row; other
 * names mean nothing here. Nothing is allocated but errors.
 */
#ifndef SPILE_BACKEND_LIMITS_H
#define SPILE_BACKEND_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A member of SIZE bytes (4 or 8) at OFFSET, and the least and greatest value it takes. */
struct limit_row {
	const char *name; /* NULL ends a table */
	size_t offset, size;
	long long min, max;
};

#define LIMIT_FIELD(type, member) offsetof(type, member), sizeof(((type *)0)->member)

/*
 * Sets the members of RET that DEFINES ("NAME[=VALUE]", n) name; without a value it is 1, and
 * the last of several holds. An error, owned by the caller, for a value that is no number or
 * out of range; the members set before it stay set.
 */
struct error *limits_read(const struct limit_row *rows, const char *const *defines, size_t n,
			  void *ret) ERROR_MUST_CHECK;
/* Is NAME among them, with a value or without? */
bool limits_defined(const char *const *defines, size_t n, const char *name);

#endif
