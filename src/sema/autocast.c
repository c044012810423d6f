/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step autocast: which locals, scalar globals and functions carry a typed pointer, and through it
 * the accesses bind left open. Requires bound bodies; ensures that every IR_FETCH has its program.
 * Each round decides at least one type or access.
 */
#include "ir/walk.h"
#include "sema/bind.h"
#include "sema/mistakes.h"
#include "target/types.h"

/* State of the rounds; fn is the function whose body is walked, for its returns. */
struct autocast {
	struct ir_walker walker;
	struct sema *s;
	struct sema_function *fn;
	bool changed;
};

/*
 * The pointer type that E carries as far as is known, or NULL. In a ternary, a constant such as
 * 0 goes with either type.
 */
static const struct target_type *type_of(const struct ir_expr *e)
{
	const struct target_type *yes, *no;

	switch (e->kind) {
	case IR_LOCAL:
		return sema_local(e->local)->pointer_conflict ? NULL : e->local->pointer_type;
	case IR_GLOBAL:
		return sema_global(e->global)->pointer_conflict ? NULL : e->global->pointer_type;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return sema_function(e->call.callee)->pointer_conflict
			       ? NULL
			       : e->call.callee->return_type;
	case IR_ASSIGN:
		return e->assign.op == IR_OP_NONE ? type_of(e->assign.value) : NULL;
	case IR_TERNARY:
		yes = type_of(e->ternary.yes);
		no = type_of(e->ternary.no);
		if (!yes || !no)
			return yes && e->ternary.no->kind == IR_NUMBER   ? yes
			       : no && e->ternary.yes->kind == IR_NUMBER ? no
									 : NULL;
		return target_type_same(yes, no) ? yes : NULL;
	default: /* others give no typed pointer, or know their type already */
		break;
	}
	return e->ttype;
}

/* Join a type with the one known so far; with two different ones it stays unknown. */
static void join(struct autocast *a, const struct target_type **known, bool *conflict,
		 const struct target_type *type)
{
	if (!type || *conflict)
		return;
	if (!*known) {
		*known = type;
		a->changed = true;
	} else if (*known != type && !target_type_same(*known, type)) {
		*conflict = true;
		a->changed = true;
	}
}

/* Assignments hand types on; a global that holds pointers is displayed in hexadecimal. */
static void visit_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct autocast *a = (struct autocast *)w;
	struct ir_expr *e = *ref, *lvalue;

	ir_expr_children(w, e);
	if (e->kind != IR_ASSIGN || e->assign.op != IR_OP_NONE)
		return;
	lvalue = e->assign.lvalue;
	if (lvalue->kind == IR_LOCAL)
		join(a, &lvalue->local->pointer_type, &sema_local(lvalue->local)->pointer_conflict,
		     type_of(e->assign.value));
	else if (lvalue->kind == IR_GLOBAL || lvalue->kind == IR_ELEMENT) {
		struct ir_global *g =
			lvalue->kind == IR_GLOBAL ? lvalue->global : lvalue->element.array;

		join(a, &g->pointer_type, &sema_global(g)->pointer_conflict,
		     type_of(e->assign.value));
		g->display_hex = g->pointer_type != NULL;
	}
}

/* A return hands its type to the function. */
static void visit_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct autocast *a = (struct autocast *)w;

	ir_stmt_children(w, *ref);
	if ((*ref)->kind == IR_STMT_RETURN && (*ref)->expr && a->fn)
		join(a, &a->fn->ir.return_type, &a->fn->pointer_conflict, type_of((*ref)->expr));
}

/*
 * One walk over the whole program: types of values go to the variables and functions that take
 * them.
 */
static void spread(struct autocast *a)
{
	vec_foreach(f, &a->s->program->functions) {
		a->fn = sema_function(*f);
		ir_walk_stmt(&a->walker, &(*f)->body);
	}
	a->fn = NULL;
	vec_foreach(p, &a->s->program->probes)
		ir_walk_probe(&a->walker, *p);
}

/* The node whose type an open access waits for. */
static const struct ir_expr *pointer_of(const struct sema_pending *p)
{
	return p->ast->target.pretty ? p->expr->print.args.data[0]
				     : p->expr->fetch.operands.data[0];
}

/* The path again: operands are bound already, operand 0 is the pointer. */
static void path_of(struct sema *s, const struct ast_expr *ast, struct target_query *q)
{
	struct target_access *path =
		arena_new_array(s->arena, struct target_access, ast->target.path.n + 1);
	int operand = 1;

	for (size_t i = 0; i < ast->target.path.n; i++) {
		const struct ast_access *a = &ast->target.path.data[i];

		path[i].operand = -1;
		if (a->kind == AST_MEMBER)
			path[i].member = a->member->text;
		else if (a->index->kind == AST_EXPR_NUMBER)
			path[i].literal = a->index->number.value;
		else
			path[i].operand = operand++;
	}
	q->path = path;
	q->n_path = ast->target.path.n;
	q->address_of = ast->target.address_of;
}

/*
 * Fills the print node that bind left open. With --skip-badvars, what cannot be read is no
 * print but a text, which takes its place.
 */
static void resolve_pretty(struct sema_pending *p, struct bind *b, struct target_query *q)
{
	struct sema *s = b->s;
	struct ir_expr *e = bind_pretty(b, p->ast, q, &p->expr->print.args);
	struct sema_print *print = map_get(&s->prints, p->expr);

	if (e->kind != IR_PRINT) {
		sema_replace(s, p->expr, e);
		return;
	}
	print->text = ((const struct sema_print *)map_get(&s->prints, e))->text;
	p->expr->print.args = e->print.args;
	p->expr->print.otherwise = e->print.otherwise;
}

/*
 * Resolves an open access by the type of its pointer. It is done with afterwards, whatever came
 * of it.
 */
static void resolve_access(struct autocast *a, struct sema_pending *p,
			   const struct target_type *type)
{
	struct sema *s = a->s;
	struct target_query q = { .base = TARGET_CAST, .type = type };
	struct sema_context cx = { .scope = p->scope, .entry_scope = p->scope, .probe = p->probe };
	struct bind b = { .s = s, .file = p->file, .cx = p->probe ? &cx : NULL };
	struct ir_varying *varying;
	struct target_value v;

	path_of(s, p->ast, &q);
	if (p->ast->target.pretty) {
		resolve_pretty(p, &b, &q);
		p->expr = NULL;
		a->changed = true;
		return;
	}
	v = context_resolve(s, &cx, &q, false, &varying);
	if (v.status != TARGET_OK && p->write) {
		sema_token(s, diag_report_text(s->sink, v.tag, p->ast->span, v.message),
			   p->expr->token);
	} else if (v.status != TARGET_OK) {
		sema_replace(s, p->expr, bind_unresolved(&b, p->ast, &v));
	} else {
		p->expr->fetch.load = v.load;
		p->expr->fetch.address = v.address;
		p->expr->fetch.size = v.size;
		p->expr->fetch.field = v.field;
		p->expr->fetch.is_signed = v.is_signed;
		p->expr->fetch.type = v.type;
		p->expr->ttype = context_pointer(v.type);
		if (v.full_regs && p->probe)
			p->probe->full_regs = true;
		if (p->write)
			bind_check_write(s, p->ast, p->expr);
	}
	p->expr = NULL;
	a->changed = true;
}

/* a[1] of a local that holds no pointer was meant to be an array */
static void report_open(struct sema *s, const struct sema_pending *p)
{
	const struct ir_expr *operand = pointer_of(p);
	struct diagnostic *d;

	if (operand->kind == IR_LOCAL && p->ast->target.path.n &&
	    p->ast->target.path.data[0].kind == AST_SUBSCRIPT)
		d = sema_token(s, diag_report(s->sink, DIAG_ARRAY_LOCAL, operand->span),
			       operand->token);
	else
		d = sema_token(s, diag_report(s->sink, DIAG_AUTOCAST_TYPE, p->ast->span),
			       p->expr->token);
	if (d->tag == DIAG_ARRAY_LOCAL && operand->local->assigned)
		diag_set_hint(
			s->sink, d,
			"an array is a global: global NAME; a character of a text is substr(%s, i, 1)",
			operand->local->name->text);
	else if (d->tag == DIAG_AUTOCAST_TYPE && operand->kind == IR_LOCAL &&
		 !operand->local->assigned)
		diag_set_hint(s->sink, d,
			      "variables of what is probed are written $NAME; stap -L lists them");
	if (operand->kind == IR_ELEMENT && bind_is_nested_index(p->ast))
		diag_set_hint(s->sink, d, "%s", bind_nested_index_hint);
	sema_hold(s, p->expr, d);
}

/* Without a kernel to look into nothing can be resolved: all that is open is reported. */
void sema_autocast(struct sema *s)
{
	struct autocast a = { .walker = { visit_expr, visit_stmt }, .s = s };

	if (!s->input->env || !s->input->env->target)
		goto rest;
	do {
		a.changed = false;
		spread(&a);
		vec_foreach(p, &s->pending) {
			const struct target_type *type = p->expr ? type_of(pointer_of(p)) : NULL;

			if (type)
				resolve_access(&a, p, type);
		}
	} while (a.changed);
rest:
	vec_foreach(p, &s->pending)
		if (p->expr)
			report_open(s, p);
}
