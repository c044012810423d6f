/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end-of-run report, from the module's ledger and timing. Warnings go through messages; the
 * report of -t goes to the script's output, as the reference prints it.
 */
#include "reader/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define WORST 10 /* lines about missed hits, without -v */

void report_losses(struct messages *m, const struct losses *l)
{
	stp_u64 mb = (l->ring_len + (1 << 20) - 1) >> 20;

	if (l->records)
		messages_warningf(
			m,
			"There were %llu transport failures. Try stap -s to increase the buffer size from %llu.",
			l->records, mb);
	if (l->damaged)
		messages_warningf(m, "%lu output records were damaged and left out.", l->damaged);
}

/*
 * Every enum stp_skip. A loss is what the user would have wanted to see, and can act upon: it is
 * always reported. Of the others only -t tells: hits before all probes were attached or after the
 * session was told to end, and those the script's own condition turned away.
 */
static const struct {
	enum stp_skip reason;
	bool loss;
	const char *text;
} reasons[] = {
	{ STP_SKIP_LOCK, true, "lock timeout of a global" },
	{ STP_SKIP_STACK, true, "low stack" },
	{ STP_SKIP_REENTRANT, true, "reentrancy" },
	{ STP_SKIP_NMI, true, "hit in NMI context" },
	{ STP_SKIP_OVERLOAD, true, "overload" },
	{ STP_SKIP_SAVED, true, "low maxactive (strings saved at entry)" },
	{ STP_SKIP_ENTRY, true, "values of the function's entry not kept" },
	{ STP_SKIP_RCU, true, "hit on the way into or out of idle" },
	{ STP_SKIP_FOREIGN, false, "entry before the probe was attached, or a fork" },
	{ STP_SKIP_STATE, false, "session not started" },
	{ STP_SKIP_STOPPED, false, "session ended" },
	{ STP_SKIP_CONDITION, false, "condition" },
};
_Static_assert(sizeof(reasons) / sizeof(reasons[0]) == STP_SKIP_MAX, "a reason without text");
#define N_REASONS (sizeof(reasons) / sizeof(reasons[0]))

/* Hits of one probe that were lost; those skipped on purpose are not counted. */
static stp_u64 skipped_of(const struct stp_ledger_row *row)
{
	stp_u64 n = 0;
	size_t i;

	for (i = 0; i < N_REASONS; i++)
		n += reasons[i].loss ? row->skipped[reasons[i].reason] : 0;
	return n;
}

/* Hits of one probe while the session ran. */
static stp_u64 hits_of(const struct stp_ledger_row *row)
{
	return row->hits - row->skipped[STP_SKIP_STATE] - row->skipped[STP_SKIP_STOPPED];
}

/* One line per reason; nothing for a probe that lost nothing. */
static void report_probe(struct messages *m, const struct tables *t,
			 const struct stp_ledger_row *row)
{
	const char *pp =
		row->probe < t->info->n_probes ? tables_text(t, t->probes[row->probe].pp) : "?";
	const char *at = row->probe < t->info->n_probes
				 ? tables_text(t, t->probes[row->probe].location)
				 : "?";
	size_t i;

	for (i = 0; i < N_REASONS; i++)
		if (reasons[i].loss && row->skipped[reasons[i].reason])
			messages_warningf(m,
					  "Skipped due to %s: %llu of %llu hits in probe %s (%s)",
					  reasons[i].text, row->skipped[reasons[i].reason],
					  hits_of(row), pp, at);
	if (row->rearmed)
		messages_warningf(
			m,
			"Attached anew %llu times as modules came and went, hits meanwhile not seen: probe %s (%s)",
			row->rearmed, pp, at);
}

/*
 * Hits that the kernel left out at one point, or at all of a probe's where they share its counter.
 */
struct missed {
	stp_u64 hits;
	const char *pn, *at;
	size_t order; /* of points, as in the script */
};

static int compare_missed(const void *a, const void *b)
{
	const struct missed *x = a, *y = b;

	if (x->hits != y->hits)
		return x->hits < y->hits ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static size_t missed_add(struct missed *list, size_t n, stp_u64 hits, const char *pn,
			 const char *at)
{
	if (hits && list)
		list[n] = (struct missed){ hits, pn, at, n };
	return n + !!hits;
}

/* Returns how many there are; list is NULL, or has room for them. */
static size_t missed_collect(struct missed *list, const struct tables *t,
			     const struct stp_ledger_row *rows, size_t n_rows,
			     const stp_u64 *missed)
{
	size_t n = 0;

	for (size_t i = 0; i < n_rows; i++) {
		const struct stp_probe_info *p;
		const char *at;

		if (rows[i].probe >= t->info->n_probes)
			continue;
		p = &t->probes[rows[i].probe];
		at = tables_text(t, p->location);
		n = missed_add(list, n, rows[i].missed, tables_text(t, p->pn), at);
		for (stp_u32 k = p->first_point; k < p->first_point + p->n_points; k++)
			n = missed_add(list, n, missed[k], tables_text(t, t->points[k]), at);
	}
	return n;
}

/*
 * A line for each, the worst first; without -v for the worst only, since a wildcard has thousands.
 */
static void report_missed(struct messages *m, const struct tables *t,
			  const struct stp_ledger_row *rows, size_t n_rows, const stp_u64 *missed)
{
	size_t n = missed_collect(NULL, t, rows, n_rows, missed), shown, i;
	struct missed *list = calloc(n + 1, sizeof(*list));
	stp_u64 rest = 0;

	if (!list) {
		messages_errorf(m, "%s", error_no_memory.text);
		return;
	}
	missed_collect(list, t, rows, n_rows, missed);
	qsort(list, n, sizeof(*list), compare_missed);
	shown = n > WORST && !m->verbose ? WORST : n;
	for (i = 0; i < shown; i++)
		messages_warningf(m, "Missed by the kernel: %llu hits in probe %s (%s)",
				  list[i].hits, list[i].pn, list[i].at);
	for (; i < n; i++)
		rest += list[i].hits;
	if (n > shown)
		messages_warningf(
			m, "Missed by the kernel: %llu hits at %zu more points (-v names them)",
			rest, n - shown);
	free(list);
}

void report_ledger(struct messages *m, const struct tables *t, const struct stp_ledger_row *rows,
		   size_t n)
{
	const stp_u64 *missed = (const void *)(rows + n); /* control_ledger() has checked */
	stp_u64 errors = 0, skipped = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		errors += rows[i].errors;
		skipped += skipped_of(&rows[i]);
	}
	if (errors || skipped)
		messages_warningf(m, "Number of errors: %llu, skipped probes: %llu", errors,
				  skipped);
	for (i = 0; i < n; i++)
		report_probe(m, t, &rows[i]);
	report_missed(m, t, rows, n, missed);
}

/*
 * Behind struct stp_timing stand n_locks rows, then n_points statistics; control_timing() has
 * checked that they are there.
 */
static const struct stp_lock_row *lock_rows(const struct stp_timing *timing)
{
	return (const void *)(timing + 1);
}

void report_skips(struct messages *m, const struct tables *t, const struct stp_ledger_row *rows,
		  size_t n, const struct stp_timing *timing)
{
	stp_u64 total[STP_SKIP_MAX] = { 0 };
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < STP_SKIP_MAX; k++)
			total[k] += rows[i].skipped[k];
	for (i = 0; i < n; i++)
		if (rows[i].left_out && rows[i].probe < t->info->n_probes)
			messages_warningf(
				m,
				"Left out, without a patchable call (-D STP_ENTRY_KPROBES attaches them): %llu functions of probe %s",
				rows[i].left_out, tables_text(t, t->probes[rows[i].probe].pn));
	for (i = 0; i < n; i++)
		if (rows[i].refused && rows[i].probe < t->info->n_probes)
			messages_warningf(
				m, "Not attached, refused by the kernel: %llu points of probe %s",
				rows[i].refused, tables_text(t, t->probes[rows[i].probe].pn));
	for (i = 0; i < n; i++)
		if (rows[i].overruns && rows[i].probe < t->info->n_probes)
			messages_warningf(
				m, "Ticks left out, the one before was late: %llu in probe %s",
				rows[i].overruns, tables_text(t, t->probes[rows[i].probe].pp));
	for (i = 0; i < t->info->n_locks; i++)
		if (lock_rows(timing)[i].timeouts)
			messages_warningf(m, "Skipped due to global '%s' lock timeout: %llu",
					  tables_text(t, t->locks[i]),
					  lock_rows(timing)[i].timeouts);
	for (i = 0; i < N_REASONS; i++)
		if (reasons[i].reason != STP_SKIP_LOCK && total[reasons[i].reason])
			messages_warningf(m, "Skipped due to %s: %llu", reasons[i].text,
					  total[reasons[i].reason]);
}

static void write_line(struct output *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void write_line(struct output *out, const char *fmt, ...)
{
	char line[4096];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (len > 0)
		output_write(out, line,
			     (size_t)len < sizeof(line) ? (size_t)len : sizeof(line) - 1);
}

/* "hits: N, cycles: ..." */
static const char *figures(char *text, size_t size, const struct tables *t,
			   const struct stp_timing_stat *stat)
{
	if (stat->count)
		snprintf(text, size, "hits: %llu, %s: %llumin/%lluavg/%llumax, variance: %llu",
			 stat->count, t->info->flags & STP_SCRIPT_NSECS ? "nsecs" : "cycles",
			 stat->min, stat->sum / stat->count, stat->max, stat->variance);
	else
		snprintf(text, size, "hits: 0");
	return text;
}

static const struct stp_timing_stat *point_stats(const struct tables *t,
						 const struct stp_timing *timing)
{
	return (const void *)(lock_rows(timing) + t->info->n_locks);
}

/* A line for each point that was hit. */
static void report_points(struct output *out, const struct tables *t, stp_u32 probe,
			  const struct stp_timing_stat *stats)
{
	const struct stp_probe_info *p = &t->probes[probe];
	char text[160];

	for (stp_u32 i = p->first_point; i < p->first_point + p->n_points; i++)
		if (stats[i].count)
			write_line(out, "%s, (%s), %s, from: %s, index: %u\n",
				   tables_text(t, t->points[i]), tables_text(t, p->location),
				   figures(text, sizeof(text), t, &stats[i]),
				   tables_text(t, p->from), probe);
}

void report_timing(struct output *out, const struct tables *t, const struct stp_timing *timing)
{
	char text[160];
	size_t i;

	write_line(out, "----- probe hit report:\n");
	for (i = 0; i < t->info->n_probes; i++)
		if (*tables_text(t, t->probes[i].from))
			report_points(out, t, (stp_u32)i, point_stats(t, timing));
	write_line(out, "----- refresh report:\n%s\n",
		   figures(text, sizeof(text), t, &timing->refresh));
	write_line(out, "----- module init report:\n%s\n",
		   figures(text, sizeof(text), t, &timing->init));
	for (i = 0; i < t->info->n_locks; i++)
		if (lock_rows(timing)[i].contention)
			write_line(out, "'%s' lock contention occurred %llu times\n",
				   tables_text(t, t->locks[i]), lock_rows(timing)[i].contention);
	output_flush(out);
}
