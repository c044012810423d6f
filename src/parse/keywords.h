/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reserved words and built-in @operators: name, token kind, its op, and the language level that
 * brought it. The tables are static; rows live as long as the program.
 */
#ifndef SPILE_PARSE_KEYWORDS_H
#define SPILE_PARSE_KEYWORDS_H

#include <stdbool.h>
#include <stddef.h>

struct parser;

/*
 * kind is a token number of grammar/script.y; op is what the token carries: an ast_type, an
 * ast_expr_kind, an ast_extractor or a flag, by kind.
 */
struct keyword {
	const char *name;
	int kind;
	int op;
	const char *since; /* NULL: always */
	/*
	 * to other translators it is a macro of the library: a script may define its own, without a
	 * warning
	 */
	bool may_be_macro;
};

/* NULL when S is no keyword at this language level. */
const struct keyword *parser_keyword(const struct parser *p, const char *s, size_t len);
/*
 * The keyword of a body that NAME, which is none, is a misspelling of, by one letter; NULL: there
 * is none. Short words count only with all their letters, or with one more or less.
 */
const char *parser_near_keyword(const char *name);
/* @S without the @, whatever the language level; NULL when there is none. */
const struct keyword *parser_at_operator(const char *s, size_t len);
/* The Ith of them, NULL behind the last. */
const char *parser_at_operator_name(size_t i);

#endif
