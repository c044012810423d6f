/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress of attaching, from the ledger: points attached of those wanted; of letting go: those
 * that are left. On a terminal the line is rewritten in place, elsewhere each state is a line. Two
 * looks a second keep the cost of reading the ledger low.
 */
#include "reader/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MS 1000000ull
#define PATIENCE (1000 * MS)
#define STOP_PATIENCE (100 * MS) /* who pressed Ctrl-C sees an answer before pressing it again */
#define STEP (500 * MS)

void progress_begin(struct progress *p, bool always, stp_u64 now)
{
	p->terminal = isatty(STDERR_FILENO);
	p->watched = p->terminal || always;
	p->wanted = p->watched;
	p->attaching = true;
	p->stopping = p->shown = false;
	p->next = now + PATIENCE;
}

void progress_attached(struct progress *p)
{
	p->attaching = false;
	if (!p->stopping)
		progress_end(p);
}

void progress_stop(struct progress *p, stp_u64 now)
{
	p->wanted = p->watched;
	p->stopping = true;
	p->next = now + STOP_PATIENCE;
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
	char n[32], all[32];
	stp_u64 n_attached;

	if (!p->wanted || now < p->next)
		return;
	p->next = now + STEP;
	p->shown = true;
	fputs(p->terminal ? "\r" : "", stderr);
	n_attached = attached(c);
	grouped(n, n_attached);
	if (!p->stopping)
		fprintf(stderr, "armed %s of %s", n, grouped(all, c->tables.info->n_attach));
	else if (n_attached)
		fprintf(stderr, "stopping: letting go of %s points", n);
	else
		fprintf(stderr, "stopping: %s",
			p->attaching ? "the kernel is still attaching points; then they are let go"
				     : "no point is attached any more");
	fputs(p->terminal ? "\033[K" : "\n", stderr);
	fflush(stderr);
}

int progress_due(const struct progress *p, stp_u64 now, int ms)
{
	stp_u64 wait = p->next > now ? (p->next - now) / MS + 1 : 0;

	return p->wanted && wait < (stp_u64)ms ? (int)wait : ms;
}

void progress_end(struct progress *p)
{
	if (p->shown && p->terminal)
		fputs("\r\033[K", stderr);
	p->wanted = p->shown = false;
}
