/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the components of a probe point; shared by the families. */
#ifndef SPILE_PROBE_POINT_H
#define SPILE_PROBE_POINT_H

#include "probe/family.h"

/* The component of that name, or NULL. */
const struct ast_component *point_find(const struct ast_point *point, const char *name);
bool point_has(const struct ast_point *point, const char *name);
/* Its literal; the pattern has made sure that it is there. */
const char *component_string(const struct ast_component *c);
int64_t component_number(const struct ast_component *c);
bool is_glob(const char *s);
/* The point as the script has it, without marks and conditions: kernel.function("x").return */
const char *point_text(struct probe_env *env, const struct ast_point *point);
/* false, with a diagnostic, when there is no kernel to look into. */
bool point_need_target(struct probe_env *env, const struct ast_point *point);
/* Report a struct error met while resolving, and destroy it; returns false. */
bool point_world_failed(struct probe_env *env, const struct ast_point *point, struct error *err);

/* Why no function of that name may be probed: it is off limits, or another was meant; NULL when nothing is known. */
const char *point_explain_name(struct probe_env *env, const char *name);

/* Append a point; its attach arm is the kind's, all zero. */
struct probe_point *point_add(struct probe_env *env, struct probe_points *ret,
			      const struct ast_point *point, const struct ir_probe_kind *kind,
			      const char *pp);

#endif
