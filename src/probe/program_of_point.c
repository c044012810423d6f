/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that a point is about: see program_of_point.h. */
#include "probe/program_of_point.h"
#include "probe/process.h"
#include "target/objects.h"

/* The program that a scope means; NULL with *why: any. */
static const char *file_of_scope(struct probe_env *env, const struct ir_scope *scope,
				 const char **why)
{
	if (scope->file)
		return scope->file;
	if (scope->pid)
		return process_file(env, scope->pid, "exe", why);
	if (env->command || env->target_pid)
		return process_target_file(env, why);
	*why = ": the point means processes of any program, as process(\"PATH\") does of one";
	return NULL;
}

const struct target_object *program_open(struct probe_env *env, const char *file, const char **why)
{
	const struct target_object *object = NULL;
	struct error *err = target_open_file(env->target, file, &object);

	if (err)
		*why = arena_printf(env->arena, ": %s", err->text);
	error_destroy(err);
	return err ? NULL : object;
}

const struct target_object *program_run_at(struct probe_env *env, const struct probe_point *point,
					   const char **why)
{
	const struct ir_object *file = ir_attach_file(&point->row.attach);
	const struct ir_scope *scope = point->row.scope;
	const char *path = NULL;

	if (ir_kind_is(point->kind, IR_KIND_BOUNDARY))
		*why = ": where a process or thread begins or ends it has none";
	else if (file && !(scope && scope->file))
		path = file->path;
	else if (scope)
		path = file_of_scope(env, scope, why);
	else
		*why = ": this probe is not about a program";
	return path ? program_open(env, path, why) : NULL;
}

const struct target_object *program_named_at(struct probe_env *env, const struct probe_point *point,
					     bool *is_here)
{
	const struct ir_object *file = ir_attach_file(&point->row.attach);
	const struct ir_scope *scope = point->row.scope;
	const char *why, *path = file ? file->path : NULL;

	*is_here = file != NULL;
	/* the number of a process means nothing here when the script runs elsewhere */
	if (!file && scope && !(env->is_remote && scope->pid))
		path = file_of_scope(env, scope, &why);
	return path ? program_open(env, path, &why) : NULL;
}
