/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose errno @errno is: that of the C library that the program is linked with, which the dynamic
 * linker finds as any other of its libraries, or of the one that is part of a static program.
 */
#include <string.h>

#include "base/file.h"
#include "probe/library.h"
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

/* The program whose processes POINT means, or the library that it is in. */
static const char *file_of_point(struct probe_env *env, const struct probe_point *point,
				 const char **why)
{
	const struct ir_object *file = ir_attach_file(&point->row.attach);
	const struct ir_scope *scope = point->row.scope;

	if (ir_kind_is(point->kind, IR_KIND_BOUNDARY)) {
		*why = ": where a process or thread begins or ends it has none";
		return NULL;
	}
	if (file && !(scope && scope->file))
		return file->path;
	if (scope)
		return file_of_scope(env, scope, why);
	*why = ": this probe is not about a program";
	return NULL;
}

static const struct target_object *open_file(struct probe_env *env, const char *file,
					     const char **why)
{
	const struct target_object *object = NULL;
	struct error *err = target_open_file(env->target, file, &object);

	if (err)
		*why = arena_printf(env->arena, ": %s", err->text);
	error_destroy(err);
	return err ? NULL : object;
}

/*
 * Among the libraries of a program: of GNU "libc.so.6", of musl "libc.so" or
 * "libc.musl-x86_64.so.1".
 */
static const struct target_object *
find_library(struct probe_env *env, const struct target_object *program, const char **why)
{
	const char *path = target_object_row(program)->path;
	const struct target_object *library;
	struct process_files files = { 0 };
	const char *ignored;

	library_find(env, program, "libc.*", &files, &ignored);
	if (!files.n) {
		*why = arena_printf(env->arena,
				    ": %s needs no C library, and has none with symbols in it",
				    path);
		return NULL;
	}
	library = open_file(env, files.data[0], why);
	if (!library || target_file_has_thread_local(library, "errno"))
		return library;
	*why = arena_printf(
		env->arena,
		": it is not a variable of %s, the C library of %s: that of GNU has one",
		files.data[0], path);
	return NULL;
}

const struct target_object *c_library_of(struct probe_env *env, const struct probe_point *point,
					 const char **why)
{
	const char *file = file_of_point(env, point, why);
	const struct target_object *program = file ? open_file(env, file, why) : NULL;

	if (!program || target_file_has_thread_local(program, "errno"))
		return program;
	return find_library(env, program, why);
}
