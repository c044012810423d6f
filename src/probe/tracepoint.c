/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.trace("NAME") and ("SYSTEM:NAME"): static tracepoints with their declared parameters
 *. */
#include <string.h>

#include "base/similar.h"
#include "probe/families.h"
#include "probe/point.h"

/*
 * One point for each tracepoint found, an event's in each system that has it. Its scope serves for
 * entry too: there is no return.
 */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const char *name = component_string(point_find(point, "trace"));
	struct target_tracepoints found = { 0 };
	const char *near[5];
	struct error *err;

	if (!point_need_target(env, point))
		return false;
	err = target_find_tracepoints(env->target, name, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(tp, &found) {
		const char *pp =
			*tp->system ? arena_printf(env->arena, "kernel.trace(\"%s:%s\")",
						   tp->system, tp->name)
				    : arena_printf(env->arena, "kernel.trace(\"%s\")", tp->name);
		struct probe_point *p = point_add(env, ret, point, &ir_kind_tracepoint, pp);

		p->row.name = tp->name;
		p->row.system = tp->system;
		p->row.wild = is_glob(name);
		p->row.optional = p->row.wild || point->optional;
		p->row.attach.tracepoint.name = tp->name;
		p->scope = p->entry_scope = target_scope_tracepoint(env->target, tp);
		p->row.attach.tracepoint.n_args = target_tracepoint_args(p->scope);
	}
	if (!found.n) {
		size_t n = target_similar_tracepoints(env->target, name, near, 5);

		if (n)
			*why = arena_printf(env->arena, " (similar tracepoint%s: %s)",
					    n > 1 ? "s" : "", similar_join(env->arena, near, n));
	}
	return true;
}

static const struct probe_pattern patterns[] = { { "kernel.trace(string)", derive }, { 0 } };

const struct probe_family probe_family_tracepoint = { "tracepoint", patterns };
