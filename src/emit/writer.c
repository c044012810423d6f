/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer of C text: indentation, blank lines and the breaking of lines that are wider than
 * EMIT_WIDTH. It knows C only as far as literals, brackets and a few operators, which is enough
 * to find places where a line may be broken. There are no errors to return: the output buffer
 * grows.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "emit/writer.h"

#define TAB 8
#define MIN_BREAK 14 /* no line is broken before this column of its text */

void emit_init(struct writer *w, struct arena *arena, struct strbuf *out)
{
	*w = (struct writer){ .arena = arena, .out = out, .blank = true };
}

/* The tabs of a line; its text begins at what is returned. */
static size_t begin_line(struct writer *w, unsigned depth)
{
	for (unsigned i = 0; i < depth && i < EMIT_DEPTH_MAX; i++)
		strbuf_addc(w->out, '\t');
	return w->out->len;
}

/* Of functions that write a line of their own; those that place texts count the lines of these. */
static void end_line(struct writer *w)
{
	strbuf_addc(w->out, '\n');
	w->n_lines++;
	w->blank = false;
}

/* The end of the string or character literal that begins at p. */
static const char *literal_end(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote)
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p < end ? p + 1 : end;
}

/*
 * May a line break follow the character at p, which stays on the line? p has characters before
 * it.
 */
static bool break_after(const char *p)
{
	if (p[1] != ' ')
		return false;
	return *p == ',' || *p == '?' || (*p == '&' && p[-1] == '&') || (*p == '|' && p[-1] == '|');
}

/*
 * Length of the first part of a line of text that may be WIDTH wide: broken where the fewest
 * brackets are open, late.
 */
static size_t first_line(const char *text, size_t len, size_t width)
{
	const char *p = text, *end = text + len;
	size_t best = len;
	int depth = 0, best_depth = 0;

	while (p < end) {
		if (*p == '"' || *p == '\'') {
			p = literal_end(p, end);
			continue;
		}
		depth += *p == '(' || *p == '{' || *p == '[';
		depth -= *p == ')' || *p == '}' || *p == ']';
		if (p > text + MIN_BREAK && p + 2 < end &&
		    (break_after(p) || (!depth && !strncmp(p - 1, " = ", 3)))) {
			size_t part = p + 1 - text;
			/* rather among the operands than before them */
			int cost = depth + (*p == '=');

			if (part > width && best != len)
				break;
			if (best == len || cost <= best_depth) {
				best = part;
				best_depth = cost;
			}
		}
		p++;
	}
	return best;
}

/*
 * The rest of a line whose tabs are written, in as many parts as it takes; continuations are two
 * tabs deeper than the first. A line without a place to break stays as long as it is.
 */
static void put_broken(struct writer *w, const char *text, size_t len)
{
	unsigned depth = w->depth;

	while (depth * TAB + len > EMIT_WIDTH) {
		size_t part = first_line(text, len, EMIT_WIDTH - depth * TAB);

		if (part == len)
			break;
		strbuf_add(w->out, text, part);
		end_line(w);
		text += part + 1; /* the space */
		len -= part + 1;
		depth = w->depth + 2;
		begin_line(w, depth);
	}
	strbuf_add(w->out, text, len);
	end_line(w);
}

/* Ends the line whose text begins at START of the output, and breaks it when it is too wide. */
static void finish_line(struct writer *w, size_t start)
{
	size_t len = w->out->len - start;
	struct strbuf wide;

	if (w->depth * TAB + len <= EMIT_WIDTH) {
		end_line(w);
		return;
	}
	strbuf_init(&wide);
	strbuf_add(&wide, w->out->s + start, len);
	strbuf_truncate(w->out, start);
	put_broken(w, wide.s, wide.len);
	strbuf_deinit(&wide);
}

void emit_vline(struct writer *w, const char *fmt, va_list ap)
{
	size_t start = begin_line(w, w->depth);

	strbuf_vaddf(w->out, fmt, ap);
	finish_line(w, start);
}

void emit_line(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_vline(w, fmt, ap);
	va_end(ap);
}

void emit_open(struct writer *w, const char *fmt, ...)
{
	size_t start = begin_line(w, w->depth);
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(w->out, fmt, ap);
	va_end(ap);
	strbuf_adds(w->out, " {");
	finish_line(w, start);
	w->depth++;
}

void emit_close(struct writer *w, const char *tail)
{
	w->depth--;
	emit_line(w, "}%s", tail);
}

void emit_label(struct writer *w, const char *name)
{
	strbuf_addf(w->out, "%s:", name);
	end_line(w);
}

void emit_blank(struct writer *w)
{
	if (w->blank)
		return;
	strbuf_addc(w->out, '\n');
	w->n_lines++;
	w->blank = true;
}

/*
 * Text that cannot end a comment, begin one (-Wcomment) or hold a line break; bytes above ASCII
 * stay as they are.
 */
static const char *comment_safe(struct writer *w, const char *text)
{
	struct strbuf out;
	char *copy;

	strbuf_init(&out);
	for (const char *p = text; *p; p++) {
		bool control = (unsigned char)*p < ' ' || *p == 127;

		strbuf_addc(&out, control ? ' ' : *p);
		if ((p[0] == '*' && p[1] == '/') || (p[0] == '/' && p[1] == '*'))
			strbuf_addc(&out, ' ');
		if (p[0] == '?' && p[1] == '?') /* trigraph: ??/ would join lines */
			strbuf_addc(&out, ' ');
	}
	copy = arena_strdup(w->arena, strbuf_cstr(&out));
	strbuf_deinit(&out);
	return copy;
}

void emit_comment(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	begin_line(w, w->depth);
	va_start(ap, fmt);
	strbuf_addf(w->out, "/* %s */", comment_safe(w, arena_vprintf(w->arena, fmt, ap)));
	va_end(ap);
	end_line(w);
}

void emit_directive(struct writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(w->out, fmt, ap);
	va_end(ap);
	end_line(w);
}

/*
 * Counted as one line whatever it holds: only whether there are any, or exactly one, is ever
 * asked.
 */
void emit_verbatim(struct writer *w, const char *text, size_t len)
{
	if (!len)
		return;
	strbuf_add(w->out, text, len);
	if (text[len - 1] != '\n')
		strbuf_addc(w->out, '\n');
	w->n_lines++;
	w->blank = false;
}

void emit_capture(struct writer *w, struct emit_saved *saved)
{
	*saved = (struct emit_saved){ w->out, w->placed, w->n_lines, w->blank };
	w->out = arena_alloc(w->arena, sizeof(*w->out));
	strbuf_init(w->out);
	w->placed = arena_new(w->arena, struct emit_texts);
	w->n_lines = 0;
	w->blank = true;
}

struct emit_text emit_captured(struct writer *w, const struct emit_saved *saved)
{
	struct emit_text ret = {
		.len = w->out->len, .placed = w->placed, .n_lines = w->n_lines, .blank = w->blank
	};

	ret.own = arena_strndup(w->arena, strbuf_cstr(w->out), w->out->len);
	strbuf_deinit(w->out);
	w->out = saved->out;
	w->placed = saved->placed;
	w->n_lines = saved->n_lines;
	w->blank = saved->blank;
	return ret;
}

static void flatten(struct strbuf *out, const struct emit_text *text)
{
	size_t done = 0;

	vec_foreach(place, &text->placed->of) {
		strbuf_add(out, text->own + done, place->at - done);
		flatten(out, &place->text);
		done = place->at;
	}
	strbuf_add(out, text->own + done, text->len - done);
}

void emit_text(struct writer *w, struct emit_text text)
{
	if (!text.n_lines)
		return;
	if (text.n_lines == 1 &&
	    !text.placed->of.n) { /* about as long as what would name its place */
		strbuf_add(w->out, text.own, text.len);
	} else if (w->placed) {
		struct emit_place place = { w->out->len, text };

		vec_push(w->arena, &w->placed->of, place);
	} else {
		flatten(w->out, &text);
	}
	w->n_lines += text.n_lines;
	w->blank = text.blank;
}

const char *emit_flat(struct writer *w, const struct emit_text *text)
{
	struct strbuf out;
	char *ret;

	strbuf_init(&out);
	flatten(&out, text);
	ret = arena_strndup(w->arena, strbuf_cstr(&out), out.len);
	strbuf_deinit(&out);
	return ret;
}

void emit_block(struct writer *w, const char *head, struct emit_text body)
{
	emit_chain(w, &head, &body, 1);
}

void emit_chain(struct writer *w, const char *const *heads, const struct emit_text *bodies,
		size_t n)
{
	bool braces = false;

	for (size_t i = 0; i < n; i++)
		braces = braces || bodies[i].n_lines != 1;
	for (size_t i = 0; i < n; i++) {
		if (!braces) {
			emit_line(w, "%s", heads[i]);
		} else {
			w->depth -= i > 0;
			emit_open(w, "%s%s", i ? "} " : "", heads[i]);
		}
		emit_text(w, bodies[i]);
	}
	if (braces)
		emit_close(w, "");
}
