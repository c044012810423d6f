/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.data and process.data: memory that is watched by the processor's debug registers. A symbol
 * is one of vmlinux, and so is the variable of a member; a number is an address of the running
 * kernel, or of the target's processes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/similar.h"
#include "machine/machine.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"
#include "target/functions.h"
#include "target/target.h"
#include "target/types.h"
#include "target/variables.h"

#define MAX_LENGTH 8

/* What the processor can watch: 1, 2, 4 or 8 bytes; LENGTH is rounded up. */
static uint32_t watchable(long long length)
{
	uint32_t n = 1;

	while (n < length)
		n *= 2;
	return n;
}

/* What is watched. */
struct watched {
	uint64_t addr; /* of vmlinux as linked when linked, else as it runs */
	bool linked;
	uint32_t length;
};

/*
 * Reports that at PART of the text something else was EXPECTED; always false, for the caller to
 * return.
 */
static bool bad_path(struct probe_env *env, const struct ast_component *data, const char *part,
		     const char *expected)
{
	struct diagnostic *d = diag_report(env->sink, DIAG_WATCH_PATH, data->param->span, expected);

	diag_set_token(env->sink, d, "string '%s'", part);
	return false;
}

/* VARIABLE(.MEMBER|[SUBSCRIPT])... as a question for where that is; else reported. */
static bool parse_path(struct probe_env *env, const struct ast_component *data,
		       struct target_query *ret)
{
	VEC(struct target_access) path = { 0 };
	const char *name = component_string(data);
	const char *p = name + strcspn(name, ".[");

	*ret = (struct target_query){ .base = TARGET_GLOBAL,
				      .name = arena_strndup(env->arena, name, (size_t)(p - name)),
				      .address_of = true };
	if (p == name)
		return bad_path(env, data, name, "a variable of the kernel");
	while (*p) {
		struct target_access step = { .operand = -1 };
		size_t len;

		if (*p == '.') {
			len = strcspn(p + 1, ".[");
			if (!len)
				return bad_path(env, data, p, "a member's name after the dot");
			step.member = arena_strndup(env->arena, p + 1, len);
			p += 1 + len;
		} else if (*p == '[') {
			char *end;

			step.literal = strtoll(p + 1, &end, 0);
			if (end == p + 1 || *end != ']')
				return bad_path(env, data, p, "a number in brackets");
			p = end + 1;
		} else {
			return bad_path(env, data, p, "'.' or '[' after the brackets");
		}
		vec_push(env->arena, &path, step);
	}
	ret->path = path.data;
	ret->n_path = path.n;
	return true;
}

/*
 * Has each array of the path the element that is asked for? False: reported, or *err. True too
 * where the path leads nowhere: that is for who resolves the whole of it to report.
 */
static bool check_subscripts(struct probe_env *env, const struct ast_component *data,
			     const struct target_query *whole, struct error **err)
{
	for (size_t i = 0; i < whole->n_path; i++) {
		const struct target_access *step = &whole->path[i];
		const struct target_type *array;
		struct target_query q = *whole;
		struct target_value v;
		struct diagnostic *d;
		uint64_t count;

		if (step->member)
			continue;
		q.n_path = i;
		*err = target_resolve(env->target, target_scope_none(env->target), &q, &v);
		if (*err || v.status != TARGET_OK)
			return !*err;
		array = target_type_pointee(v.type);
		if (target_type_kind(array) != TARGET_TYPE_ARRAY)
			continue;
		count = target_type_count(array);
		if (step->literal >= 0 && (!count || (uint64_t)step->literal < count))
			continue;
		d = diag_report(env->sink, DIAG_WATCH_INDEX, data->param->span,
				target_type_name(array),
				(unsigned long long)(count ? count - 1 : 0));
		diag_set_token(env->sink, d, "number '%lld'", (long long)step->literal);
		return false;
	}
	return true;
}

/* The one address that a program comes to wherever it runs; false: there is none. */
static bool one_address(const struct fetch_program *p, uint64_t *ret)
{
	if (!p->n || p->insns[0].op != FETCH_ADDRESS || p->insns[0].section)
		return false;
	*ret = (uint64_t)p->insns[0].value;
	for (size_t i = 1; i < p->n; i++) {
		if (p->insns[i].op != FETCH_ADD)
			return false;
		*ret += (uint64_t)p->insns[i].value;
	}
	return true;
}

/*
 * Nothing can be watched there: WHY, and what may help, or NULL. Always false, for the caller to
 * return.
 */
static bool not_watchable(struct probe_env *env, const struct ast_component *data, const char *why,
			  const char *hint)
{
	struct diagnostic *d = diag_report(env->sink, DIAG_PROBE_NO_MATCH, data->param->span,
					   arena_printf(env->arena, " (%s)", why));

	diag_set_token(env->sink, d, "string '%s'", component_string(data));
	if (hint)
		diag_set_hint(env->sink, d, "%s", hint);
	return false;
}

/* A name that the kernel does not have. */
static bool no_symbol(struct probe_env *env, const struct ast_component *data, const char *name)
{
	const char *near[5];
	size_t n = target_similar_data(env->target, name, near, 5);

	return not_watchable(
		env, data, arena_printf(env->arena, "the kernel has no symbol %s", name),
		n ? arena_printf(env->arena, "did you mean %s?", similar_join(env->arena, near, n))
		  : NULL);
}

/* A member of a variable, watched as a whole where the processor can; else reported. */
static bool find_member(struct probe_env *env, const struct ast_point *point,
			const struct ast_component *data, struct watched *ret)
{
	struct target_query q;
	struct target_value v;
	struct error *err = NULL;
	uint64_t size;

	if (!parse_path(env, data, &q))
		return false;
	if (!check_subscripts(env, data, &q, &err))
		return err ? point_world_failed(env, point, err) : false;
	err = target_resolve(env->target, target_scope_none(env->target), &q, &v);
	if (err)
		return point_world_failed(env, point, err);
	if (v.status == TARGET_NO_VARIABLE && !target_symbol(env->target, q.name))
		return no_symbol(env, data, q.name);
	if (v.status == TARGET_NO_VARIABLE && v.hint)
		return not_watchable(
			env, data, arena_printf(env->arena, "the type of %s is not known", q.name),
			arena_printf(env->arena,
				     "%s: without debuginfo only per-CPU "
				     "variables have a type",
				     v.hint));
	if (v.status != TARGET_OK)
		return not_watchable(env, data, v.message, v.hint);
	if (!one_address(&v.load, &ret->addr))
		return not_watchable(
			env, data,
			arena_printf(env->arena, "%s has no one address", component_string(data)),
			NULL);
	size = v.type && target_type_pointee(v.type) ? target_type_size(target_type_pointee(v.type))
						     : 0;
	if (size == 2 || size == 4 || size == 8)
		ret->length = ret->addr % size ? 1 : (uint32_t)size;
	if (size > ret->length)
		diag_set_token(env->sink,
			       diag_report(env->sink, DIAG_WATCH_PART, data->param->span,
					   component_string(data), (unsigned long long)size,
					   ret->length),
			       "string '%s'", component_string(data));
	return true;
}

/*
 * Is it memory that the kernel gives back when it has booted, what each CPU's copies are made of
 * included?
 */
static bool is_initial(struct probe_env *env, uint64_t addr)
{
	return addr < target_machine(env->target)->kernel_base ||
	       (addr >= target_symbol(env->target, "__init_begin") &&
		addr < target_symbol(env->target, "__init_end"));
}

/* By a symbol, or a member of a variable; else reported. */
static bool find(struct probe_env *env, const struct ast_point *point,
		 const struct ast_component *data, struct watched *ret)
{
	const char *name = component_string(data);

	if (!*name)
		return bad_path(env, data, name, "a variable of the kernel");
	ret->linked = true;
	ret->addr = target_symbol(env->target, name);
	if (!ret->addr && !strpbrk(name, ".["))
		return no_symbol(env, data, name);
	if (!ret->addr && !find_member(env, point, data, ret))
		return false;
	if (!is_initial(env, ret->addr))
		return true;
	return not_watchable(
		env, data,
		arena_printf(env->arena, "%s is per CPU, or gone when the kernel has booted", name),
		NULL);
}

/* A number as the processor wants it; else reported. */
static bool check_address(struct probe_env *env, const struct ast_point *point,
			  const struct ast_component *data, const struct watched *watched,
			  bool is_kernels)
{
	const struct machine *m = env->target ? target_system_machine(env->target) : NULL;
	struct diagnostic *d;

	if (watched->addr % watched->length)
		d = diag_report(env->sink, DIAG_WATCH_ALIGNED, data->param->span, watched->length);
	else if (m && is_kernels != (watched->addr >= m->kernel_base >> 1))
		d = diag_report(env->sink, DIAG_WATCH_USER, data->param->span,
				is_kernels ? "the kernel" : "a program");
	else
		return true;
	diag_set_token(env->sink, d, "number '%#llx'", (unsigned long long)watched->addr);
	return false;
}

/* The point with its address as one writes them. */
static const char *address_text(struct probe_env *env, const struct ast_point *point)
{
	const struct ast_component *length = point_find(point, "length");
	const char *head =
		arena_printf(env->arena, "%s.data(0x%llx)", point->parts.data[0].name->text,
			     (unsigned long long)component_number(point_find(point, "data")));

	if (length)
		head = arena_printf(env->arena, "%s.length(%lld)", head,
				    (long long)component_number(length));
	return arena_printf(env->arena, "%s.%s", head, point_has(point, "rw") ? "rw" : "write");
}

/* SCOPE: whose accesses are meant; NULL: it is the kernel's memory. */
static bool watch(struct probe_env *env, const struct ast_point *point,
		  const struct ir_scope *scope, struct probe_points *ret, const char **why)
{
	const struct ast_component *data = point_find(point, "data");
	bool by_name = data->param->kind == AST_EXPR_STRING;
	const struct machine *m = env->target ? target_system_machine(env->target) : NULL;
	struct watched watched = { .length = 1 };
	struct probe_point *p;
	long long length;

	if (!point_number(env, point, "length", 1, MAX_LENGTH, 1, &length))
		return false;
	if (by_name && !point_need_target(env, point))
		return false;
	if (m && !m->n_watchpoints) {
		*why = " (kernels of this machine cannot go on behind a watched access)";
		return true;
	}
	if (by_name && !find(env, point, data, &watched))
		return false;
	if (!by_name) {
		watched.addr = (uint64_t)component_number(data);
		watched.length = watchable(length);
		if (!check_address(env, point, data, &watched, !scope))
			return false;
	}
	p = point_add(env, ret, point, scope ? &ir_kind_data_process : &ir_kind_data,
		      by_name ? point_text(env, point) : address_text(env, point));
	p->row.optional = point->optional;
	p->row.scope = scope;
	p->row.attach.data.addr = watched.addr;
	p->row.attach.data.linked = watched.linked;
	p->row.attach.data.length = watched.length;
	p->row.attach.data.reads = point_has(point, "rw");
	return true;
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	(void)pattern;
	return watch(env, point, NULL, ret, why);
}

/* Which process has the address is known of the target's alone. */
static bool derive_process(struct probe_env *env, const struct ast_point *point,
			   const struct probe_pattern *pattern, struct probe_points *ret,
			   const char **why)
{
	(void)pattern;
	if (env->command || env->target_pid)
		return watch(env, point, process_scope(env, NULL, 0), ret, why);
	diag_report(env->sink, DIAG_PROCESS_UNSPECIFIED, point->span);
	return false;
}

static const struct probe_pattern patterns[] = {
	{ "kernel.data(string).write", derive },
	{ "kernel.data(string).rw", derive },
	{ "kernel.data(number).write", derive },
	{ "kernel.data(number).rw", derive },
	{ "kernel.data(number).length(number).write", derive },
	{ "kernel.data(number).length(number).rw", derive },
	{ "process.data(number).write", derive_process },
	{ "process.data(number).rw", derive_process },
	{ "process.data(number).length(number).write", derive_process },
	{ "process.data(number).length(number).rw", derive_process },
	{ 0 },
};

const struct probe_family probe_family_data = { "data", patterns };
