/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where programs are looked for that are named without a slash. Paths are cut at PATH_MAX. */
#ifndef SPILE_BASE_PATH_SEARCH_H
#define SPILE_BASE_PATH_SEARCH_H

#include <limits.h>
#include <stdbool.h>

/* Where there is no $PATH. */
#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

/* $PATH of this process, or PATH_DEFAULT. */
const char *path_directories(void);
/*
 * The next of *DIRS, which colons part, into DIR; the empty one is ".". False, with DIR untouched:
 * there is none. NULL has none.
 */
bool path_next(const char **dirs, char dir[PATH_MAX]);
/* Is PATH a regular file, at the end of links, that this process may execute? */
bool path_is_program(const char *path);
/* Where path_directories() first have a program NAME; false, with RET undefined: nowhere. */
bool path_search(const char *name, char ret[PATH_MAX]);

#endif
