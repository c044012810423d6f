/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step bind, statements: AST statements to IR, with the loops around break and continue
 * counted. Conditions that are decided at translation time leave one arm only.
 */
#include <assert.h>

#include "sema/bind.h"

static struct ir_stmt *new_stmt(struct bind *b, enum ir_stmt_kind kind, const struct ast_stmt *ast)
{
	struct ir_stmt *s = arena_new(b->s->arena, struct ir_stmt);

	s->kind = kind;
	s->span = ast->span;
	return s;
}

/* A statement where the IR must have one: an empty block stands for nothing. */
static struct ir_stmt *bind_body(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s = ast ? bind_stmt(b, ast) : NULL;

	if (s)
		return s;
	s = arena_new(b->s->arena, struct ir_stmt);
	s->kind = IR_STMT_BLOCK;
	s->span = ast ? ast->span : (struct span){ 0 };
	return s;
}

static struct ir_stmt *bind_loop_body(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s;

	b->loops++;
	s = bind_body(b, ast);
	b->loops--;
	return s;
}

static struct ir_stmt *bind_block(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s = new_stmt(b, IR_STMT_BLOCK, ast);

	vec_foreach(child, &ast->block.list) {
		struct ir_stmt *one = bind_stmt(b, *child);

		if (one)
			vec_push(b->s->arena, &s->block, one);
	}
	return s;
}

static struct ir_stmt *bind_if(struct bind *b, const struct ast_stmt *ast)
{
	struct bind_arms arms = { .stmt = { ast->cond.no, ast->cond.yes } };
	struct ir_stmt *s;
	int64_t value;

	if (bind_static(b, ast->cond.cond, &arms, &value)) {
		const struct ast_stmt *arm = value ? ast->cond.yes : ast->cond.no;

		return arm ? bind_stmt(b, arm) : NULL;
	}
	s = new_stmt(b, IR_STMT_IF, ast);
	s->cond.cond = bind_expr(b, ast->cond.cond);
	s->cond.yes = bind_body(b, ast->cond.yes);
	if (ast->cond.no)
		s->cond.no = bind_body(b, ast->cond.no);
	return s;
}

/* while and for; the step is bound last, as it runs last. */
static struct ir_stmt *bind_loop(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s = new_stmt(b, IR_STMT_LOOP, ast);

	if (ast->loop.init)
		s->loop.init = bind_expr(b, ast->loop.init);
	if (ast->loop.cond)
		s->loop.cond = bind_expr(b, ast->loop.cond);
	s->loop.body = bind_loop_body(b, ast->loop.body);
	if (ast->loop.step)
		s->loop.step = bind_expr(b, ast->loop.step);
	return s;
}

/* A variable of the statement itself, such as a foreach key. */
static struct ir_expr *bind_stored(struct bind *b, const struct ast_expr *name)
{
	struct ir_expr *e = bind_variable(b, name->name.name, name->span);

	bind_mark_assigned(b, e);
	return e;
}

/*
 * Over the buckets of a histogram, in their order. The parser has made a variable for the value a
 * statement of the body.
 */
static struct ir_stmt *bind_foreach_hist(struct bind *b, const struct ast_stmt *ast)
{
	const struct ast_foreach *f = &ast->foreach;
	struct ir_stmt *s = new_stmt(b, IR_STMT_FOREACH_HIST, ast);

	if (f->keys.n != 1 || f->sliced || f->sort_dir)
		diag_report(b->s->sink, DIAG_FOREACH_HIST, ast->span);
	s->foreach_hist.stat = bind_hist_stat(b, f->hist);
	if (f->limit)
		s->foreach_hist.limit = bind_expr(b, f->limit);
	s->foreach_hist.var = bind_stored(b, f->keys.data[0]);
	s->foreach_hist.body = bind_loop_body(b, f->body);
	return s;
}

/* by: 0 not sorted, -1 by value, else the number of the key. */
static struct ir_stmt *bind_foreach(struct bind *b, const struct ast_stmt *ast)
{
	const struct ast_foreach *f = &ast->foreach;
	struct sema_global *g;
	struct ir_stmt *s;

	if (f->hist)
		return bind_foreach_hist(b, ast);
	g = map_has(&b->locals, f->array) ? NULL : bind_global(b, f->array, f->array_span);
	if (!g) {
		sema_report_no_global(b->s, DIAG_ARRAY_LOCAL, f->array_span, f->array);
		return NULL;
	}
	if (!bind_arity(b, g, f->keys.n, f->array_span, f->array))
		return NULL;
	s = new_stmt(b, IR_STMT_FOREACH, ast);
	s->foreach.array = &g->ir;
	s->foreach.array_span = f->array_span;
	if (f->limit)
		s->foreach.limit = bind_expr(b, f->limit);
	if (f->sliced)
		bind_exprs(b, &f->slice, &s->foreach.slice);
	if (f->sliced && f->slice.n != f->keys.n) {
		sema_identifier(b->s,
				diag_report(b->s->sink, DIAG_INCONSISTENT_ARITY, f->array_span,
					    f->keys.n, f->slice.n),
				f->array);
		return NULL;
	}
	for (size_t i = 0; i < f->keys.n; i++)
		s->foreach.keys[i] = bind_stored(b, f->keys.data[i]);
	if (f->value)
		s->foreach.value = bind_stored(b, f->value);
	s->foreach.dir = f->sort_dir;
	s->foreach.by = !f->sort_dir ? 0 : f->sort_key ? f->sort_key : -1;
	if (f->extractor)
		s->foreach.extractor = (enum ir_stat)(1u << (f->extractor - 1));
	s->foreach.body = bind_loop_body(b, f->body);
	return s;
}

/* A wildcard key is NULL in the tree. */
static bool has_wildcard(const struct ast_exprs *keys)
{
	vec_foreach(k, keys)
		if (!*k)
			return true;
	return false;
}

/* `delete a`: the name may be a scalar or a whole array, so it says nothing about the arity */
static struct ir_expr *bind_delete_name(struct bind *b, const struct ast_expr *ast)
{
	struct sema_global *g = map_has(&b->locals, ast->name.name)
					? NULL
					: bind_global(b, ast->name.name, ast->span);
	struct ir_expr *e;

	if (!g && !map_has(&b->locals, ast->name.name)) {
		sema_report_no_global(b->s, DIAG_DELETE_UNKNOWN, ast->span, ast->name.name);
		return bind_poison(b, ast);
	}
	if (!g)
		return bind_stored(b, ast);
	e = bind_new(b, IR_GLOBAL, IR_UNKNOWN, ast);
	e->global = &g->ir;
	return e;
}

/* A name, an element, or the elements that match wildcard keys. */
static struct ir_stmt *bind_delete(struct bind *b, const struct ast_stmt *ast)
{
	const struct ast_expr *what = ast->expr.expr;
	struct ir_stmt *s = new_stmt(b, IR_STMT_DELETE, ast);
	struct sema_global *g;

	if (what->kind == AST_EXPR_NAME) {
		s->del.target = bind_delete_name(b, what);
	} else if (what->kind == AST_EXPR_INDEX && has_wildcard(&what->index.keys)) {
		g = bind_global(b, what->index.name, what->span);
		if (!g) {
			sema_report_no_global(b->s, DIAG_ARRAY_LOCAL, what->span, what->index.name);
			return NULL;
		}
		bind_arity(b, g, what->index.keys.n, what->span, what->index.name);
		s->del.array = &g->ir;
		bind_exprs(b, &what->index.keys, &s->del.wild_keys);
	} else if (what->kind == AST_EXPR_INDEX) {
		s->del.target = bind_expr(b, what);
	} else {
		sema_token(b->s, diag_report(b->s->sink, DIAG_DELETE_OPERAND, what->span),
			   sema_expr_token(b->s, what));
		return NULL;
	}
	return s;
}

/* A function that returns a value anywhere has a type. */
static struct ir_stmt *bind_return(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s = new_stmt(b, IR_STMT_RETURN, ast);

	assert(b->fn); /* the grammar takes return in functions only */
	if (ast->expr.expr) {
		s->expr = bind_expr(b, ast->expr.expr);
		b->fn->returns_value = true;
	}
	return s;
}

/* Outside of loops it is reported, unless it was meant to be in one, and comes to nothing. */
static struct ir_stmt *bind_jump(struct bind *b, enum ir_stmt_kind kind, const struct ast_stmt *ast)
{
	if (b->loops)
		return new_stmt(b, kind, ast);
	if (b->loop_misspelt)
		return NULL;
	sema_token(b->s,
		   diag_report(b->s->sink, DIAG_JUMP_OUTSIDE, ast->span,
			       kind == IR_STMT_BREAK ? "break" : "continue"),
		   "keyword");
	return NULL;
}

/* The variable of catch is a string; step infer sees to that. */
static struct ir_stmt *bind_try(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s = new_stmt(b, IR_STMT_TRY, ast);

	s->try_.body = bind_body(b, ast->try_.body);
	if (ast->try_.var) {
		s->try_.var = bind_variable(b, ast->try_.var, ast->try_.var_span);
		bind_mark_assigned(b, s->try_.var);
	}
	s->try_.handler = bind_body(b, ast->try_.handler);
	return s;
}

static struct ir_stmt *bind_expr_stmt(struct bind *b, const struct ast_stmt *ast)
{
	struct ir_stmt *s = new_stmt(b, IR_STMT_EXPR, ast);

	s->expr = bind_expr(b, ast->expr.expr);
	return s;
}

/* A switch over all kinds: a new one must be thought of here. */
struct ir_stmt *bind_stmt(struct bind *b, const struct ast_stmt *ast)
{
	switch (ast->kind) {
	case AST_STMT_EMPTY:
	case AST_STMT_EMBEDDED: /* only as the body of a C function */
		return NULL;
	case AST_STMT_BLOCK:
		return bind_block(b, ast);
	case AST_STMT_EXPR:
		return bind_expr_stmt(b, ast);
	case AST_STMT_IF:
		return bind_if(b, ast);
	case AST_STMT_FOR:
		return bind_loop(b, ast);
	case AST_STMT_FOREACH:
		return bind_foreach(b, ast);
	case AST_STMT_RETURN:
		return bind_return(b, ast);
	case AST_STMT_NEXT:
		return new_stmt(b, IR_STMT_NEXT, ast);
	case AST_STMT_BREAK:
		return bind_jump(b, IR_STMT_BREAK, ast);
	case AST_STMT_CONTINUE:
		return bind_jump(b, IR_STMT_CONTINUE, ast);
	case AST_STMT_DELETE:
		return bind_delete(b, ast);
	case AST_STMT_TRY:
		return bind_try(b, ast);
	}
	return NULL;
}
