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
 * The programs and libraries that POINT means: the file of that name, found as the shell would, all that a
 * pattern matches, or the target's program. With a plain name, what is no program is an error, reported, and the
 * answer false. None: *why says why, " (...)" for the message.
 */
bool programs_of_point(struct probe_env *env, const struct ast_point *point, struct programs *ret,
		       const char **why);

#endif
