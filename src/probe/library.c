/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The libraries of a program, as the dynamic linker would find them (ld.so(8)): in the directories the file names itself, then
 * in those of the system. LD_LIBRARY_PATH of this process is not meant, but one that --sysenv says comes first.
 */
#include "probe/library.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "machine/machine.h"

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

/* In one of DIRS, which colons part; NULL: in none. */
static const char *look_in(struct probe_env *env, const char *dirs, const char *file,
			   const char *name)
{
	for (const char *p = dirs; p && *p;) {
		size_t len = strcspn(p, ":");
		const char *dir = expand(env->arena, arena_strndup(env->arena, p, len), file);
		const char *path = path_join(env->arena, dir, name);
		char real[PATH_MAX];

		if (process_resolve(env, path, real))
			return path;
		p += len + (p[len] == ':');
	}
	return NULL;
}

/*
 * The library NAME of FILE, whose own directories are OWN (DT_RUNPATH or DT_RPATH); NULL: it is nowhere. The
 * system's are those that Debian's ld.so.conf names, and the two of ld.so itself.
 */
static const char *locate(struct probe_env *env, const char *file, const char *own,
			  const char *name)
{
	const struct machine *machine = target_machine(env->target);
	const char *triplet = machine ? machine->name : "x86_64";
	const char *path = look_in(env, process_variable(env, "LD_LIBRARY_PATH"), file, name);

	if (!path)
		path = look_in(env, own, file, name);
	if (path)
		return path;
	return look_in(env,
		       arena_printf(env->arena,
				    "/usr/local/lib/%s-linux-gnu:/usr/lib/%s-linux-gnu:"
				    "/usr/local/lib:/lib64:/usr/lib64:/lib:/usr/lib",
				    triplet, triplet),
		       file, name);
}

static bool has(const struct process_files *list, const char *path)
{
	vec_foreach(file, list)
		if (!strcmp(*file, path))
			return true;
	return false;
}

/* What OBJECT needs; a library that is not found is the dynamic linker's worry. */
static void add_needed(struct walk *w, const struct target_object *object)
{
	const char *file = target_object_row(object)->path, *ignored;
	struct target_dynamic dynamic;

	target_file_dynamic(object, &dynamic);
	vec_foreach(name, &dynamic.needed) {
		const char *path = locate(w->env, file, dynamic.path, *name);
		struct process_files found = { 0 };

		if (path)
			process_find_files(w->env, path, &found, &ignored);
		if (!found.n || has(&w->known, found.data[0]))
			continue;
		vec_push(w->env->arena, &w->known, found.data[0]);
		if (!fnmatch(w->name, *name, 0))
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
