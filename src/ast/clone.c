/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deep copies of trees, for sema/expand, which changes what it copies. Interned strings, spans
 * and split formats are shared; every node and list is new.
 */
#include <string.h>

#include "ast/tree.h"

/* list holds the original's elements on entry, and new ones on return. */
static void clone_exprs(struct arena *arena, struct ast_exprs *list)
{
	struct ast_expr **old = list->data;

	if (!list->n)
		return;
	list->cap = list->n;
	list->data = arena_new_array(arena, struct ast_expr *, list->n);
	for (size_t i = 0; i < list->n; i++)
		list->data[i] = ast_clone_expr(arena, old[i]);
}

/* For parts that may be NULL, too. */
static void clone_in_place(struct arena *arena, struct ast_expr **child)
{
	*child = ast_clone_expr(arena, *child);
}

/* The path is copied as a whole, then the subscripts in it; members have none. */
static void clone_target(struct arena *arena, struct ast_expr *e)
{
	struct ast_access *old = e->target.path.data;
	size_t n = e->target.path.n;

	clone_in_place(arena, &e->target.operand);
	if (!n)
		return;
	e->target.path.cap = n;
	e->target.path.data = arena_new_array(arena, struct ast_access, n);
	memcpy(e->target.path.data, old, n * sizeof(*old));
	vec_foreach(step, &e->target.path)
		clone_in_place(arena, &step->index);
}

/* e is a shallow copy: its children are still the original's, and are replaced by copies. */
static void clone_children(struct arena *arena, struct ast_expr *e)
{
	switch (e->kind) {
	case AST_EXPR_NUMBER:
	case AST_EXPR_STRING:
	case AST_EXPR_NAME:
	case AST_EXPR_PERF:
	case AST_EXPR_CONST:
	case AST_EXPR_ENUM:
	case AST_EXPR_EMBEDDED:
		break;
	case AST_EXPR_INDEX:
		clone_exprs(arena, &e->index.keys);
		break;
	case AST_EXPR_CALL:
		clone_exprs(arena, &e->call.args);
		break;
	case AST_EXPR_UNARY:
		clone_in_place(arena, &e->unary.operand);
		break;
	case AST_EXPR_BINARY:
		clone_in_place(arena, &e->binary.left);
		clone_in_place(arena, &e->binary.right);
		break;
	case AST_EXPR_MATCH:
		clone_in_place(arena, &e->match.left);
		break;
	case AST_EXPR_TERNARY:
		clone_in_place(arena, &e->ternary.cond);
		clone_in_place(arena, &e->ternary.yes);
		clone_in_place(arena, &e->ternary.no);
		break;
	case AST_EXPR_ASSIGN:
		clone_in_place(arena, &e->assign.left);
		clone_in_place(arena, &e->assign.right);
		break;
	case AST_EXPR_INCDEC:
		clone_in_place(arena, &e->incdec.operand);
		break;
	case AST_EXPR_IN:
		clone_exprs(arena, &e->in.keys);
		break;
	case AST_EXPR_TARGET:
		clone_target(arena, e);
		break;
	case AST_EXPR_DEFINED:
	case AST_EXPR_ENTRY:
	case AST_EXPR_PROBEWRITE:
		clone_in_place(arena, &e->defined.operand);
		break;
	case AST_EXPR_ENUMNAME:
		clone_in_place(arena, &e->enumname.value);
		break;
	case AST_EXPR_DEREF:
		clone_in_place(arena, &e->deref.size);
		clone_in_place(arena, &e->deref.address);
		break;
	case AST_EXPR_REGISTER:
		clone_in_place(arena, &e->reg.number);
		break;
	case AST_EXPR_EXTRACT:
		clone_in_place(arena, &e->extract.stat);
		break;
	case AST_EXPR_HIST:
		clone_in_place(arena, &e->hist.stat);
		break;
	case AST_EXPR_HIST_BUCKET:
		clone_in_place(arena, &e->bucket.hist);
		clone_in_place(arena, &e->bucket.index);
		break;
	case AST_EXPR_PRINT:
		/* the split format is never changed: shared */
		clone_exprs(arena, &e->print.args);
		break;
	}
}

/*
 * A shallow copy first, so that spans, strings and flags need no case; then clone_children()
 * replaces what is below. Recursion is as deep as the tree is high, which the builders bound
 * (AST_HEIGHT_MAX).
 */
struct ast_expr *ast_clone_expr(struct arena *arena, const struct ast_expr *expr)
{
	struct ast_expr *e;

	if (!expr)
		return NULL;
	e = arena_new(arena, struct ast_expr);
	*e = *expr;
	clone_children(arena, e);
	return e;
}

static void clone_foreach(struct arena *arena, struct ast_foreach *f)
{
	clone_exprs(arena, &f->keys);
	clone_in_place(arena, &f->value);
	clone_in_place(arena, &f->hist);
	clone_exprs(arena, &f->slice);
	clone_in_place(arena, &f->limit);
	f->body = ast_clone_stmt(arena, f->body);
}

/* As clone_exprs(). */
static void clone_block(struct arena *arena, struct ast_stmts *list)
{
	struct ast_stmt **old = list->data;

	if (!list->n)
		return;
	list->cap = list->n;
	list->data = arena_new_array(arena, struct ast_stmt *, list->n);
	for (size_t i = 0; i < list->n; i++)
		list->data[i] = ast_clone_stmt(arena, old[i]);
}

/* s is a shallow copy, as in clone_children(). Parts that are not there stay NULL. */
static void clone_parts(struct arena *arena, struct ast_stmt *s)
{
	switch (s->kind) {
	case AST_STMT_EMPTY:
	case AST_STMT_NEXT:
	case AST_STMT_BREAK:
	case AST_STMT_CONTINUE:
	case AST_STMT_EMBEDDED:
		break;
	case AST_STMT_BLOCK:
		clone_block(arena, &s->block.list);
		break;
	case AST_STMT_EXPR:
	case AST_STMT_RETURN:
	case AST_STMT_DELETE:
		clone_in_place(arena, &s->expr.expr);
		break;
	case AST_STMT_IF:
		clone_in_place(arena, &s->cond.cond);
		s->cond.yes = ast_clone_stmt(arena, s->cond.yes);
		break; /* ast_clone_stmt() goes on with the other arm */
	case AST_STMT_FOR:
		clone_in_place(arena, &s->loop.init);
		clone_in_place(arena, &s->loop.cond);
		clone_in_place(arena, &s->loop.step);
		s->loop.body = ast_clone_stmt(arena, s->loop.body);
		break;
	case AST_STMT_FOREACH:
		clone_foreach(arena, &s->foreach);
		break;
	case AST_STMT_TRY:
		s->try_.body = ast_clone_stmt(arena, s->try_.body);
		s->try_.handler = ast_clone_stmt(arena, s->try_.handler);
		break;
	}
}

/* A chain of else ifs is gone along, not down: it may be long. */
struct ast_stmt *ast_clone_stmt(struct arena *arena, const struct ast_stmt *stmt)
{
	struct ast_stmt *first = NULL, **ref = &first;

	while (stmt) {
		struct ast_stmt *s = *ref = arena_new(arena, struct ast_stmt);

		*s = *stmt;
		clone_parts(arena, s);
		if (s->kind != AST_STMT_IF)
			break;
		ref = &s->cond.no;
		stmt = s->cond.no;
	}
	return first;
}
