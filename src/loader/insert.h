/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting a module into the kernel and taking it out. Needs root (CAP_SYS_MODULE). Both wait for
 * the kernel: a module's init and exit run in the call.
 */
#ifndef SPILE_LOADER_INSERT_H
#define SPILE_LOADER_INSERT_H

#include <stdbool.h>

#include "base/error.h"

struct image;

/*
 * Inserts a module of this version of stap that was made for the running kernel, and no other.
 * params as for insmod. An error has the kernel's errnum, ENOSYS where it has no modules, and a
 * hint that says what to do and what the kernel log said about the module; errnum is 0 when the
 * module was not given to the kernel, as it was not made for it.
 */
struct error *module_insert(const struct image *img, const char *params) ERROR_MUST_CHECK;
/*
 * Waits patience_ms for the module's users to go; an error whose errnum is EAGAIN says that they
 * did not. No such module: success when missing_ok. Whose module it is has been checked by the
 * caller.
 */
struct error *module_remove(const char *name, int patience_ms, bool missing_ok) ERROR_MUST_CHECK;

#endif
