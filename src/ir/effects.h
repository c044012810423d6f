/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What running something does, whoever runs it: enum ir_effects. Effects of expressions follow from
 * the program as it stands and are not kept; that a function is pure is, in the function, since
 * calls of it ask.
 */
#ifndef SPILE_IR_EFFECTS_H
#define SPILE_IR_EFFECTS_H

#include "ir/expr.h"
#include "ir/ir.h"
#include "ir/symbol.h"

/*
 * The effects (enum ir_effects, as bits) of evaluating E, with its operands and what it calls; 0
 * for NULL. Requires ir_function.pure. Before step formats every print counts as one that may fail.
 */
unsigned ir_effects(const struct ir_program *program, const struct ir_expr *e);
/*
 * May E, an IR_EXTRACT, fail? An aggregate that nothing was fed to has a count, and a sum unless
 * extract.fed is set; all other extractors of it are errors.
 */
bool ir_extract_fails(const struct ir_expr *e);
/*
 * May reading ARGS, which a text of the members of an object is made of, fail? A value that points
 * get in ways of their own may. What makes text of an address has an answer for any.
 */
bool ir_text_may_fail(const struct ir_exprs *args);
/* The effects of calling F, without those of its arguments. */
unsigned ir_call_effects(const struct ir_function *f);
/*
 * Sets `pure` of all functions with a body: they write nothing but their locals, and neither does
 * what they call. Requires `pure` of the others and ir_regex.kept.
 */
void ir_find_pure(struct ir_program *program);

#endif
