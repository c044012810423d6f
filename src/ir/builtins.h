/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of uapi/builtins.def as the compiler sees them: functions that scripts call and that a
 * back end serves. Neutral: which symbol or instruction serves a row is the back end's own map. The
 * table is constant and lives as long as the program.
 */
#ifndef SPILE_IR_BUILTINS_H
#define SPILE_IR_BUILTINS_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/ir.h"
#include "ir/symbol.h"

/* Conditions for calling a builtin, as bits. */
enum ir_builtin_needs {
	IR_NEEDS_GURU = 1,         /* scripts may call it only with -g */
	IR_NEEDS_MATCH = 2,        /* tells about the last match of a regular expression */
	IR_NEEDS_REGISTERS = 4,    /* may read any register of the event */
	IR_NEEDS_ZONE = 8,         /* tells about the time zone of whoever runs the session */
	IR_NEEDS_REMOTE = 16,      /* tells where the session runs */
	IR_NEEDS_TARGET = 32,      /* asks what descends from the session's target */
	IR_NEEDS_USER_MAP = 64,    /* tells of the code that processes have mapped */
	IR_NEEDS_LINES = 128,      /* tells of source lines of the kernel */
	IR_NEEDS_USER_LINES = 256, /* tells of source lines of processes' code */
	IR_NEEDS_FRAMES = 512,     /* names the frames of kernel stacks */
	IR_NEEDS_COUNTER = 1024, /* its argument names a counter that a probe of the program has */
	IR_NEEDS_TASK_STACK = 2048, /* walks the kernel stack of another task */
};

/* A row. Strings are static. */
struct ir_builtin {
	const char *name;    /* in scripts; rows of one name differ in their number of parameters */
	const char *id;      /* of what serves it: a back end's key */
	enum ir_type result; /* IR_UNKNOWN: none */
	const char *parameters; /* "(LONG addr, STRING error_text)"; read by ir_builtin_params */
	unsigned effects;       /* enum ir_effects */
	unsigned needs;         /* enum ir_builtin_needs */
	const char *text;       /* sentences for the manual */
	/* NULL; in a row that only begins a section, its title, and all else is empty */
	const char *subject;
};

/* A parameter, as read from a row; the name is not terminated. */
struct ir_builtin_param {
	enum ir_type type;
	const char *name; /* name_len bytes, within the row */
	size_t name_len;
	bool is_table; /* calls give the name of a table, a literal; the value is its number */
};

/* Parameters that a builtin may have. */
#define IR_BUILTIN_MAX_PARAMS 8

/* ends with a row of NULLs; rows that begin a section have no name */
extern const struct ir_builtin ir_builtins[];

/* The first row of that name from ROW on (NULL: from the first on), or NULL. */
const struct ir_builtin *ir_builtin_find(const char *name, const struct ir_builtin *row);
/*
 * The parameters of a row in order; returns how many there are, at most IR_BUILTIN_MAX_PARAMS.
 * Names point into the row.
 */
size_t ir_builtin_params(const struct ir_builtin *row,
			 struct ir_builtin_param ret[IR_BUILTIN_MAX_PARAMS]);
/* The number of a table of uapi/names.def; -1: there is none of that name. */
int64_t ir_name_table(const char *name);
/* What the functions that the program calls need, together. */
unsigned ir_program_needs(const struct ir_program *program);
/* Does the function tell about the last match of a regular expression? */
static inline bool ir_needs_match(const struct ir_function *f)
{
	return f->builtin && f->builtin->needs & IR_NEEDS_MATCH;
}
/* May the function read any register, so that all must be saved? */
static inline bool ir_needs_registers(const struct ir_function *f)
{
	return f->builtin && f->builtin->needs & IR_NEEDS_REGISTERS;
}
/* Is it one of ours: a row that a back end may look up by its id? */
bool ir_builtin_is_row(const struct ir_builtin *row);

#endif
