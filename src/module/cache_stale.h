/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the cache keeps about kernels and programs that are gone. */
#ifndef SPILE_MODULE_CACHE_STALE_H
#define SPILE_MODULE_CACHE_STALE_H

/* Files of the cache that the user sets. */
#define CACHE_LIMIT_FILE "cache_mb_limit"
#define CACHE_INTERVAL_FILE "cache_clean_interval_s"

struct arena;

/*
 * Removes from the cache DIR the indexes, tables and images that were not used for 60 days;
 * finished modules and the runtime of kernels are left alone. Paths are made in the arena. Returns
 * how many entries went.
 */
unsigned module_cache_drop_stale(struct arena *arena, const char *dir);

#endif
