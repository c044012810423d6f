/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variables code reads and writes (uses.h), in evaluation order. x++ and x += v whose value
 * nobody takes only write: that is what makes a counter displayable, and elidable.
 */
#include "ir/uses.h"

static void use_expr(struct ir_walker *w, struct ir_expr **ref);

/* The array that fetch programs of E read, if they do. */
static void use_entries(struct ir_use_walker *u, struct ir_expr *e)
{
	struct ir_global *array =
		e->kind == IR_FETCH ? e->fetch.entry_values : e->point_text.entry_values;

	if (array && u->global)
		u->global(u, array, e, false);
}

/* Tells the callback for E, when it is a variable or an element. */
static void emit(struct ir_use_walker *u, struct ir_expr *e, bool write)
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
	} else if (e->kind == IR_FETCH) {
		use_entries(u, e); /* the address, of a store too */
	}
}

/* The lvalue of a store: its subscripts are read, itself only if also_read. */
static void use_lvalue(struct ir_use_walker *u, struct ir_expr *lvalue, bool also_read)
{
	ir_expr_children(&u->walker, lvalue);
	if (also_read)
		emit(u, lvalue, false);
	emit(u, lvalue, true);
}

/* The same of ++, -- and op=: what is stored comes of what was there. */
static void use_update(struct ir_use_walker *u, struct ir_expr *lvalue, bool also_read)
{
	ir_expr_children(&u->walker, lvalue);
	if (also_read)
		emit(u, lvalue, false);
	u->updating = true;
	emit(u, lvalue, true);
	u->updating = false;
}

/* Is it known to be 0 or more? */
static bool never_negative(const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
		return e->number >= 0;
	case IR_FETCH:
		return !e->fetch.is_signed;
	case IR_COMPARE:
	case IR_LOGICAL:
	case IR_IN:
		return true;
	default: /* nothing is lost if one is that is not here */
		return false;
	}
}

/* The lvalue of ++ -- += -= as a statement: written, and not read by the script. */
static void use_addition(struct ir_use_walker *u, struct ir_expr *lvalue, bool lowering)
{
	ir_expr_children(&u->walker, lvalue);
	u->adding = u->updating = true;
	u->lowering = lowering;
	emit(u, lvalue, true);
	u->adding = u->updating = false;
}

/* Tells of the globals that embedded C names in its pragmas; E runs it. */
static void use_code(struct ir_use_walker *u, struct ir_expr *e, const struct ir_code *code)
{
	if (!code || !u->global)
		return;
	for (size_t i = 0; i < code->uses.n; i++) {
		const struct ir_global_use *use = &code->uses.data[i];

		if (use->access & IR_ACCESS_READ)
			u->global(u, use->global, e, false);
		if (use->access & IR_ACCESS_WRITES)
			u->global(u, use->global, e, true);
	}
}

static void use_call(struct ir_use_walker *u, struct ir_expr *e)
{
	if (u->call)
		u->call(u, e->call.callee);
	use_code(u, e, e->call.callee->code);
}

/*
 * The flag statement is taken on the way in, so that it holds for the outermost expression
 * only. No default: whether a new kind stores to something must be said.
 */
static void use_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct ir_use_walker *u = (struct ir_use_walker *)w;
	struct ir_expr *e = *ref;
	bool used = !u->statement;

	u->statement = false;
	switch (e->kind) {
	case IR_ASSIGN:
		if (!used && (e->assign.op == IR_OP_ADD || e->assign.op == IR_OP_SUB))
			use_addition(u, e->assign.lvalue,
				     e->assign.op == IR_OP_SUB || !never_negative(e->assign.value));
		else if (e->assign.op != IR_OP_NONE)
			use_update(u, e->assign.lvalue, used);
		else
			use_lvalue(u, e->assign.lvalue, false);
		ir_walk_expr(w, &e->assign.value);
		return;
	case IR_INCDEC:
		if (used)
			use_update(u, e->incdec.lvalue, true);
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
	case IR_EMBEDDED:
		use_code(u, e, e->code);
		break;
	case IR_FETCH:
		use_entries(u, e);
		break;
	case IR_POINT_TEXT:
		use_entries(u, e);
		break;
	case IR_NUMBER:
	case IR_STRING_LITERAL:
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_ELEMENT:
	case IR_UNARY:
	case IR_BINARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
	case IR_MATCH:
	case IR_TERNARY:
	case IR_SAVED:
	case IR_DEREF:
	case IR_REGISTER:
	case IR_EXTRACT:
	case IR_HIST_BUCKET:
	case IR_PRINT:
	case IR_PRINT_HIST:
	case IR_ENUMNAME:
		break; /* stores to nothing itself */
	}
	ir_expr_children(w, e);
	emit(u, e, false);
}

/* Head first, then the array, then the variables, which are stored to. */
static void use_foreach(struct ir_use_walker *u, struct ir_stmt *s)
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
static void use_delete(struct ir_use_walker *u, struct ir_stmt *s)
{
	if (s->del.target)
		use_lvalue(u, s->del.target, false);
	ir_walk_exprs(&u->walker, &s->del.wild_keys);
	if (s->del.array && u->global)
		u->global(u, s->del.array, NULL, true);
}

/* Also init and step of a for loop, whose values nobody takes. */
static void use_statement_expr(struct ir_use_walker *u, struct ir_expr **ref)
{
	u->statement = true;
	ir_walk_expr(&u->walker, ref);
	u->statement = false;
}

void ir_use_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct ir_use_walker *u = (struct ir_use_walker *)w;
	struct ir_stmt *s = *ref;

	switch (s->kind) {
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
		ir_walk_expr(w, &s->foreach_hist.limit);
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
	case IR_STMT_BLOCK:
	case IR_STMT_IF:
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_RETURN:
	case IR_STMT_NEXT:
		break; /* has children and nothing else */
	}
	ir_stmt_children(w, s);
}

void ir_use_init(struct ir_use_walker *u)
{
	*u = (struct ir_use_walker){ .walker = { use_expr, ir_use_stmt } };
}
