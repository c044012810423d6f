/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See path_search.h. Nothing is allocated: a child may look between fork and exec. */
#include "base/path_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *path_directories(void)
{
	const char *dirs = getenv("PATH");

	return dirs ? dirs : PATH_DEFAULT;
}

bool path_next(const char **dirs, char dir[PATH_MAX])
{
	size_t n;

	if (!*dirs || !**dirs)
		return false;
	n = strcspn(*dirs, ":");
	snprintf(dir, PATH_MAX, "%.*s", n ? (int)n : 1, n ? *dirs : ".");
	*dirs += n + ((*dirs)[n] == ':');
	return true;
}

bool path_is_program(const char *path)
{
	struct stat st;

	return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode);
}

bool path_search(const char *name, char ret[PATH_MAX])
{
	const char *dirs = path_directories();
	char dir[PATH_MAX];

	while (path_next(&dirs, dir)) {
		int n = snprintf(ret, PATH_MAX, "%s/%s", dir, name);

		if (n > 0 && n < PATH_MAX && path_is_program(ret))
			return true;
	}
	return false;
}
