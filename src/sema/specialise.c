/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that need to know the probe they are called from. One that uses $variables has a copy
 * for each handler that calls it. One whose types, globals and enumerators are of no module that
 * it names has a copy for each object in which handlers that call it stand, but for the kernel.
 */
#include "ast/tree.h"
#include "sema/context.h"
#include "sema/symbols.h"
#include "target/variables.h"

/* Goes through a body and what it calls. */
struct context_search {
	struct sema *s;
	const struct ast_file *file;
	enum sema_context_use use;
};

/* Of the expression itself. */
static enum sema_context_use use_of(struct context_search *c, const struct ast_expr *e)
{
	const struct sema_function *any;
	struct sema_function *f;

	switch (e->kind) {
	case AST_EXPR_ENTRY:
		return SEMA_CONTEXT_VARIABLES;
	case AST_EXPR_TARGET:
		if (e->target.base == AST_TARGET_VAR || e->target.base == AST_TARGET_ERRNO)
			return SEMA_CONTEXT_VARIABLES;
		return e->target.base == AST_TARGET_AUTO || e->target.module ? SEMA_CONTEXT_NONE
									     : SEMA_CONTEXT_TYPES;
	case AST_EXPR_ENUM:
		return SEMA_CONTEXT_TYPES;
	case AST_EXPR_ENUMNAME:
		return e->enumname.type && !e->enumname.module ? SEMA_CONTEXT_TYPES
							       : SEMA_CONTEXT_NONE;
	case AST_EXPR_CALL:
		f = sema_find_function(c->s, c->file, e->call.name, e->call.args.n, &any);
		return f ? sema_uses_context(c->s, f) : SEMA_CONTEXT_NONE;
	default:
		return SEMA_CONTEXT_NONE;
	}
}

static void join(struct context_search *c, enum sema_context_use use)
{
	if (use > c->use)
		c->use = use;
}

static enum walk look_at(struct ast_expr *e, void *data)
{
	struct context_search *c = data;

	join(c, use_of(c, e));
	return c->use == SEMA_CONTEXT_VARIABLES ? WALK_ABORT : WALK_CONTINUE;
}

enum sema_context_use sema_uses_context(struct sema *s, struct sema_function *f)
{
	struct context_search c = { .s = s, .file = f->file };
	struct ast_visitor v = { .expr = look_at, .data = &c };

	if (f->context != SEMA_CONTEXT_UNKNOWN)
		return f->context;
	f->context = SEMA_CONTEXT_NONE; /* recursion adds nothing */
	if (f->ast->body && f->ast->body->kind != AST_STMT_EMBEDDED)
		ast_walk_stmt(f->ast->body, &v);
	if (c.use < SEMA_CONTEXT_VARIABLES && f->ir.next_overload)
		join(&c, sema_uses_context(s, sema_function(f->ir.next_overload)));
	f->context = c.use;
	return c.use;
}

/* The context of functions called where CX stands that use types only; NULL: the kernel's. */
static struct sema_context *types_of(struct sema *s, struct sema_context *cx)
{
	struct context_object in = context_object(s, cx);
	struct sema_context *types;

	if (!in.object)
		return NULL;
	vec_foreach(old, &s->types_contexts)
		if ((*old)->object.object == in.object && (*old)->object.is_here == in.is_here)
			return *old;
	types = arena_new(s->arena, struct sema_context);
	types->scope = types->entry_scope = target_scope_file(in.object, in.is_here);
	types->object = in;
	types->point = cx->point;
	types->probe = cx->probe;
	sema_before_change(s, &s->types_contexts, sizeof(s->types_contexts));
	vec_push(s->arena, &s->types_contexts, types);
	return types;
}

bool sema_has_copies(const struct sema *s, const struct sema_function *f)
{
	vec_foreach(cx, &s->types_contexts)
		vec_foreach(copy, &(*cx)->specialised)
			if ((*copy)->ast == f->ast)
				return true;
	return false;
}

/*
 * The copy of F for a context, made once. Copies have parameters, locals and a body of their
 * own.
 */
static struct sema_function *specialised_one(struct sema *s, const struct sema_function *f,
					     struct sema_context *cx)
{
	struct sema_function *copy;

	vec_foreach(old, &cx->specialised)
		if ((*old)->ast == f->ast)
			return *old;
	copy = sema_new_function(s, f->file, f->ast);
	copy->order = f->order;
	copy->context = f->context;
	copy->specialised = cx;
	sema_before_change(s, &cx->specialised, sizeof(cx->specialised));
	vec_push(s->arena, &cx->specialised, copy);
	return copy;
}

/* All of the chain is copied, since `next` may lead to any of it. */
struct sema_function *sema_specialise(struct sema *s, struct sema_function *first,
				      struct sema_context *cx)
{
	enum sema_context_use use = cx ? sema_uses_context(s, first) : SEMA_CONTEXT_NONE;
	struct sema_function *copy;

	if (use == SEMA_CONTEXT_TYPES)
		cx = types_of(s, cx);
	if (use == SEMA_CONTEXT_NONE || !cx)
		return first;
	copy = specialised_one(s, first, cx);
	for (struct sema_function *f = first, *c = copy; f->ir.next_overload;
	     c = sema_function(c->ir.next_overload)) {
		f = sema_function(f->ir.next_overload);
		c->ir.next_overload = &specialised_one(s, f, cx)->ir;
	}
	return copy;
}
