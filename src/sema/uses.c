/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which globals and locals the program reads and writes (ir/uses.h), as flags of the symbols:
 * ir_global.read and written, sema_local.read. As for the reference, a delete reads: who deletes
 * elements keeps account of something, which is not displayed at the end.
 */
#include "ir/uses.h"

#include "sema/pass.h"
#include "sema/symbols.h"

/* The walk, with the global that the statement being walked deletes of. */
struct use_notes {
	struct ir_use_walker u;
	const struct ir_global *deleted;
	/* where only what may run is walked: functions, and what notes an expression */
	struct map entered;
	void (*use_expr)(struct ir_walker *w, struct ir_expr **ref);
};

/* first_write tells the order of the display probe. */
static void note_global(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at,
			bool write)
{
	struct sema_global *sg = sema_global(g);

	if (!write) {
		g->read = true;
		return;
	}
	g->written = true;
	sg->filled |= g != ((struct use_notes *)u)->deleted;
	if (at && (!sg->first_write || at->span.start + 1 < sg->first_write))
		sg->first_write = at->span.start + 1;
}

/*
 * Stores to locals are no concern: ir_local.assigned has been set by step bind. x++ reads x, as it
 * does for the reference: it is never elided.
 */
static void note_local(struct ir_use_walker *u, struct ir_local *l, struct ir_expr *at, bool write)
{
	if (!write || u->updating)
		sema_local(l)->read = true;
}

static const struct ir_global *global_deleted(const struct ir_stmt *s)
{
	const struct ir_expr *target = s->del.target;

	if (!target)
		return s->del.array;
	return target->kind == IR_GLOBAL    ? target->global
	       : target->kind == IR_ELEMENT ? target->element.array
					    : NULL;
}

static void note_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct use_notes *notes = (struct use_notes *)w;
	struct ir_global *g = NULL;

	if ((*ref)->kind == IR_STMT_DELETE)
		g = (struct ir_global *)global_deleted(*ref);
	if (!g) {
		ir_use_stmt(w, ref);
		return;
	}
	sema_global(g)->deleted = true;
	notes->deleted = g;
	ir_use_stmt(w, ref);
	notes->deleted = NULL;
}

/* ---- what may run ---- */

static bool is_literal(const struct ir_expr *e)
{
	return e && e->kind == IR_NUMBER && e->type == IR_LONG;
}

/* Does nothing behind S in its block run? */
static bool leaves(const struct ir_stmt *s)
{
	if (!s)
		return false;
	switch (s->kind) {
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_RETURN:
	case IR_STMT_NEXT:
		return true;
	case IR_STMT_BLOCK:
		vec_foreach(child, &s->block)
			if (leaves(*child))
				return true;
		return false;
	case IR_STMT_IF:
		if (is_literal(s->cond.cond))
			return leaves(s->cond.cond->number ? s->cond.yes : s->cond.no);
		return leaves(s->cond.yes) && leaves(s->cond.no);
	case IR_STMT_EXPR:
	case IR_STMT_LOOP:
	case IR_STMT_FOREACH:
	case IR_STMT_FOREACH_HIST:
	case IR_STMT_DELETE:
	case IR_STMT_TRY:
		return false;
	}
	return false;
}

/* The right operand is not reached when a literal on the left decides. */
static void reached_expr(struct ir_walker *w, struct ir_expr **ref)
{
	const struct use_notes *notes = (struct use_notes *)w;
	const struct ir_expr *e = *ref;

	if (e->kind != IR_LOGICAL || !is_literal(e->binary.left) ||
	    !e->binary.left->number != (e->binary.op == IR_OP_LOGAND))
		notes->use_expr(w, ref);
}

static void reached_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct use_notes *notes = (struct use_notes *)w;
	struct ir_stmt *s = *ref;

	if (s->kind == IR_STMT_BLOCK) {
		for (size_t i = 0; i < s->block.n; i++) {
			ir_walk_stmt(w, &s->block.data[i]);
			if (leaves(s->block.data[i]))
				break;
		}
	} else if (s->kind == IR_STMT_IF && is_literal(s->cond.cond)) {
		ir_walk_stmt(w, s->cond.cond->number ? &s->cond.yes : &s->cond.no);
	} else if (s->kind == IR_STMT_LOOP && is_literal(s->loop.cond) && !s->loop.cond->number) {
		notes->u.statement = true;
		ir_walk_expr(w, &s->loop.init);
		notes->u.statement = false;
	} else {
		note_stmt(w, ref);
	}
}

/* The callees of a call, once: what they do is done where it may run. */
static void enter_callees(struct ir_use_walker *u, struct ir_function *f)
{
	struct use_notes *notes = (struct use_notes *)u;
	const struct ir_global *deleted = notes->deleted;
	bool statement = u->statement;

	notes->deleted = NULL;
	u->statement = false;
	for (; f && !map_has(&notes->entered, f); f = f->next_overload) {
		map_put(&notes->entered, f, f);
		ir_walk_stmt(&u->walker, &f->body);
	}
	u->statement = statement;
	notes->deleted = deleted;
}

/* Parameters keep their flag: nothing drops them. */
static void forget_locals(struct ir_local **data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sema_local(data[i])->read = false;
}

static void forget_globals(struct sema *s)
{
	vec_foreach(g, &s->program->globals) {
		(*g)->read = (*g)->written = false;
		sema_global(*g)->filled = sema_global(*g)->deleted = false;
	}
}

/* A delete of what nothing fills does nothing, and keeps no global. */
static void judge_deletes(struct sema *s)
{
	vec_foreach(g, &s->program->globals)
		(*g)->read |= sema_global(*g)->deleted && sema_global(*g)->filled;
}

/* Flags are forgotten first; each walk sets those of what it meets. */
void sema_uses(struct sema *s)
{
	struct use_notes notes = { 0 };
	struct ir_use_walker *u = &notes.u;

	ir_use_init(u);
	u->global = note_global;
	u->local = note_local;
	u->walker.stmt = note_stmt;
	forget_globals(s);
	vec_foreach(f, &s->program->functions) {
		forget_locals((*f)->locals.data, (*f)->locals.n);
		ir_walk_stmt(&u->walker, &(*f)->body);
	}
	vec_foreach(p, &s->program->probes) {
		forget_locals((*p)->locals.data, (*p)->locals.n);
		ir_walk_probe(&u->walker, *p);
	}
	judge_deletes(s);
}

void sema_uses_reached(struct sema *s)
{
	struct use_notes notes = { 0 };
	struct ir_use_walker *u = &notes.u;

	ir_use_init(u);
	u->global = note_global;
	u->call = enter_callees;
	notes.use_expr = u->walker.expr;
	u->walker.expr = reached_expr;
	u->walker.stmt = reached_stmt;
	map_init(&notes.entered, s->arena);
	forget_globals(s);
	vec_foreach(g, &s->program->globals)
		sema_global(*g)->first_write = 0;
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&u->walker, *p);
	judge_deletes(s);
}
