/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What evaluating something does besides giving a value: the purity of functions, found as a
 * fixpoint over the whole program, and of single expressions. A pure call may be dropped; that
 * it reads memory and could fail there does not make it impure.
 */
#ifndef SPILE_SEMA_EFFECTS_H
#define SPILE_SEMA_EFFECTS_H

#include "sema/pass.h"

/*
 * Sets pure on every script function: no stores to globals or memory, no output, no impure
 * calls. Sets kept on all patterns when a function of the program asks about matches. Embedded
 * C and builtins have theirs from their declarations.
 */
void sema_effects(struct sema *s);
/* May the expression be dropped when nobody takes its value? Needs sema_effects. */
bool sema_is_pure(struct ir_expr *e);

#endif
