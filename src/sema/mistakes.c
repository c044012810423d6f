/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mistakes that bind and autocast hold back, since they matter only in code that comes to
 * something: a target variable that does not exist, @entry outside of a return probe, a local that
 * is fed with <<<. Each is about a node; after step elide those whose node is still there are
 * reported.
 */
#include "ir/walk.h"
#include "sema/mistakes.h"
#include "sema/pass.h"

/* A walk that looks for the nodes of mistakes. */
struct search {
	struct ir_walker walker;
	struct map mistakes; /* ir_expr -> struct diagnostic */
};

void sema_hold(struct sema *s, const struct ir_expr *e, struct diagnostic *d)
{
	struct sema_mistake mistake = { e, d };

	if (s->n_trials || s->hasty)
		return;
	d->held = true;
	vec_push(s->arena, &s->mistakes, mistake);
}

void sema_replace(struct sema *s, struct ir_expr *node, const struct ir_expr *from)
{
	*node = *from;
	vec_foreach(m, &s->mistakes)
		if (m->expr == from)
			m->expr = node;
}

void sema_release_all(struct sema *s)
{
	vec_foreach(m, &s->mistakes)
		m->diagnostic->held = false;
	s->mistakes.n = 0;
}

static void release(struct ir_walker *w, struct ir_expr **ref)
{
	struct diagnostic *d = map_get(&((struct search *)w)->mistakes, *ref);

	if (d)
		d->held = false;
	ir_expr_children(w, *ref);
}

/* A search for any of them. */
struct any {
	struct ir_walker walker;
	const struct sema *s;
	bool found;
};

static void find(struct ir_walker *w, struct ir_expr **ref)
{
	struct any *a = (struct any *)w;

	vec_foreach(m, &a->s->mistakes)
		a->found |= m->expr == *ref;
	if (!a->found)
		ir_expr_children(w, *ref);
}

bool sema_has_mistake(struct sema *s, struct ir_stmt *stmt)
{
	struct any a = { .walker = { .expr = find }, .s = s };

	if (s->mistakes.n)
		ir_walk_stmt(&a.walker, &stmt);
	return a.found;
}

void sema_report_mistakes(struct sema *s)
{
	struct search search = { .walker = { .expr = release } };

	if (!s->mistakes.n)
		return;
	map_init(&search.mistakes, s->arena);
	vec_foreach(m, &s->mistakes)
		map_put(&search.mistakes, m->expr, m->diagnostic);
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&search.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&search.walker, *p);
	diag_forget_held(s->sink);
	s->mistakes.n = 0;
}
