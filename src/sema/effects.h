/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What evaluating something does besides giving a value. */
#ifndef SPILE_SEMA_EFFECTS_H
#define SPILE_SEMA_EFFECTS_H

#include "sema/pass.h"

/* Sets pure on every script function: no stores to globals or memory, no output, no impure calls. */
void sema_effects(struct sema *s);
/* May the expression be dropped when nobody takes its value? Needs sema_effects. */
bool sema_is_pure(struct ir_expr *e);

#endif
