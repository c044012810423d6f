/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spellings of the enums of ir.h: for dumps, messages and tests. Static strings, never NULL; the
 * argument must be a member of its enum, and of ir_stat_name() one bit.
 */
#ifndef SPILE_IR_NAMES_H
#define SPILE_IR_NAMES_H

#include "ir/expr.h"
#include "ir/symbol.h"

/* as scripts spell it: "long", "string", "stats", "unknown" */
const char *ir_type_name(enum ir_type type);
const char *ir_op_text(enum ir_op op);       /* "+" */
const char *ir_stat_name(enum ir_stat stat); /* "count" */
/* Short English name for messages: "element", "builtin call". */
const char *ir_expr_kind_name(enum ir_expr_kind kind);

#endif
