/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest's kernel log as it comes over the serial line: the last 64 KB of it, and the first line
 * that says the kernel is broken (oops, warning, lockdep or sanitizer report, lockup).
 */
#ifndef SPILE_REMOTE_KERNEL_LOG_H
#define SPILE_REMOTE_KERNEL_LOG_H

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_LOG_MAX (64u << 10)

struct kernel_log {
	char text[2 * KERNEL_LOG_MAX +
		  1]; /* NUL-terminated; its older half is dropped when it fills up */
	size_t len;
	size_t scanned;    /* complete lines looked at so far */
	char failure[256]; /* "" while nothing is wrong */
	size_t failure_at; /* where that line is in text, while it still is */
	bool is_panic;     /* the failure ends the kernel rather than being reported only */
};

void kernel_log_init(struct kernel_log *log);
void kernel_log_add(struct kernel_log *log, const char *bytes, size_t n);
/* The last N_LINES lines. */
const char *kernel_log_tail(const struct kernel_log *log, unsigned int n_lines);
/* All there is from the failure on; the tail when nothing failed or it is long past. */
const char *kernel_log_report(const struct kernel_log *log, unsigned int n_lines);
/* Whether one line of a kernel log is a failure; exposed for tests. */
bool kernel_log_line_fails(const char *line);

#endif
