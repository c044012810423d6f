/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pre-order walk. Children are visited in the order of evaluation. A callback's WALK_PRUNE
 * ends here: only WALK_ABORT is passed upwards.
 */
#include "ast/tree.h"

/* Elements that are NULL ('*') are passed over by ast_walk_expr(). */
static enum walk walk_exprs(const struct ast_exprs *list, const struct ast_visitor *v)
{
	for (size_t i = 0; i < list->n; i++) {
		if (ast_walk_expr(list->data[i], v) == WALK_ABORT)
			return WALK_ABORT;
	}
	return WALK_CONTINUE;
}

static enum walk walk_two(struct ast_expr *a, struct ast_expr *b, const struct ast_visitor *v)
{
	if (ast_walk_expr(a, v) == WALK_ABORT)
		return WALK_ABORT;
	return ast_walk_expr(b, v);
}

/* The operand first, then the subscripts of the path. */
static enum walk walk_target(struct ast_expr *e, const struct ast_visitor *v)
{
	if (ast_walk_expr(e->target.operand, v) == WALK_ABORT)
		return WALK_ABORT;
	vec_foreach(step, &e->target.path) {
		if (step->kind == AST_SUBSCRIPT && ast_walk_expr(step->index, v) == WALK_ABORT)
			return WALK_ABORT;
	}
	return WALK_CONTINUE;
}

/*
 * The kind decides which parts there are; a new kind must be added here, in clone.c and in
 * print_expr.c.
 */
static enum walk walk_children(struct ast_expr *e, const struct ast_visitor *v)
{
	switch (e->kind) {
	case AST_EXPR_NUMBER:
	case AST_EXPR_STRING:
	case AST_EXPR_NAME:
	case AST_EXPR_PERF:
	case AST_EXPR_CONST:
	case AST_EXPR_ENUM:
	case AST_EXPR_EMBEDDED:
		return WALK_CONTINUE;
	case AST_EXPR_INDEX:
		return walk_exprs(&e->index.keys, v);
	case AST_EXPR_CALL:
		return walk_exprs(&e->call.args, v);
	case AST_EXPR_UNARY:
		return ast_walk_expr(e->unary.operand, v);
	case AST_EXPR_BINARY:
		return walk_two(e->binary.left, e->binary.right, v);
	case AST_EXPR_MATCH:
		return ast_walk_expr(e->match.left, v);
	case AST_EXPR_TERNARY:
		if (ast_walk_expr(e->ternary.cond, v) == WALK_ABORT)
			return WALK_ABORT;
		return walk_two(e->ternary.yes, e->ternary.no, v);
	case AST_EXPR_ASSIGN:
		return walk_two(e->assign.left, e->assign.right, v);
	case AST_EXPR_INCDEC:
		return ast_walk_expr(e->incdec.operand, v);
	case AST_EXPR_IN:
		return walk_exprs(&e->in.keys, v);
	case AST_EXPR_TARGET:
		return walk_target(e, v);
	case AST_EXPR_DEFINED:
	case AST_EXPR_ENTRY:
	case AST_EXPR_PROBEWRITE:
		return ast_walk_expr(e->defined.operand, v);
	case AST_EXPR_ENUMNAME:
		return ast_walk_expr(e->enumname.value, v);
	case AST_EXPR_DEREF:
		return walk_two(e->deref.size, e->deref.address, v);
	case AST_EXPR_REGISTER:
		return ast_walk_expr(e->reg.number, v);
	case AST_EXPR_EXTRACT:
		return ast_walk_expr(e->extract.stat, v);
	case AST_EXPR_HIST:
		return ast_walk_expr(e->hist.stat, v);
	case AST_EXPR_HIST_BUCKET:
		return walk_two(e->bucket.hist, e->bucket.index, v);
	case AST_EXPR_PRINT:
		return walk_exprs(&e->print.args, v);
	}
	return WALK_CONTINUE;
}

enum walk ast_walk_expr(struct ast_expr *expr, const struct ast_visitor *v)
{
	enum walk next = WALK_CONTINUE;

	if (!expr)
		return WALK_CONTINUE;
	if (v->expr)
		next = v->expr(expr, v->data);
	if (next != WALK_CONTINUE)
		return next == WALK_ABORT ? WALK_ABORT : WALK_CONTINUE;
	return walk_children(expr, v);
}

/* Head before body. Key variables are visited although they are assigned to, not read. */
static enum walk walk_foreach(struct ast_foreach *f, const struct ast_visitor *v)
{
	if (walk_exprs(&f->keys, v) == WALK_ABORT || ast_walk_expr(f->value, v) == WALK_ABORT ||
	    ast_walk_expr(f->hist, v) == WALK_ABORT || walk_exprs(&f->slice, v) == WALK_ABORT ||
	    ast_walk_expr(f->limit, v) == WALK_ABORT)
		return WALK_ABORT;
	return ast_walk_stmt(f->body, v);
}

static enum walk walk_parts(struct ast_stmt *s, const struct ast_visitor *v)
{
	switch (s->kind) {
	case AST_STMT_EMPTY:
	case AST_STMT_NEXT:
	case AST_STMT_BREAK:
	case AST_STMT_CONTINUE:
	case AST_STMT_EMBEDDED:
		return WALK_CONTINUE;
	case AST_STMT_BLOCK:
		for (size_t i = 0; i < s->block.list.n; i++) {
			if (ast_walk_stmt(s->block.list.data[i], v) == WALK_ABORT)
				return WALK_ABORT;
		}
		return WALK_CONTINUE;
	case AST_STMT_EXPR:
	case AST_STMT_RETURN:
	case AST_STMT_DELETE:
		return ast_walk_expr(s->expr.expr, v);
	case AST_STMT_IF: /* ast_walk_stmt() goes on with the other arm */
		if (ast_walk_expr(s->cond.cond, v) == WALK_ABORT)
			return WALK_ABORT;
		return ast_walk_stmt(s->cond.yes, v);
	case AST_STMT_FOR:
		if (walk_two(s->loop.init, s->loop.cond, v) == WALK_ABORT ||
		    ast_walk_expr(s->loop.step, v) == WALK_ABORT)
			return WALK_ABORT;
		return ast_walk_stmt(s->loop.body, v);
	case AST_STMT_FOREACH:
		return walk_foreach(&s->foreach, v);
	case AST_STMT_TRY:
		if (ast_walk_stmt(s->try_.body, v) == WALK_ABORT)
			return WALK_ABORT;
		return ast_walk_stmt(s->try_.handler, v);
	}
	return WALK_CONTINUE;
}

/* A chain of else ifs is gone along, not down: it may be long. */
enum walk ast_walk_stmt(struct ast_stmt *stmt, const struct ast_visitor *v)
{
	enum walk next = WALK_CONTINUE;

	while (stmt) {
		if (v->stmt)
			next = v->stmt(stmt, v->data);
		if (next != WALK_CONTINUE)
			return next == WALK_ABORT ? WALK_ABORT : WALK_CONTINUE;
		if (walk_parts(stmt, v) == WALK_ABORT)
			return WALK_ABORT;
		stmt = stmt->kind == AST_STMT_IF ? stmt->cond.no : NULL;
	}
	return WALK_CONTINUE;
}
