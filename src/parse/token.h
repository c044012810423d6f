/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tokens between the stages of the parser: scan (text to tokens) -> condition (around definitions
 * of macros) -> macro -> condition -> filter -> grammar. Every kind is a token number of
 * grammar/script.y; some (AT_WORD, ARGUMENT, the PP_ ones, JUNK) never reach the grammar.
 *
 * A mistake found before the grammar travels as a JUNK token that carries its diagnostic, and
 * counts only when the grammar gets there: what a conditional throws away is never an error, and
 * mistakes come out in the order of the text.
 */
#ifndef SPILE_PARSE_TOKEN_H
#define SPILE_PARSE_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"

/*
 * One token. text points into the source, a pasted buffer or the arena, and is not
 * NUL-terminated; which of the other fields mean something depends on the kind.
 */
struct token {
	int kind;
	/* enum ast_op of an operator; row of the table of its kind for @operators and print */
	int op;
	bool glued; /* directly behind the token before */
	struct span span;
	const char *text; /* as written; a pasted argument's own text */
	uint32_t len;
	/* names; value of STRING; C text of EMBEDDED; AT_WORD: without the @; TARGET: as written */
	const struct istr *str;
	int64_t number;         /* NUMBER */
	struct diagnostic *bad; /* JUNK, or a NUMBER that is no number */
};

/*
 * A list in the arena, ending in an END token (SCRIPT_EOF). Bodies of macros are slices of such
 * lists, without one.
 */
struct tokens {
	struct token *data;
	size_t n, cap;
};

#endif
