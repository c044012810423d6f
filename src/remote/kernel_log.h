/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest's kernel log as it comes over the serial line: the last 64 KB of it, and the first line
 * that says the kernel is broken (oops, warning, lockdep or sanitizer report, lockup).
 */
#ifndef SPILE_REMOTE_KERNEL_LOG_H
#define SPILE_REMOTE_KERNEL_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a log that are kept at least, once there are so many. */
#define KERNEL_LOG_MAX (64u << 10)

/* The log of one guest. The functions below give texts in it, valid until it is added to. */
struct kernel_log {
	char text[2 * KERNEL_LOG_MAX +
		  1]; /* NUL-terminated; its older half is dropped when it fills up */
	size_t len;
	size_t scanned;    /* complete lines looked at so far */
	char failure[256]; /* "" while nothing is wrong */
	size_t failure_at; /* where that line is in text, while it still is */
	bool is_panic;     /* the failure ends the kernel rather than being reported only */
};

/* Empties it; there is nothing to release. */
void kernel_log_init(struct kernel_log *log);
/*
 * Takes in what came over the line, in parts of any size. When the text is full and holds a
 * failure, it is kept from that line on, and later text is dropped.
 */
void kernel_log_add(struct kernel_log *log, const char *bytes, size_t n);
/* The last N_LINES lines. */
const char *kernel_log_tail(const struct kernel_log *log, unsigned int n_lines);
/* All there is from the failure on; the tail when nothing failed or it is long past. */
const char *kernel_log_report(const struct kernel_log *log, unsigned int n_lines);
/* Whether one line of a kernel log is a failure; exposed for tests. */
bool kernel_log_line_fails(const char *line);

#endif
