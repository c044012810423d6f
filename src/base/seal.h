/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seals of cached files. A full disk, a loss of power or a hand edit leaves entries in the cache
 * that are cut short, zeroed or changed; they must be noticed and made anew, not used for ever. A
 * seal is a file beside them with a line "SIZE SUM NAME" for each. Files up to 256 KB are summed
 * whole; of larger ones the size, both ends and some pages between, so that checking costs a tenth
 * of a millisecond whatever the size. A seal that holds is given the time of the check, its mtime:
 * later checks in the same boot sum only what has another size or was changed since. It is no
 * protection against intent: see trust.h.
 *
 * A seal is written before what it seals appears under its name, so an entry without one is
 * damaged, too.
 */
#ifndef SPILE_BASE_SEAL_H
#define SPILE_BASE_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* names: files in dir as they are now, NULL-terminated. */
struct error *seal_write(const char *seal, const char *dir,
			 const char *const *names) ERROR_MUST_CHECK;
/* NULL when all that is sealed is as it was, else what is wrong with it; heap. */
char *seal_broken(const char *seal, const char *dir);

/*
 * The same for a single entry, PATH, whose seal is PATH.seal; from is the file that will be PATH.
 */
struct error *seal_write_one(const char *path, const char *from) ERROR_MUST_CHECK;
/* Write PATH as file_write_atomic() does, 0644, with its seal. */
struct error *seal_write_data(const char *path, const void *data, size_t len) ERROR_MUST_CHECK;
/* False when there is no PATH; also when it is damaged: then it is reported and removed. */
bool seal_holds(const char *path);

/*
 * Whom to tell of damaged entries: one listener for the process, set before threads are started;
 * NULL: nobody.
 */
void seal_watch(void (*say)(void *arg, const char *path, const char *why), void *arg);
/*
 * Tell the listener that PATH was found damaged, and why. For entries whose owner checks them
 * with seal_broken() himself.
 */
void seal_report(const char *path, const char *why);

#endif
