/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where files about kernels and guests are kept. (Finished modules have their own cache:
 * module/module.h.)
 */
#ifndef SPILE_BASE_CACHE_DIR_H
#define SPILE_BASE_CACHE_DIR_H

struct arena;

/*
 * $XDG_CACHE_HOME/spile, or ~/.cache/spile. When others could write there (see trust.h), a
 * temporary directory that goes at the end of the process. Paths live in the arena; nothing but
 * that temporary directory is created.
 */
const char *cache_directory(struct arena *arena);
/*
 * The directory by the environment alone, trusted or not: /tmp/spile-cache-UID when neither
 * variable is an absolute path. For messages about a directory that is not used.
 */
const char *cache_directory_wanted(struct arena *arena);

#endif
