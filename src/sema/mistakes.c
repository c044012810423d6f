/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mistakes that bind and autocast hold back, since they matter only in code that comes to
 * something: a target variable that does not exist, @entry outside of a return probe, a local that
 * is fed with <<<. Each is about a node; after step elide those whose node is still there are
 * reported.
 */
#include "diag/diag.h"
#include "ir/walk.h"
#include "sema/mistakes.h"
#include "sema/pass.h"

void sema_hold(struct sema *s, const struct ir_expr *e, struct diagnostic *d)
{
	if (s->n_trials)
		return;
	d->held = true;
	map_put(&s->mistakes, e, d);
}

void sema_replace(struct sema *s, struct ir_expr *node, const struct ir_expr *from)
{
	struct diagnostic *d = map_get(&s->mistakes, from);

	*node = *from;
	if (d)
		map_put(&s->mistakes, node, d);
}

void sema_release_all(struct sema *s)
{
	map_foreach(it, &s->mistakes)
		((struct diagnostic *)it->value)->held = false;
	map_truncate(&s->mistakes, 0);
	diag_forget_held(s->sink);
}

/* A search of a tree for one of them. */
struct search {
	struct ir_walker walker;
	struct sema *s;
	bool found;
};

static void find(struct ir_walker *w, struct ir_expr **ref)
{
	struct search *search = (struct search *)w;

	search->found = search->found || map_has(&search->s->mistakes, *ref);
	if (!search->found)
		ir_expr_children(w, *ref);
}

bool sema_has_mistake(struct sema *s, struct ir_stmt *stmt)
{
	struct search search = { .walker = { .expr = find }, .s = s };

	if (s->mistakes.n)
		ir_walk_stmt(&search.walker, &stmt);
	return search.found;
}

bool sema_is_mistaken(struct sema *s, struct ir_expr *e)
{
	struct search search = { .walker = { .expr = find }, .s = s };

	if (s->mistakes.n && e)
		ir_walk_expr(&search.walker, &e);
	return search.found;
}

/* ---- optional points ---- */

void sema_leave_out(struct sema *s, const struct ir_probe *p, struct diagnostic *why)
{
	struct sema_left_out left_out = { p->span, why };

	vec_push(s->arena, &s->left_out, left_out);
}

/* What handlers reach, and the first mistake there. */
struct reach {
	struct ir_walker walker;
	const struct sema *s;
	struct map functions;
	struct diagnostic *found;
};

static void reach_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct reach *r = (struct reach *)w;
	struct ir_expr *e = *ref;

	if (!r->found)
		r->found = map_get(&r->s->mistakes, e);
	ir_expr_children(w, e);
	if (e->kind != IR_CALL)
		return;
	for (struct ir_function *f = e->call.callee; f; f = f->next_overload) {
		if (map_has(&r->functions, f))
			continue;
		map_put(&r->functions, f, f);
		ir_walk_stmt(w, &f->body);
	}
}

static struct reach nothing_reached(struct sema *s)
{
	struct reach r = { .walker = { .expr = reach_expr }, .s = s };

	map_init(&r.functions, s->arena);
	return r;
}

/* Functions that only handlers in GONE reach. */
static void drop_functions(struct sema *s, struct reach *gone)
{
	struct reach kept = nothing_reached(s);
	size_t n = 0;

	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&kept.walker, *p);
	vec_foreach(f, &s->program->functions)
		if (map_has(&kept.functions, *f) || !map_has(&gone->functions, *f))
			s->program->functions.data[n++] = *f;
	s->program->functions.n = n;
}

static void drop_optional(struct sema *s)
{
	struct reach gone = nothing_reached(s);
	size_t n = 0;

	vec_foreach(it, &s->program->probes) {
		struct ir_probe *p = *it;
		struct reach r = nothing_reached(s);

		if (p->optional)
			ir_walk_probe(&r.walker, p);
		if (r.found) {
			ir_walk_probe(&gone.walker, p);
			sema_leave_out(s, p, r.found);
		} else {
			s->program->probes.data[n++] = p;
		}
	}
	if (n == s->program->probes.n)
		return;
	s->program->probes.n = n;
	drop_functions(s, &gone);
}

bool sema_is_of_script(const struct sema *s, size_t mark)
{
	static const enum diag_tag tags[] = {
		DIAG_UNRESOLVED_FUNCTION, DIAG_ARITY_MISMATCH,  DIAG_INCONSISTENT_ARITY,
		DIAG_ARRAY_LOCAL,         DIAG_PRINT_ARG_COUNT, DIAG_DELETE_OPERAND,
		DIAG_JUMP_OUTSIDE,        DIAG_GURU_FUNCTION,
	};

	for (size_t i = mark; i < diag_count(s->sink); i++)
		for (size_t tag = 0; tag < sizeof(tags) / sizeof(*tags); tag++)
			if (diag_get(s->sink, i)->tag == tags[tag] && !diag_get(s->sink, i)->held)
				return true;
	return false;
}

static bool is_probed(const struct sema *s, struct span span)
{
	vec_foreach(p, &s->program->probes)
		if ((*p)->span.start == span.start)
			return true;
	return false;
}

/*
 * Of a point of the user's of which nothing is left: once, with its first mistake. One that is an
 * error elsewhere, in a function that others call, is that.
 */
static void tell_left_out(struct sema *s)
{
	struct map told;

	map_init(&told, s->arena);
	vec_foreach(out, &s->left_out) {
		const void *key = (const void *)(uintptr_t)(out->span.start + 1);

		if (!out->why->held || map_has(&told, key) || is_probed(s, out->span))
			continue;
		map_put(&told, key, s);
		out->why->severity = DIAG_WARNING;
		out->why->held = false;
		out->why->outer = NULL;
		diag_add_note(s->sink, out->why, out->span, "the optional probe point is left out");
	}
}

/* ---- at the end of step elide ---- */

static void release(struct ir_walker *w, struct ir_expr **ref)
{
	struct diagnostic *d = map_get(&((struct search *)w)->s->mistakes, *ref);

	if (d)
		d->held = false;
	ir_expr_children(w, *ref);
}

void sema_report_mistakes(struct sema *s)
{
	struct search search = { .walker = { .expr = release }, .s = s };

	if (s->mistakes.n) {
		drop_optional(s);
		vec_foreach(f, &s->program->functions)
			ir_walk_stmt(&search.walker, &(*f)->body);
		vec_foreach(p, &s->program->probes)
			ir_walk_probe(&search.walker, *p);
	}
	tell_left_out(s);
	diag_forget_held(s->sink);
	map_truncate(&s->mistakes, 0);
}
