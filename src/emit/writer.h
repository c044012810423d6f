/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing C. All text that codegen produces goes through a writer: it owns indentation, blank
 * lines, comments, braces and the breaking of long lines, so that generated C has kernel style
 * whatever produced it. Names and literals come from emit_name and emit_string, the only ways
 * by which user text gets into C.
 *
 * A part whose surroundings depend on it (a block that needs no braces, a function whose
 * declarations are known only after its body) is written first, between emit_capture and
 * emit_captured, and then placed with emit_text. Where captures nest, a text is not copied into
 * the one around it, which would take time by the square of the depth: it is written once, when
 * the outermost is placed, unless it is a single line.
 *
 * Text passed to emit_line is one line without its newline. Strings live in the writer's arena.
 */
#ifndef SPILE_EMIT_WRITER_H
#define SPILE_EMIT_WRITER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct arena;
struct emit_text;
struct strbuf;

/* Columns, a tab counted as eight. A line is wider only where it has no place to be broken. */
#define EMIT_WIDTH 100
/* Tabs before a line at most: deeper nests stay at this margin, or most of their text were tabs. */
#define EMIT_DEPTH_MAX 32

/*
 * The fields are open to codegen, which moves depth around captured parts; the others are the
 * writer's own.
 */
struct writer {
	struct arena *arena;
	struct strbuf *out;
	struct emit_texts *placed; /* what the capture has of others; NULL: none is open */
	unsigned depth;            /* tabs before a line */
	size_t n_lines;            /* written since emit_init or the innermost emit_capture */
	bool blank;                /* the last line was empty, or nothing is written yet */
};

/* What emit_capture put aside. */
struct emit_saved {
	struct strbuf *out;
	struct emit_texts *placed;
	size_t n_lines;
	bool blank;
};

/* Texts in the order in which they were placed in another. */
struct emit_texts {
	VEC(struct emit_place) of;
};

/* Text that was captured: complete, indented lines. */
struct emit_text {
	const char *own; /* without the texts placed in it */
	size_t len;      /* of own */
	const struct emit_texts *placed;
	size_t n_lines; /* with those placed in it */
	bool blank;     /* the last of them is empty */
};

/* TEXT stands before the byte AT of the text that it is placed in. */
struct emit_place {
	size_t at;
	struct emit_text text;
};

/* Writes to OUT, which the caller owns and deinitialises. The first line is at depth 0. */
void emit_init(struct writer *w, struct arena *arena, struct strbuf *out);

/* One line, indented; broken at commas and operators when too long. */
void emit_line(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_vline(struct writer *w, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
/* "FMT {", and one level deeper. */
void emit_open(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One level up, "}TAIL". */
void emit_close(struct writer *w, const char *tail);
/* "NAME:" at the left margin. */
void emit_label(struct writer *w, const char *name);
/* An empty line, never two in a row. */
void emit_blank(struct writer *w);
/* A comment on lines of its own; the text may hold anything. */
void emit_comment(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A preprocessor line: not indented, not broken. */
void emit_directive(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Foreign C (embedded code): every line as it is. */
void emit_verbatim(struct writer *w, const char *text, size_t len);

/*
 * Lines written from here on go to a buffer, at the depth that W has by then; *saved must be
 * handed to emit_captured. Captures nest, and end in the reverse order.
 */
void emit_capture(struct writer *w, struct emit_saved *saved);
/*
 * Ends the innermost capture. The text is in the writer's arena and may be placed later, or
 * never.
 */
struct emit_text emit_captured(struct writer *w, const struct emit_saved *saved);
/* Places captured text as it is; its indentation was decided when it was captured. */
void emit_text(struct writer *w, struct emit_text text);
/* Captured text with all in it, in the writer's arena. */
const char *emit_flat(struct writer *w, const struct emit_text *text);
/*
 * HEAD with BODY (captured one level deeper) as its statement; in braces unless that is one
 * line.
 */
void emit_block(struct writer *w, const char *head, struct emit_text body);
/* if / else if / else: heads and bodies; all in braces unless every body is one line. */
void emit_chain(struct writer *w, const char *const *heads, const struct emit_text *bodies,
		size_t n);

/*
 * A C identifier for a script's name: "PREFIX_NAME". Injective for a given prefix: names of
 * other characters than letters, digits and underscores become "PREFIXx_..." with _hh for a
 * byte and __ for an underscore.
 */
const char *emit_name(struct arena *arena, const char *prefix, const char *name);
/*
 * A readable fragment of an identifier made of any text: not injective, only ever put behind a
 * number.
 */
const char *emit_slug(struct arena *arena, const char *text, size_t max);
/*
 * A C string literal, quotes included, for any bytes; no trigraphs, no escape that swallows a
 * following digit.
 */
const char *emit_string(struct arena *arena, const char *s, size_t len);
/* The same behind what is in B. */
void emit_add_string(struct strbuf *b, const char *s, size_t len);

#endif
