/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files the head of a process probe point means, and in which processes: process,
 * process("PATH"), process(PID), each with .library("NAME") or without. Files are this machine's,
 * found when the script is translated; their names are canonical.
 */
#ifndef SPILE_PROBE_PROGRAM_H
#define SPILE_PROBE_PROGRAM_H

#include "probe/family.h"

/* A file and the processes in which points of it are meant. All in the compilation arena. */
struct program {
	const struct target_object *object;
	const struct ir_scope *scope;
	const char *head; /* of resolved points: process("/usr/bin/ls") */
	/*
	 * of a library the same with the program it is meant in, for pn() and listings:
	 * process("/usr/bin/ls").library("/usr/lib/libc.so.6"); else NULL
	 */
	const char *listed;
};

struct programs {
	struct program *data;
	size_t n, cap;
};

/*
 * The programs and libraries that POINT means: the file of that name, found as the shell would, all
 * that a pattern matches, the target's program, or that of a process. With a plain name, what is no
 * program is an error, reported, and the answer false. None: *why says why, " (...)" for the
 * message.
 */
bool programs_of_point(struct probe_env *env, const struct ast_point *point, struct programs *ret,
		       const char **why);

/*
 * Appends POINT's probe point TEXT, which is kept, at ADDR of the program's file; NULL: ADDR is at
 * no place of the file. SEVERAL: the point stands for more than one place, so that failing to
 * attach at one is no error. The result is valid until the next point is appended.
 */
struct probe_point *program_point_add(struct probe_env *env, struct probe_points *ret,
				      const struct ast_point *point, const struct program *program,
				      const struct ir_probe_kind *kind, uint64_t addr,
				      const char *text, bool several);

/*
 * Is a function of that name not returned from as it was called? A probe would leave its own
 * address where the program does not expect one.
 */
bool program_function_never_returns(const char *name);
/* Does one of that name find its caller by its return address? Only its own exits are probed. */
bool program_function_knows_caller(const char *name);

/*
 * The patterns of a family below each head that programs_of_point() understands. FORMS(head) is a
 * list of rows.
 */
#define PROGRAM_FORMS(FORMS)                                                                       \
	FORMS("process"), FORMS("process(string)"), FORMS("process(number)"),                      \
		FORMS("process.library(string)"), FORMS("process(string).library(string)"),        \
		FORMS("process(number).library(string)")

#endif
