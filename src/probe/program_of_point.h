/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which program a resolved point is about: that whose processes hit it, and that, or the library of
 * it, in which its code is. Both are found when something of them is asked for.
 */
#ifndef SPILE_PROBE_PROGRAM_OF_POINT_H
#define SPILE_PROBE_PROGRAM_OF_POINT_H

#include "probe/family.h"

/* An open file; NULL with *why, ": ...": it cannot be opened. */
const struct target_object *program_open(struct probe_env *env, const char *file, const char **why);
/*
 * The program whose processes POINT means, or the library that it is in where it means those of any
 * program; NULL with *why, ": ...": there is none, or its memory cannot be asked.
 */
const struct target_object *program_run_at(struct probe_env *env, const struct probe_point *point,
					   const char **why);
/*
 * The file whose types and globals are meant at POINT, and whether a hit is in it; NULL: the
 * kernel's are.
 */
const struct target_object *program_named_at(struct probe_env *env, const struct probe_point *point,
					     bool *is_here);

#endif
