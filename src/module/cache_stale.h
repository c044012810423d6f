/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the cache keeps about kernels and programs that are gone. */
#ifndef SPILE_MODULE_CACHE_STALE_H
#define SPILE_MODULE_CACHE_STALE_H

struct arena;

/*
 * Removes from the cache DIR what is kept about kernels and programs and was not used for 60 days; finished modules are
 * left alone. Paths are made in the arena. Returns how many entries went.
 */
unsigned module_cache_drop_stale(struct arena *arena, const char *dir);

#endif
