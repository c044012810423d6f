/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The string buffer: doubling from 64 bytes, always with room for the NUL. */
#include "base/strbuf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void strbuf_init(struct strbuf *b)
{
	memset(b, 0, sizeof(*b));
}

void strbuf_deinit(struct strbuf *b)
{
	free(b->s);
	strbuf_init(b);
}

void strbuf_reset(struct strbuf *b)
{
	strbuf_truncate(b, 0);
}

void strbuf_truncate(struct strbuf *b, size_t n)
{
	assert(n <= b->len);
	b->len = n;
	if (b->s)
		b->s[n] = '\0';
}

char *strbuf_steal(struct strbuf *b)
{
	char *s;

	strbuf_add(b, "", 0);
	s = b->s;
	strbuf_init(b);
	return s;
}

const char *strbuf_cstr(const struct strbuf *b)
{
	return b->s ? b->s : "";
}

/* Room for n more bytes and the NUL. */
static void strbuf_reserve(struct strbuf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 64;
	char *s;

	if (n >= SIZE_MAX / 2 - b->len)
		arena_out_of_memory();
	if (b->cap && b->len + n + 1 <= b->cap)
		return;
	while (cap < b->len + n + 1)
		cap *= 2;
	s = realloc(b->s, cap);
	if (!s)
		arena_out_of_memory();
	b->s = s;
	b->cap = cap;
}

void strbuf_add(struct strbuf *b, const char *s, size_t n)
{
	strbuf_reserve(b, n);
	if (n)
		memcpy(b->s + b->len, s, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void strbuf_adds(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_addc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	/* into the room there is, mostly enough */
	strbuf_reserve(b, 0);
	va_copy(again, ap);
	n = vsnprintf(b->s + b->len, b->cap - b->len, fmt, again);
	va_end(again);
	if (n < 0)
		arena_out_of_memory();
	if ((size_t)n >= b->cap - b->len) {
		strbuf_reserve(b, (size_t)n);
		vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	}
	b->len += (size_t)n;
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(b, fmt, ap);
	va_end(ap);
}
