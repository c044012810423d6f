/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of ours that are loaded: /proc/systemtap/NAME/ is there for each. */
#ifndef SPILE_LOADER_LOADED_H
#define SPILE_LOADER_LOADED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define LOADED_ALL "*"

/*
 * Is NAME a loaded module of ours, and the caller's own by his real user id (root's are all)? The
 * error says which of the two it is not. What is not a module's name, with slashes or too long,
 * is refused.
 */
struct error *loaded_check(const char *name) ERROR_MUST_CHECK;
/*
 * Remove a module that nobody is attached to; its end probes run, their output and what was not
 * read are dropped. LOADED_ALL: every one of the caller's that is not in use. An attached one is
 * an error with errnum EAGAIN.
 */
struct error *loaded_remove(const char *name) ERROR_MUST_CHECK;

#endif
