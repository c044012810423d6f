/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names without a parse: declarations are found by their keyword, in both arms of every
 * conditional. library/ makes its index of tapset files this way, so a name too many costs a
 * parse later and a name too few hides a declaration: when in doubt, a name is listed.
 */
#include <string.h>

#include "base/strbuf.h"
#include "parse/parser.h"
#include "script.tab.h"

/* The names of a list behind "global", from I on. */
static void outline_globals(struct parser *p, const struct tokens *in, size_t i,
			    struct parse_outline *ret)
{
	bool expected = true;

	for (;; i++) {
		switch (in->data[i].kind) {
		case NAME:
			if (expected)
				vec_push(p->arena, &ret->globals, in->data[i].str);
			expected = false;
			break;
		case ',':
		case PP_THEN:
		case PP_ELSE:
		case PP_CLOSE:
			expected = true;
			break;
		case PP_OPEN:
			expected = false;
			break;
		case '%':
		case '[':
		case ']':
		case '=':
		case '-':
		case NUMBER:
		case STRING:
		case COMPARE:
			break;
		default:
			return;
		}
	}
}

static bool is_word(const struct token *t)
{
	return t->str && t->kind != STRING && t->kind != EMBEDDED && t->kind != AT_WORD;
}

/* What an alias name does not go on with, so this is no alias. */
static bool ends_name(int kind)
{
	return kind == SCRIPT_EOF || kind == ',' || kind == '(' || kind == '?' || kind == '{' ||
	       kind == '!';
}

/* "a.b.c =": an alias, else an ordinary probe. */
static void outline_alias(struct parser *p, const struct tokens *in, size_t i,
			  struct parse_outline *ret)
{
	struct strbuf name;
	bool plain = true;
	int braces = 0;

	strbuf_init(&name);
	for (;; i++) {
		const struct token *t = &in->data[i];

		if (t->kind == '=' || t->kind == ADD_ASSIGN) {
			const struct istr *dotted = intern_n(p->in, strbuf_cstr(&name), name.len);

			vec_push(p->arena, &ret->aliases, plain ? dotted : intern(p->in, "**"));
			strbuf_reset(&name);
			plain = true;
			continue;
		}
		if (t->kind == '.' || is_word(t))
			strbuf_add(&name, t->text, t->len);
		else if (t->kind == '{' && (!name.len || in->data[i - 1].kind == '.' || braces))
			braces++;
		else if (t->kind == '}' && braces)
			braces--;
		else if (ends_name(t->kind) && !(t->kind == ',' && braces))
			break;
		plain = plain && (t->kind == '.' || is_word(t));
	}
	strbuf_deinit(&name);
}

void parse_outline(struct parser *p, const char *name, const char *text, size_t len,
		   struct parse_outline *ret)
{
	size_t before = diag_count(p->sink);
	struct tokens scanned, in;
	uint32_t start;

	parser_skip_mark(&text, &len);
	start = source_map_add(diag_sink_map(p->sink), name, text, len, true);
	p->macros = arena_new(p->arena, struct map);
	map_init(p->macros, p->arena);
	p->broken_macros = arena_new(p->arena, struct map);
	map_init(p->broken_macros, p->arena);
	scanned = parser_scan(p, text, len, start);
	in = parser_expand_macros(p, &scanned, false);
	for (size_t i = 0; in.data[i].kind != SCRIPT_EOF; i++) {
		bool private = i && in.data[i - 1].kind == PRIVATE;

		if (in.data[i].kind == FUNCTION && !private && in.data[i + 1].str)
			vec_push(p->arena, &ret->functions, in.data[i + 1].str);
		else if (in.data[i].kind == GLOBAL && !private)
			outline_globals(p, &in, i + 1, ret);
		else if (in.data[i].kind == PROBE)
			outline_alias(p, &in, i + 1, ret);
	}
	diag_truncate(p->sink, before);
}
