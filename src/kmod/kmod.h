/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The back end that makes kernel modules: C through codegen/, a .ko through module/, run by staprun
 * here or in a guest of remote/. What of the command line it takes for its own: the limits of
 * stap(1) and STP_ names, by -D.
 */
#ifndef SPILE_KMOD_KMOD_H
#define SPILE_KMOD_KMOD_H

#include "backend/backend.h"

/* Constant; all that belongs to one program is in its job. */
extern const struct backend kmod_backend;

#endif
