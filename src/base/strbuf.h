/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing, NUL-terminated byte buffer on the heap. strbuf_deinit or strbuf_steal ends it. Out of memory: arena's funnel. */
#ifndef SPILE_BASE_STRBUF_H
#define SPILE_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *s; /* never NULL after the first call that adds; "" from strbuf_cstr before */
	size_t len, cap;
};

void strbuf_init(struct strbuf *b);
void strbuf_deinit(struct strbuf *b);
void strbuf_reset(struct strbuf *b);  /* empty, keeps the memory */
char *strbuf_steal(struct strbuf *b); /* caller frees */
const char *strbuf_cstr(const struct strbuf *b);
void strbuf_add(struct strbuf *b, const char *s, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);

#endif
