/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the script's text goes: standard output or the file of -o. Writes are whole and buffered; the caller flushes
 * when it is about to sleep. A failed write is remembered once and everything after it is dropped, so that a full
 * disk or a closed pipe cannot hold the session up.
 */
#ifndef SPILE_READER_OUTPUT_H
#define SPILE_READER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/print/fmt.h"

struct output {
	int fd;
	char *path; /* of -o, expanded; NULL: standard output */
	unsigned n_switches;
	char *buf;
	size_t len, cap;
	int errnum; /* of the first failed write, 0: none */
	/* asked when a write was interrupted by a signal: true gives the output up; may be NULL */
	bool (*interrupted)(void *cookie);
	void *cookie;
};

/* path NULL: write to fd. strftime sequences in path are expanded now. */
struct error *output_init(struct output *o, const char *path, int fd) ERROR_MUST_CHECK;
void output_deinit(struct output *o); /* does not flush */
void output_write(struct output *o, const void *data, size_t n);
void output_format(struct output *o, const char *fmt, struct stp_fmt_args args);
void output_hist(struct output *o, const struct stp_hist_shape *shape, const stp_u64 *buckets);
void output_flush(struct output *o);
/* Go on in FILE.1, FILE.2, ...; nothing to do for standard output. */
struct error *output_switch(struct output *o) ERROR_MUST_CHECK;

#endif
