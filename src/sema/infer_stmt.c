/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step infer, statements: what types a statement wants of its expressions, and gives to
 * variables; the rounds; and the values of -G, which wait for the types of their globals.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "sema/infer.h"

/*
 * A loop over an array that nothing fills does nothing, so the types that are open do not matter.
 * They are decided when all others are.
 */
static void infer_empty(struct infer *in, const struct ir_foreach *f)
{
	struct sema_global *g = sema_global(f->array);
	struct span at = f->body->span;

	if (!in->empty || g->filled)
		return;
	for (unsigned i = 0; i < f->array->n_keys; i++)
		infer_meet(in, &f->array->keys[i], &g->keys[i], IR_LONG, at, NULL);
	infer_meet(in, &f->array->type, &g->type, IR_LONG, at, NULL);
}

/* An extractor makes the array one of statistics when nothing else has decided. */
static void infer_foreach(struct infer *in, struct ir_foreach *f)
{
	struct sema_global *g = sema_global(f->array);

	if (f->limit)
		infer_expr(in, f->limit, IR_LONG);
	infer_keys(in, f->array, &f->slice);
	for (unsigned i = 0; i < f->array->n_keys; i++)
		infer_key_variable(in, f->array, i, f->keys[i]);
	if (f->value && f->array->type != IR_STATS) {
		infer_expr(in, f->value, f->array->type);
		infer_meet(in, &f->array->type, &g->type, f->value->type, f->value->span,
			   f->value->token);
	}
	if (f->extractor && f->array->type == IR_UNKNOWN)
		infer_meet(in, &f->array->type, &g->type, IR_STATS, f->body->span, NULL);
	infer_empty(in, f);
	infer_stmt(in, f->body);
}

/* The function's type and the value's meet as variable and value do. */
static void infer_return(struct infer *in, struct ir_stmt *s)
{
	if (!s->expr || !in->fn)
		return;
	infer_expr_for(in, s->expr, in->fn->ir.type, &in->fn->type);
	infer_meet(in, &in->fn->ir.type, &in->fn->type, s->expr->type, s->expr->span,
		   s->expr->token);
}

/* The target tells nothing about the type; wildcard keys stay open. */
static void infer_delete(struct infer *in, struct ir_stmt *s)
{
	if (s->del.target)
		infer_expr(in, s->del.target, IR_UNKNOWN);
	if (s->del.array)
		infer_keys(in, s->del.array, &s->del.wild_keys);
}

/* A chain of else ifs is gone along, not down: it may be long. Returns what stands behind it. */
static struct ir_stmt *infer_ifs(struct infer *in, struct ir_stmt *s)
{
	for (; s && s->kind == IR_STMT_IF; s = s->cond.no) {
		infer_expr(in, s->cond.cond, IR_LONG);
		infer_stmt(in, s->cond.yes);
	}
	return s;
}

/* A switch over all kinds, with the type that each expects. */
void infer_stmt(struct infer *in, struct ir_stmt *s)
{
	switch (s->kind) {
	case IR_STMT_BLOCK:
		for (size_t i = 0; i < s->block.n; i++)
			infer_stmt(in, s->block.data[i]);
		break;
	case IR_STMT_EXPR:
		infer_expr(in, s->expr, IR_UNKNOWN);
		break;
	case IR_STMT_IF:
		s = infer_ifs(in, s);
		if (s)
			infer_stmt(in, s);
		break;
	case IR_STMT_LOOP:
		if (s->loop.init)
			infer_expr(in, s->loop.init, IR_UNKNOWN);
		if (s->loop.cond)
			infer_expr(in, s->loop.cond, IR_LONG);
		if (s->loop.step)
			infer_expr(in, s->loop.step, IR_UNKNOWN);
		infer_stmt(in, s->loop.body);
		break;
	case IR_STMT_FOREACH:
		infer_foreach(in, &s->foreach);
		break;
	case IR_STMT_FOREACH_HIST:
		infer_stat(in, s->foreach_hist.stat);
		if (s->foreach_hist.limit)
			infer_expr(in, s->foreach_hist.limit, IR_LONG);
		infer_expr(in, s->foreach_hist.var, IR_LONG);
		infer_stmt(in, s->foreach_hist.body);
		break;
	case IR_STMT_RETURN:
		infer_return(in, s);
		break;
	case IR_STMT_DELETE:
		infer_delete(in, s);
		break;
	case IR_STMT_TRY:
		infer_stmt(in, s->try_.body);
		if (s->try_.var)
			infer_expr(in, s->try_.var, IR_STRING);
		infer_stmt(in, s->try_.handler);
		break;
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_NEXT:
		break;
	}
}

/* Overloads tried one after the other share one signature. */
static void infer_chain(struct infer *in, struct sema_function *f)
{
	struct sema_function *next =
		f->ir.next_overload ? sema_function(f->ir.next_overload) : NULL;
	bool fits;

	if (!next || !next->queued)
		return;
	fits = infer_meet(in, &f->ir.type, &f->type, next->ir.type, next->type.span,
			  next->type.token);
	infer_meet(in, &next->ir.type, &next->type, f->ir.type, f->type.span, f->type.token);
	next->returns_value |= f->returns_value;
	f->returns_value |= next->returns_value;
	for (size_t i = 0; i < f->ir.params.n; i++) {
		struct sema_local *a = sema_local(f->ir.params.data[i]),
				  *b = sema_local(next->ir.params.data[i]);

		fits &= infer_meet(in, &a->ir.type, &a->type, b->ir.type, b->type.span,
				   b->type.token);
		infer_meet(in, &b->ir.type, &b->type, a->ir.type, a->type.span, a->type.token);
	}
	if (!fits && in->report) {
		struct diagnostic *d = diag_report(in->s->sink, DIAG_OVERLOAD_SIGNATURE,
						   next->ir.span, next->ir.name->text);

		diag_set_second(in->s->sink, sema_identifier(in->s, d, next->ir.name), f->ir.span,
				sema_name_token(in->s, f->ir.name));
	}
}

/* Over the whole program, in a fixed order, so that the first decision is the same every time. */
static void one_round(struct infer *in)
{
	in->changed = false;
	vec_foreach(f, &in->s->program->functions) {
		in->fn = sema_function(*f);
		infer_chain(in, in->fn);
		if ((*f)->body)
			infer_stmt(in, (*f)->body);
	}
	in->fn = NULL;
	vec_foreach(p, &in->s->program->probes) {
		if ((*p)->condition)
			infer_expr(in, (*p)->condition, IR_LONG);
		for (size_t i = 0; i < (*p)->saved.n; i++)
			infer_expr(in, (*p)->saved.data[i], IR_UNKNOWN);
		infer_stmt(in, (*p)->body);
	}
}

/* ---- -G NAME=VALUE ---- */

/* The whole text as a number in C notation, 64 bits wide with or without sign. */
static bool parse_long(const char *text, int64_t *ret)
{
	char *end;

	errno = 0;
	*ret = *text == '-' ? (int64_t)strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
	return *text && !*end && !errno;
}

/* The script has no global of the name; near ones are listed. */
static const char *no_such_global(struct sema *s, const struct istr *name)
{
	VEC(const char *) names = { 0 };
	const char *near[5];
	size_t n;

	map_foreach(e, &s->globals) {
		const struct sema_global *g = e->value;

		if (g->ir.user_script && !g->ir.is_array && g->ir.type != IR_STATS)
			vec_push(s->arena, &names, g->ir.name->text);
	}
	n = similar_names(name->text, names.data, names.n, near, 5);
	return arena_printf(s->arena, "the script has no global '%s'%s%s%s", name->text,
			    n ? " (similar: " : "", n ? similar_join(s->arena, near, n) : "",
			    n ? ")" : "");
}

/* Why -G cannot give G a value; NULL: it can. */
static const char *why_not_set(struct sema *s, const struct sema_global *g, const struct istr *name)
{
	if (!g)
		return no_such_global(s, name);
	if (g->ir.type == IR_STATS)
		return arena_printf(s->arena, "'%s' is a statistic, expected a scalar", name->text);
	if (g->ir.is_array)
		return arena_printf(s->arena, "'%s' is an array, expected a scalar", name->text);
	return NULL;
}

/* -G NAME=VALUE: only public scalars, and only values of their type. */
static void set_global(struct sema *s, const char *setting)
{
	size_t n = strcspn(setting, "=");
	const char *text = setting + n + (setting[n] == '='), *why;
	const struct istr *name = intern_n(s->in, setting, n);
	struct sema_global *g = map_get(&s->globals, name);
	int64_t value = 0;
	bool is_long = parse_long(text, &value);

	why = why_not_set(s, g, name);
	if (!why && g->ir.type == IR_LONG && !is_long)
		why = arena_printf(s->arena, "expected a number of 64 bits for '%s', found '%s'",
				   name->text, text);
	if (why) {
		diag_report(s->sink, DIAG_SET_GLOBAL, (struct span){ 0 }, setting, why);
		return;
	}
	if (g->ir.type == IR_UNKNOWN)
		g->ir.type = is_long ? IR_LONG : IR_STRING;
	g->ir.has_init = true;
	if (g->ir.type == IR_STRING)
		g->ir.init_string = intern(s->in, text);
	else
		g->ir.init_long = value;
}

/*
 * Terminates: a round that decided something gave a symbol its type, and symbols are finitely many.
 */
static void rounds(struct infer *in)
{
	do
		one_round(in);
	while (in->changed);
}

void sema_infer(struct sema *s)
{
	struct infer in = { .s = s };

	map_init(&in.reported, s->arena);
	rounds(&in);
	for (size_t i = 0; i < s->input->options.n_set; i++)
		set_global(s, s->input->options.set_globals[i]);
	rounds(&in); /* a value is the type of what has no other */
	sema_uses(s);
	in.empty = true;
	rounds(&in);
	in.report = true;
	one_round(&in);
}
