/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Purity of functions and expressions. Effects are stores outside of locals, output, and calls
 * that have any; what only reads, even if it may fail, is pure. `next` counts as an effect,
 * because another body runs then.
 */
#include "sema/effects.h"

#include "ir/builtins.h"

/* Walks until an effect is found. */
struct effects {
	struct ir_walker walker;
	/* a store to a local is an effect: inside an expression, not of a whole function */
	bool locals_count;
	bool impure;
};

/* Whether a store to LVALUE can be seen from outside of what is judged. */
static bool stores_outside(const struct effects *x, const struct ir_expr *lvalue)
{
	return lvalue->kind != IR_LOCAL || x->locals_count;
}

/* One node; the children only as long as nothing was found. */
static void look_at_expr(struct ir_walker *w, struct ir_expr **slot)
{
	struct effects *x = (struct effects *)w;
	struct ir_expr *e = *slot;

	switch (e->kind) {
	case IR_ASSIGN:
		x->impure |= stores_outside(x, e->assign.lvalue);
		break;
	case IR_INCDEC:
		x->impure |= stores_outside(x, e->incdec.lvalue);
		break;
	case IR_FEED:
		x->impure = true;
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		x->impure |= !e->call.callee->pure || e->call.callee->next_overload;
		break;
	case IR_MATCH:
		x->impure |= e->match.regex->kept && !e->match.negated;
		break;
	case IR_PRINT:
		x->impure |= !e->print.to_string;
		break;
	case IR_PRINT_HIST:
		x->impure |= !e->print_hist.to_string;
		break;
	case IR_EMBEDDED:
		x->impure |= (e->code->effects & IR_WRITES) != 0;
		break;
	default:
		break;
	}
	if (!x->impure)
		ir_expr_children(w, e);
}

/* Sorting changes the array; loop variables that are globals are stores. */
static void look_at_stmt(struct ir_walker *w, struct ir_stmt **slot)
{
	struct effects *x = (struct effects *)w;
	const struct ir_stmt *s = *slot;

	if (s->kind == IR_STMT_NEXT)
		x->impure = true;
	if (s->kind == IR_STMT_DELETE)
		x->impure |= !s->del.target || stores_outside(x, s->del.target);
	if (s->kind == IR_STMT_FOREACH) {
		x->impure |= s->foreach.dir != 0;
		for (unsigned i = 0; i < s->foreach.array->n_keys; i++)
			x->impure |= s->foreach.keys[i]->kind != IR_LOCAL;
		x->impure |= s->foreach.value && s->foreach.value->kind != IR_LOCAL;
	}
	if (s->kind == IR_STMT_FOREACH_HIST)
		x->impure |= s->foreach_hist.var->kind != IR_LOCAL;
	if (s->kind == IR_STMT_TRY)
		x->impure |= s->try_.var && s->try_.var->kind != IR_LOCAL;
	if (!x->impure)
		ir_stmt_children(w, *slot);
}

void sema_effects(struct sema *s)
{
	bool changed, asked = false;

	vec_foreach(f, &s->program->functions)
		asked |= ir_needs_match(*f);
	map_foreach(it, &s->regexes)
		((struct ir_regex *)it->value)->kept = asked;
	/* from the best assumption down, so that recursion alone makes nothing impure */
	vec_foreach(f, &s->program->functions)
		if ((*f)->body)
			(*f)->pure = true;
	do {
		changed = false;
		vec_foreach(f, &s->program->functions) {
			struct effects x = { .walker = { look_at_expr, look_at_stmt } };

			if (!(*f)->body || !(*f)->pure)
				continue;
			ir_walk_stmt(&x.walker, &(*f)->body);
			(*f)->pure = !x.impure;
			changed |= x.impure;
		}
	} while (changed);
}

bool sema_is_pure(struct ir_expr *e)
{
	struct effects x = { .walker = { look_at_expr, look_at_stmt }, .locals_count = true };

	if (!e)
		return true;
	look_at_expr(&x.walker, &e);
	return !x.impure;
}
