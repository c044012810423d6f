/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of script.c: definitions before uses, so that nothing but functions needs a
 * prototype. What is numbered on the way (positions, sections, fetch functions) is written by
 * tables at the end.
 */
#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/sizes.h"
#include "codegen/tables.h"

static bool has_arrays_or_statistics(const struct ir_program *program)
{
	vec_foreach(it, &program->globals)
		if ((*it)->is_array || (*it)->type == IR_STATS)
			return true;
	return false;
}

/*
 * A header for each kind of thing that the script has: reading one that nothing uses costs as much
 * as hello.
 */
static void head(struct cg *cg)
{
	emit_comment(&cg->w, "%s, translated by stap", cg->in->script_name);
	emit_directive(&cg->w, "#include \"script.h\"");
	if (has_arrays_or_statistics(cg->program))
		emit_directive(&cg->w, "#include \"arrays.h\"");
	if (cg->program->regexes.n)
		emit_directive(&cg->w, "#include \"dfa.h\"");
	emit_blank(&cg->w);
	emit_directive(&cg->w, "#define MAXSTRINGLEN %u", cg->in->limits.max_string);
	emit_blank(&cg->w);
}

struct error *codegen_check(struct arena *arena, struct diag_sink *sink,
			    const struct ir_program *program, const struct codegen_limits *limits,
			    const struct stp_regex *const **regexes)
{
	cg_check_scratch(arena, sink, program, limits);
	*regexes = cg_compile_regexes(arena, sink, program);
	return cg_check_builtins(program);
}

void codegen_program(const struct codegen_input *input, struct strbuf *script, struct strbuf *guru)
{
	struct cg cg = { .in = input, .program = input->program, .arena = input->arena };

	cg.intern = interner_create(cg.arena);
	map_init(&cg.positions.index, cg.arena);
	map_init(&cg.globals, cg.arena);
	map_init(&cg.section_numbers, cg.arena);
	map_init(&cg.functions, cg.arena);
	map_init(&cg.locked, cg.arena);
	map_init(&cg.fetch_numbers, cg.arena);
	map_init(&cg.object_text_numbers, cg.arena);
	map_init(&cg.scopes, cg.arena);
	map_init(&cg.rows, cg.arena);
	cg_flow_init(&cg);
	cg_sizes(&cg);
	cg_find_locked(&cg);
	emit_init(&cg.w, cg.arena, script);
	head(&cg);
	cg_formats(&cg);
	cg_enumerations(&cg);
	cg_regexes(&cg);
	cg_globals(&cg);
	cg_embedded_prototypes(&cg);
	cg_functions(&cg);
	cg_handlers(&cg);
	cg_accessors(&cg);
	cg_tables(&cg);
	if (cg_needs_guru(&cg)) {
		emit_init(&cg.w, cg.arena, guru);
		cg_guru(&cg);
	}
}
