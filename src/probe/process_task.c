/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.begin, .end, .thread.begin and .thread.end, the life of processes and threads, and
 * .syscall: no code is looked at, and no kernel. A point is a kind and a scope.
 */
#include <string.h>

#include "base/glob.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"

/* A variable that a builtin serves. */
#define VARIABLE(name, builtin)                                                                    \
	{                                                                                          \
		name, "long", IR_LONG, .get = builtin                                              \
	}

/*
 * Of .syscall: the number and the six words of the call, which is all that is known of it without
 * its name.
 */
static const struct probe_variable call_variables[] = {
	VARIABLE("syscall", "_stp_process_syscall"), VARIABLE("arg1", "_stp_process_arg1"),
	VARIABLE("arg2", "_stp_process_arg2"),       VARIABLE("arg3", "_stp_process_arg3"),
	VARIABLE("arg4", "_stp_process_arg4"),       VARIABLE("arg5", "_stp_process_arg5"),
	VARIABLE("arg6", "_stp_process_arg6"),
};
static const struct probe_variable return_variables[] = {
	VARIABLE("syscall", "_stp_process_syscall"),
	VARIABLE("return", "_stp_process_return"),
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Of the kinds that have some. */
static void add_variables(struct probe_point *p)
{
	if (p->kind == &ir_kind_process_syscall) {
		p->variables = call_variables;
		p->n_variables = COUNT(call_variables);
	} else if (p->kind == &ir_kind_process_syscall_return) {
		p->variables = return_variables;
		p->n_variables = COUNT(return_variables);
	}
}

/* What follows the head, as the pattern has it: ".thread.begin". */
static const char *event_of(const struct probe_pattern *pattern)
{
	return strchr(pattern->text, '.');
}

/* HEAD: how pp() names the processes: "process", with a file or a number behind it. */
static void add(struct probe_env *env, struct probe_points *ret, const struct ast_point *point,
		const struct probe_pattern *pattern, const char *head, const struct ir_scope *scope)
{
	const char *pp = arena_printf(env->arena, "%s%s", head, event_of(pattern));
	struct probe_point *p = point_add(env, ret, point, pattern->kind, pp);

	p->row.scope = scope;
	add_variables(p);
}

/* Without a file or number: the processes of -c or -x if one was given, else all. */
static bool derive_any(struct probe_env *env, const struct ast_point *point,
		       const struct probe_pattern *pattern, struct probe_points *ret,
		       const char **why)
{
	add(env, ret, point, pattern, "process", process_scope(env, NULL, 0));
	return true;
}

/* A process that is not there is a point that does not match, which '?' and '!' forgive. */
static bool derive_pid(struct probe_env *env, const struct ast_point *point,
		       const struct probe_pattern *pattern, struct probe_points *ret,
		       const char **why)
{
	int64_t pid = component_number(&point->parts.data[0]);

	if (process_exists(env, pid))
		add(env, ret, point, pattern,
		    arena_printf(env->arena, "process(%lld)", (long long)pid),
		    process_scope(env, NULL, pid));
	else
		*why = arena_printf(env->arena, " (there is no process %lld)", (long long)pid);
	return true;
}

/*
 * A wildcard means the programs it finds now; one of them that goes before the session starts is no
 * error.
 */
static bool derive_file(struct probe_env *env, const struct ast_point *point,
			const struct probe_pattern *pattern, struct probe_points *ret,
			const char **why)
{
	const char *text = component_string(&point->parts.data[0]);
	struct process_files files = { 0 };

	process_find_files(env, text, &files, why);
	vec_foreach(file, &files) {
		add(env, ret, point, pattern, arena_printf(env->arena, "process(\"%s\")", *file),
		    process_scope(env, *file, 0));
		ret->data[ret->n - 1].row.wild = is_glob(text);
		ret->data[ret->n - 1].row.optional = is_glob(text) || point->optional;
	}
	return true;
}

#define EVENT(event, kind)                                                                         \
	{ "process" event, derive_any, kind }, { "process(number)" event, derive_pid, kind },      \
	{                                                                                          \
		"process(string)" event, derive_file, kind                                         \
	}

static const struct probe_pattern patterns[] = {
	EVENT(".begin", &ir_kind_process_begin),
	EVENT(".end", &ir_kind_process_end),
	EVENT(".thread.begin", &ir_kind_thread_begin),
	EVENT(".thread.end", &ir_kind_thread_end),
	EVENT(".syscall", &ir_kind_process_syscall),
	EVENT(".syscall.return", &ir_kind_process_syscall_return),
	{ 0 },
};

const struct probe_family probe_family_process_task = { "process task", patterns };
