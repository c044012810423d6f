/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and operators of other languages, for hints: the rows of foreign.def. */
#ifndef SPILE_AST_FOREIGN_H
#define SPILE_AST_FOREIGN_H

#include <stddef.h>

/* A reach: no mistake of syntax comes of the name. */
#define AST_FOREIGN_NAME ((size_t)-1)

/*
 * How this language writes the text of LEN bytes, a static sentence; NULL: no other language is
 * known to have it. *reach, where it is asked for: how many tokens behind it a mistake may be that
 * comes of it.
 */
const char *ast_foreign(const char *text, size_t len, size_t *reach);

#endif
