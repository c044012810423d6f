/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end-of-run report. */
#include "reader/report.h"

#include <stdio.h>

void report_losses(struct messages *m, const struct losses *l)
{
	stp_u64 mb = (l->ring_len + (1 << 20) - 1) >> 20;

	if (l->records)
		messages_warningf(m,
				  "There were %llu transport failures. Try stap -s to increase the buffer size from %llu.",
				  l->records, mb);
	if (l->damaged)
		messages_warningf(m, "%lu output records were damaged and left out.", l->damaged);
}

/* What the user can act upon; hits while a session starts or stops are no loss. */
static const struct {
	enum stp_skip reason;
	const char *text;
} reasons[] = {
	{ STP_SKIP_LOCK, "lock timeout of a global" },
	{ STP_SKIP_STACK, "low stack" },
	{ STP_SKIP_REENTRANT, "reentrancy" },
	{ STP_SKIP_NMI, "hit in NMI context" },
	{ STP_SKIP_OVERLOAD, "overload" },
	{ STP_SKIP_SAVED, "low maxactive (strings saved at entry)" },
};
#define N_REASONS (sizeof(reasons) / sizeof(reasons[0]))

static stp_u64 skipped_of(const struct stp_ledger_row *row)
{
	stp_u64 n = 0;
	size_t i;

	for (i = 0; i < N_REASONS; i++)
		n += row->skipped[reasons[i].reason];
	return n;
}

static void report_probe(struct messages *m, const struct tables *t, const struct stp_ledger_row *row)
{
	const char *pp = row->probe < t->info->n_probes ? tables_text(t, t->probes[row->probe].pp) : "?";
	const char *at = row->probe < t->info->n_probes ? tables_text(t, t->probes[row->probe].location) : "?";
	size_t i;

	for (i = 0; i < N_REASONS; i++)
		if (row->skipped[reasons[i].reason])
			messages_warningf(m, "Skipped due to %s: %llu of %llu hits in probe %s (%s)", reasons[i].text,
					  row->skipped[reasons[i].reason], row->hits, pp, at);
	if (row->missed)
		messages_warningf(m, "Missed by the kernel: %llu hits in probe %s (%s)", row->missed, pp, at);
}

void report_ledger(struct messages *m, const struct tables *t, const struct stp_ledger_row *rows, size_t n)
{
	stp_u64 errors = 0, skipped = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		errors += rows[i].errors;
		skipped += skipped_of(&rows[i]);
	}
	if (errors || skipped)
		messages_warningf(m, "Number of errors: %llu, skipped probes: %llu", errors, skipped);
	for (i = 0; i < n; i++)
		report_probe(m, t, &rows[i]);
}

void report_timing(struct output *out, const struct tables *t, const struct stp_ledger_row *rows, size_t n)
{
	static const char title[] = "----- probe hit report:\n";
	const struct stp_ledger_row *row;

	output_write(out, title, sizeof(title) - 1);
	for (row = rows; row < rows + n; row++) {
		const struct stp_probe_info *p = &t->probes[row->probe];
		char line[4096];
		int len;

		if (!row->hits || row->probe >= t->info->n_probes)
			continue;
		len = snprintf(line, sizeof(line),
			       "%s, (%s), hits: %llu, cycles: %llumin/%lluavg/%llumax, from: %s, index: %u\n",
			       tables_text(t, p->pp), tables_text(t, p->location), row->hits, row->cycles_min,
			       row->ran ? row->cycles_sum / row->ran : 0, row->cycles_max, tables_text(t, p->pn),
			       row->probe);
		output_write(out, line, (size_t)len < sizeof(line) ? (size_t)len : sizeof(line) - 1);
	}
	output_flush(out);
}
