/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step expand: probe points of the script after aliases and wildcards, each with the bodies and the
 * conditions that make its handler. Lists live in the compilation arena. Private to this folder.
 */
#ifndef SPILE_SEMA_EXPAND_H
#define SPILE_SEMA_EXPAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "probe/family.h"

struct ast_alias;
struct ast_expr;
struct ast_file;
struct ast_point;
struct ast_stmt;
struct sema;

/*
 * One of the bodies that make a handler: alias prologue, the probe's own body, epilogue. behind:
 * those that use the alias, which is NULL for the probe's own: an array in the arena.
 */
struct sema_body {
	const struct ast_stmt *body;
	const struct ast_file *file;
	const struct ast_alias *alias;
	const struct sema_body *behind;
	size_t n_behind;
};

/* An `if (...)` of a probe point, and the file whose names it sees. */
struct sema_condition {
	const struct ast_expr *expr;
	const struct ast_file *file;
};

/*
 * A script probe point after aliases and wildcards over them: one body, all the points found.
 * bodies are in the order in which they run; conditions from the outermost point inwards.
 */
struct sema_expansion {
	const struct ast_point *origin; /* the script's */
	const struct ast_point *point;  /* the native one */
	const char *pn, *chain;
	VEC(struct sema_body) bodies;
	VEC(struct sema_condition) conditions;
	const struct ast_alias *alias; /* outermost, or NULL */
	const struct ast_file *alias_file;
	bool optional, user;
	struct probe_points resolved;
};

/* In the order of the script. */
struct sema_expansions {
	struct sema_expansion **data;
	size_t n, cap;
};

/*
 * Step expand: all probes of the user's scripts, in order. Points that resolve to nothing were
 * reported, unless they are optional.
 */
void sema_expand(struct sema *s, struct sema_expansions *ret);
/* The same for one point of FILE; BODY may be NULL when only the points matter. */
void sema_expand_point(struct sema *s, const struct ast_point *point, const struct ast_stmt *body,
		       const struct ast_file *file, struct sema_expansions *ret);

#endif
