/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Part of step merge: functions of one user script that are the same but for their names become
 * one, the first of them. They are the same when they have the same parameters and locals and their
 * dumps agree. Those that follow from it are found in another round, so g1() and g2() are one when
 * f1() and f2(), which they call, are.
 *
 * Left alone are embedded C, functions that see a probe's variables, and what belongs to a chain of
 * overloads.
 */
#include "base/strbuf.h"
#include "ir/dump_code.h"
#include "ir/walk.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* A walk over one function, for what a dump does not tell apart. */
struct scan {
	struct ir_walker walker;
	struct strbuf *text;
	bool is_own; /* something in it is bound to this function */
};

static void look_at(struct ir_walker *w, struct ir_expr **ref)
{
	struct scan *sc = (struct scan *)w;
	const struct ir_expr *e = *ref;

	if (e->kind == IR_FETCH || e->kind == IR_EMBEDDED || e->kind == IR_POINT_TEXT ||
	    e->kind == IR_SAVED)
		sc->is_own = true;
	if (e->kind == IR_CALL)
		strbuf_addf(sc->text, " %p", (void *)e->call.callee);
	ir_expr_children(w, *ref);
}

static void add_locals(struct ir_local *const *locals, size_t n, struct strbuf *text)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(text, " %s:%d", locals[i]->name->text, locals[i]->type);
	strbuf_addc(text, ';');
}

/* The text that equal functions have in common; NULL: F stays as it is. */
static const struct istr *key_of(struct sema *s, struct ir_function *f)
{
	const struct sema_function *known = sema_function(f);
	const struct istr *key = NULL;
	struct strbuf text;
	struct scan sc = { .walker.expr = look_at, .text = &text };

	if (!f->user_script || !f->body || f->uses_next || f->next_overload || known->specialised)
		return NULL;
	strbuf_init(&text);
	strbuf_addf(&text, "%p %d", (const void *)known->file, f->type);
	add_locals(f->params.data, f->params.n, &text);
	add_locals(f->locals.data, f->locals.n, &text);
	ir_walk_stmt(&sc.walker, &f->body);
	if (!sc.is_own) {
		ir_dump_stmt(f->body, 0, &text);
		key = intern_n(s->in, strbuf_cstr(&text), text.len);
	}
	strbuf_deinit(&text);
	return key;
}

/* A walk that has calls go to the functions that stayed. */
struct redirect {
	struct ir_walker walker;
	const struct map *merged; /* ir_function -> the one that stays */
};

static void redirect(struct ir_walker *w, struct ir_expr **ref)
{
	struct ir_function *stays;

	if ((*ref)->kind == IR_CALL) {
		stays = map_get(((struct redirect *)w)->merged, (*ref)->call.callee);
		if (stays)
			(*ref)->call.callee = stays;
	}
	ir_expr_children(w, *ref);
}

/* Functions to which some overload hands its calls: they are known by more than their calls. */
static void find_successors(struct sema *s, struct map *ret)
{
	vec_foreach(f, &s->program->functions)
		if ((*f)->next_overload)
			map_put(ret, (*f)->next_overload, *f);
}

/* Takes the functions that are like an earlier one out of the list; false: there was none. */
static bool one_round(struct sema *s, const struct map *successors)
{
	__typeof__(s->program->functions) old = s->program->functions;
	struct redirect r = { .walker.expr = redirect };
	struct map merged, first;
	size_t n = 0;

	map_init(&merged, s->arena);
	map_init(&first, s->arena);
	r.merged = &merged;
	for (size_t i = 0; i < old.n; i++) {
		struct ir_function *f = old.data[i], *stays;
		const struct istr *key = map_has(successors, f) ? NULL : key_of(s, f);

		stays = key ? map_get(&first, key) : NULL;
		if (stays) {
			map_put(&merged, f, stays);
			continue;
		}
		if (key)
			map_put(&first, key, f);
		s->program->functions.data[n++] = f;
	}
	if (n == old.n)
		return false;
	s->program->functions.n = n;
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&r.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&r.walker, *p);
	return true;
}

/* Each round but the last takes a function away. */
void sema_merge_functions(struct sema *s)
{
	struct map successors;

	if (s->input->options.unoptimised)
		return;
	map_init(&successors, s->arena);
	find_successors(s, &successors);
	while (one_round(s, &successors))
		;
}
