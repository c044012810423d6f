/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing, NUL-terminated byte buffer on the heap. strbuf_init begins it, strbuf_deinit or
 * strbuf_steal ends it; a zeroed one is initialised too. It may hold NULs: len counts. Out of
 * memory ends the process through arena's funnel, so nothing here fails.
 */
#ifndef SPILE_BASE_STRBUF_H
#define SPILE_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

/* Read s and len only; s moves when the text grows. */
struct strbuf {
	char *s; /* never NULL after the first call that adds; "" from strbuf_cstr before */
	size_t len, cap;
};

/* Empty, without memory of its own. */
void strbuf_init(struct strbuf *b);
/* Frees the text; the buffer is empty and may be used again. */
void strbuf_deinit(struct strbuf *b);
/* Empties it and keeps the memory. */
void strbuf_reset(struct strbuf *b);
/* Keeps the first n bytes; there are as many. */
void strbuf_truncate(struct strbuf *b, size_t n);
/* The text, never NULL, the caller's to free; the buffer is empty then. */
char *strbuf_steal(struct strbuf *b);
/* The text as it is now, valid until the next call that changes the buffer; never NULL. */
const char *strbuf_cstr(const struct strbuf *b);
/*
 * Append n bytes, a text, a byte, formatted text. What is appended must not lie in the buffer
 * itself.
 */
void strbuf_add(struct strbuf *b, const char *s, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);

#endif
