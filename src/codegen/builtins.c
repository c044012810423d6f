/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel module's map of builtins. Row ID is served by the C function stp_fn_ID of runtime/tapset/, whose prototype the
 * runtime makes from the same row. A row that is not in the table the runtime was made from is not served.
 */
#include "codegen/internal.h"
#include "ir/builtins.h"

const char *cg_builtin_symbol(struct arena *arena, const struct ir_builtin *row)
{
	return ir_builtin_is_row(row) ? arena_printf(arena, "stp_fn_%s", row->id) : NULL;
}

void codegen_check(const struct ir_program *program, struct diag_sink *sink)
{
	vec_foreach(f, &program->functions)
		if ((*f)->builtin && !ir_builtin_is_row((*f)->builtin))
			diag_report(sink, DIAG_BUILTIN_UNSERVED, (*f)->span, (*f)->name->text);
}
