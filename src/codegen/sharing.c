/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters, constants and locks (sharing.h).
 *
 * A long scalar that handlers of concurrent events only add to, and that only session and timer
 * probes read, goes to per-CPU counters, unless a timer reads one that may go down: the CPUs'
 * shares are read one after the other, and of n++ here and n-- there only the second may be seen.
 * Sets are kept out of timers too: an addition between the read and the store would be lost.
 * Session probes run alone, so what they read and set is no obstacle.
 */
#include "codegen/sharing.h"

#include "base/vec.h"

static unsigned access_of_all(const struct ir_global *g)
{
	unsigned all = 0;

	for (unsigned i = 0; i < IR_N_RUNNERS; i++)
		all |= g->access[i];
	return all;
}

/* A global that nothing adds to gains nothing by a counter, and embedded C needs its address. */
static bool fits_counter(const struct ir_global *g, unsigned all)
{
	if (g->type != IR_LONG || g->is_array || !(all & IR_ACCESS_ADD) || all & IR_ACCESS_C)
		return false;
	if (all & IR_ACCESS_LOWER && g->access[IR_RUNS_SELDOM] & IR_ACCESS_READ)
		return false;
	return !(g->access[IR_RUNS_SELDOM] & IR_ACCESS_SET) &&
	       !(g->access[IR_RUNS_CONCURRENTLY] & (IR_ACCESS_SET | IR_ACCESS_READ));
}

/* Arrays and statistics are never constants: the runtime must set them up. */
enum storage sharing_storage(const struct ir_global *g)
{
	unsigned all = access_of_all(g);

	if (fits_counter(g, all))
		return STORE_COUNTER;
	if (!(all & (IR_ACCESS_WRITES | IR_ACCESS_C)) && !g->is_array && g->type != IR_STATS)
		return STORE_CONST;
	return STORE_PLAIN;
}

/*
 * Statistics are per CPU, so adding to and reading them needs no lock, but foreach merges them into
 * the one table that all CPUs share. BRIEF: a number that is only read needs none either, since
 * nothing else is done with it under the lock.
 */
static bool needs_lock(const struct ir_global_use *use, bool brief, bool *write)
{
	const struct ir_global *g = use->global;

	if (sharing_storage(g) != STORE_PLAIN)
		return false;
	*write = use->access & IR_ACCESS_WRITES || g->type == IR_STATS;
	if (g->type == IR_STATS)
		return use->access & IR_ACCESS_ITERATE;
	return *write || !brief || g->is_array || g->type != IR_LONG;
}

/* Handlers that run alone need none. */
static struct lock_uses locks(struct arena *arena, const struct ir_probe *p,
			      const struct ir_facts *facts, bool brief)
{
	struct lock_uses ret = { 0 };
	bool write;

	if (p->kind->context == IR_CONTEXT_SESSION)
		return ret;
	vec_foreach(use, &facts->uses)
		if (needs_lock(use, brief, &write))
			vec_push(arena, &ret, ((struct lock_use){ use->global, write }));
	return ret;
}

struct lock_uses sharing_body_locks(struct arena *arena, const struct ir_probe *p)
{
	return locks(arena, p, &p->body_facts, false);
}

struct lock_uses sharing_condition_locks(struct arena *arena, const struct ir_probe *p)
{
	return locks(arena, p, &p->condition_facts, true);
}

struct lock_uses sharing_entry_locks(struct arena *arena, const struct ir_probe *p)
{
	return locks(arena, p, &p->entry_facts, true);
}
