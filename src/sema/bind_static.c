/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is decided at translation time: @defined, @probewrite, and the conditions made of them. */
#include "ast/tree.h"
#include "sema/bind.h"
#include "sema/trial.h"

/* Can the one of the two that is given be bound? */
static bool resolves(struct bind *b, const struct ast_expr *e, const struct ast_stmt *stmt)
{
	struct sema_trial trial;
	bool found;

	sema_trial_begin(b, &trial);
	if (e)
		bind_expr(b, e);
	else
		bind_stmt(b, stmt);
	found = !sema_trial_failed(b, &trial);
	sema_trial_undo(b, &trial);
	return found;
}

struct ir_expr *bind_defined(struct bind *b, const struct ast_expr *ast)
{
	return bind_number(b, resolves(b, ast->defined.operand, NULL), ast);
}

/* Looks for what gives a name a value; an element of an array counts for the array. */
struct write_search {
	const struct istr *name;
	bool found;
};

static enum walk note_write(struct write_search *w, const struct ast_expr *target)
{
	if (target)
		w->found |= (target->kind == AST_EXPR_NAME && target->name.name == w->name) ||
			    (target->kind == AST_EXPR_INDEX && target->index.name == w->name);
	return w->found ? WALK_ABORT : WALK_CONTINUE;
}

static enum walk look_for_write(struct ast_expr *e, void *data)
{
	return note_write(data, e->kind == AST_EXPR_ASSIGN   ? e->assign.left
				: e->kind == AST_EXPR_INCDEC ? e->incdec.operand
							     : NULL);
}

/* The variables of a foreach and of a catch. */
static enum walk look_for_taker(struct ast_stmt *stmt, void *data)
{
	struct write_search *w = data;

	if (stmt->kind == AST_STMT_TRY)
		w->found |= stmt->try_.var == w->name;
	if (stmt->kind != AST_STMT_FOREACH)
		return WALK_CONTINUE;
	vec_foreach(k, &stmt->foreach.keys)
		note_write(w, *k);
	return note_write(w, stmt->foreach.value);
}

/* Does the code behind this alias store to that variable? */
struct ir_expr *bind_probewrite(struct bind *b, const struct ast_expr *ast)
{
	struct write_search w = { 0 };
	struct ast_visitor v = { .expr = look_for_write, .stmt = look_for_taker, .data = &w };

	if (!b->body || !b->body->alias) {
		sema_token(b->s, diag_report(b->s->sink, DIAG_PROBEWRITE_OUTSIDE, ast->span),
			   "operator '@probewrite'");
		return bind_poison(b, ast);
	}
	if (ast->defined.operand->kind == AST_EXPR_NAME) {
		w.name = ast->defined.operand->name.name;
		for (size_t i = 0; i < b->body->n_behind; i++)
			ast_walk_stmt((struct ast_stmt *)b->body->behind[i].body, &v);
	}
	return bind_number(b, w.found, ast);
}

/*
 * The value of ast when it is known now; *asked becomes true when @defined or @probewrite had a
 * say.
 */
static bool decide(struct bind *b, const struct ast_expr *ast, int64_t *value, bool *asked)
{
	int64_t left, right;

	switch (ast->kind) {
	case AST_EXPR_NUMBER:
		*value = ast->number.value;
		return true;
	case AST_EXPR_DEFINED:
		*value = bind_defined(b, ast)->number;
		return *asked = true;
	case AST_EXPR_PROBEWRITE:
		*value = bind_probewrite(b, ast)->number;
		return *asked = true;
	case AST_EXPR_UNARY:
		if (ast->unary.op != AST_OP_NOT || !decide(b, ast->unary.operand, &left, asked))
			return false;
		*value = !left;
		return true;
	case AST_EXPR_BINARY:
		if (ast->binary.op != AST_OP_LOGAND && ast->binary.op != AST_OP_LOGOR)
			return false;
		if (!decide(b, ast->binary.left, &left, asked))
			return false;
		*value = left != 0;
		if ((left != 0) == (ast->binary.op == AST_OP_LOGOR))
			return true;
		if (!decide(b, ast->binary.right, &right, asked))
			return false;
		*value = right != 0;
		return true;
	default: /* not known before the script runs */
		break;
	}
	return false;
}

/*
 * The literals decide the arm as they would at run time, but only an arm that cannot be bound
 * is left out for them alone.
 */
bool bind_static(struct bind *b, const struct ast_expr *ast, const struct bind_arms *arms,
		 int64_t *value)
{
	const struct ast_stmt *stmt;
	const struct ast_expr *e;
	bool asked = false;

	if (!decide(b, ast, value, &asked))
		return false;
	stmt = arms->stmt[!*value];
	e = arms->expr[!*value];
	return asked || ((stmt || e) && !resolves(b, e, stmt));
}
