/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Printing of parts, shared by print_expr.c and print_tree.c. All functions append script text to
 * OUT; the text reads back as the same tree.
 */
#ifndef SPILE_AST_PRINT_H
#define SPILE_AST_PRINT_H

#include "ast/expr.h"

struct strbuf;

/*
 * The string as a literal: quoted, with escapes for quotes, backslashes and bytes that are not
 * printable ASCII.
 */
void ast_print_string(const struct istr *s, struct strbuf *out);
/* Number or string where the sign is part of the literal: parameters, initial values. */
void ast_print_literal(const struct ast_expr *e, struct strbuf *out);
/* Expressions separated by ", ", a NULL one as '*'. */
void ast_print_list(const struct ast_exprs *list, struct strbuf *out);
/* "count", without the @; static text. */
const char *ast_extractor_name(enum ast_extractor op);

#endif
