/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walking the typed program. A pass embeds struct ir_walker as its first member, and its callbacks
 * decide themselves whether to go on to the children, so a walk can be pruned, pre- or post-order.
 * References, not nodes, are handed out: a callback may replace what stands there. Children come in
 * evaluation order; absent ones are skipped.
 */
#ifndef SPILE_IR_WALK_H
#define SPILE_IR_WALK_H

#include "ir/expr.h"
#include "ir/ir.h"
#include "ir/stmt.h"

/* The callbacks of a walk; expr must be set. */
struct ir_walker {
	void (*expr)(struct ir_walker *w, struct ir_expr **ref);
	/* NULL: statements are only walked through */
	void (*stmt)(struct ir_walker *w, struct ir_stmt **ref);
};

/* Hands *REF to w->expr; a NULL there is skipped. */
void ir_walk_expr(struct ir_walker *w, struct ir_expr **ref);
/* The same for each element, in order. */
void ir_walk_exprs(struct ir_walker *w, struct ir_exprs *list);
/* Hands *REF to w->stmt, or walks its children when that is NULL; a NULL is skipped. */
void ir_walk_stmt(struct ir_walker *w, struct ir_stmt **ref);
/* The operands of EXPR, in evaluation order; none for a leaf. Does not hand out EXPR itself. */
void ir_expr_children(struct ir_walker *w, struct ir_expr *expr);
/* What STMT consists of. Lvalues of foreach and catch are handed to expr like any other child. */
void ir_stmt_children(struct ir_walker *w, struct ir_stmt *stmt);
/* Condition, saved values and body. */
void ir_walk_probe(struct ir_walker *w, struct ir_probe *probe);

#endif
