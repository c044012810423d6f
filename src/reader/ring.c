/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading rings. The producer is the kernel, but a bug on either side must not become a wild read
 * here: sizes are checked against what head says was written.
 */
#include "reader/ring.h"

#include <string.h>

#define PAD_MIN 8                  /* a padding record may be cut to its first 8 bytes */
#define RELEASE_EVERY (64u * 1024) /* give room back to a busy producer this often */

struct error *ring_init(struct ring *r, void *ctl, size_t map_len, size_t page_size)
{
	memset(r, 0, sizeof(*r));
	r->ctl = ctl;
	r->data = (unsigned char *)ctl + page_size;
	r->len = r->ctl->ring_len;
	r->cpu = r->ctl->cpu;
	if (!r->len || r->len & (r->len - 1) || map_len != page_size + r->len)
		return error_create("ring of CPU %d: bad length %llu", r->cpu, r->len);
	ring_restart(r);
	return NULL;
}

void ring_restart(struct ring *r)
{
	r->pos = __atomic_load_n(&r->ctl->tail, __ATOMIC_ACQUIRE);
	r->head = r->pos;
}

stp_u64 ring_refresh(struct ring *r)
{
	r->head = __atomic_load_n(&r->ctl->head, __ATOMIC_ACQUIRE);
	return r->head - r->pos;
}

const struct stp_rec *ring_peek(struct ring *r, bool *damaged)
{
	while (r->pos != r->head) {
		stp_u64 at = r->pos & (r->len - 1), room = r->len - at;
		const struct stp_rec *rec = (const void *)(r->data + at);

		if (r->head - r->pos < room)
			room = r->head - r->pos;
		if (r->head - r->pos > r->len || room < PAD_MIN || rec->size > room ||
		    rec->size % 8 ||
		    rec->size < (rec->kind == STP_REC_PAD ? PAD_MIN : sizeof(*rec))) {
			*damaged = true;
			r->pos = r->head;
			return NULL;
		}
		if (rec->kind != STP_REC_PAD)
			return rec;
		r->pos += rec->size;
	}
	return NULL;
}

void ring_release(struct ring *r)
{
	__atomic_store_n(&r->ctl->tail, r->pos, __ATOMIC_RELEASE);
}

void ring_set_waiting(struct ring *r, bool waiting)
{
	__atomic_store_n(&r->ctl->waiting, waiting, __ATOMIC_SEQ_CST);
}

void ring_set_printing(struct ring *r, bool printing)
{
	__atomic_store_n(&r->ctl->printing, printing, __ATOMIC_RELAXED);
}

/* Looks for new records in every ring. *crowded: some ring is more than half full. */
static void refresh_all(struct ring *rings, size_t n, bool *crowded)
{
	size_t i;

	/*
	 * all of these before any head: a hit that began since is younger than any limit, and one
	 * that ended is whole
	 */
	for (i = 0; i < n; i++)
		rings[i].open = __atomic_load_n(&rings[i].ctl->open_since, __ATOMIC_ACQUIRE);
	for (i = 0; i < n; i++)
		*crowded |= ring_refresh(&rings[i]) > rings[i].len / 2;
}

/* The ring of the oldest hit that is still writing, NULL when nobody need wait for one. */
static const struct ring *find_open(const struct ring *rings, size_t n, stp_u64 limit)
{
	const struct ring *oldest = NULL;
	size_t i;

	for (i = 0; i < n; i++)
		if (rings[i].open && rings[i].open <= limit &&
		    limit - rings[i].open <= MERGE_OPEN_NS &&
		    (!oldest || rings[i].open < oldest->open))
			oldest = &rings[i];
	return oldest;
}

/* Up to when may records of r be handed on while open's hit is still writing? */
static stp_u64 limit_of(const struct ring *r, const struct ring *open, stp_u64 limit)
{
	if (!open)
		return limit;
	return r == open || r->cpu < open->cpu ? open->open : open->open - 1;
}

/* Finds the ring with the first record, and the (ts, cpu) from which another ring has to go on. */
static struct ring *find_first(struct ring *rings, size_t n, struct merge_result *res, stp_u64 *ts,
			       stp_u64 *next_ts, int *next_cpu)
{
	struct ring *first = NULL;
	size_t i;

	*next_ts = ~0ull;
	*next_cpu = -1;
	for (i = 0; i < n; i++) {
		bool damaged = false;
		const struct stp_rec *rec = ring_peek(&rings[i], &damaged);

		if (damaged)
			res->damaged_cpu = rings[i].cpu;
		if (!rec)
			continue;
		if (!first || rec->ts < *ts) {
			if (first) {
				*next_ts = *ts;
				*next_cpu = first->cpu;
			}
			first = &rings[i];
			*ts = rec->ts;
		} else if (*next_cpu < 0 || rec->ts < *next_ts) {
			*next_ts = rec->ts;
			*next_cpu = rings[i].cpu;
		}
	}
	return first;
}

/*
 * Hands on the records of one ring while they are older than everybody else's; rings are in CPU
 * order.
 */
static void drain_run(struct ring *r, stp_u64 limit, stp_u64 next_ts, int next_cpu,
		      struct merge_result *res, merge_fn *fn, void *cookie)
{
	stp_u64 released = r->pos, run_ts = 0;
	bool damaged = false, first = true;
	const struct stp_rec *rec;

	while ((rec = ring_peek(r, &damaged))) {
		if (rec->ts > limit)
			break;
		if (!first && rec->ts != run_ts &&
		    (rec->ts > next_ts || (rec->ts == next_ts && r->cpu > next_cpu)))
			break;
		run_ts = rec->ts;
		first = false;
		fn(cookie, rec, r->cpu);
		ring_advance(r, rec);
		if (r->pos - released > RELEASE_EVERY) {
			ring_release(r);
			released = r->pos;
		}
	}
	if (damaged)
		res->damaged_cpu = r->cpu;
}

struct merge_result merge_drain(struct ring *rings, size_t n, stp_u64 limit, merge_fn *fn,
				void *cookie)
{
	struct merge_result res = { .damaged_cpu = -1 };
	const struct ring *open = NULL;
	stp_u64 ts = 0, next_ts;
	struct ring *first;
	int next_cpu;
	size_t i;

	refresh_all(rings, n, &res.crowded);
	if (!res.crowded)
		open = find_open(rings, n, limit);
	while ((first = find_first(rings, n, &res, &ts, &next_ts, &next_cpu)) &&
	       ts <= limit_of(first, open, limit))
		drain_run(first, limit_of(first, open, limit), next_ts, next_cpu, &res, fn, cookie);
	res.held = first != NULL;
	res.oldest_ts = ts;
	for (i = 0; i < n; i++)
		ring_release(&rings[i]);
	return res;
}
