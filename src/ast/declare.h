/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builders of declarations: globals, functions, probe points, probes and aliases. All but
 * ast_global() and the functions that make points add to b->file. ast/build.h says what holds of
 * all builders.
 */
#ifndef SPILE_AST_DECLARE_H
#define SPILE_AST_DECLARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ast/ast.h"
#include "ast/build.h"

/* ---- declarations: added to b->file ---- */
/*
 * init: a literal or NULL. A size or wrap together with an initial value, and a size that is not
 * positive, are reported. It is declared by ast_global_add() only.
 */
struct ast_global *ast_global(struct ast_builder *b, struct span span, const struct istr *name,
			      bool wrap, bool has_size, int64_t size, struct ast_expr *init);
/* Declares it in b->file; is_private: for that file alone. */
void ast_global_add(struct ast_builder *b, bool is_private, struct ast_global *global);

/* Parameters of a function being read, in order. */
struct ast_params {
	struct ast_param *data;
	size_t n, cap;
};
/* A name that is in the list already is reported, and added all the same. */
void ast_params_add(struct ast_builder *b, struct ast_params *list, struct span span,
		    const struct istr *name, enum ast_type type);
/* The priority of a function, :N; value and span are of use with given only. */
struct ast_priority {
	bool given;
	int64_t value;
	struct span span;
};
/* body is AST_STMT_EMBEDDED for a function in C. A priority that is not positive is reported. */
void ast_function_add(struct ast_builder *b, bool is_private, struct span span,
		      const struct istr *name, enum ast_type type, struct ast_params params,
		      struct ast_priority priority, struct ast_stmt *body);

/* A set of probe points: one, unless braces made more. */
struct ast_points {
	struct ast_point **data;
	size_t n, cap;
};
/* A set of one point with one component; param is a NUMBER, a STRING or NULL. */
struct ast_points ast_point_component(struct ast_builder *b, struct span span,
				      const struct istr *name, struct ast_expr *param);
/*
 * Every point of PREFIX followed by every point of SUFFIX. The points of PREFIX may be changed
 * and returned. More than AST_POINTS_MAX are reported, once per file, and PREFIX is returned; so is
 * a '?' or '!' in PREFIX, since it belongs to the end of a point.
 */
struct ast_points ast_points_join(struct ast_builder *b, struct span span, struct ast_points prefix,
				  struct ast_points suffix);
/* Appends MORE to the list; the points themselves are shared. */
void ast_points_append(struct ast_builder *b, struct ast_points *list, struct ast_points more);
/* Adds marks to those that the points have, and sets the condition, the same for all. */
void ast_points_mark(struct ast_points points, bool optional, bool sufficient,
		     struct ast_expr *condition);
/* Declares a probe in b->file. */
void ast_probe_add(struct ast_builder *b, struct span span, struct ast_points points,
		   struct ast_stmt *body);
/*
 * Each of NAMES becomes an alias of the points, which they share. prologue or epilogue may be
 * NULL. Names with parameters, wildcards, marks or a condition are reported.
 */
void ast_alias_add(struct ast_builder *b, struct span span, struct ast_points names,
		   struct ast_points points, struct ast_stmt *prologue, struct ast_stmt *epilogue);
/* Declares C text at file scope; reported without privilege. */
void ast_embedded_add(struct ast_builder *b, struct span span, const struct istr *text);

#endif
