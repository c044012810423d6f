/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tapset files are. Every directory of the path is looked through from the
 * most specific sub-directory for this kernel to the directory itself; the first file of a name
 * wins.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "library/files.h"

/* A tree under PATH/ is a mirror of the file system: this deep and no deeper. */
#define PATH_DEPTH_MAX 16

/*
 * Whether an earlier file has the same name below its directory, or is the same file by another
 * path.
 */
static bool is_hidden(const struct library *lib, const struct library_file *file)
{
	vec_foreach(other, &lib->files) {
		if (other->tail == file->tail ||
		    (other->dev == file->dev && other->inode == file->inode))
			return true;
	}
	return false;
}

/*
 * Appends DIR/TAIL with what the index needs of its inode; nothing for what is no regular file.
 */
static void add_file(struct library *lib, const char *dir, const char *tail, bool macros)
{
	struct library_file file = { .path = path_join(lib->arena, dir, tail), .macros = macros };
	struct stat st;

	if (stat(file.path, &st) || !S_ISREG(st.st_mode))
		return;
	file.tail = intern(lib->in, tail);
	file.size = (uint64_t)st.st_size;
	file.mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	file.dev = st.st_dev;
	file.inode = st.st_ino;
	if (!is_hidden(lib, &file))
		vec_push(lib->arena, &lib->files, file);
}

/*
 * For scandir: byte order, independent of the locale, so that the order of files is the same
 * everywhere.
 */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/*
 * The files of DIR/SUB ending in SUFFIX; tails begin at SUB when it is kept. How many there
 * are, -1: no such directory.
 */
static int add_directory(struct library *lib, const char *dir, const char *sub, const char *suffix,
			 bool keep_sub)
{
	const char *where = *sub ? path_join(lib->arena, dir, sub) : dir;
	struct dirent **list;
	int n = scandir(where, &list, NULL, by_name), found = 0;

	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (name[0] != '.' && path_has_suffix(name, suffix)) {
			found++;
			const char *tail = keep_sub ? path_join(lib->arena, sub, name) : name;

			add_file(lib, keep_sub ? dir : where, tail, !strcmp(suffix, ".stpm"));
		}
		free(list[i]);
	}
	if (n < 0)
		return -1;
	free(list);
	return found;
}

/* Macros, then scripts. */
static void add_both(struct library *lib, const struct library_options *o, const char *dir,
		     const char *sub)
{
	size_t before = lib->files.n;
	int macros = add_directory(lib, dir, sub, ".stpm", false);
	int scripts = add_directory(lib, dir, sub, ".stp", false);

	if (o->searched && macros >= 0 && scripts >= 0)
		o->searched(o->arg, *sub ? path_join(lib->arena, dir, sub) : dir, macros + scripts,
			    lib->files.n - before);
}

/*
 * PATH/ holds scripts whose place mirrors the file that they are about; tails keep that place.
 * Missing directories are passed over.
 */
static void add_path_tree(struct library *lib, const char *dir, const char *sub, int depth)
{
	struct dirent **list;
	int n;

	if (depth > PATH_DEPTH_MAX)
		return;
	n = scandir(path_join(lib->arena, dir, sub), &list, NULL, by_name);
	if (n < 0)
		return;
	add_directory(lib, dir, sub, ".stp", true);
	for (int i = 0; i < n; i++) {
		const char *below = path_join(lib->arena, sub, list[i]->d_name);

		/* a symbolic link is not followed: it could lead back up */
		if (list[i]->d_name[0] != '.' &&
		    entry_is_directory(list[i], path_join(lib->arena, dir, below)))
			add_path_tree(lib, dir, below, depth + 1);
		free(list[i]);
	}
	free(list);
}

struct sub_directories {
	const char **data;
	size_t n, cap;
};

/*
 * "6.1.0-56-amd64" -> itself, "6.1.0", "6.1"; each with and without the architecture; then the
 * rest.
 */
static void list_subs(struct library *lib, const struct library_options *o,
		      struct sub_directories *subs)
{
	const char *release = o->release ? o->release : "", *arch = o->arch ? o->arch : "";
	const char *base = arena_strndup(lib->arena, release, strcspn(release, "-"));
	const char *dot = strchr(base, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;
	const char *major = second ? arena_strndup(lib->arena, base, (size_t)(second - base)) : "";
	const char *levels[] = { release, base, major };

	for (size_t i = 0; i < 3; i++) {
		if (!*levels[i] || (i && !strcmp(levels[i], levels[i - 1])))
			continue;
		if (*arch)
			vec_push(lib->arena, subs, path_join(lib->arena, levels[i], arch));
		vec_push(lib->arena, subs, levels[i]);
	}
	if (*arch)
		vec_push(lib->arena, subs, arch);
	vec_push(lib->arena, subs, "");
}

/* Within each sub-directory level, the one under linux/ goes first. */
void library_search(struct library *lib, const struct library_options *options)
{
	struct sub_directories subs = { 0 };

	list_subs(lib, options, &subs);
	for (size_t i = 0; i < options->n_dirs; i++) {
		size_t first = lib->files.n;

		for (size_t j = 0; j < subs.n; j++) {
			const char *linux_sub =
				*subs.data[j] ? path_join(lib->arena, "linux", subs.data[j])
					      : "linux";

			add_both(lib, options, options->dirs[i], linux_sub);
			add_both(lib, options, options->dirs[i], subs.data[j]);
		}
		add_path_tree(lib, options->dirs[i], "PATH", 0);
		for (size_t j = first; j < lib->files.n; j++)
			lib->files.data[j].strict = i < options->n_strict;
	}
}
