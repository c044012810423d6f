/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the components of a probe point, and reporting what every family reports in the same way;
 * shared by the families. Strings returned are in the AST or in env->arena; nothing has to be
 * freed.
 */
#ifndef SPILE_PROBE_POINT_H
#define SPILE_PROBE_POINT_H

#include "base/glob.h"
#include "probe/family.h"

struct error;

/* The first component of that name, or NULL. */
const struct ast_component *point_find(const struct ast_point *point, const char *name);
/* Has the point a component of that name? */
bool point_has(const struct ast_point *point, const char *name);
/* The literal of a component whose pattern says (string); it must have one. */
const char *component_string(const struct ast_component *c);
/* The literal of a component whose pattern says (number); it must have one. */
int64_t component_number(const struct ast_component *c);
/* False, with a diagnostic: the point has a .maxactive of more than 65535 calls. */
bool point_check_maxactive(struct probe_env *env, const struct ast_point *point);
/*
 * The number of component NAME, or ABSENT when the point has no such component. false, with a
 * diagnostic, when it is not from LOW to HIGH.
 */
bool point_number(struct probe_env *env, const struct ast_point *point, const char *name,
		  long long low, long long high, long long absent, long long *ret);
/* The point as the script has it, without marks and conditions: kernel.function("x").return */
const char *point_text(struct probe_env *env, const struct ast_point *point);
/* false, with a diagnostic, when there is no kernel to look into. */
bool point_need_target(struct probe_env *env, const struct ast_point *point);
/* Report a struct error met while resolving, and destroy it; returns false. */
bool point_world_failed(struct probe_env *env, const struct ast_point *point, struct error *err);

/*
 * Is the point marked ? or !? Then nothing is reported when it matches nothing, and looking for
 * near names, which costs more than resolving it, is left out.
 */
bool point_is_optional(const struct ast_point *point);
/* " (similar WHATs: a, b)", for *why of a pattern; NULL: N is 0. */
const char *point_similar(struct probe_env *env, const char *what, const char *const *near,
			  size_t n);
/* Why PATTERN matches nothing, when it has alternatives in braces; NULL: it has none. */
const char *point_explain_braces(const char *pattern);
/*
 * Why no function of that name can be probed in vmlinux, or in MODULE when it is not NULL: probes
 * are forbidden there, it is elsewhere, or a near name was meant; and where nothing of that is
 * known for sure, OTHERWISE, a text or NULL. For *why of a pattern; NULL: nothing is known.
 */
const char *point_explain_name(struct probe_env *env, const char *module, const char *name,
			       const char *otherwise);
/*
 * Why the module of a point, MODULE or NULL, has nothing, for *why; NULL: it is there, it is a
 * pattern, or MODULE is NULL.
 */
const char *point_explain_module(struct probe_env *env, const char *module);

/*
 * Appends a point to RET. Its attach arm is the one of KIND, all zero; PP, which is kept, is its
 * resolved probe point. The result points into RET: valid until the next point is appended.
 */
struct probe_point *point_add(struct probe_env *env, struct probe_points *ret,
			      const struct ast_point *point, const struct ir_probe_kind *kind,
			      const char *pp);

#endif
