/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ERROR: and WARNING: lines on standard error. A warning is shown once (1024 are remembered) unless
 * verbose; -w shows none. Remembers whether there was an error: the run has then failed. A daemon's
 * go to the system's log.
 */
#ifndef SPILE_READER_MESSAGES_H
#define SPILE_READER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESSAGES_REMEMBERED 1024

/*
 * For one thread. color is decided by messages_set_color(), the other flags are the caller's to
 * set.
 */
struct messages {
	int fd; /* -1: the system's log */
	bool color, verbose, no_warnings;
	bool failed;
	size_t n_seen;
	uint64_t seen[2 * MESSAGES_REMEMBERED]; /* hashes, 0 empty */
};

/* Colours are "auto" for fd; all flags are off. */
void messages_init(struct messages *m, int fd);
/*
 * "always", "never", "auto": a terminal that is not dumb. False for anything else, and nothing
 * changes.
 */
bool messages_set_color(struct messages *m, const char *when);
/*
 * From now on to the system's log, without colours; for a daemon, whose standard error leads
 * nowhere.
 */
void messages_use_log(struct messages *m);
/* A text of len bytes, without its newline. An error is always shown, and sets failed. */
void messages_error(struct messages *m, const char *text, size_t len);
/* Not with -w; a text that was shown already is shown again with -v only. */
void messages_warning(struct messages *m, const char *text, size_t len);
/* Formatted, cut at 1023 bytes. */
void messages_errorf(struct messages *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line of our own, of neither sort. */
void messages_line(struct messages *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Never suppressed as a repetition. */
void messages_warningf(struct messages *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
