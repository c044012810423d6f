/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions and statements of the typed program as text close to the script's. Text is appended
 * to OUT, which the caller owns; it is meant for people and tests, and is not parsed again.
 */
#ifndef SPILE_IR_DUMP_CODE_H
#define SPILE_IR_DUMP_CODE_H

#include "ir/expr.h"
#include "ir/stmt.h"

struct strbuf;

/* Appends EXPR on one line, without an end of line, with parentheses around binary operations. */
void ir_dump_expr(const struct ir_expr *expr, struct strbuf *out);
/* Appends STMT with INDENT levels of two spaces before each line; ends with an end of line. */
void ir_dump_stmt(const struct ir_stmt *stmt, int indent, struct strbuf *out);

#endif
