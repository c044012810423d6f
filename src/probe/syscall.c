/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.syscall("NAME") and .return: a system call by its number, which all programs that make it
 * have in common, whatever function of the kernel serves it. What scripts write is the aliases
 * syscall.NAME of the library, which stand for these. NAME is that of the kernel's table,
 * __NR_NAME, or several with blanks between them; a 32-bit program's call of the name is a point of
 * its own. "64:NAME" and "32:NAME" are the call of one kind of program only.
 *
 * Any number of calls may be on their way at once: nothing is kept of one but what @entry asks for,
 * in a table for all. A .maxactive that a script adds to an alias is checked and asks for no more.
 *
 * Parameters are in the caller's registers, which keep them until the call is over; but execve()
 * makes new ones, and the return from a signal's handler brings back older ones.
 */
#include <string.h>

#include "base/error.h"
#include "probe/families.h"
#include "probe/point.h"
#include "target/syscalls.h"
#include "target/variables.h"

/* Calls after which the registers are not those they began with. */
static bool replaces_registers(const char *name)
{
	static const char *const names[] = { "execve", "execveat", "rt_sigreturn", "sigreturn" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void add(struct probe_env *env, const struct ast_point *point,
		const struct target_syscall *call, struct probe_points *ret)
{
	bool is_return = point_has(point, "return");
	const char *pp =
		arena_printf(env->arena, "kernel.syscall(\"%s\")%s%s", call->name,
			     is_return ? ".return" : "", call->is_compat ? " /* 32-bit */" : "");
	struct probe_point *p = point_add(
		env, ret, point, is_return ? &ir_kind_syscall_return : &ir_kind_syscall, pp);

	p->row.name = call->name;
	p->row.function = call->function;
	p->row.optional = point->optional;
	p->row.attach.syscall.abi = call->abi;
	p->row.attach.syscall.number = call->number;
	p->scope = p->entry_scope = target_scope_syscall(env->target, call);
	if (!is_return)
		return;
	p->entry_visible = !replaces_registers(call->name);
	p->scope = target_scope_syscall_return(env->target, call, p->entry_visible);
}

/*
 * The names of the list; those behind "32:" mean calls of 32-bit programs only, "64:" the others.
 */
static struct error *find(struct probe_env *env, const char *list, struct target_syscalls *ret)
{
	for (const char *p = list + strspn(list, " "); *p; p += strspn(p, " ")) {
		struct target_syscalls found = { 0 };
		size_t len = strcspn(p, " ");
		bool native = !strncmp(p, "64:", 3), compat = !strncmp(p, "32:", 3);
		size_t skip = native || compat ? 3 : 0;
		struct error *err = target_find_syscalls(
			env->target, arena_strndup(env->arena, p + skip, len - skip), &found);

		if (err)
			return err;
		ret->known |= found.known;
		vec_foreach(call, &found)
			if (!(call->is_compat ? native : compat))
				vec_push(env->arena, ret, *call);
		p += len;
	}
	return NULL;
}

/* The numbers that the names have in this kernel, one for each kind of program. */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const char *name = component_string(point_find(point, "syscall"));
	struct target_syscalls found = { 0 };
	const char *near[5];
	struct error *err;
	size_t n;

	if (!point_check_maxactive(env, point) || !point_need_target(env, point))
		return false;
	err = find(env, name, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(call, &found)
		add(env, point, call, ret);
	ret->lacking |= !found.n && found.known; /* no mistake: some kernels are without it */
	n = found.n || found.known ? 0 : target_similar_syscalls(env->target, name, near, 5);
	if (n)
		*why = point_similar(env, "system call", near, n);
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "kernel.syscall(string)", derive },
	{ "kernel.syscall(string).return", derive },
	{ "kernel.syscall(string).return.maxactive(number)", derive },
	{ 0 }
};

const struct probe_family probe_family_syscall = { "syscall", patterns };
