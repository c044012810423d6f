/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions and statements of the typed program as text close to the script's. */
#ifndef SPILE_IR_DUMP_CODE_H
#define SPILE_IR_DUMP_CODE_H

#include "ir/ir.h"

struct strbuf;

void ir_dump_expr(const struct ir_expr *expr, struct strbuf *out);
void ir_dump_stmt(const struct ir_stmt *stmt, int indent, struct strbuf *out);

#endif
