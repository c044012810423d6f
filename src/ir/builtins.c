/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of builtins, and reading its columns. uapi/builtins.def is shared with the manual and
 * the back ends; the macros below say what its column words mean to the compiler.
 */
#include "ir/builtins.h"

#include <assert.h>
#include <string.h>

#define LONG IR_LONG
#define STRING IR_STRING
#define VOID IR_UNKNOWN
#define PURE IR_READS
#define FALLIBLE (IR_READS | IR_FAILS)
#define EFFECT (IR_READS | IR_FAILS | IR_WRITES)
#define NONE 0
#define GURU IR_NEEDS_GURU
#define MATCH IR_NEEDS_MATCH
#define REGISTERS IR_NEEDS_REGISTERS
#define ZONE IR_NEEDS_ZONE
#define REMOTE IR_NEEDS_REMOTE
#define TARGET IR_NEEDS_TARGET
#define USER_MAP IR_NEEDS_USER_MAP
#define LINES IR_NEEDS_LINES
#define USER_LINES (IR_NEEDS_USER_MAP | IR_NEEDS_USER_LINES)
#define FRAMES IR_NEEDS_FRAMES
#define COUNTER IR_NEEDS_COUNTER
#define TASK_STACK IR_NEEDS_TASK_STACK
#define FRAME_LINES (IR_NEEDS_FRAMES | IR_NEEDS_LINES)
#define BUILTIN_SUBJECT(title) { .subject = title },
#define BUILTIN(name, id, result, parameters, effects, needs, text)                                \
	{ #name, #id, result, #parameters, effects, needs, text, NULL },

const struct ir_builtin ir_builtins[] = {
#include "runtime/uapi/builtins.def"
	{ 0 },
};

#define N_ROWS (sizeof(ir_builtins) / sizeof(ir_builtins[0]) - 1)

const struct ir_builtin *ir_builtin_find(const char *name, const struct ir_builtin *row)
{
	for (row = row ? row : ir_builtins; row->name || row->subject; row++)
		if (row->name && !strcmp(row->name, name))
			return row;
	return NULL;
}

/* By address; a row that begins a section is none. */
bool ir_builtin_is_row(const struct ir_builtin *row)
{
	return row >= ir_builtins && row < ir_builtins + N_ROWS && row->name;
}

/*
 * The column is "(TYPE name, TYPE name)"; TYPE is STRING, LONG or TABLE, one space before the name.
 */
size_t ir_builtin_params(const struct ir_builtin *row,
			 struct ir_builtin_param ret[IR_BUILTIN_MAX_PARAMS])
{
	const char *p = row->parameters;
	size_t n = 0;

	for (p += strspn(p, "( "); *p != ')'; p += strspn(p, ", ")) {
		const char *name = p + strcspn(p, " ") + 1;

		assert(n < IR_BUILTIN_MAX_PARAMS);
		ret[n].type = !strncmp(p, "STRING ", 7) ? IR_STRING : IR_LONG;
		ret[n].is_table = !strncmp(p, "TABLE ", 6);
		ret[n].name = name;
		ret[n].name_len = strcspn(name, ",)");
		p = name + ret[n++].name_len;
	}
	return n;
}

unsigned ir_program_needs(const struct ir_program *program)
{
	unsigned needs = 0;

	vec_foreach(f, &program->functions)
		if ((*f)->builtin)
			needs |= (*f)->builtin->needs;
	return needs;
}

#define TABLE(name, low) name,
#define NAME(value, text) NULL,

int64_t ir_name_table(const char *name)
{
	static const char *const rows[] = {
#include "runtime/uapi/names.def"
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i] && !strcmp(rows[i], name))
			return (int64_t)i;
	return -1;
}
