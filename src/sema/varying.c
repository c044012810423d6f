/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step varying: which values the points of a handler really get in ways of their own. Requires the
 * final code; ensures that fetches of these values, and no others, have their ir_varying, that rows
 * hold these values only, numbered without gaps, and by_point of every probe. Texts for what cannot
 * be read go where that is now known not to happen.
 */
#include "ir/effects.h"
#include "ir/walk.h"
#include "sema/pass.h"

/* What the optimiser dropped is not marked. */
static void mark(struct ir_walker *w, struct ir_expr **ref)
{
	const struct ir_expr *e = *ref;

	if (e->kind == IR_FETCH && e->fetch.varying)
		e->fetch.varying->used = true;
	ir_expr_children(w, *ref);
}

/* Whether the points of P fetch the value in more than one way. */
static bool differs(const struct ir_probe *p, uint32_t index)
{
	vec_foreach(point, &p->points)
		if (!fetch_equal(&point->values[index], &p->points.data[0].values[index]))
			return true;
	return false;
}

/* Values that all points share leave the rows. */
static void pack(struct ir_probe *p)
{
	uint32_t n = 0;

	vec_foreach(it, &p->varying) {
		struct ir_varying *v = *it;
		uint32_t from = v->index;

		v->differs = v->used && differs(p, from);
		if (!v->differs)
			continue;
		v->index = n++;
		vec_foreach(point, &p->points)
			point->values[v->index] = point->values[from];
	}
	p->n_values = n;
	p->by_point = n || p->n_texts;
}

/* Children first: what a text is made of is known then. */
static void drop_fixed(struct ir_walker *w, struct ir_expr **ref)
{
	struct ir_expr *e = *ref;

	ir_expr_children(w, e);
	if (e->kind == IR_FETCH && e->fetch.varying && !e->fetch.varying->differs)
		e->fetch.varying = NULL;
	if (e->kind == IR_PRINT && e->print.otherwise && !ir_text_may_fail(&e->print.args))
		e->print.otherwise = NULL;
}

static void walk(struct sema *s, void (*look)(struct ir_walker *w, struct ir_expr **ref))
{
	struct ir_walker w = { .expr = look };

	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&w, &(*f)->body);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&w, *p);
}

/* Functions are walked as well: copies for a context fetch the variables of its probe. */
void sema_varying(struct sema *s)
{
	walk(s, mark);
	vec_foreach(p, &s->program->probes)
		pack(*p);
	walk(s, drop_fixed);
}
