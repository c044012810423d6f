/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C as the IR has it: the text, unchanged, and what its pragmas say. */
#ifndef SPILE_SEMA_EMBEDDED_H
#define SPILE_SEMA_EMBEDDED_H

#include "sema/pass.h"
#include "sema/symbols.h"

/* C text of the program's, where SPAN is; scanned for pragmas here and nowhere else. */
const struct ir_code *sema_code(struct sema *s, const struct istr *text, struct span span);
/* Fill f from the C body of its declaration. */
void sema_embedded_function(struct sema *s, struct sema_function *f);
/*
 * The globals of its pragma:read:, pragma:write:, into its code; once everything is declared.
 * Reports names that are no globals.
 */
void sema_embedded_uses(struct sema *s, struct sema_function *f);
/*
 * A C expression in FILE, E, whose span is set: its code and type. Reports as sema_embedded_uses()
 * does.
 */
void sema_embedded_expr(struct sema *s, const struct ast_file *file, const struct istr *text,
			struct ir_expr *e);

#endif
