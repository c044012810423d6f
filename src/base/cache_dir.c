/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where cached files about kernels and guests go. The only state is the replacement
 * directory for a cache that is refused: one for the process, removed by an exit handler.
 */
#include "base/cache_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/trust.h"

static char instead[PATH_MAX]; /* this process's own */

static void remove_instead(void)
{
	error_destroy(dir_remove_all(instead));
}

const char *cache_directory_wanted(struct arena *arena)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return path_join(arena, xdg, "spile");
	if (home && home[0] == '/')
		return path_join(arena, home, ".cache/spile");
	return arena_printf(arena, "/tmp/spile-cache-%u", (unsigned int)getuid());
}

char *cache_refusal(const char *dir)
{
	char *why = path_distrust(dir);
	struct error *err;

	if (why)
		return why;
	err = dir_create_all(dir);
	/* where everybody can make directories, somebody else may have been first */
	why = err ? NULL : path_distrust(dir);
	if (why)
		return why;
	if (!err && faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS))
		err = error_create_errno(errno, "%s cannot be written", dir);
	why = err ? strdup(err->text) : NULL;
	if (err && !why)
		arena_out_of_memory();
	error_destroy(err);
	return why;
}

const char *cache_directory(struct arena *arena)
{
	const char *dir = cache_directory_wanted(arena);
	char *why = cache_refusal(dir), *temp;

	if (!why)
		return dir;
	free(why);
	if (!instead[0]) {
		struct error *err = dir_create_temp(arena, "spile-cache", &temp);

		if (err) {
			error_destroy(err); /* whoever writes there will say so */
			return dir;
		}
		snprintf(instead, sizeof(instead), "%s", temp);
		atexit(remove_instead);
	}
	return instead;
}
