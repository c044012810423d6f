/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From process("PATH") to files. A name without '/' is looked for in $PATH; a script stands for its interpreter; a library path of
 * another distribution for the same name in the directories of this one.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/file.h"
#include "machine/machine.h"
#include "probe/point.h"
#include "probe/program.h"

/* Interpreters may be scripts in turn, as often as the kernel follows them (fs/exec.c). */
#define MAX_SCRIPTS 5

/* An existing file, links resolved; NULL: there is none. */
static const char *canonical(struct probe_env *env, const char *path)
{
	char *real = realpath(path, NULL);
	const char *copy = real ? arena_strdup(env->arena, real) : NULL;

	free(real);
	return copy;
}

/* The file that the shell would run; NULL: $PATH has none of that name. */
static const char *in_search_path(struct probe_env *env, const char *name)
{
	const char *list = getenv("PATH");

	for (const char *p = list ? list : "/usr/bin:/bin"; *p;) {
		size_t n = strcspn(p, ":");
		const char *path =
			arena_printf(env->arena, "%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
		struct stat st;

		if (!stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK))
			return path;
		p += n + (p[n] == ':');
	}
	return NULL;
}

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

/* The interpreter of a script; NULL: the file is none. */
static const char *interpreter(struct probe_env *env, const char *path)
{
	FILE *f = fopen(path, "re");
	char line[256] = "";
	size_t n, at = 2;

	if (!f)
		return NULL;
	n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	if (strncmp(line, "#!", 2))
		return NULL;
	at += strspn(line + at, " \t");
	n = strcspn(line + at, " \t\r\n");
	return n ? arena_strndup(env->arena, line + at, n) : NULL;
}

/* What runs when PATH is run. */
static const char *follow_scripts(struct probe_env *env, const char *path)
{
	for (int i = 0; i < MAX_SCRIPTS; i++) {
		const char *next = interpreter(env, path);

		next = next ? canonical(env, next) : NULL;
		if (!next)
			break;
		path = next;
	}
	return path;
}

/* Reports that there is no such file. */
static bool not_there(struct probe_env *env, const struct ast_point *point, const char *name)
{
	diag_report(env->sink, DIAG_WORLD, point->span,
		    arena_printf(env->arena,
				 strchr(name, '/') ? "cannot find the program or library '%s'"
						   : "cannot find the program '%s' in $PATH",
				 name));
	return false;
}

/* Appends the program in the file of that name; an error is reported. */
static bool add_named(struct probe_env *env, const struct ast_point *point, const char *name,
		      struct programs *ret)
{
	const struct target_object *object;
	const char *path = strchr(name, '/') ? name : in_search_path(env, name), *real, *moved;
	struct error *err;

	real = path ? canonical(env, path) : NULL;
	moved = path && !real ? in_library_path(env, path) : NULL;
	if (moved) {
		real = canonical(env, moved);
		diag_report(env->sink, DIAG_PATH_MOVED, point->span, name, moved);
	}
	if (!real)
		return not_there(env, point, name);
	err = target_open_file(env->target, follow_scripts(env, real), &object);
	if (err)
		return point_world_failed(env, point, err);
	vec_push(env->arena, ret, object);
	return true;
}

static bool is_there(const struct programs *list, const struct target_object *object)
{
	vec_foreach(o, list)
		if (*o == object)
			return true;
	return false;
}

/* Appends all programs whose paths match. Scripts are not followed: their interpreter is not what the pattern means. */
static bool add_matching(struct probe_env *env, const char *pattern, struct programs *ret)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return true;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = canonical(env, found.gl_pathv[i]);
		const struct target_object *object;
		struct error *err = path ? target_open_file(env->target, path, &object) : NULL;

		if (path && !err && !is_there(ret, object))
			vec_push(env->arena, ret, object);
		error_destroy(err);
	}
	globfree(&found);
	return true;
}

/* The program that -c runs, when it is one word of the shell's at the start. NULL: there is no command. */
static const char *command_program(struct probe_env *env)
{
	wordexp_t words;
	const char *name = NULL;

	if (!env->command)
		return NULL;
	if (wordexp(env->command, &words, WRDE_NOCMD))
		return "/bin/sh";
	if (words.we_wordc)
		name = arena_strdup(env->arena, words.we_wordv[0]);
	wordfree(&words);
	return name;
}

/* process without a path: what -c or -x names. */
static bool add_target(struct probe_env *env, const struct ast_point *point, struct programs *ret)
{
	const char *name = command_program(env);

	if (!name && env->target_pid)
		name = arena_printf(env->arena, "/proc/%ld/exe", env->target_pid);
	if (!name) {
		diag_report(env->sink, DIAG_PROCESS_UNSPECIFIED, point->span);
		return false;
	}
	return add_named(env, point, name, ret);
}

bool programs_of_point(struct probe_env *env, const struct ast_point *point, struct programs *ret)
{
	const struct ast_component *head = &point->parts.data[0];

	if (!point_need_target(env, point))
		return false;
	if (!head->param)
		return add_target(env, point, ret);
	return is_glob(component_string(head)) ? add_matching(env, component_string(head), ret)
					       : add_named(env, point, component_string(head), ret);
}
