/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which globals and locals the program reads and writes (ir/uses.h), as flags of the symbols:
 * ir_global.read and written, sema_local.read. As for the reference, a delete reads: who deletes
 * elements keeps account of something, which is not displayed at the end.
 */
#include "ir/uses.h"

#include "sema/pass.h"
#include "sema/symbols.h"

/* first_write tells the order of the display probe. */
static void note_global(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at,
			bool write)
{
	struct sema_global *sg = sema_global(g);

	if (!write) {
		g->read = true;
		return;
	}
	g->written = true;
	if (at && (!sg->first_write || at->span.start + 1 < sg->first_write))
		sg->first_write = at->span.start + 1;
}

/*
 * Stores to locals are no concern: ir_local.assigned has been set by step bind. x++ reads x, as it
 * does for the reference: it is never elided.
 */
static void note_local(struct ir_use_walker *u, struct ir_local *l, struct ir_expr *at, bool write)
{
	if (!write || u->updating)
		sema_local(l)->read = true;
}

static void note_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	const struct ir_stmt *s = *ref;
	struct ir_global *g = NULL;

	if (s->kind == IR_STMT_DELETE && s->del.array)
		g = s->del.array;
	else if (s->kind == IR_STMT_DELETE && s->del.target->kind == IR_GLOBAL)
		g = s->del.target->global;
	else if (s->kind == IR_STMT_DELETE && s->del.target->kind == IR_ELEMENT)
		g = s->del.target->element.array;
	if (g)
		g->read = true;
	ir_use_stmt(w, ref);
}

/* Parameters keep their flag: nothing drops them. */
static void forget_locals(struct ir_local **data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sema_local(data[i])->read = false;
}

/* Flags are forgotten first; each walk sets those of what it meets. */
void sema_uses(struct sema *s)
{
	struct ir_use_walker u;

	ir_use_init(&u);
	u.global = note_global;
	u.local = note_local;
	u.walker.stmt = note_stmt;
	vec_foreach(g, &s->program->globals)
		(*g)->read = (*g)->written = false;
	vec_foreach(f, &s->program->functions) {
		forget_locals((*f)->locals.data, (*f)->locals.n);
		ir_walk_stmt(&u.walker, &(*f)->body);
	}
	vec_foreach(p, &s->program->probes) {
		forget_locals((*p)->locals.data, (*p)->locals.n);
		ir_walk_probe(&u.walker, *p);
	}
}
