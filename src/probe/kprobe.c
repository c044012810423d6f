/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kprobe.function and kprobe.module().function: by symbol name, no debug information, no
 * $variables; arguments through int_arg() and its like. The name is looked up
 * here, so that a typing error is seen at once, wildcards expand, and attaching needs no search of
 * the kernel's symbols, which costs milliseconds a name.
 */
#include <string.h>

#include "base/error.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/text_point.h"
#include "target/functions.h"
#include "target/objects.h"

/* Appends the point of one function. There is no scope: the probe has no context variables. */
static void add(struct probe_env *env, const struct ast_point *point, bool wildcard,
		const struct target_function *f, struct probe_points *ret)
{
	bool is_return = point_has(point, "return");
	const struct ast_component *maxactive = point_find(point, "maxactive");
	const char *head =
		f->module ? arena_printf(env->arena, "kprobe.module(\"%s\")", f->module) : "kprobe";
	const char *pp =
		arena_printf(env->arena, "%s.function(\"%s\")%s%s", head, f->name,
			     is_return ? ".return" : "", point_has(point, "call") ? ".call" : "");
	struct probe_point *p;

	if (maxactive)
		pp = arena_printf(env->arena, "%s.maxactive(%lld)", pp,
				  (long long)component_number(maxactive));
	p = point_add(env, ret, point, is_return ? &ir_kind_return : &ir_kind_entry, pp);
	p->row.function = f->name;
	p->row.module = f->module;
	p->row.optional = wildcard || point->optional;
	p->row.wild = wildcard;
	p->row.attach.kernel.symbol = f->name;
	p->row.attach.kernel.section = target_address_in(f->object, f->addr).section;
	p->row.attach.kernel.addr = target_address_in(f->object, f->addr).offset;
	p->row.attach.kernel.max_active = maxactive ? (uint32_t)component_number(maxactive) : 0;
}

/* Inlined instances are not asked for: they have no symbol of their own. */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *function = point_find(point, "function"),
				   *module = point_find(point, "module");
	struct target_function_query q = { .name = component_string(function) };
	struct target_functions found = { 0 };
	bool is_return = point_has(point, "return");
	struct error *err;

	if (!point_need_target(env, point))
		return false;
	if (!point_check_maxactive(env, point))
		return false;
	if (module)
		q.module = component_string(module);
	err = target_find_functions(env->target, &q, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(f, &found) {
		if (!is_return || text_point_has_return(env, f))
			add(env, point, is_glob(q.name), f, ret);
		else if (!point_is_optional(point))
			*why = text_point_explain_no_return(env, f);
	}
	if (!found.n && !point_is_optional(point))
		*why = text_point_explain(env, &q);
	return true;
}

/* The variants below one head. */
#define FORMS(head)                                                                                \
	{ head ".function(string)", derive }, { head ".function(string).call", derive },           \
		{ head ".function(string).return", derive },                                       \
	{                                                                                          \
		head ".function(string).return.maxactive(number)", derive                          \
	}

static const struct probe_pattern patterns[] = { FORMS("kprobe"),
						 FORMS("kprobe.module(string)"),
						 { 0 } };

const struct probe_family probe_family_kprobe = { "kprobe", patterns };
