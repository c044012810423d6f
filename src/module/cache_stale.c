/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the cache keeps beside finished modules and the runtime of each kernel (base.c prunes
 * these): indexes, tables and unpacked images of objects, and the library's index. There is no
 * limit of size, as every script for an object needs them; what nobody has read for so long as
 * STALE is of a kernel or program that is gone.
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

/*
 * 60 days. Where reads do not change a file's time (noatime) a file goes after so long, and is made
 * anew when it is needed.
 */
#define STALE (60 * 24L * 3600)

static time_t last_use(const struct stat *st)
{
	return st->st_atime > st->st_mtime ? st->st_atime : st->st_mtime;
}

/* Has nobody used the file for STALE seconds? Never true of the limits, which the user writes. */
static bool is_stale(const char *path, const char *name)
{
	struct stat st;

	return strcmp(name, CACHE_LIMIT_FILE) && strcmp(name, CACHE_INTERVAL_FILE) &&
	       !lstat(path, &st) && S_ISREG(st.st_mode) && time(NULL) - last_use(&st) >= STALE;
}

static unsigned drop_from(struct arena *arena, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d))) {
		const char *path = path_join(arena, dir, e->d_name);

		n += is_stale(path, e->d_name) && !unlink(path);
	}
	if (d)
		closedir(d);
	return n;
}

unsigned module_cache_drop_stale(struct arena *arena, const char *dir)
{
	return drop_from(arena, dir) + drop_from(arena, path_join(arena, dir, "files")) +
	       drop_from(arena, path_join(arena, dir, "modules"));
}
