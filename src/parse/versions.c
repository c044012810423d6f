/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --check-version: what in a user's script depends on the language level, by the same tables that
 * decide it. It is asked of the text as it stands, so pieces that a conditional drops count too.
 */
#include "parse/keywords.h"
#include "parse/parser.h"
#include "script.tab.h"

#include <string.h>

/* The level that brought what T is, as a reader of the script would name it; NULL: always there. */
static const char *level_of(const struct parser *p, const struct token *t)
{
	const struct keyword *w = NULL;

	if (t->kind == AT_WORD)
		w = parser_at_operator(t->str->text, t->str->len);
	else if (t->kind != STRING)
		w = parser_keyword(p, t->text, t->len);
	return w ? w->since : NULL;
}

/* "\x41" is a byte since 2.3, before that it is its four characters. */
static bool has_hex_escape(const struct token *t)
{
	if (t->kind != STRING)
		return false;
	for (uint32_t i = 0; i + 1 < t->len; i++) {
		if (t->text[i] == '\\' && t->text[++i] == 'x')
			return true;
	}
	return false;
}

void parser_check_versions(struct parser *p, const struct tokens *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct token *t = &in->data[i];
		const char *since = has_hex_escape(t) ? "2.3" : level_of(p, t);

		if (since)
			diag_report(p->sink, DIAG_PARSE_LEVEL, t->span, since);
		else if (t->kind == NAME && !strcmp(t->str->text, "systemtap_v"))
			diag_report(p->sink, DIAG_PARSE_LEVEL_ASKED, t->span);
	}
}
