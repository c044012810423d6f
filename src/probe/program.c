/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the files that the head of a process point names (process.h) to objects. A library path of another distribution stands for the
 * same name in the directories of this one.
 */
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "machine/machine.h"
#include "probe/point.h"
#include "probe/process.h"
#include "probe/program.h"

/*
 * Debian has libraries in a directory of the machine's (/usr/lib/x86_64-linux-gnu), where others have /lib64 or /usr/lib64:
 * the file of that name there, or NULL.
 */
static const char *in_library_path(struct probe_env *env, const char *path)
{
	static const char *const moved[] = { "/lib64/", "/usr/lib64/", "/lib/", "/usr/lib/" };
	const struct machine *machine = target_machine(env->target);
	const char *name = path_base(path);

	for (size_t i = 0; i < sizeof(moved) / sizeof(*moved); i++) {
		size_t n = strlen(moved[i]);
		const char *here;

		if (strncmp(path, moved[i], n) || path + n != name)
			continue;
		here = arena_printf(env->arena, "/usr/lib/%s-linux-gnu/%s",
				    machine ? machine->name : "x86_64", name);
		return file_exists(here) ? here : NULL;
	}
	return NULL;
}

/* The file that NAME is found as, or that stands for it, with a warning; NULL with *why: none. */
static void find_named(struct probe_env *env, const struct ast_point *point, const char *name,
		       struct process_files *ret, const char **why)
{
	const char *moved;

	process_find_files(env, name, ret, why);
	if (ret->n || is_glob(name))
		return;
	moved = in_library_path(env, name);
	if (!moved)
		return;
	diag_report(env->sink, DIAG_PATH_MOVED, point->span, name, moved);
	process_find_files(env, moved, ret, why);
}

/* What is meant by name must be a program; among what a pattern matches, others are passed over. */
static bool open_files(struct probe_env *env, const struct ast_point *point,
		       const struct process_files *files, bool pattern, struct programs *ret)
{
	vec_foreach(file, files) {
		const struct target_object *object;
		struct error *err = target_open_file(env->target, *file, &object);

		if (err && !pattern)
			return point_world_failed(env, point, err);
		if (!err)
			vec_push(env->arena, ret, object);
		error_destroy(err);
	}
	return true;
}

bool programs_of_point(struct probe_env *env, const struct ast_point *point, struct programs *ret,
		       const char **why)
{
	const struct ast_component *head = &point->parts.data[0];
	const char *name = head->param ? component_string(head) : NULL;
	struct process_files files = { 0 };
	const char *target;

	if (!point_need_target(env, point))
		return false;
	if (name) {
		find_named(env, point, name, &files, why);
	} else if (!env->command && !env->target_pid) {
		diag_report(env->sink, DIAG_PROCESS_UNSPECIFIED, point->span);
		return false;
	} else {
		target = process_target_file(env, why);
		if (target)
			vec_push(env->arena, &files, target);
	}
	return open_files(env, point, &files, name && is_glob(name), ret);
}
