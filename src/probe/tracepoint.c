/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static tracepoints. kernel.trace("NAME") and ("SYSTEM:NAME") have the declared parameters by
 * name; kernel.tracepoint("NAME") and module("M").tracepoint("NAME") have them by number, $arg1 and
 * so on.
 */
#include <string.h>

#include "base/error.h"
#include "base/glob.h"
#include "probe/families.h"
#include "probe/point.h"
#include "target/objects.h"
#include "target/tracepoints.h"
#include "target/variables.h"

/*
 * Events that tracefs has for each system call are made of two tracepoints for all of them
 * (kernel/trace/trace_syscalls.c), and named by the kernel's functions: sys_enter_newstat,
 * sys_enter_pread64. The way to the probes of such a call, or NULL.
 */
static const char *explain_call(struct probe_env *env, const char *name)
{
	static const char *const prefixes[] = { "sys_enter_", "sys_exit_" };
	size_t len;

	if (!strncmp(name, "syscalls:", 9))
		name += 9;
	for (size_t i = 0; i < 2; i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])))
			continue;
		name += strlen(prefixes[i]);
		name += strncmp(name, "new", 3) ? 0 : 3;
		len = strcspn(name, "0123456789*?[");
		return arena_printf(env->arena,
				    " (system calls are syscall.NAME: stap -l 'syscall.*%.*s*')",
				    (int)len, name);
	}
	return NULL;
}

/* Nothing matched: what is there instead, or of similar name. */
static const char *explain(struct probe_env *env, const char *name)
{
	const char *near[5], *known = explain_call(env, name);
	size_t n;

	if (!known)
		known = point_explain_braces(name);
	if (known)
		return known;
	if (!target_has_tracepoints(env->target))
		return " (the kernel has no tracepoints: CONFIG_TRACEPOINTS)";
	n = target_similar_tracepoints(env->target, name, near, 5);
	return point_similar(env, "tracepoint", near, n);
}

/* A point of tracepoint TP. PATTERN is the name that the script has. */
static struct probe_point *add(struct probe_env *env, struct probe_points *ret,
			       const struct ast_point *point, const struct target_tracepoint *tp,
			       const char *pattern, const char *pp)
{
	struct probe_point *p = point_add(env, ret, point, &ir_kind_tracepoint, pp);

	p->row.name = tp->name;
	p->row.wild = is_glob(pattern);
	p->row.optional = p->row.wild || point->optional;
	p->row.attach.tracepoint.name = tp->name;
	p->row.attach.n_words = FETCH_TPARG_MAX;
	p->row.module = tp->module;
	if (tp->module)
		p->row.attach.tracepoint.object = target_object_row(tp->object);
	return p;
}

/*
 * One point for each tracepoint found, an event's in each system that has it. Its scope serves for
 * entry too: there is no return.
 */
static bool derive_trace(struct probe_env *env, const struct ast_point *point,
			 const struct probe_pattern *pattern, struct probe_points *ret,
			 const char **why)
{
	const char *name = component_string(point_find(point, "trace"));
	struct target_tracepoints found = { 0 };
	struct error *err;

	if (!point_need_target(env, point))
		return false;
	err = target_find_tracepoints(env->target, NULL, name, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(tp, &found) {
		const char *pp =
			*tp->system ? arena_printf(env->arena, "kernel.trace(\"%s:%s\")",
						   tp->system, tp->name)
				    : arena_printf(env->arena, "kernel.trace(\"%s\")", tp->name);
		struct probe_point *p = add(env, ret, point, tp, name, pp);

		p->row.system = tp->system;
		p->scope = p->entry_scope = target_scope_tracepoint(env->target, tp);
	}
	if (!found.n)
		*why = explain(env, name);
	return true;
}

static const char *numbered_text(struct probe_env *env, const struct target_tracepoint *tp)
{
	if (!tp->module)
		return arena_printf(env->arena, "kernel.tracepoint(\"%s\")", tp->name);
	return arena_printf(env->arena, "module(\"%s\").tracepoint(\"%s\")", tp->module, tp->name);
}

/*
 * An event that several systems have is one tracepoint; found are in the order of their names, in
 * each object.
 */
static bool derive_tracepoint(struct probe_env *env, const struct ast_point *point,
			      const struct probe_pattern *pattern, struct probe_points *ret,
			      const char **why)
{
	const char *name = component_string(point_find(point, "tracepoint"));
	const struct ast_component *in = point_find(point, "module");
	const struct target_tracepoint *last = NULL;
	struct target_tracepoints found = { 0 };
	struct error *err;

	if (!point_need_target(env, point))
		return false;
	if (strchr(name, ':')) {
		*why = " (a name without a system is wanted here; kernel.trace takes both)";
		return true;
	}
	err = target_find_tracepoints(env->target, in ? component_string(in) : "kernel", name,
				      &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(tp, &found) {
		struct probe_point *p;

		if (last && last->object == tp->object && !strcmp(tp->name, last->name))
			continue;
		last = tp;
		p = add(env, ret, point, tp, name, numbered_text(env, tp));
		p->row.system = "";
		p->scope = p->entry_scope = target_scope_tracepoint_by_number(env->target, tp);
	}
	if (!found.n)
		*why = point_explain_module(env, in ? component_string(in) : NULL);
	if (!found.n && !*why)
		*why = explain(env, name);
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "kernel.trace(string)", derive_trace },
	{ "kernel.tracepoint(string)", derive_tracepoint },
	{ "module(string).tracepoint(string)", derive_tracepoint },
	{ 0 },
};

const struct probe_family probe_family_tracepoint = { "tracepoint", patterns };
