/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builtins as declared functions of a library file that has no text of its own. The row list is
 * ir/builtins.h; pass 2 treats what is made here as it treats functions of the tapset, which
 * take precedence.
 */
#ifndef SPILE_SEMA_BUILTINS_H
#define SPILE_SEMA_BUILTINS_H

#include "sema/pass.h"

/*
 * Declares every builtin of that name, in the arena: a declaration as a script would spell it,
 * so that messages can quote it, and the row it stands for. CALL gets each with its row.
 */
void sema_builtins_find(struct sema *s, const struct istr *name,
			void (*call)(struct sema *s, const struct ast_function *ast,
				     const struct ir_builtin *row));
/* The file that declarations of builtins name as theirs; there is no such file. */
extern const struct ast_file sema_builtin_file;

#endif
