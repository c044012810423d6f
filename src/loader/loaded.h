/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of ours that are loaded: /proc/systemtap/NAME/ is there for each. */
#ifndef SPILE_LOADER_LOADED_H
#define SPILE_LOADER_LOADED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/uapi/types.h"

#define LOADED_ALL "*"

/*
 * Is NAME a loaded module of ours, and the caller's own by his real user id (root's are all)? The
 * error says which of the two it is not. What is not a module's name, with slashes or too long,
 * is refused.
 */
struct error *loaded_check(const char *name) ERROR_MUST_CHECK;
/*
 * Removes the module of that name and cookie, which is not 0. One that is in use is tried again for
 * patience_ms, and is then an error with errnum EAGAIN. That it has gone already, though another of
 * its name may have come, is success.
 */
struct error *loaded_remove_own(const char *name, stp_u64 cookie, int patience_ms) ERROR_MUST_CHECK;
/*
 * Remove a module that nobody is attached to; its end probes run, their output and what was not
 * read are dropped. LOADED_ALL: every one of the caller's that is not in use. An attached one is
 * an error with errnum EAGAIN.
 */
struct error *loaded_remove(const char *name) ERROR_MUST_CHECK;

#endif
