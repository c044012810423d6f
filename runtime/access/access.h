/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing memory that may not be there. Nothing here faults for real: page faults are
 * off, so pages that are not present count as faults too.
 *
 * Context: any handler.
 */
#ifndef STP_ACCESS_ACCESS_H
#define STP_ACCESS_ACCESS_H

#include "core/internal.h"

/* Whose address: the kernel's, or the current task's. */
enum stp_space { STP_KERNEL, STP_USER };

/* memory.c */
int stp_copy_from(enum stp_space space, void *to, u64 from, u32 n);
int stp_copy_to(enum stp_space space, u64 to, const void *from, u32 n);
int stp_copy_string(enum stp_space space, char *to, u64 from, u32 n);

/*
 * Text being put together in a buffer of size bytes. What does not fit is dropped; what is printed
 * makes room for itself.
 */
struct stp_text {
	char *s;
	u32 len;             /* below size: there is always room for the NUL */
	u32 size;            /* MAXSTRINGLEN */
	struct stp_ctx *out; /* printed, a piece whenever it is full; NULL: a string */
};

/* text.c */
int stp_text_begin(struct stp_ctx *c, struct stp_text *t);
struct stp_str stp_text_end(struct stp_ctx *c, struct stp_text *t);
int stp_text_print(struct stp_ctx *c, struct stp_text *t);
void stp_text_flush(struct stp_text *t);
void stp_text_printed(struct stp_text *t);
void stp_text_add(struct stp_text *t, const char *s, u32 len);
void stp_text_char(struct stp_text *t, char ch);
void stp_text_printf(struct stp_text *t, const char *fmt, ...) __printf(2, 3);

#define STP_QUOTE_MARKS 1u /* put quotes around, and dots behind what was cut */
#define STP_QUOTE_UTF8 2u  /* valid UTF-8 beyond ASCII becomes \uXXXX, not octal */
void stp_text_quote(struct stp_text *t, const char *s, u32 n, u32 limit, u32 flags, int cut);
struct stp_str stp_quote_string(struct stp_ctx *c, enum stp_space space, u64 addr, u32 n,
				u32 limit);

#endif
