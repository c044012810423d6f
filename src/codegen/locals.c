/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locals of a body: which are used and how, their C names, buffers of strings. One walk notes
 * uses and stores; a string local that takes more than literals then gets a buffer in the frame,
 * or, when it is stored once and at the top level, keeps its bytes where they were made in
 * scratch.
 */
#include "base/intern.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "ir/walk.h"

/* The walk over a body, which fills body.locals. */
struct collect {
	struct ir_walker walker;
	struct cg *cg;
	struct body *body;
};

struct local_facts *cg_local(struct cg *cg, const struct ir_local *local)
{
	return map_get(&cg->body->locals, local);
}

/* l_NAME; locals of one name that passes made are told apart by their index. */
static const char *unique_name(struct cg *cg, const struct body *b, const struct ir_local *local)
{
	map_foreach(it, &b->locals) {
		const struct ir_local *other = it->key;

		if (other != local && other->name == local->name)
			return emit_name(cg->arena, cg_printf(cg, "l%u", local->index),
					 local->name->text);
	}
	return emit_name(cg->arena, "l", local->name->text);
}

/* The facts of LOCAL, made and named at its first mention. */
static struct local_facts *facts_of(struct cg *cg, struct body *b, const struct ir_local *local)
{
	struct local_facts *l = map_get(&b->locals, local);

	if (l)
		return l;
	l = arena_new(cg->arena, struct local_facts);
	l->c_name = unique_name(cg, b, local);
	map_put(&b->locals, local, l);
	return l;
}

/*
 * Strings whose bytes never move: assigned without a copy. As the BYTES_LITERAL values that
 * expressions yield.
 */
static bool is_static(const struct ir_expr *e)
{
	if (e->kind == IR_TERNARY)
		return is_static(e->ternary.yes) && is_static(e->ternary.no);
	return e->kind == IR_STRING_LITERAL || e->kind == IR_SAVED ||
	       (e->kind == IR_POINT_TEXT && e->point_text.literal);
}

/*
 * A store to LVALUE, which may be NULL or no local. LITERAL: of a value whose bytes never move.
 */
static void stored(struct collect *v, const struct ir_expr *lvalue, bool literal)
{
	struct local_facts *l;

	if (!lvalue || lvalue->kind != IR_LOCAL)
		return;
	l = facts_of(v->cg, v->body, lvalue->local);
	l->used = true;
	l->n_stores++;
	if (lvalue->local->type == IR_STRING && !literal)
		l->stored = true;
}

/*
 * Decides local_facts.kept: only for statements that run at most once and in order, so that
 * what is kept lies below all later scratch. Blocks open no scope.
 */
static void keep_single(struct collect *v, const struct ir_stmt *s)
{
	struct local_facts *l;

	if (s->kind == IR_STMT_BLOCK) {
		for (size_t i = 0; i < s->block.n; i++)
			keep_single(v, s->block.data[i]);
		return;
	}
	if (s->kind != IR_STMT_EXPR || s->expr->kind != IR_ASSIGN ||
	    s->expr->assign.op != IR_OP_NONE || s->expr->assign.lvalue->kind != IR_LOCAL)
		return;
	l = facts_of(v->cg, v->body, s->expr->assign.lvalue->local);
	l->kept = l->stored && l->n_stores == 1;
}

/* A plain store is no use of the variable's value; any other mention is. */
static void collect_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct collect *v = (struct collect *)w;
	struct ir_expr *e = *ref;

	if (e->kind == IR_LOCAL) {
		struct local_facts *l = facts_of(v->cg, v->body, e->local);

		l->used = l->read = true;
	} else if (e->kind == IR_ASSIGN && e->assign.lvalue->kind == IR_LOCAL) {
		stored(v, e->assign.lvalue,
		       e->assign.op == IR_OP_NONE && is_static(e->assign.value));
		if (e->assign.op != IR_OP_NONE)
			facts_of(v->cg, v->body, e->assign.lvalue->local)->read = true;
		ir_walk_expr(w, &e->assign.value);
		return;
	}
	ir_expr_children(w, e);
}

/* Loop variables are stored to in every iteration, and read by nothing of the head. */
static void collect_foreach(struct collect *v, struct ir_foreach *f)
{
	for (unsigned i = 0; i < f->array->n_keys; i++)
		stored(v, f->keys[i], false);
	stored(v, f->value, false);
	ir_walk_expr(&v->walker, &f->limit);
	ir_walk_exprs(&v->walker, &f->slice);
	ir_walk_stmt(&v->walker, &f->body);
}

/* Deleting a string local stores "", which is a literal. */
static void collect_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct collect *v = (struct collect *)w;
	struct ir_stmt *s = *ref;

	switch (s->kind) {
	case IR_STMT_FOREACH:
		collect_foreach(v, &s->foreach);
		return;
	case IR_STMT_FOREACH_HIST:
		stored(v, s->foreach_hist.var, false);
		ir_walk_expr(w, &s->foreach_hist.stat);
		ir_walk_expr(w, &s->foreach_hist.limit);
		ir_walk_stmt(w, &s->foreach_hist.body);
		return;
	case IR_STMT_TRY:
		stored(v, s->try_.var, false);
		ir_walk_stmt(w, &s->try_.body);
		ir_walk_stmt(w, &s->try_.handler);
		return;
	case IR_STMT_DELETE:
		stored(v, s->del.target, true);
		if (s->del.target && s->del.target->kind == IR_LOCAL)
			return;
		break;
	default: /* others store to nothing themselves */
		break;
	}
	ir_stmt_children(w, s);
}

/* Parameters first, so that they have the plain names. */
void cg_locals(struct cg *cg, struct body *b, const struct ir_stmt *s)
{
	struct collect v = { .walker = { collect_expr, collect_stmt }, .cg = cg, .body = b };
	struct ir_stmt *ref = (struct ir_stmt *)s;

	map_init(&b->locals, cg->arena);
	if (b->function)
		vec_foreach(it, &b->function->params)
			facts_of(cg, b, *it);
	ir_walk_stmt(&v.walker, &ref);
	keep_single(&v, s);
	map_foreach(it, &b->locals) {
		struct local_facts *l = it->value;

		if (l->stored && !l->kept)
			l->buffer = b->n_buffers++;
	}
}
