/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind struct stp_map.impl. A plain array is one table, `main`. An array of
 * statistics has one table per context in `per_ctx`, each value a struct stp_agg; its `main` holds
 * struct stp_agg_sum and is what the last foreach merged. Reads of single elements look into every
 * context's table and need no merge.
 *
 * Context: the layouts, the list of tables and the texts are made at load and constant; who may
 * touch main and the tables is said in table.h.
 */
#ifndef STP_MAP_MAP_H
#define STP_MAP_MAP_H

#include "../stat/agg.h"
#include "table.h"

struct stp_map_impl {
	struct stp_layout layout;     /* of main */
	struct stp_layout agg_layout; /* of the tables in per_ctx */
	struct stp_table main;
	struct stp_table *
		*per_ctx; /* stp_n_ctx, NULL for CPUs that cannot exist; NULL: a plain array */
	/* how often all elements were deleted: ends the loops over them (stp_iter.clears) */
	stp_u32 clears;
	stp_u64 sequence;  /* number of the next insertion; added to by every context, atomically */
	char overflow[80]; /* error text: no room for another element */
	char merge_overflow[80]; /* error text: the contexts' keys do not fit into main */
};

/*
 * Work that grows with an array is charged to MAXACTION: one action for so many elements looked at,
 * moved or cleared. At some 20 ns each that is 10 us, so the default of 1000 actions keeps
 * interrupts off for no more than some 10 ms.
 */
#define STP_ELEMENTS_OF_ACTION 512

/*
 * 1 when the hit may do so much; 0 with the error set. Free where interrupts are on and other
 * handlers are not waiting.
 */
static inline int stp_map_charge(struct stp_ctx *c, stp_u64 elements)
{
	stp_u64 actions = elements / STP_ELEMENTS_OF_ACTION;

	if (stp_likely(!actions) || c->flags & STP_CTX_SLEEP)
		return 1;
	return !stp_actions(c, actions < 0x40000000 ? (int)actions : 0x40000000);
}

/*
 * The lock of a context's table; 0 when it was not had in time. Handlers of the session
 * (STP_CTX_ALONE) run before anything is armed or after everything is disarmed, so nobody else can
 * touch a table: they need no lock and keep interrupts on.
 */
static inline int stp_map_lock(const struct stp_ctx *c, struct stp_table *t, unsigned long *flags)
{
	*flags = 0;
	return c->flags & STP_CTX_ALONE || stp_spin_lock(&t->lock, flags);
}

/* Of a lock that stp_map_lock() had for the same handler; flags: as it set them. */
static inline void stp_map_unlock(const struct stp_ctx *c, struct stp_table *t, unsigned long flags)
{
	if (!(c->flags & STP_CTX_ALONE))
		stp_spin_unlock(&t->lock, flags);
}

/*
 * So many elements are looked at between two points where a handler of the session lets others run:
 * about 100 us.
 */
#define STP_ELEMENTS_OF_PAUSE 4096

/*
 * N more elements were looked at: *looked counts those since others could run. Does nothing in a
 * handler of an event.
 */
static inline void stp_map_pause(const struct stp_ctx *c, stp_u32 *looked, stp_u32 n)
{
	*looked += n;
	if (*looked < STP_ELEMENTS_OF_PAUSE)
		return;
	*looked = 0;
	if (c->flags & STP_CTX_SLEEP)
		stp_resched();
}

int stp_map_merge(struct stp_ctx *c, struct stp_map *m);

#endif
