/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by print_expr.c and print_tree.c. */
#ifndef SPILE_AST_PRINT_H
#define SPILE_AST_PRINT_H

#include "ast/ast.h"

struct strbuf;

/* quoted and escaped */
void ast_print_string(const struct istr *s, struct strbuf *out);
/* Number or string where the sign is part of the literal: parameters, initial values. */
void ast_print_literal(const struct ast_expr *e, struct strbuf *out);
/* a, b, * */
void ast_print_list(const struct ast_exprs *list, struct strbuf *out);
/* "count" */
const char *ast_extractor_name(enum ast_extractor op);

#endif
