/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of the point itself (struct probe_variable): $value of procfs, $arg1 of a mark. One
 * with a fetch program is an IR_FETCH like a variable of a scope; one that builtins serve is a call
 * of them, to read it and to store to it.
 */
#include <string.h>

#include "sema/bind.h"

/* ---- reading ---- */

/*
 * By its type's name, when there is a kernel to look into; then what it points to can be followed.
 */
static const struct target_type *pointer_type(struct bind *b, const struct probe_variable *own)
{
	struct target_query q = { .base = TARGET_CAST, .name = own->ctype };
	struct target_value v;

	if (!strchr(own->ctype, '*') || !context_scope(b->s, b->cx))
		return NULL;
	v = context_ask(b->s, NULL, context_scope(b->s, b->cx), &q);
	return v.status == TARGET_OK ? context_pointer(v.type) : NULL;
}

/* A call of the builtin NAME with ARG, or with nothing when it is NULL. */
static struct ir_expr *call(struct bind *b, const struct ast_expr *ast, const char *name,
			    struct ir_expr *arg)
{
	struct ir_exprs args = { 0 };
	struct ir_expr *e;

	if (arg)
		vec_push(b->s->arena, &args, arg);
	e = bind_call(b, intern(b->s->in, name), &args, ast);
	e->token = bind_variable_token(b, ast);
	return e;
}

/* In a trial, which asks whether it is there, one that can only be stored to has a value. */
static struct ir_expr *served(struct bind *b, const struct ast_expr *ast,
			      const struct probe_variable *own)
{
	if (own->get)
		return call(b, ast, own->get, NULL);
	if (b->quiet && !own->problem)
		return bind_poison(b, ast);
	if (!own->problem)
		return bind_failed(b, ast, DIAG_STORE_ONLY, own->name);
	return bind_failed(b, ast, DIAG_UNREADABLE, arena_printf(b->s->arena, "$%s", own->name),
			   own->problem);
}

struct ir_expr *bind_own_value(struct bind *b, const struct ast_expr *ast,
			       const struct probe_variable *own)
{
	struct target_query q = { .base = TARGET_LOCAL, .name = ast->target.name->text };
	struct ir_varying *varying;
	struct target_value v;
	struct ir_expr *e;

	context_note_own(b->s, b->cx, own);
	if (own->load.n) {
		v = context_resolve(b->s, b->cx, &q, true, &varying);
		e = bind_fetch(b, ast, &v, &(struct ir_exprs){ 0 }, varying);
	} else {
		e = served(b, ast, own);
	}
	e->ttype = pointer_type(b, own);
	return e;
}

/* ---- storing ---- */

/* The row of a plain $x that a builtin stores to; NULL: AST is something else. */
static const struct probe_variable *stored_by_call(struct bind *b, const struct ast_expr *ast)
{
	const struct probe_variable *own;

	if (ast->kind != AST_EXPR_TARGET || ast->target.base != AST_TARGET_VAR ||
	    ast->target.path.n || ast->target.pretty || ast->target.address_of)
		return NULL;
	own = b->cx ? context_own(b->cx->point, ast->target.name->text) : NULL;
	return own && own->set ? own : NULL;
}

/* What may not be stored to without -g; reported. */
static bool refused(struct bind *b, const struct ast_expr *ast, const struct probe_variable *own)
{
	if (!own->guru || b->file->library || b->s->input->options.guru)
		return false;
	sema_token(b->s, diag_report(b->s->sink, DIAG_WRITE_TARGET, ast->span),
		   sema_expr_token(b->s, ast));
	return true;
}

/* The value before, OP, and RIGHT. */
static struct ir_expr *changed(struct bind *b, const struct ast_expr *ast,
			       const struct ast_expr *variable, const struct probe_variable *own,
			       enum ir_op op, struct ir_expr *right)
{
	bool text = op == IR_OP_CONCAT;
	struct ir_expr *e =
		bind_new(b, text ? IR_CONCAT : IR_BINARY, text ? IR_STRING : IR_LONG, ast);

	e->binary.op = op;
	e->binary.left = bind_own_value(b, variable, own);
	e->binary.right = right;
	return e;
}

bool bind_own_assign(struct bind *b, const struct ast_expr *ast, enum ir_op op,
		     struct ir_expr **ret)
{
	const struct ast_expr *left = ast->assign.left;
	const struct probe_variable *own = stored_by_call(b, left);
	struct ir_expr *value;

	if (!own)
		return false;
	context_note_own(b->s, b->cx, own);
	value = bind_expr(b, ast->assign.right);
	if (refused(b, left, own))
		*ret = bind_poison(b, ast);
	else if (op == IR_OP_CONCAT && own->append)
		*ret = call(b, left, own->append, value);
	else if (op != IR_OP_NONE)
		*ret = call(b, left, own->set, changed(b, ast, left, own, op, value));
	else
		*ret = call(b, left, own->set, value);
	return true;
}

/* x++ is what was stored, less what was added. */
bool bind_own_incdec(struct bind *b, const struct ast_expr *ast, struct ir_expr **ret)
{
	const struct ast_expr *variable = ast->incdec.operand;
	const struct probe_variable *own = stored_by_call(b, variable);
	enum ir_op op = ast->incdec.op == AST_OP_INC ? IR_OP_ADD : IR_OP_SUB;
	struct ir_expr *e;

	if (!own)
		return false;
	*ret = bind_poison(b, ast);
	if (refused(b, variable, own))
		return true;
	*ret = call(b, variable, own->set,
		    changed(b, ast, variable, own, op, bind_number(b, 1, ast)));
	if (ast->incdec.prefix)
		return true;
	e = bind_new(b, IR_BINARY, IR_LONG, ast);
	e->binary.op = op == IR_OP_ADD ? IR_OP_SUB : IR_OP_ADD;
	e->binary.left = *ret;
	e->binary.right = bind_number(b, 1, ast);
	*ret = e;
	return true;
}
