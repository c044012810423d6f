/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which globals and locals the program reads and writes (ir/uses.h), as flags of the symbols:
 * ir_global.read and written, sema_local.read. As for the reference, a delete reads: who deletes
 * elements keeps account of something, which is not displayed at the end.
 */
#include "ir/uses.h"

#include "sema/pass.h"
#include "sema/symbols.h"

/* The walk, with the global that the statement being walked deletes of. */
struct use_notes {
	struct ir_use_walker u;
	const struct ir_global *deleted;
};

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
	sg->filled |= g != ((struct use_notes *)u)->deleted;
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

static const struct ir_global *global_deleted(const struct ir_stmt *s)
{
	const struct ir_expr *target = s->del.target;

	if (!target)
		return s->del.array;
	return target->kind == IR_GLOBAL    ? target->global
	       : target->kind == IR_ELEMENT ? target->element.array
					    : NULL;
}

static void note_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct use_notes *notes = (struct use_notes *)w;
	struct ir_global *g = NULL;

	if ((*ref)->kind == IR_STMT_DELETE)
		g = (struct ir_global *)global_deleted(*ref);
	if (!g) {
		ir_use_stmt(w, ref);
		return;
	}
	sema_global(g)->deleted = true;
	notes->deleted = g;
	ir_use_stmt(w, ref);
	notes->deleted = NULL;
}

/* Parameters keep their flag: nothing drops them. */
static void forget_locals(struct ir_local **data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sema_local(data[i])->read = false;
}

/*
 * Flags are forgotten first; each walk sets those of what it meets. A delete of what nothing fills
 * does nothing, and keeps no global.
 */
void sema_uses(struct sema *s)
{
	struct use_notes notes = { 0 };
	struct ir_use_walker *u = &notes.u;

	ir_use_init(u);
	u->global = note_global;
	u->local = note_local;
	u->walker.stmt = note_stmt;
	vec_foreach(g, &s->program->globals) {
		(*g)->read = (*g)->written = false;
		sema_global(*g)->filled = sema_global(*g)->deleted = false;
	}
	vec_foreach(f, &s->program->functions) {
		forget_locals((*f)->locals.data, (*f)->locals.n);
		ir_walk_stmt(&u->walker, &(*f)->body);
	}
	vec_foreach(p, &s->program->probes) {
		forget_locals((*p)->locals.data, (*p)->locals.n);
		ir_walk_probe(&u->walker, *p);
	}
	vec_foreach(g, &s->program->globals)
		(*g)->read |= sema_global(*g)->deleted && sema_global(*g)->filled;
}
