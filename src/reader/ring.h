/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The consumer's side of a relay channel: one CPU's ring (runtime/uapi/wire.h) and the merge of all
 * rings into time order. Rings lie in memory that the caller mapped or, in tests, made up.
 */
#ifndef SPILE_READER_RING_H
#define SPILE_READER_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/uapi/wire.h"

/*
 * The reader's view of one CPU's ring. Positions count bytes since the start and never wrap; pos
 * <= head, and head - pos <= len unless the ring is damaged.
 */
struct ring {
	struct stp_relay_ctl *ctl;
	const unsigned char *data;
	stp_u64 len;  /* power of two */
	stp_u64 head; /* as last seen by ring_refresh */
	stp_u64 pos;  /* read up to here */
	stp_u64 open; /* ts of the hit that was writing at the last ring_refresh, 0: none */
	int cpu;
};

/*
 * ctl: the mapping, a page of control data and the ring behind it. Both stay the caller's, and
 * must outlive the ring. A length that does not fit the mapping is an error.
 */
struct error *ring_init(struct ring *r, void *ctl, size_t map_len,
			size_t page_size) ERROR_MUST_CHECK;

/* Begin again where the producer says that unread records begin. */
void ring_restart(struct ring *r);
/* Looks for new records; returns the bytes now unread. */
stp_u64 ring_refresh(struct ring *r);
/*
 * The next record seen by the last refresh, NULL when there is none. *damaged is set, and otherwise
 * untouched, when what comes is no record: all that the refresh has seen is passed over then.
 */
const struct stp_rec *ring_peek(struct ring *r, bool *damaged);
/* Behind a record that ring_peek() gave; its space stays taken until ring_release(). */
static inline void ring_advance(struct ring *r, const struct stp_rec *rec)
{
	r->pos += rec->size;
}
/* Gives what was read back to the producer; records read before are invalid then. */
void ring_release(struct ring *r);

/* May the reader sleep? Sets or clears the flag that makes producers wake it. */
void ring_set_waiting(struct ring *r, bool waiting);

/*
 * Will the reader come back for more, however long its output takes? While that is set, handlers
 * that may sleep wait for room without limit, as long as the reader lives.
 */
void ring_set_printing(struct ring *r, bool printing);

/* How long, by the record's own time, other CPUs wait for a hit that is still printing. */
#define MERGE_OPEN_NS 1000000000ull

/* What one merge over all rings left behind, for who decides when to look again. */
struct merge_result {
	bool held;         /* records younger than the limit were left */
	stp_u64 oldest_ts; /* of those */
	bool crowded;      /* some ring was more than half full */
	int damaged_cpu;   /* -1: none */
};

/* Given each record in order, and whose it is; rec is valid during the call only. */
typedef void merge_fn(void *cookie, const struct stp_rec *rec, int cpu);

/*
 * Hand every record with ts <= limit to fn, in (ts, cpu) order; records of one hit stay together.
 * While a hit is still writing (open_since), what other CPUs printed after it is held back too,
 * unless the hit is more than MERGE_OPEN_NS older than limit or some ring is more than half full:
 * order gives way to completeness. Rings are refreshed first and released after. A damaged ring is
 * passed over and named.
 */
struct merge_result merge_drain(struct ring *rings, size_t n, stp_u64 limit, merge_fn *fn,
				void *cookie);

#endif
