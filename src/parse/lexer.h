/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between grammar/script.l and scan.c: kinds and extents, nothing else. The lexer
 * makes no values and reports nothing; it works on a copy of the text it is given.
 */
#ifndef SPILE_PARSE_LEXER_H
#define SPILE_PARSE_LEXER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What the lexer says of a token beside its kind; offsets are into the text of the last
 * script_lex_text(). The flags are set by the lexer and cleared by the caller before each token.
 */
struct lexer_state {
	size_t pos;        /* behind what was read so far */
	size_t start, end; /* of the token just returned */
	bool space;        /* white space or a comment stood before it */
	bool unclosed;     /* string, embedded code or last comment without its end */
	size_t comment;    /* where the last comment of C's kind begins */
	bool odd_closing;  /* embedded code with "}%" inside */
	int op;            /* enum ast_op of an operator */
};

typedef void *yyscan_t;

/*
 * As flex generates them; the scanner is given back with script_lex_destroy(). state must outlive
 * it.
 */
int script_lex_init_extra(struct lexer_state *state, yyscan_t *scanner);
int script_lex_destroy(yyscan_t scanner);
/* The kind of the next token, 0 at the end. */
int script_lex(yyscan_t scanner);
/* Read TEXT (copied) from its start. */
void script_lex_text(yyscan_t scanner, const char *text, size_t len);

#endif
