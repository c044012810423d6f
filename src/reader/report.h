/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end-of-run report: what was lost, failed or skipped. Nothing is said when there was
 * nothing. The functions only read what they are given; what is off by -w stays off.
 */
#ifndef SPILE_READER_REPORT_H
#define SPILE_READER_REPORT_H

#include "reader/messages.h"
#include "reader/output.h"
#include "reader/tables.h"

/* What was lost between the rings' producers and the reader, over the whole session. */
struct losses {
	stp_u64 records, bytes; /* of output that did not fit into the rings */
	stp_u64 ring_len;
	unsigned long damaged; /* records the reader could not decode */
};

/* Output that did not reach the reader, with the remedy. */
void report_losses(struct messages *m, const struct losses *l);
/*
 * Errors and skips in all, then a line for each probe and reason that lost hits. ROWS are those of
 * control_ledger(): what points missed is read behind them. They may name probes that the tables do
 * not have.
 */
void report_ledger(struct messages *m, const struct tables *t, const struct stp_ledger_row *rows,
		   size_t n);
/*
 * With -t: what all probes together skipped, by reason. The locks' rows and the points' figures are
 * behind timing.
 */
void report_skips(struct messages *m, const struct tables *t, const struct stp_ledger_row *rows,
		  size_t n, const struct stp_timing *timing);
/*
 * The report of -t, on the script's own output: how often each point of each probe was hit, how
 * long it took, what had to wait.
 */
void report_timing(struct output *out, const struct tables *t, const struct stp_timing *timing);

#endif
