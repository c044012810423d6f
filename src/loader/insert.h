/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting a module into the kernel and taking it out. Needs root (CAP_SYS_MODULE). */
#ifndef SPILE_LOADER_INSERT_H
#define SPILE_LOADER_INSERT_H

#include "base/error.h"

struct image;

/* An error's hint says what to do, and what the kernel log said about the module. */
struct error *module_insert(const struct image *img, const char *params) ERROR_MUST_CHECK;
/*
 * Waits so long for the module's users to go; an error whose errnum is EAGAIN says that they did not. No such module:
 * success when missing_ok.
 */
struct error *module_remove(const char *name, int patience_ms, int missing_ok) ERROR_MUST_CHECK;

#endif
