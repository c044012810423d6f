/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the cache keeps beside finished modules and the runtime of each kernel (base.c prunes these): indexes, tables and
 * unpacked images of objects, and the library's index. There is no limit of size, as every script for an object needs them; what
 * nobody has read for STALE_DAYS is of a kernel or program that is gone.
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
/* Where reads do not change a file's time (noatime) a file goes after so many days, and is made anew when it is needed. */
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

/* What the user sets stays. */
static unsigned drop_file(struct arena *arena, const char *path, const struct stat *st)
{
	(void)arena;
	if (!S_ISREG(st->st_mode) || time(NULL) - last_use(st) < STALE ||
	    !strcmp(path_base(path), CACHE_LIMIT_FILE) ||
	    !strcmp(path_base(path), CACHE_INTERVAL_FILE))
		return 0;
	return !unlink(path);
}

unsigned module_cache_drop_stale(struct arena *arena, const char *dir)
{
	static const char *const of_files[] = { "", "files", "modules" };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(of_files) / sizeof(*of_files); i++)
		n += each_entry(arena, path_join(arena, dir, of_files[i]), drop_file);
	return n;
}
