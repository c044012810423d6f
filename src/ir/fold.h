/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic at translation time: what an operation of the language gives at run time. It wraps,
 * counts of shifts are modulo 64, and the least number divided by -1 does not trap.
 */
#ifndef SPILE_IR_FOLD_H
#define SPILE_IR_FOLD_H

#include "ir/expr.h"

/*
 * A OP B, or OP A for an operator of one operand, in *ret. False, with *ret untouched, for a
 * division by 0 and for what is no operation of numbers.
 */
bool ir_fold_numbers(enum ir_op op, int64_t a, int64_t b, int64_t *ret);
/*
 * What E comes to because operands of it are literal numbers: E itself when nothing follows, else
 * one of its operands, or E turned into a number. Its operands have been folded before.
 */
struct ir_expr *ir_fold(struct ir_expr *e);
/*
 * Of two operands, of which one is a literal that decides the value whatever the other is (0 * x,
 * x & 0, -1 | x, 0 << x, x % 1, x && 0): the other one, and the value. NULL: neither does, or E has
 * no two operands.
 */
struct ir_expr *ir_fold_absorbed(const struct ir_expr *e, int64_t *ret);

#endif
