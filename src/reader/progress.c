/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress of attaching, from the ledger: points attached of those wanted. On a terminal the line
 * is rewritten in place, elsewhere each state is a line. Two looks a second keep the cost of
 * reading the ledger low.
 */
#include "reader/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_NS 1000000000ull
#define STEP_NS 500000000ull

void progress_begin(struct progress *p, int verbose, stp_u64 now)
{
	p->terminal = isatty(STDERR_FILENO);
	p->wanted = p->terminal || verbose;
	p->shown = false;
	p->next = now + PATIENCE_NS;
}

/* n with commas between thousands; text holds any. */
static const char *grouped(char text[32], stp_u64 n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", n), i, at = 0;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	return text;
}

/* 0 when the ledger cannot be read: progress is not worth a message. */
static stp_u64 attached(struct control *c)
{
	struct stp_ledger_row *rows = NULL;
	struct error *err;
	stp_u64 sum = 0;
	size_t i, n = 0;

	err = control_ledger(c, &rows, &n);
	if (err) {
		error_destroy(err);
		return 0;
	}
	for (i = 0; i < n; i++)
		sum += rows[i].n_points;
	free(rows);
	return sum;
}

void progress_show(struct progress *p, struct control *c, stp_u64 now)
{
	char done[32], all[32];

	if (!p->wanted || now < p->next)
		return;
	p->next = now + STEP_NS;
	p->shown = true;
	fprintf(stderr, "%sarmed %s of %s%s", p->terminal ? "\r" : "", grouped(done, attached(c)),
		grouped(all, c->tables.info->n_attach), p->terminal ? "\033[K" : "\n");
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown && p->terminal)
		fputs("\r\033[K", stderr);
	p->wanted = p->shown = false;
}
