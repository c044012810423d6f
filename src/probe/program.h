/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files the head of a process probe point means: process, process("PATH"). Files are this machine's, found when the script is
 * translated; their names are canonical.
 */
#ifndef SPILE_PROBE_PROGRAM_H
#define SPILE_PROBE_PROGRAM_H

#include "probe/family.h"

/* A list in the compilation arena. */
struct programs {
	const struct target_object **data;
	size_t n, cap;
};

/*
 * The programs and libraries that POINT means: the file of that name, found as the shell would, or all that a pattern
 * matches. With a plain name, what cannot be opened is an error, reported, and the answer false. A pattern leaves out
 * what is no program; none may be left.
 */
bool programs_of_point(struct probe_env *env, const struct ast_point *point, struct programs *ret);

#endif
