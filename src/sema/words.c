/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step words: how many arguments of its event a point's handler is given: those it reads, and the
 * ones before them. How many there are nobody has to know for that, which can take compiling a
 * header of the kernel. Requires the final code and rows; ensures n_words of every point.
 */
#include "base/map.h"
#include "ir/walk.h"
#include "sema/pass.h"

/* A walk through a probe and the functions that it calls. */
struct words {
	struct ir_walker walker;
	struct map entered; /* functions, as keys */
	uint32_t n;
};

static void count(const struct fetch_program *p, uint32_t *n)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i].op == FETCH_TPARG && p->insns[i].number >= *n)
			*n = p->insns[i].number + 1u;
}

/* Copies of functions for a context fetch the variables of its probe. */
static void enter(struct words *w, struct ir_function *f)
{
	if (map_has(&w->entered, f))
		return;
	map_put(&w->entered, f, NULL);
	ir_walk_stmt(&w->walker, &f->body);
}

static void look(struct ir_walker *walker, struct ir_expr **ref)
{
	struct words *w = (struct words *)walker;
	const struct ir_expr *e = *ref;

	if (e->kind == IR_FETCH) {
		count(&e->fetch.load, &w->n);
		count(&e->fetch.address, &w->n);
	}
	if (e->kind == IR_CALL)
		enter(w, e->call.callee);
	ir_expr_children(walker, *ref);
}

/* What point P alone reads. */
static uint32_t own_words(const struct ir_probe *probe, const struct ir_point *p, uint32_t n)
{
	for (uint32_t i = 0; i < probe->n_values; i++)
		count(&p->values[i], &n);
	for (uint32_t i = 0; i < probe->n_texts; i++)
		vec_foreach(value, &p->texts[i].values)
			count(value, &n);
	return n;
}

void sema_words(struct sema *s)
{
	vec_foreach(it, &s->program->probes) {
		struct ir_probe *probe = *it;
		struct words w = { .walker = { .expr = look } };

		map_init(&w.entered, s->arena);
		ir_walk_probe(&w.walker, probe);
		vec_foreach(p, &probe->points)
			p->attach.n_words = own_words(probe, p, w.n);
	}
}
