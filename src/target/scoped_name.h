/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of functions, variables and types with the namespaces and classes around them:
 * "ns::shape::area". A pattern names as many of those as it likes, the innermost ones, each a glob:
 * "shape::area", "*::area". Debug information has the name and, apart from it, the scope,
 * "ns::shape::", where a namespace without a name is "(anonymous namespace)::", which patterns may
 * leave out between the colons. What stands between < and > is part of
 * one name.
 */
#ifndef SPILE_TARGET_SCOPED_NAME_H
#define SPILE_TARGET_SCOPED_NAME_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * Bytes of TEXT up to the next "::" outside of < and >; all when there is none. The names of
 * operators have such characters of their own.
 */
size_t scoped_part(const char *text);

/* A pattern taken apart. */
struct scoped_pattern {
	const char *scope; /* "ns::shape::"; NULL: any */
	const char *name;
};

/* TEXT, which must outlive it; the scope is copied. */
struct scoped_pattern scoped_pattern(struct arena *arena, const char *text);
/*
 * Does the pattern mean what is in SCOPE? An empty first scope ("::f") is the outermost, or one
 * without a name.
 */
bool scoped_matches(const struct scoped_pattern *p, const char *scope);
/* The end of SCOPE, as many as the pattern names. */
const char *scoped_shown(const struct scoped_pattern *p, const char *scope);

#endif
