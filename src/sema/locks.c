/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step locks: which globals each handler must lock, through all it calls, and whether to write.
 * Requires storage; ensures ir_probe.locks, .condition_locks and .entry_locks, by global index.
 * Session handlers run alone and need none. Statistics are kept per CPU and need none either, but
 * for what foreach merges them into.
 */
#include <stdlib.h>

#include "sema/uses.h"

/* One list of uses in the making, by a walk that enters callees. */
struct locks {
	struct sema_use_walker walker;
	struct ir_global_uses *uses;
	bool brief; /* a condition, values of the entry: a number that is only read needs no lock */
	struct map index; /* ir_global -> position in uses + 1 */
	struct map seen;
};

/* Slots and constants need no lock. */
static void need_lock(struct locks *l, struct ir_global *g, bool write)
{
	uintptr_t at = (uintptr_t)map_get(&l->index, g);

	if (g->storage != IR_STORE_PLAIN)
		return;
	if (l->brief && !write && !g->is_array && g->type == IR_LONG)
		return;
	if (at) {
		l->uses->data[at - 1].write |= write;
		return;
	}
	vec_push(l->walker.s->arena, l->uses, ((struct ir_global_use){ g, write }));
	map_put(&l->index, g, (void *)(uintptr_t)l->uses->n);
}

/* Statistics are per CPU, so adding to and reading them needs no lock. */
static void need(struct locks *l, struct ir_global *g, bool write)
{
	if (g->type != IR_STATS)
		need_lock(l, g, write);
}

static void need_global(struct sema_use_walker *u, struct ir_global *g, struct ir_expr *at,
			bool write)
{
	need((struct locks *)u, g, write);
}

/*
 * Sorting leaves the array in that order, and merging fills the one table all CPUs share:
 * writes.
 */
static void need_iterated(struct sema_use_walker *u, struct ir_foreach *f)
{
	need_lock((struct locks *)u, f->array, f->dir != 0 || f->array->type == IR_STATS);
}

/*
 * Embedded C names its globals by pragmas (ir.uses). The flag of the walk is restored behind
 * the callee.
 */
static void need_of_call(struct sema_use_walker *u, struct ir_function *f)
{
	struct locks *l = (struct locks *)u;

	for (; f; f = f->next_overload) {
		if (map_has(&l->seen, f))
			return;
		map_put(&l->seen, f, f);
		bool statement = u->statement;

		for (size_t i = 0; i < f->uses.n; i++)
			need(l, f->uses.data[i].global, f->uses.data[i].write);
		ir_walk_stmt(&u->walker, &f->body);
		u->statement = statement;
	}
}

/* All handlers lock in this order, so that they cannot wait for each other in a circle. */
static int by_index(const void *a, const void *b)
{
	uint32_t x = ((const struct ir_global_use *)a)->global->index,
		 y = ((const struct ir_global_use *)b)->global->index;

	return (x > y) - (x < y);
}

/* One list of uses, *uses, with tables of its own. */
static void begin(struct locks *l, struct ir_global_uses *uses, bool brief)
{
	l->uses = uses;
	l->brief = brief;
	map_init(&l->index, l->walker.s->arena);
	map_init(&l->seen, l->walker.s->arena);
}

static void finish(const struct locks *l)
{
	if (l->uses->n)
		qsort(l->uses->data, l->uses->n, sizeof(l->uses->data[0]), by_index);
}

/* Three lists per probe, as condition, entry part and body take their locks apart. */
void sema_locks(struct sema *s)
{
	struct locks l = { 0 };
	struct ir_walker *w = &l.walker.walker;

	sema_use_init(&l.walker, s);
	l.walker.global = need_global;
	l.walker.iterate = need_iterated;
	l.walker.call = need_of_call;
	vec_foreach(p, &s->program->probes) {
		if (ir_kind_is((*p)->kind, IR_KIND_ALONE))
			continue;
		begin(&l, &(*p)->condition_locks, true);
		ir_walk_expr(w, &(*p)->condition);
		finish(&l);
		begin(&l, &(*p)->entry_locks, true);
		ir_walk_exprs(w, &(*p)->saved);
		finish(&l);
		begin(&l, &(*p)->locks, false);
		ir_walk_stmt(w, &(*p)->body);
		finish(&l);
	}
}
