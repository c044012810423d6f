/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which globals and locals the program reads and writes. x++ and x += v whose value nobody takes
 * only write: that is what makes a counter displayable, and elidable.
 */
#include "sema/uses.h"

static void use_expr(struct ir_walker *w, struct ir_expr **slot);

/* Tells the callback for E, when it is a variable or an element. */
static void emit(struct sema_use_walker *u, struct ir_expr *e, bool write)
{
	if (e->kind == IR_LOCAL) {
		if (u->local)
			u->local(u, e->local, e, write);
	} else if (e->kind == IR_GLOBAL) {
		if (u->global)
			u->global(u, e->global, e, write);
	} else if (e->kind == IR_ELEMENT) {
		if (u->global)
			u->global(u, e->element.array, e, write);
	}
}

/* The lvalue of a store: its subscripts are read, itself only if also_read. */
static void use_lvalue(struct sema_use_walker *u, struct ir_expr *lvalue, bool also_read)
{
	ir_expr_children(&u->walker, lvalue);
	if (also_read)
		emit(u, lvalue, false);
	emit(u, lvalue, true);
}

/* Is it known to be 0 or more? */
static bool never_negative(const struct ir_expr *e)
{
	switch ((int)e->kind) {
	case IR_NUMBER:
		return e->number >= 0;
	case IR_FETCH:
		return !e->fetch.is_signed;
	case IR_COMPARE:
	case IR_LOGICAL:
	case IR_IN:
		return true;
	default:
		return false;
	}
}

/* The lvalue of ++ -- += -= as a statement: written, and not read by the script. */
static void use_addition(struct sema_use_walker *u, struct ir_expr *lvalue, bool lowering)
{
	ir_expr_children(&u->walker, lvalue);
	u->adding = true;
	u->lowering = lowering;
	emit(u, lvalue, true);
	u->adding = false;
}

/* Tells of the call, and of the globals that embedded C names in its pragmas. */
static void use_call(struct sema_use_walker *u, struct ir_expr *e)
{
	const struct ir_function *f = e->call.callee;

	if (u->call)
		u->call(u, e->call.callee);
	for (size_t i = 0; i < f->uses.n; i++)
		if (u->global)
			u->global(u, f->uses.data[i].global, e, f->uses.data[i].write);
}

/*
 * The flag statement is taken on the way in, so that it holds for the outermost expression
 * only.
 */
static void use_expr(struct ir_walker *w, struct ir_expr **slot)
{
	struct sema_use_walker *u = (struct sema_use_walker *)w;
	struct ir_expr *e = *slot;
	bool used = !u->statement;

	u->statement = false;
	switch ((int)e->kind) {
	case IR_ASSIGN:
		if (!used && (e->assign.op == IR_OP_ADD || e->assign.op == IR_OP_SUB))
			use_addition(u, e->assign.lvalue,
				     e->assign.op == IR_OP_SUB || !never_negative(e->assign.value));
		else
			use_lvalue(u, e->assign.lvalue, used && e->assign.op != IR_OP_NONE);
		ir_walk_expr(w, &e->assign.value);
		return;
	case IR_INCDEC:
		if (used)
			use_lvalue(u, e->incdec.lvalue, true);
		else
			use_addition(u, e->incdec.lvalue, e->incdec.delta < 0);
		return;
	case IR_FEED:
		use_lvalue(u, e->feed.stat, false);
		ir_walk_expr(w, &e->feed.value);
		return;
	case IR_IN:
		if (u->global)
			u->global(u, e->in.array, e, false);
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		use_call(u, e);
		break;
	}
	ir_expr_children(w, e);
	emit(u, e, false);
}

/* Head first, then the array, then the variables, which are stored to. */
static void use_foreach(struct sema_use_walker *u, struct ir_stmt *s)
{
	struct ir_foreach *f = &s->foreach;

	ir_walk_expr(&u->walker, &f->limit);
	ir_walk_exprs(&u->walker, &f->slice);
	if (u->iterate)
		u->iterate(u, f);
	else if (u->global)
		u->global(u, f->array, NULL, false);
	for (unsigned i = 0; i < f->array->n_keys; i++)
		use_lvalue(u, f->keys[i], false);
	if (f->value)
		use_lvalue(u, f->value, false);
	ir_walk_stmt(&u->walker, &f->body);
}

/* Deleting is a store. */
static void use_delete(struct sema_use_walker *u, struct ir_stmt *s)
{
	if (s->del.target)
		use_lvalue(u, s->del.target, false);
	ir_walk_exprs(&u->walker, &s->del.wild_keys);
	if (s->del.array && u->global)
		u->global(u, s->del.array, NULL, true);
}

/* Also init and step of a for loop, whose values nobody takes. */
static void use_statement_expr(struct sema_use_walker *u, struct ir_expr **slot)
{
	u->statement = true;
	ir_walk_expr(&u->walker, slot);
	u->statement = false;
}

static void use_stmt(struct ir_walker *w, struct ir_stmt **slot)
{
	struct sema_use_walker *u = (struct sema_use_walker *)w;
	struct ir_stmt *s = *slot;

	switch ((int)s->kind) {
	case IR_STMT_EXPR:
		use_statement_expr(u, &s->expr);
		return;
	case IR_STMT_LOOP:
		use_statement_expr(u, &s->loop.init);
		ir_walk_expr(w, &s->loop.cond);
		ir_walk_stmt(w, &s->loop.body);
		use_statement_expr(u, &s->loop.step);
		return;
	case IR_STMT_FOREACH:
		use_foreach(u, s);
		return;
	case IR_STMT_FOREACH_HIST:
		ir_walk_expr(w, &s->foreach_hist.stat);
		use_lvalue(u, s->foreach_hist.var, false);
		ir_walk_stmt(w, &s->foreach_hist.body);
		return;
	case IR_STMT_DELETE:
		use_delete(u, s);
		return;
	case IR_STMT_TRY:
		ir_walk_stmt(w, &s->try_.body);
		if (s->try_.var)
			use_lvalue(u, s->try_.var, false);
		ir_walk_stmt(w, &s->try_.handler);
		return;
	}
	ir_stmt_children(w, s);
}

void sema_use_init(struct sema_use_walker *u, struct sema *s)
{
	*u = (struct sema_use_walker){ .walker = { use_expr, use_stmt }, .s = s };
}

/* ---- the flags of the symbols ---- */

/* first_write tells the order of the display probe. */
static void note_global(struct sema_use_walker *u, struct ir_global *g, struct ir_expr *at,
			bool write)
{
	struct sema_global *sg = sema_global(g);

	if (!write) {
		g->read = true;
		return;
	}
	g->written = true;
	if (at && (!sg->first_write || at->span.start + 1 < sg->first_write))
		sg->first_write = at->span.start + 1;
}

/* Stores to locals are no concern: ir_local.assigned has been set by step bind. */
static void note_local(struct sema_use_walker *u, struct ir_local *l, struct ir_expr *at,
		       bool write)
{
	if (!write)
		sema_local(l)->read = true;
}

/* Parameters keep their flag: nothing drops them. */
static void forget_locals(struct ir_local **data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sema_local(data[i])->read = false;
}

/* Flags are forgotten first; each walk sets those of what it meets. */
void sema_uses(struct sema *s)
{
	struct sema_use_walker u;

	sema_use_init(&u, s);
	u.global = note_global;
	u.local = note_local;
	vec_foreach(g, &s->program->globals)
		(*g)->read = (*g)->written = false;
	vec_foreach(f, &s->program->functions) {
		forget_locals((*f)->locals.data, (*f)->locals.n);
		ir_walk_stmt(&u.walker, &(*f)->body);
	}
	vec_foreach(p, &s->program->probes) {
		forget_locals((*p)->locals.data, (*p)->locals.n);
		ir_walk_probe(&u.walker, *p);
	}
}
