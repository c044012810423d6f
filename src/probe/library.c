/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The libraries of a program, as the dynamic linker would find them (ld.so(8)): in the directories
 * the file names itself, then in those of the system. LD_LIBRARY_PATH of this process is not meant,
 * but one that --sysenv says comes first.
 */
#include "probe/library.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/path_search.h"
#include "machine/machine.h"
#include "target/objects.h"

/* One search: libraries found so far, in the order in which they are looked into. */
struct walk {
	struct probe_env *env;
	const char *name; /* glob */
	struct process_files
		known; /* all that are needed, each once; also those that NAME does not mean */
	struct process_files *ret; /* those of them that it means */
};

/* DIR with $ORIGIN, the directory of the file that names it, put in. */
static const char *expand(struct arena *arena, const char *dir, const char *file)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *at = strstr(dir, words[i]);

		if (at)
			return arena_printf(arena, "%.*s%.*s%s", (int)(at - dir), dir,
					    (int)(path_base(file) - file), file,
					    at + strlen(words[i]));
	}
	return dir;
}

/*
 * In one of DIRS, which FILE names; NULL: in none. As ld.so does, files for another machine are
 * passed over.
 */
static const char *look_in(struct probe_env *env, const struct machine *machine, const char *dirs,
			   const char *file, const char *name)
{
	char dir[PATH_MAX], real[PATH_MAX];

	while (path_next(&dirs, dir)) {
		const char *path = path_join(env->arena, expand(env->arena, dir, file), name);

		if (process_resolve(env, path, real) && process_file_is_for(real, machine))
			return path;
	}
	return NULL;
}

const char *library_directories(struct arena *arena, const struct machine *machine)
{
	static const char own[] =
		"/usr/local/lib:/lib64:/usr/lib64:/lib:/usr/lib:/lib32:/usr/lib32";

	return machine ? arena_printf(arena, "/usr/local/lib/%s:/usr/lib/%s:%s", machine->triplet,
				      machine->triplet, own)
		       : own;
}

const char *library_in_system(struct probe_env *env, const struct machine *machine,
			      const char *name)
{
	return look_in(env, machine, library_directories(env->arena, machine), "", name);
}

/*
 * The library NAME of OBJECT, whose own directories are OWN (DT_RUNPATH or DT_RPATH); NULL: it is
 * nowhere. A library without DT_SONAME that was linked by a path is needed by that, which ld.so
 * opens as it is: a relative one is taken as from here.
 */
static const char *locate(struct probe_env *env, const struct target_object *object,
			  const char *own, const char *name)
{
	const struct machine *machine = target_object_machine(object);
	const char *file = target_object_row(object)->path;
	char real[PATH_MAX];
	const char *path;

	if (strchr(name, '/')) {
		path = expand(env->arena, name, file);
		return process_resolve(env, path, real) ? path : NULL;
	}
	path = look_in(env, machine, process_variable(env, "LD_LIBRARY_PATH"), file, name);
	if (!path)
		path = look_in(env, machine, own, file, name);
	return path ? path : library_in_system(env, machine, name);
}

static bool has(const struct process_files *list, const char *path)
{
	vec_foreach(file, list)
		if (!strcmp(*file, path))
			return true;
	return false;
}

/* Is the library, as NEEDED has it, meant by the name? That is the file's when it has no path. */
static bool is_meant(const char *pattern, const char *needed)
{
	const char *file = strrchr(needed, '/');

	return !fnmatch(pattern, needed, 0) ||
	       (file && !strchr(pattern, '/') && !fnmatch(pattern, file + 1, 0));
}

/*
 * The libraries that OBJECT names as needed, where they are found. One that is not is no error: the
 * program would not start either, and its dynamic linker says so.
 */
static void add_needed(struct walk *w, const struct target_object *object)
{
	struct target_dynamic dynamic;
	const char *ignored;

	target_file_dynamic(object, &dynamic);
	vec_foreach(name, &dynamic.needed) {
		const char *path = locate(w->env, object, dynamic.path, *name);
		struct process_files found = { 0 };

		if (path)
			process_find_files(w->env, path, &found, &ignored);
		if (!found.n || has(&w->known, found.data[0]))
			continue;
		vec_push(w->env->arena, &w->known, found.data[0]);
		if (is_meant(w->name, *name))
			vec_push(w->env->arena, w->ret, found.data[0]);
	}
}

/* A library's own libraries are looked into as well: the list grows while it is walked. */
void library_find(struct probe_env *env, const struct target_object *program, const char *name,
		  struct process_files *ret, const char **why)
{
	struct walk w = { .env = env, .name = name, .ret = ret };

	add_needed(&w, program);
	for (size_t i = 0; i < w.known.n; i++) {
		const struct target_object *object;
		struct error *err = target_open_file(env->target, w.known.data[i], &object);

		if (!err)
			add_needed(&w, object);
		error_destroy(err);
	}
	if (!ret->n)
		*why = arena_printf(env->arena, " (%s needs no library '%s')",
				    target_object_row(program)->path, name);
}
