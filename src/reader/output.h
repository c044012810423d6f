/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the script's text goes: standard output or the file of -o, or one file after the other:
 * FILE, FILE.1, ... when told to switch; FILE.0, FILE.1, ... with a limit on their size, of which
 * the latest are kept. strftime sequences in the name are expanded whenever one is opened. Writes
 * are whole and buffered; the caller flushes when it is about to sleep. A failed write is
 * remembered once and everything after it is dropped, so that a full disk or a closed pipe cannot
 * hold the session up.
 */
#ifndef SPILE_READER_OUTPUT_H
#define SPILE_READER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/print/fmt.h"

/* Where output goes and when it goes on in another file; the path is borrowed. */
struct output_options {
	const char *path; /* -o; NULL: standard output */
	stp_u64 limit;    /* bytes a file may have, 0: any number */
	unsigned keep;    /* so many files, 0: all */
};

/*
 * An output. buf, path, kept are owned; fd is owned when path is set. After a write failed errnum
 * is set and nothing more is written.
 */
struct output {
	struct output_options options;
	int fd;
	char *path;      /* of the open file, expanded; NULL: standard output */
	unsigned number; /* of the open file */
	stp_u64 written; /* to it, what is buffered included */
	char **kept;     /* names, the oldest first, the open file's last; only with options.keep */
	size_t n_kept;
	char *buf;
	size_t len, cap;
	int errnum; /* of the first failed write, 0: none */
	/* asked when a write was interrupted by a signal: true gives the output up; may be NULL */
	bool (*interrupted)(void *cookie);
	void *cookie;
};

/*
 * Without a path: write to fd, which stays the caller's. options->path must outlive the output.
 * interrupted is set by the caller afterwards. On failure nothing is left to release.
 */
struct error *output_init(struct output *o, const struct output_options *options,
			  int fd) ERROR_MUST_CHECK;
/* Releases everything; does not flush. A file that does not close in order sets errnum. */
void output_deinit(struct output *o);
/* Append bytes, a formatted record, a histogram. They never fail: see errnum. */
void output_write(struct output *o, const void *data, size_t n);
/* Two portions that belong into one file. */
void output_write_pair(struct output *o, const void *a, size_t n_a, const void *b, size_t n_b);
void output_format(struct output *o, const char *fmt, struct stp_fmt_args args);
void output_hist(struct output *o, const struct stp_hist_shape *shape, const stp_u64 *buckets);
/* Write what is buffered. Before sleeping, and before a message that must come after it. */
void output_flush(struct output *o);
/*
 * Go on in the next file; nothing to do for standard output. On failure the open file stays in
 * use.
 */
struct error *output_switch(struct output *o) ERROR_MUST_CHECK;

#endif
