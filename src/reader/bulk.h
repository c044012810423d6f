/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bulk mode (stap -b): a file for each processor instead of one output, what a processor printed in
 * its own. Each portion has a header, by which stap-merge puts the files together again.
 */
#ifndef SPILE_READER_BULK_H
#define SPILE_READER_BULK_H

#include "reader/output.h"

#define BULK_DEFAULT_BASE "stpd_cpu"

/* In front of each portion, in this machine's byte order. */
struct bulk_header {
	stp_u32 sequence; /* in the order of time, over all files, from 0 */
	stp_u32 length;   /* bytes of text that follow */
};

/* One file each for n processors. n is 0: not in use. */
struct bulk {
	struct output *files; /* n, owned */
	int *cpus;            /* whose they are, owned */
	size_t n;
	struct output text; /* the portion that is being made; nothing is written by it */
	stp_u32 sequence;
};

/*
 * Opens BASE_K for each processor K of the n cpus, BASE from options->path, or BULK_DEFAULT_BASE
 * and K; with a limit on their size FILE_cpuK.J, as J goes on. On failure nothing is left to
 * release.
 */
struct error *bulk_open(struct bulk *b, const struct output_options *options, const int *cpus,
			size_t n) ERROR_MUST_CHECK;
/* Closes the files, whose errnum may still be looked at. Does not flush. */
void bulk_end(struct bulk *b);
/* Releases the rest. Harmless when it is not in use. */
void bulk_close(struct bulk *b);
/* What b->text has is a portion of CPU's; it is empty then. */
void bulk_take(struct bulk *b, int cpu);
/* As output_flush() and output_switch() for each file; the first error of several. */
void bulk_flush(struct bulk *b);
struct error *bulk_switch(struct bulk *b) ERROR_MUST_CHECK;

#endif
