/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who could change a file: owner and mode of it and of every directory above it, by the real
 * path. It is a check at one moment; what only the caller and root can write stays so afterwards.
 */
#include "base/trust.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

/* "PATH WHAT", heap. Never NULL, which would mean trusted: without memory the process ends. */
static char *say(const char *path, const char *fmt, unsigned id)
{
	char *what, *ret;

	if (asprintf(&what, fmt, id) < 0 || asprintf(&ret, "%s %s", path, what) < 0)
		arena_out_of_memory();
	free(what);
	return ret;
}

/* One file or directory, not what is above it. NULL: trusted, or not there. */
static char *distrust_one(const char *path)
{
	struct stat st;
	bool sticky;

	if (lstat(path, &st))
		return NULL; /* not there: nobody's yet */
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return say(path, "belongs to user %u", st.st_uid);
	sticky = S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX;
	if (st.st_mode & S_IWOTH && !sticky)
		return say(path, "can be written by everybody", 0);
	if (st.st_mode & S_IWGRP && !sticky && st.st_gid != 0 && st.st_gid != getegid())
		return say(path, "can be written by group %u", st.st_gid);
	return NULL;
}

/* The longest part of PATH that is there, without links; heap. */
static char *existing(const char *path)
{
	char *copy = strdup(path), *real = NULL, *slash;

	while (copy && !(real = realpath(copy, NULL)) && errno == ENOENT) {
		slash = strrchr(copy, '/');
		if (!slash) {
			free(copy);
			return realpath(".", NULL);
		}
		if (slash == copy)
			slash++;
		*slash = '\0';
	}
	free(copy);
	return real;
}

char *path_distrust(const char *path)
{
	char *real = existing(path), *why, *end;

	if (!real)
		return say(path, "cannot be followed", 0);
	why = distrust_one(real);
	while (!why && (end = strrchr(real, '/')) && real[1]) {
		end[end == real] = '\0';
		why = distrust_one(real);
	}
	free(real);
	return why;
}
