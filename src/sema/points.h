/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe points as text, alias names against them, and what is told of a point that stands for
 * nothing. All texts are new, in the arena. Only sema_report_misspelt() reports.
 */
#ifndef SPILE_SEMA_POINTS_H
#define SPILE_SEMA_POINTS_H

#include "sema/pass.h"

/* kernel.function("x").return, from component `from` on; without marks and conditions */
const char *sema_point_text(struct arena *arena, const struct ast_point *point, size_t from);
/* In the name of a component; parameters are the family's business. */
bool sema_point_has_glob(const struct ast_point *point);
/* How many of the point's components the alias' name covers; 0: it does not. */
size_t sema_alias_match(struct arena *arena, const struct ast_point *name,
			const struct ast_point *point);
/* The alias' target with the rest of the point behind it, and both their marks. */
struct ast_point *sema_point_through(struct arena *arena, const struct ast_point *target,
				     const struct ast_point *point, size_t covered);

/*
 * Reports a point that no alias stands for by the names of the library that could be meant. False,
 * and nothing is reported: a family has more to say of it, it has wildcards, or no name is near.
 */
bool sema_report_misspelt(struct sema *s, const struct ast_point *point);

/* An alias that a point names. */
struct sema_alias_use {
	const struct ast_alias *alias;
	const struct ast_file *file;
	size_t covered;
};
/* In order of definition; the arena's. */
struct sema_alias_uses {
	struct sema_alias_use *data;
	size_t n, cap;
};
/* All definitions that apply: the longest names; with wildcards whole names before prefixes. */
void sema_find_aliases(struct sema *s, const struct ast_point *point, struct sema_alias_uses *ret);

#endif
