/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.data: memory that is watched by the processor's debug registers. A symbol is one of
 * vmlinux; a number is an address of the running kernel.
 */
#include "probe/families.h"
#include "probe/point.h"

#define MAX_LENGTH 8

/* What the processor can watch: 1, 2, 4 or 8 bytes; LENGTH is rounded up. */
static uint32_t watchable(long long length)
{
	uint32_t n = 1;

	while (n < length)
		n *= 2;
	return n;
}

/* A symbol's address as linked; false when there is none of the name, and *why may be set. */
static bool find(struct probe_env *env, const char *name, uint64_t *ret, const char **why)
{
	*ret = target_symbol(env->target, name);
	if (!*ret)
		*why = arena_printf(env->arena, " (the kernel has no symbol %s)", name);
	return *ret != 0;
}

/* The point with its address as one writes them. */
static const char *address_text(struct probe_env *env, const struct ast_point *point)
{
	const struct ast_component *length = point_find(point, "length");
	const char *head =
		arena_printf(env->arena, "kernel.data(0x%llx)",
			     (unsigned long long)component_number(point_find(point, "data")));

	if (length)
		head = arena_printf(env->arena, "%s.length(%lld)", head,
				    (long long)component_number(length));
	return arena_printf(env->arena, "%s.%s", head, point_has(point, "rw") ? "rw" : "write");
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *data = point_find(point, "data");
	bool by_name = data->param->kind == AST_EXPR_STRING;
	struct probe_point *p;
	uint64_t addr = 0;
	long long length;

	if (!point_number(env, point, "length", 1, MAX_LENGTH, 1, &length))
		return false;
	if (by_name && !point_need_target(env, point))
		return false;
	if (by_name && !find(env, component_string(data), &addr, why))
		return true;
	p = point_add(env, ret, point, &ir_kind_data,
		      by_name ? point_text(env, point) : address_text(env, point));
	p->row.optional = point->optional;
	p->row.attach.data.addr = by_name ? addr : (uint64_t)component_number(data);
	p->row.attach.data.linked = by_name;
	p->row.attach.data.length = watchable(length);
	p->row.attach.data.reads = point_has(point, "rw");
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "kernel.data(string).write", derive },
	{ "kernel.data(string).rw", derive },
	{ "kernel.data(number).write", derive },
	{ "kernel.data(number).rw", derive },
	{ "kernel.data(number).length(number).write", derive },
	{ "kernel.data(number).length(number).rw", derive },
	{ 0 },
};

const struct probe_family probe_family_data = { "data", patterns };
