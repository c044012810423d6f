/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a call's entry that nothing at its return reads any more: they are not evaluated, and
 * the mistakes in them do not count. A round of elision takes away the last reader; this takes the
 * value, unless it has effects: @entry(n++) counts though nobody reads it.
 */
#include "ir/effects.h"
#include "ir/walk.h"
#include "sema/pass.h"

/* Who reads what is saved. A node that stands in several places is kept once. */
struct readers {
	struct ir_walker walker;
	struct map nodes;  /* IR_SAVED -> the value it reads */
	struct map values; /* that value -> itself, then one more than its place */
};

static bool has_effects(const struct sema *s, const struct ir_expr *value)
{
	return ir_effects(s->program, value) & IR_WRITES;
}

bool sema_saves_effects(const struct sema *s, const struct ir_probe *p)
{
	for (size_t i = 0; i < p->saved.n; i++)
		if (has_effects(s, p->saved.data[i]))
			return true;
	return false;
}

static struct ir_expr *value_of(const struct ir_expr *reader)
{
	return reader->saved.probe->saved.data[reader->saved.index];
}

static void see_reader(struct ir_walker *w, struct ir_expr **ref)
{
	struct readers *r = (struct readers *)w;

	if ((*ref)->kind == IR_SAVED) {
		map_put(&r->nodes, *ref, value_of(*ref));
		map_put(&r->values, value_of(*ref), value_of(*ref));
	}
	ir_expr_children(w, *ref);
}

/* Closes the gaps that unread values leave, and notes where each value is now. */
static void drop_unread(const struct sema *s, struct readers *r, struct ir_probe *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->saved.n; i++) {
		struct ir_expr *value = p->saved.data[i];

		if (!map_has(&r->values, value) && !has_effects(s, value))
			continue;
		p->saved.data[n++] = value;
		map_put(&r->values, value, (void *)(uintptr_t)n);
	}
	p->saved.n = n;
}

void sema_drop_saved(struct sema *s)
{
	struct readers r = { .walker = { .expr = see_reader } };
	bool any = false;

	vec_foreach(p, &s->program->probes)
		any |= (*p)->saved.n > 0;
	if (!any)
		return;
	map_init(&r.nodes, s->arena);
	map_init(&r.values, s->arena);
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&r.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes) {
		ir_walk_expr(&r.walker, &(*p)->condition);
		ir_walk_stmt(&r.walker, &(*p)->body);
	}
	vec_foreach(p, &s->program->probes)
		drop_unread(s, &r, *p);
	map_foreach(it, &r.nodes) {
		struct ir_expr *reader = (struct ir_expr *)(uintptr_t)it->key;

		reader->saved.index = (uint32_t)((uintptr_t)map_get(&r.values, it->value) - 1);
	}
}
