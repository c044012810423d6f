/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel module's map of builtins. Row ID is served by the C function stp_fn_ID of
 * runtime/tapset/, whose prototype the runtime makes from the same row. A row that is not in the
 * table the runtime was made from is not served.
 */
#include "codegen/body.h"
#include "ir/builtins.h"

const char *cg_builtin_symbol(struct arena *arena, const struct ir_builtin *row)
{
	return ir_builtin_is_row(row) ? arena_printf(arena, "stp_fn_%s", row->id) : NULL;
}

struct error *cg_check_builtins(const struct ir_program *program)
{
	vec_foreach(f, &program->functions)
		if ((*f)->builtin && !ir_builtin_is_row((*f)->builtin))
			return error_create("function %s is not available in a kernel module",
					    (*f)->name->text);
	return NULL;
}
