/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the cache keeps beside finished modules: a tree for each kernel and version of the runtime (kernels/), indexes,
 * tables and unpacked images of objects. It has no limit of size, as each is needed by every script for its object; what nobody
 * has read for STALE_DAYS is of a kernel or program that is gone.
 */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "module/cache_stale.h"

#define STALE_DAYS 60
/* Where reads do not change a file's time (noatime) all goes after so many days, and is made anew when it is needed. */
#define STALE (STALE_DAYS * 24L * 3600)

static time_t last_use(const struct stat *st)
{
	return st->st_atime > st->st_mtime ? st->st_atime : st->st_mtime;
}

/* Calls VISIT with each entry of DIR but links and what cannot be looked at. */
static unsigned each_entry(struct arena *arena, const char *dir,
			   unsigned (*visit)(struct arena *arena, const char *path,
					     const struct stat *st))
{
	DIR *d = opendir(dir);
	struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d))) {
		const char *path = path_join(arena, dir, e->d_name);
		struct stat st;

		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && !lstat(path, &st) &&
		    !S_ISLNK(st.st_mode))
			n += visit(arena, path, &st);
	}
	if (d)
		closedir(d);
	return n;
}

static unsigned count_fresh(struct arena *arena, const char *path, const struct stat *st)
{
	(void)arena;
	(void)path;
	return S_ISREG(st->st_mode) && time(NULL) - last_use(st) < STALE;
}

/* What the user sets stays: cache_mb_limit and cache_clean_interval_s. */
static unsigned drop_file(struct arena *arena, const char *path, const struct stat *st)
{
	(void)arena;
	if (!S_ISREG(st->st_mode) || time(NULL) - last_use(st) < STALE ||
	    !strncmp(path_base(path), "cache_", 6))
		return 0;
	return !unlink(path);
}

/* A kernel's tree goes as a whole; its lock, an empty file, goes as files do. */
static unsigned drop_tree(struct arena *arena, const char *path, const struct stat *st)
{
	struct error *err;

	if (!S_ISDIR(st->st_mode))
		return drop_file(arena, path, st);
	if (each_entry(arena, path, count_fresh))
		return 0;
	err = dir_remove_all(path);
	error_destroy(err);
	return !err;
}

unsigned module_cache_drop_stale(struct arena *arena, const char *dir)
{
	static const char *const of_files[] = { "", "files", "modules" };
	unsigned n = each_entry(arena, path_join(arena, dir, "kernels"), drop_tree);

	for (size_t i = 0; i < sizeof(of_files) / sizeof(*of_files); i++)
		n += each_entry(arena, path_join(arena, dir, of_files[i]), drop_file);
	return n;
}
