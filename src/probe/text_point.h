/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points in the text of the kernel and of modules: what kernel.function and kernel.statement and
 * their like share once target/ has found a function or a place in one. All of it is in env->arena.
 */
#ifndef SPILE_PROBE_TEXT_POINT_H
#define SPILE_PROBE_TEXT_POINT_H

#include "probe/family.h"

struct error;
struct target_function;
struct target_function_query;
struct target_functions;

/* "kernel" or module("NAME"), as resolved points begin. */
const char *text_point_head(struct probe_env *env, const struct target_function *f);
/* "vfs_read@fs/read_write.c:450", or the bare name without debuginfo */
const char *text_point_name(struct probe_env *env, const struct target_function *f);
/*
 * Appends the point of F: KIND at its entry, a kprobe where it is an inlined instance or a place.
 * WILDCARD: it is one of several that the point stands for, so failing to attach it is no error.
 * With ir_kind_return the variables are those of a return.
 */
struct probe_point *text_point_add(struct probe_env *env, struct probe_points *ret,
				   const struct ast_point *point, const struct ir_probe_kind *kind,
				   const struct target_function *f, const char *pp, bool wildcard);
/*
 * Finds what the functions of the query call: .callee("PATTERN"), as text_pattern.h has it,
 * .callees or .callees(DEPTH) of POINT, for the kernel and for programs. false, with a diagnostic:
 * the depth or the lines are none. *ERR is of target/.
 */
bool text_point_callees(struct probe_env *env, const struct ast_point *point,
			const struct target_function_query *q, struct target_functions *ret,
			struct error **err);
/* .callee("NAME@file:line")VARIANT, as resolved points end. */
const char *text_point_callee(struct probe_env *env, const struct target_function *f,
			      const char *variant);
/*
 * Why the query found nothing: which of its conditions functions of the name do not meet, what a
 * file or a line needs, or near names, as the text behind "no match"; NULL: nothing to add.
 */
const char *text_point_explain(struct probe_env *env, const struct target_function_query *q);
/*
 * The hint of the family (family.h): that debug information of what the point names was found and
 * refused, or is missing where only it knows inlined functions.
 */
const char *text_point_hint(struct probe_env *env, const struct ast_point *point);
/*
 * Has F, a function of the kernel, a .return? A probe of the return of what is not called takes the
 * machine down.
 */
bool text_point_has_return(const struct probe_env *env, const struct target_function *f);
/* Why it has none, as text_point_explain(). */
const char *text_point_explain_no_return(struct probe_env *env, const struct target_function *f);
/* Why NAME, of which target_name_is_of_part() holds, has no .return: as text_point_explain(). */
const char *text_point_explain_part(struct probe_env *env, const char *name);

#endif
