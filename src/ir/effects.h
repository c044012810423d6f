/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What evaluating an expression does, whoever evaluates it: enum ir_effects. Requires formats and
 * the purity of functions (steps formats and optimise of sema/); true of the program as it stands
 * then, nothing is kept.
 */
#ifndef SPILE_IR_EFFECTS_H
#define SPILE_IR_EFFECTS_H

#include "ir/ir.h"

/* Of an expression, its operands and what it calls. */
unsigned ir_effects(const struct ir_program *program, const struct ir_expr *e);
/* Of a call, without its arguments. */
unsigned ir_call_effects(const struct ir_function *f);

#endif
