/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process beside staprun that removes the module when staprun dies before it could: of kill -9,
 * while the kernel was still loading it, or before there was a reader that would notice. A module
 * of the same name that somebody else loaded stays: it has another cookie (see
 * runtime/uapi/wire.h).
 */
#ifndef SPILE_LOADER_GUARD_H
#define SPILE_LOADER_GUARD_H

#include "base/error.h"
#include "runtime/uapi/types.h"

/*
 * Before the module is inserted. *ret is what guard_release() takes, close-on-exec; the guard
 * waits for it to close. On failure there is no guard, and nothing should be inserted.
 */
struct error *guard_start(const char *module, stp_u64 cookie, int *ret) ERROR_MUST_CHECK;
/* The module is gone, or is to stay: nothing is left to guard. -1 is none. */
void guard_release(int guard);

#endif
