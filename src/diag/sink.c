/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collecting diagnostics: each is one arena object, so pointers to it stay good while more
 * arrive. The rows of messages.def become a table here; texts are formatted when a diagnostic is
 * made, since what they name may change later.
 */
#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "diag/diag.h"

struct diag_sink {
	struct arena *arena;
	struct source_map *map;
	VEC(struct diagnostic *) list;
	const struct diagnostic *outer;
};

static const struct diag_row {
	const char *name;
	enum diag_severity severity;
	const char *text;
} rows[] = {
#define DIAG(tag, severity, text) [DIAG_##tag] = { #tag, severity, text },
#include "diag/messages.def"
#undef DIAG
};

struct diag_sink *diag_sink_create(struct arena *arena, struct source_map *map)
{
	struct diag_sink *sink = arena_new(arena, struct diag_sink);

	sink->arena = arena;
	sink->map = map;
	return sink;
}

struct source_map *diag_sink_map(const struct diag_sink *sink)
{
	return sink->map;
}

/* What cannot be shown on a terminal becomes '?'; UTF-8 passes. */
static void blank_unprintable(char *s)
{
	for (; *s; s++) {
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = '?';
	}
}

/* At the newest language level. */
static bool is_keyword(const char *s, size_t len)
{
	static const char *const keywords[] = {
#define KEYWORD(name, token, op, since) name,
#include "diag/keywords.def"
#undef KEYWORD
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		if (strlen(keywords[i]) == len && !memcmp(keywords[i], s, len))
			return true;
	}
	return false;
}

const char *diag_describe_text(const struct diag_sink *sink, const char *s, size_t len)
{
	const char *kind;
	char *token;

	if (!len)
		return NULL;
	if (len >= 2 && s[0] == '%' && s[1] == '{')
		return "embedded-code";
	if (*s == '"') {
		kind = "string";
		s++;
		len -= len > 1 && s[len - 2] == '"' ? 2 : 1;
	} else if (isdigit((unsigned char)*s) ||
		   (*s == '-' && len > 1 && isdigit((unsigned char)s[1]))) {
		kind = "number";
	} else if (isalpha((unsigned char)*s) || *s == '_' || *s == '$') {
		if (is_keyword(s, len))
			return "keyword";
		kind = "identifier";
	} else {
		kind = "operator";
	}
	token = arena_printf(sink->arena, "%s '%.*s'", kind, (int)(len > 512 ? 512 : len), s);
	blank_unprintable(token);
	return token;
}

const char *diag_describe(const struct diag_sink *sink, struct span span)
{
	size_t len;
	const char *s = source_map_text(sink->map, span, &len);

	return diag_describe_text(sink, s, len);
}

const char *diag_vtext(struct arena *arena, enum diag_tag tag, va_list ap)
{
	assert(tag < DIAG_TAG_MAX);
	return arena_vprintf(arena, rows[tag].text, ap);
}

const char *diag_text(struct arena *arena, enum diag_tag tag, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, tag);
	text = diag_vtext(arena, tag, ap);
	va_end(ap);
	return text;
}

/* Never NULL, and in no list. */
static struct diagnostic *diagnostic_create(struct diag_sink *sink, enum diag_tag tag,
					    struct span span, const char *text)
{
	struct diagnostic *d = arena_new(sink->arena, struct diagnostic);

	d->tag = tag;
	d->severity = rows[tag].severity;
	d->text = text;
	d->span = span;
	d->token = diag_describe(sink, span);
	return d;
}

void diag_add(struct diag_sink *sink, struct diagnostic *d)
{
	if (d->severity != DIAG_WARNING)
		d->outer = sink->outer;
	vec_push(sink->arena, &sink->list, d);
}

struct diagnostic *diag_report(struct diag_sink *sink, enum diag_tag tag, struct span span, ...)
{
	struct diagnostic *d;
	va_list ap;

	va_start(ap, span);
	d = diagnostic_create(sink, tag, span, diag_vtext(sink->arena, tag, ap));
	va_end(ap);
	diag_add(sink, d);
	return d;
}

struct diagnostic *diag_report_text(struct diag_sink *sink, enum diag_tag tag, struct span span,
				    const char *text)
{
	struct diagnostic *d = diagnostic_create(sink, tag, span, text);

	diag_add(sink, d);
	return d;
}

struct diagnostic *diag_create(struct diag_sink *sink, enum diag_tag tag, struct span span, ...)
{
	struct diagnostic *d;
	va_list ap;

	va_start(ap, span);
	d = diagnostic_create(sink, tag, span, diag_vtext(sink->arena, tag, ap));
	va_end(ap);
	return d;
}

void diag_set_token(struct diag_sink *sink, struct diagnostic *d, const char *fmt, ...)
{
	va_list ap;
	char *token;

	va_start(ap, fmt);
	token = arena_vprintf(sink->arena, fmt, ap);
	va_end(ap);
	blank_unprintable(token);
	d->token = token;
}

void diag_set_second(struct diag_sink *sink, struct diagnostic *d, struct span span,
		     const char *token)
{
	d->span2 = span;
	d->token2 = token ? arena_strdup(sink->arena, token) : diag_describe(sink, span);
}

void diag_set_hint(struct diag_sink *sink, struct diagnostic *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->hint = arena_vprintf(sink->arena, fmt, ap);
	va_end(ap);
}

void diag_add_note(struct diag_sink *sink, struct diagnostic *d, struct span span, const char *fmt,
		   ...)
{
	struct diag_note *notes = arena_new_array(sink->arena, struct diag_note, d->n_notes + 1);
	va_list ap;

	if (d->n_notes)
		memcpy(notes, d->notes, d->n_notes * sizeof(*notes));
	va_start(ap, fmt);
	notes[d->n_notes].text = arena_vprintf(sink->arena, fmt, ap);
	va_end(ap);
	notes[d->n_notes].span = span;
	d->notes = notes;
	d->n_notes++;
}

size_t diag_count_of(const struct diag_sink *sink, enum diag_severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < sink->list.n; i++)
		n += sink->list.data[i]->severity == severity && !sink->list.data[i]->held;
	return n;
}

size_t diag_error_count(const struct diag_sink *sink)
{
	size_t n = 0;

	for (size_t i = 0; i < sink->list.n; i++)
		n += sink->list.data[i]->severity != DIAG_WARNING && !sink->list.data[i]->held;
	return n;
}

size_t diag_count(const struct diag_sink *sink)
{
	return sink->list.n;
}

const struct diagnostic *diag_get(const struct diag_sink *sink, size_t i)
{
	assert(i < sink->list.n);
	return sink->list.data[i];
}

void diag_truncate(struct diag_sink *sink, size_t n)
{
	if (n < sink->list.n)
		sink->list.n = n;
}

void diag_forget_held(struct diag_sink *sink)
{
	size_t n = 0;

	for (size_t i = 0; i < sink->list.n; i++)
		if (!sink->list.data[i]->held)
			sink->list.data[n++] = sink->list.data[i];
	sink->list.n = n;
}

struct diagnostic *diag_hold(struct diag_sink *sink, size_t n)
{
	struct diagnostic *first = NULL;

	for (size_t i = n; i < sink->list.n; i++) {
		struct diagnostic *d = sink->list.data[i];

		if (!first && !d->held && d->severity != DIAG_WARNING)
			first = d;
		d->held = true;
	}
	return first;
}

const char *diag_tag_name(enum diag_tag tag)
{
	return rows[tag].name;
}

const struct diagnostic *diag_set_outer(struct diag_sink *sink, const struct diagnostic *outer)
{
	const struct diagnostic *old = sink->outer;

	sink->outer = outer;
	return old;
}
