/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step storage: where globals live. A long scalar that handlers of concurrent events only add
 * to, and that only session and timer probes read, goes to per-CPU slots, unless a timer reads
 * one that may go down: the CPUs' shares are read one after the other, and of n++ here and n--
 * there only the second may be seen. A global that nothing writes is a constant. Requires the
 * final program; ensures storage and slot of every global.
 */
#include "sema/uses.h"

/* What happens to a global; what is not listed is allowed in a slot. */
enum access {
	ACCESS_ADD = 1,   /* ++ -- += -= whose value nobody takes, anywhere */
	ACCESS_UNFIT = 2, /* read by concurrent handlers, or set by others than begin and end */
	ACCESS_WRITE = 4,
	ACCESS_LOWER = 8,  /* an addition that may make it smaller */
	ACCESS_WATCH = 16, /* read while others add to it */
};

/* Sets are kept out of timers too: an addition between the read and the store would be lost. */
enum where { WHERE_SESSION, WHERE_TIMER, WHERE_CONCURRENT };

/* A walk over all probes of one class, entering callees. */
struct storage {
	struct sema_use_walker walker;
	enum where where;
	struct map access; /* ir_global -> enum access bits */
	struct map seen;   /* functions walked from there */
};

static enum where where_of(const struct ir_probe_kind *kind)
{
	if (ir_kind_is(kind, IR_KIND_ALONE))
		return WHERE_SESSION;
	return ir_kind_is(kind, IR_KIND_SELDOM) ? WHERE_TIMER : WHERE_CONCURRENT;
}

/* Adds to what is known of the access to G. */
static void note(struct storage *st, const struct ir_global *g, unsigned access)
{
	map_put(&st->access, g, (void *)((uintptr_t)map_get(&st->access, g) | access));
}

/* Session probes run alone, so what they read and set is no obstacle. */
static void note_global(struct sema_use_walker *u, struct ir_global *g, struct ir_expr *at,
			bool write)
{
	struct storage *st = (struct storage *)u;

	/* embedded C reaches its globals by address */
	if (at && (at->kind == IR_CALL || at->kind == IR_BUILTIN_CALL))
		note(st, g, ACCESS_UNFIT | ACCESS_WRITE);
	else if (u->adding)
		note(st, g, ACCESS_ADD | ACCESS_WRITE | (u->lowering ? ACCESS_LOWER : 0));
	else if (write)
		note(st, g, ACCESS_WRITE | (st->where == WHERE_SESSION ? 0 : ACCESS_UNFIT));
	else if (st->where == WHERE_CONCURRENT)
		note(st, g, ACCESS_UNFIT);
	else if (st->where == WHERE_TIMER)
		note(st, g, ACCESS_WATCH);
}

/* Each function is walked once per class of probes. */
static void note_call(struct sema_use_walker *u, struct ir_function *f)
{
	struct storage *st = (struct storage *)u;

	for (; f; f = f->next_overload) {
		if (map_has(&st->seen, f))
			return;
		map_put(&st->seen, f, f);
		bool statement = u->statement;

		ir_walk_stmt(&u->walker, &f->body);
		u->statement = statement;
	}
}

/* Conditions and saved values are evaluated at the event itself; bodies too. */
static void walk_from(struct storage *st, struct sema *s, enum where where)
{
	st->where = where;
	map_init(&st->seen, s->arena);
	vec_foreach(p, &s->program->probes)
		if (where_of((*p)->kind) == where)
			ir_walk_probe(&st->walker.walker, *p);
}

/* A global that nothing adds to gains nothing by a slot. */
static bool fits_slot(const struct ir_global *g, unsigned access)
{
	if (access & ACCESS_LOWER && access & ACCESS_WATCH)
		return false;
	return g->type == IR_LONG && !g->is_array && (access & ACCESS_ADD) &&
	       !(access & ACCESS_UNFIT);
}

/* Arrays and statistics are never constants: the runtime must set them up. */
void sema_storage(struct sema *s)
{
	struct storage st = { 0 };

	sema_use_init(&st.walker, s);
	st.walker.global = note_global;
	st.walker.call = note_call;
	map_init(&st.access, s->arena);
	walk_from(&st, s, WHERE_SESSION);
	walk_from(&st, s, WHERE_TIMER);
	walk_from(&st, s, WHERE_CONCURRENT);
	vec_foreach(g, &s->program->globals) {
		unsigned access = (unsigned)(uintptr_t)map_get(&st.access, *g);

		if (fits_slot(*g, access)) {
			(*g)->storage = IR_STORE_SLOT;
			(*g)->slot = s->program->n_slots++;
		} else if (!(access & ACCESS_WRITE) && !(*g)->is_array && (*g)->type != IR_STATS) {
			(*g)->storage = IR_STORE_CONST;
		}
	}
}
