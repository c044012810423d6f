// SPDX-License-Identifier: GPL-2.0-or-later
/* The ledger: what became of every hit, added up over the contexts when somebody reads it. */
#include <linux/cpumask.h>
#include <linux/overflow.h>
#include "core/internal.h"

/**
 * stp_ledger_size - bytes of what stp_ledger_fill() writes
 *
 * Context: any; constant.
 */
size_t stp_ledger_size(void)
{
	return array_size(stp_script.n_probes, sizeof(struct stp_ledger_row)) +
	       array_size(stp_script.n_points, sizeof(u64));
}

static void row_add(struct stp_ledger_row *row, const struct stp_count *count)
{
	int i;

	row->ran += count->ran;
	row->errors += count->errors;
	row->hits += count->ran;
	for (i = 0; i < STP_SKIP_MAX; i++) {
		row->skipped[i] += count->skipped[i];
		row->hits += count->skipped[i];
	}
}

static void row_add_all(struct stp_ledger_row *row, const struct stp_probe *p)
{
	int k;

	for (k = 0; k < stp_n_ctx; k++) {
		if (stp_cpus[k])
			row_add(row, &stp_cpus[k]->counts[p->index]);
	}
}

/**
 * stp_probe_hits - how often a probe was hit, whatever became of that
 *
 * Context: process. Of a running probe as of some moment during the call.
 */
u64 stp_probe_hits(const struct stp_probe *p)
{
	struct stp_ledger_row row = {};

	row_add_all(&row, p);
	return row.hits;
}

/**
 * stp_ledger_fill - one row per probe, behind them a number per point
 *
 * Context: process. Rows of running probes are as of some moment during the call.
 */
void stp_ledger_fill(struct stp_ledger_row *rows)
{
	u32 i;

	memset(rows, 0, stp_ledger_size());
	for (i = 0; i < stp_script.n_probes; i++) {
		const struct stp_probe *p = &stp_script.probes[i];

		rows[i].probe = i;
		rows[i].n_points = stp_probe_attached(p);
		rows[i].refused = stp_probe_refused(p);
		rows[i].left_out = stp_probe_left_out(p);
		rows[i].overruns = stp_probe_overruns(p);
		rows[i].rearmed = stp_probe_rearmed(p);
		row_add_all(&rows[i], p);
	}
	stp_missed_fill(rows, (u64 *)(rows + stp_script.n_probes));
}
