/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rendering. The three severities share one layout and differ in their label,
 * whose width is the column of everything below it: "parse error: " 13, "semantic error: " 16,
 * "WARNING: " 9.
 */
#include "diag/render.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"

#define EXPANSIONS_MAX 8
/*
 * Bytes of source lines: longer ones than the first are shown in part, so much of them before the
 * caret and from it on.
 */
#define LINE_MAX_WHOLE 400
#define LINE_SHOWN_BEFORE 80
#define LINE_SHOWN_BEHIND 80

enum color { COLOR_ERROR, COLOR_WARNING, COLOR_SOURCE, COLOR_CARET, COLOR_TOKEN, COLOR_MAX };

static const struct {
	const char *key, *sgr;
} default_colors[COLOR_MAX] = {
	[COLOR_ERROR] = { "error", "01;31" },   [COLOR_WARNING] = { "warning", "00;33" },
	[COLOR_SOURCE] = { "source", "00;34" }, [COLOR_CARET] = { "caret", "01" },
	[COLOR_TOKEN] = { "token", "01" },
};

/* The state of one call of diag_render() and its kin. map and sink are NULL for a label alone. */
struct renderer {
	const struct diag_sink *sink;
	const struct source_map *map;
	const struct diag_style *style;
	struct strbuf *out;
	struct {
		const char *sgr;
		int len;
	} colors[COLOR_MAX];
	int width; /* of the label */
};

/* One "name=digits;digits" of SYSTEMTAP_COLORS. False when it is not of that form. */
static bool renderer_parse_color(struct renderer *r, const char *item, size_t len)
{
	const char *eq = memchr(item, '=', len);

	if (!eq || eq + 1 == item + len)
		return false;
	for (const char *c = eq + 1; c < item + len; c++) {
		if (!isdigit((unsigned char)*c) && *c != ';')
			return false;
	}
	for (int i = 0; i < COLOR_MAX; i++) {
		if (strlen(default_colors[i].key) == (size_t)(eq - item) &&
		    !memcmp(default_colors[i].key, item, (size_t)(eq - item))) {
			r->colors[i].sgr = eq + 1;
			r->colors[i].len = (int)(item + len - eq - 1);
			return true;
		}
	}
	return false;
}

/*
 * SYSTEMTAP_COLORS replaces the defaults as a whole: what it does not name has no colour, and a
 * malformed item switches all off.
 */
static void renderer_init_colors(struct renderer *r)
{
	const char *spec = r->style->colors;

	if (!r->style->color)
		return;
	for (int i = 0; !spec && i < COLOR_MAX; i++) {
		r->colors[i].sgr = default_colors[i].sgr;
		r->colors[i].len = (int)strlen(default_colors[i].sgr);
	}
	for (bool ok = spec && *spec; ok && *spec;) {
		size_t len = strcspn(spec, ":");

		ok = renderer_parse_color(r, spec, len);
		if (!ok)
			memset(r->colors, 0, sizeof(r->colors));
		spec += len + (spec[len] == ':');
	}
}

static void renderer_init(struct renderer *r, const struct diag_sink *sink,
			  const struct diag_style *style, struct strbuf *out)
{
	memset(r, 0, sizeof(*r));
	r->sink = sink;
	r->map = sink ? diag_sink_map(sink) : NULL;
	r->style = style;
	r->out = out;
	renderer_init_colors(r);
}

static void color_on(struct renderer *r, enum color c)
{
	if (r->colors[c].sgr)
		strbuf_addf(r->out, "\033[%.*sm\033[K", r->colors[c].len, r->colors[c].sgr);
}

static void color_off(struct renderer *r, enum color c)
{
	if (r->colors[c].sgr)
		strbuf_adds(r->out, "\033[m\033[K");
}

/* LABEL right-aligned before the text column. */
static void add_label(struct renderer *r, const char *label)
{
	strbuf_addf(r->out, "%*s ", r->width - 1, label);
}

/* Bytes that a terminal would act upon become '?'; tabs stay. */
static void add_line_part(struct renderer *r, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool control = ((unsigned char)s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f;

		strbuf_addc(r->out, control ? '?' : s[i]);
	}
}

/* The part of a line that is shown, and where in it the token stands. */
struct excerpt {
	const char *text;
	size_t len, before, token;
	bool cut_left, cut_right;
};

static bool inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80; /* UTF-8 */
}

/* The token is cut at the end of the line: one that spans lines is marked on its first. */
static struct excerpt excerpt_around(const struct source_position *pos, struct span span)
{
	size_t before = pos->column - 1 < pos->line_len ? pos->column - 1 : pos->line_len;
	size_t from = 0, to = pos->line_len, token = span.end - span.start;

	if (pos->line_len > LINE_MAX_WHOLE) {
		from = before > LINE_SHOWN_BEFORE ? before - LINE_SHOWN_BEFORE : 0;
		to = before + LINE_SHOWN_BEHIND < to ? before + LINE_SHOWN_BEHIND : to;
		while (from && inside_character(pos->line_text[from]))
			from--;
		while (to < pos->line_len && inside_character(pos->line_text[to]))
			to++;
	}
	if (token > to - before)
		token = to - before;
	return (struct excerpt){ pos->line_text + from, to - from, before - from, token, from > 0,
				 to < pos->line_len };
}

static void add_caret(struct renderer *r, const struct excerpt *e)
{
	strbuf_addf(r->out, "\n%*s%s", r->width, "", e->cut_left ? "   " : "");
	for (size_t i = 0; i < e->before; i++) {
		/* white space is copied, so tabs line up; the rest of a character has no width */
		if (!inside_character(e->text[i]))
			strbuf_addc(r->out, e->text[i] == '\t' ? '\t' : ' ');
	}
	color_on(r, COLOR_CARET);
	strbuf_addc(r->out, '^');
	color_off(r, COLOR_CARET);
	strbuf_addc(r->out, '\n');
}

/*
 * "source: LINE" and the caret under the span; of a very long line what is around it, "..." where
 * it is cut.
 */
static void add_source(struct renderer *r, struct span span)
{
	struct source_position pos;
	struct excerpt e;
	size_t behind;

	if (!source_map_locate(r->map, span.start, &pos))
		return;
	e = excerpt_around(&pos, span);
	behind = e.before + e.token;
	add_label(r, "source:");
	strbuf_adds(r->out, e.cut_left ? "..." : "");
	add_line_part(r, e.text, e.before);
	if (e.token)
		color_on(r, COLOR_TOKEN);
	add_line_part(r, e.text + e.before, e.token);
	if (e.token)
		color_off(r, COLOR_TOKEN);
	add_line_part(r, e.text + behind, e.len - behind);
	strbuf_adds(r->out, e.cut_right ? "..." : "");
	add_caret(r, &e);
}

static void add_position(struct renderer *r, const struct source_position *pos)
{
	color_on(r, COLOR_SOURCE);
	strbuf_addf(r->out, "%s:%u:%u", pos->file, pos->line, pos->column);
	color_off(r, COLOR_SOURCE);
}

/* "TOKEN at F:L:C", as far as known. */
static void add_token(struct renderer *r, const char *token, struct span span)
{
	struct source_position pos;
	bool located = source_map_locate(r->map, span.start, &pos);

	if (token)
		strbuf_adds(r->out, token);
	if (token && located)
		strbuf_addc(r->out, ' ');
	if (located) {
		strbuf_adds(r->out, "at ");
		add_position(r, &pos);
	}
}

/* The chain of macros the span came through, innermost first; an endless one is cut. */
static void add_expansions(struct renderer *r, struct span span)
{
	struct span from;

	for (int n = 0; source_map_invocation(r->map, span.start, &from); n++) {
		if (n == EXPANSIONS_MAX) {
			strbuf_adds(r->out, "\t...\n");
			break;
		}
		strbuf_adds(r->out, "\tin expansion of macro: ");
		add_token(r, diag_describe(r->sink, from), from);
		strbuf_addc(r->out, '\n');
		add_source(r, from);
		span = from;
	}
}

/*
 * Where the diagnostic stands: "at:" or "saw:" on a line of its own for parse errors, behind the
 * text for others.
 */
static void add_details(struct renderer *r, const struct diagnostic *d)
{
	struct source_position pos;

	if (d->severity == DIAG_PARSE_ERROR) {
		strbuf_addc(r->out, '\n');
		if (!source_map_locate(r->map, d->span.start, &pos))
			return;
		add_label(r, d->about_token ? "at:" : "saw:");
		if (d->at_eof) {
			strbuf_addf(r->out, "%s EOF\n", pos.file);
			return;
		}
	} else if (d->token || d->span.start) {
		strbuf_adds(r->out, ": ");
	}
	add_token(r, d->token, d->span);
	strbuf_addc(r->out, '\n');
	add_source(r, d->span);
	add_expansions(r, d->span);
}

/* One diagnostic with its wrapper before it. Semantic errors end in an empty line. */
static void render_one(struct renderer *r, const struct diagnostic *d)
{
	static const char *const labels[] = {
		[DIAG_WARNING] = "WARNING:",
		[DIAG_PARSE_ERROR] = "parse error:",
		[DIAG_SEMANTIC_ERROR] = "semantic error:",
	};
	enum color color = d->severity == DIAG_WARNING ? COLOR_WARNING : COLOR_ERROR;

	if (d->outer)
		render_one(r, d->outer);
	r->width = (int)strlen(labels[d->severity]) + 1;
	color_on(r, color);
	strbuf_adds(r->out, labels[d->severity]);
	color_off(r, color);
	strbuf_addf(r->out, " %s", d->text);
	add_details(r, d);
	if (d->span2.start) {
		add_label(r, "and:");
		add_token(r, d->token2, d->span2);
		strbuf_addc(r->out, '\n');
		add_source(r, d->span2);
		add_expansions(r, d->span2);
	}
	for (size_t i = 0; i < d->n_notes; i++) {
		strbuf_addf(r->out, "\t%s", d->notes[i].text);
		if (d->notes[i].span.start) {
			strbuf_addc(r->out, ' ');
			add_token(r, NULL, d->notes[i].span);
		}
		strbuf_addc(r->out, '\n');
		add_source(r, d->notes[i].span);
	}
	if (d->hint) {
		add_label(r, "hint:");
		strbuf_addf(r->out, "%s\n", d->hint);
	}
	if (r->style->verbose >= 2)
		strbuf_addf(r->out, "   thrown from: %s\n", diag_tag_name(d->tag));
	if (d->severity == DIAG_SEMANTIC_ERROR)
		strbuf_addc(r->out, '\n');
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/*
 * Whether an earlier one says the same: the same row about the same position, or word for word the
 * same elsewhere.
 */
static bool is_repeated(const struct diag_sink *sink, size_t first, size_t i)
{
	const struct diagnostic *d = diag_get(sink, i);

	if (d->severity == DIAG_PARSE_ERROR)
		return false;
	for (size_t j = first; j < i; j++) {
		const struct diagnostic *o = diag_get(sink, j);

		if (o->tag != d->tag)
			continue;
		if (d->span.start && o->span.start == d->span.start && o->span.end == d->span.end)
			return true;
		if (!d->each_place && same_text(o->text, d->text) && same_text(o->token, d->token))
			return true;
	}
	return false;
}

void diag_render(const struct diag_sink *sink, size_t first, const struct diag_style *style,
		 struct strbuf *out)
{
	struct renderer r;

	renderer_init(&r, sink, style, out);
	for (size_t i = first; i < diag_count(sink); i++) {
		const struct diagnostic *d = diag_get(sink, i);

		if (style->no_warnings && d->severity == DIAG_WARNING)
			continue;
		if (style->verbose > 0 || !is_repeated(sink, first, i))
			render_one(&r, d);
	}
}

void diag_render_parse_count(const struct diag_sink *sink, struct strbuf *out)
{
	size_t n = diag_count_of(sink, DIAG_PARSE_ERROR);

	if (n)
		strbuf_addf(out, "%zu parse error%s.\n", n, n == 1 ? "" : "s");
}

void diag_render_suppressed(const struct diag_sink *sink, size_t first,
			    const struct diag_style *style, struct strbuf *out)
{
	size_t errors = 0, warnings = 0;

	if (style->verbose > 0)
		return;
	for (size_t i = first; i < diag_count(sink); i++) {
		if (!is_repeated(sink, first, i))
			continue;
		if (diag_get(sink, i)->severity == DIAG_WARNING)
			warnings += !style->no_warnings;
		else
			errors++;
	}
	if (errors)
		strbuf_addf(out, "Number of similar error messages suppressed: %zu.\n", errors);
	if (warnings)
		strbuf_addf(out, "Number of similar warning messages suppressed: %zu.\n", warnings);
	if (errors || warnings)
		strbuf_adds(out, "Rerun with -v to see them.\n");
}
