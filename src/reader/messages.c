/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines for people on standard error. Each is one write, so that lines of several programs do not
 * mix.
 */
#include "reader/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <syslog.h>
#include <unistd.h>

#include "base/intern.h"

#define COLOR_ERROR "\033[01;31m\033[K"
#define COLOR_WARNING "\033[00;33m\033[K"
#define COLOR_OFF "\033[m\033[K"

void messages_init(struct messages *m, int fd)
{
	memset(m, 0, sizeof(*m));
	m->fd = fd;
	messages_set_color(m, "auto");
}

bool messages_set_color(struct messages *m, const char *when)
{
	const char *term = getenv("TERM");

	if (!strcmp(when, "always"))
		m->color = true;
	else if (!strcmp(when, "never"))
		m->color = false;
	else if (!strcmp(when, "auto"))
		m->color = isatty(m->fd) && term && strcmp(term, "dumb");
	else
		return false;
	return true;
}

/* One writev for the whole line. */
static void print_line(struct messages *m, const char *word, const char *color, const char *text,
		       size_t len)
{
	struct iovec iov[6] = {
		{ (char *)color, m->color ? strlen(color) : 0 },
		{ (char *)word, strlen(word) },
		{ COLOR_OFF, m->color ? strlen(COLOR_OFF) : 0 },
		{ " ", 1 },
		{ (char *)text, len },
		{ "\n", 1 },
	};

	if (m->fd < 0) {
		syslog(*word == 'E' ? LOG_ERR : LOG_WARNING, "%s %.*s", word, (int)len, text);
		return;
	}
	/* nobody is left to tell about a failure */
	while (writev(m->fd, iov, 6) < 0 && errno == EINTR)
		;
}

void messages_use_log(struct messages *m)
{
	m->fd = -1;
	m->color = false;
	openlog("stapio", LOG_PID, LOG_DAEMON);
}

void messages_error(struct messages *m, const char *text, size_t len)
{
	m->failed = true;
	print_line(m, "ERROR:", COLOR_ERROR, text, len);
}

/*
 * By hash, so two texts may be taken for one with a probability that does not matter here. When
 * MESSAGES_REMEMBERED are known, new ones are shown each time.
 */
static bool seen_before(struct messages *m, const char *text, size_t len)
{
	uint64_t hash = hash_bytes64(text, len, 0) | 1;
	size_t i = hash >> 32;

	for (;; i++) {
		uint64_t *slot = &m->seen[i % (2 * MESSAGES_REMEMBERED)];

		if (*slot == hash)
			return true;
		if (*slot)
			continue;
		if (m->n_seen < MESSAGES_REMEMBERED) {
			*slot = hash;
			m->n_seen++;
		}
		return false;
	}
}

void messages_warning(struct messages *m, const char *text, size_t len)
{
	if (m->no_warnings || (!m->verbose && seen_before(m, text, len)))
		return;
	print_line(m, "WARNING:", COLOR_WARNING, text, len);
}

/* The length of what fits, 0 when the format fails. */
static size_t format_text(char *text, size_t size, const char *fmt, va_list ap)
{
	int n = vsnprintf(text, size, fmt, ap);

	if (n < 0)
		return 0;
	return (size_t)n < size ? (size_t)n : size - 1;
}

void messages_errorf(struct messages *m, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	n = format_text(text, sizeof(text), fmt, ap);
	va_end(ap);
	messages_error(m, text, n);
}

void messages_line(struct messages *m, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	n = format_text(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	if (m->fd < 0) {
		syslog(LOG_INFO, "%s", text);
		return;
	}
	text[n++] = '\n';
	/* nobody is left to tell about a failure */
	while (write(m->fd, text, n) < 0 && errno == EINTR)
		;
}

void messages_warningf(struct messages *m, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	size_t n;

	if (m->no_warnings)
		return;
	va_start(ap, fmt);
	n = format_text(text, sizeof(text), fmt, ap);
	va_end(ap);
	print_line(m, "WARNING:", COLOR_WARNING, text, n);
}
