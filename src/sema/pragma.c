/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pragmas of embedded C: a scanner over C that knows comments, literals and identifiers,
 * and the words looked for in them. It accepts any text; what is not closed reaches to the end.
 */
#include "sema/pragma.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"

enum token { TOKEN_END, TOKEN_COMMENT, TOKEN_NAME, TOKEN_OTHER };

/* A position in the text, and the token before it. */
struct scan {
	const char *at, *end;
	const char *text; /* of the token: a comment's without its marks */
	size_t len;
};

/* Also $, which gcc takes in names. */
static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Behind the closing quote; P is behind the opening one. */
static const char *skip_literal(const char *p, const char *end, char quote)
{
	while (p < end && *p != quote)
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p < end ? p + 1 : end;
}

/* The comment at s->at; an unfinished one reaches to the end. */
static enum token scan_comment(struct scan *s)
{
	bool block = s->at[1] == '*';
	const char *stop;

	s->text = s->at + 2;
	if (block)
		stop = memmem(s->text, (size_t)(s->end - s->text), "*/", 2);
	else
		stop = memchr(s->text, '\n', (size_t)(s->end - s->text));
	s->at = !stop ? s->end : stop + (block ? 2 : 1);
	stop = stop ? stop : s->end;
	s->len = (size_t)(stop - s->text);
	return TOKEN_COMMENT;
}

/* Takes the next token; white space is part of TOKEN_OTHER. */
static enum token scan_next(struct scan *s)
{
	const char *p = s->at;

	if (p >= s->end)
		return TOKEN_END;
	if (p[0] == '/' && p + 1 < s->end && (p[1] == '*' || p[1] == '/'))
		return scan_comment(s);
	s->text = p;
	if (is_name_char(*p)) {
		while (p < s->end && is_name_char(*p))
			p++;
		s->len = (size_t)(p - s->text);
		s->at = p;
		return TOKEN_NAME;
	}
	s->at = *p == '"' || *p == '\'' ? skip_literal(p + 1, s->end, *p) : p + 1;
	return TOKEN_OTHER;
}

/* Of the token: a pragma may have white space around it. */
static void trim(struct scan *s)
{
	while (s->len && isspace((unsigned char)s->text[0])) {
		s->text++;
		s->len--;
	}
	while (s->len && isspace((unsigned char)s->text[s->len - 1]))
		s->len--;
}

/* The whole token, not a part of it. */
static bool is_word(const struct scan *s, const char *word)
{
	return strlen(word) == s->len && !memcmp(s->text, word, s->len);
}

/* pragma:read:NAME with the PREFIX in front of the name */
static void read_global(struct arena *arena, const struct scan *s, const char *prefix, bool write,
			struct pragmas *ret)
{
	size_t n = strlen(prefix);
	const char *name = s->text + n;

	if (s->len <= n || memcmp(s->text, prefix, n))
		return;
	for (size_t i = n; i < s->len; i++)
		if (!is_name_char(s->text[i]))
			return;
	vec_push(arena, &ret->globals,
		 ((struct pragma_global){ arena_strndup(arena, name, s->len - n), write }));
}

/* A comment is a pragma only as a whole. */
static void read_comment(struct arena *arena, struct scan *s, struct pragmas *ret)
{
	trim(s);
	ret->pure |= is_word(s, "pure");
	ret->guru |= is_word(s, "guru");
	ret->string |= is_word(s, "string");
	ret->suffix |= is_word(s, "pragma:suffix");
	read_global(arena, s, "pragma:read:", false, ret);
	read_global(arena, s, "pragma:write:", true, ret);
}

/* Pragmas only add: none takes back another. */
void pragmas_read(struct arena *arena, const struct istr *text, struct pragmas *ret)
{
	struct scan s = { .at = text->text, .end = text->text + text->len };
	enum token token;

	*ret = (struct pragmas){ 0 };
	while ((token = scan_next(&s)) != TOKEN_END) {
		if (token == TOKEN_COMMENT)
			read_comment(arena, &s, ret);
		if (token == TOKEN_NAME) {
			ret->next |= is_word(&s, "STAP_NEXT");
			ret->this |= is_word(&s, "THIS");
		}
	}
}
