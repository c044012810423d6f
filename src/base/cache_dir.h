/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where files about kernels and guests are kept. (Finished modules have their own cache:
 * module/module.h.)
 */
#ifndef SPILE_BASE_CACHE_DIR_H
#define SPILE_BASE_CACHE_DIR_H

struct arena;

/*
 * NULL when DIR can be used as a cache: it is there or could be made just now, can be written, and
 * only by the caller and root (see trust.h). Else why not: "DIR cannot be written: Read-only file
 * system"; heap.
 */
char *cache_refusal(const char *dir);
/*
 * $XDG_CACHE_HOME/spile, or ~/.cache/spile, made when it is not there. When that is refused (see
 * above), a temporary directory that goes at the end of the process. Paths live in the arena.
 */
const char *cache_directory(struct arena *arena);
/*
 * The directory by the environment alone, trusted or not: /tmp/spile-cache-UID when neither
 * variable is an absolute path. For messages about a directory that is not used.
 */
const char *cache_directory_wanted(struct arena *arena);

#endif
