/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc as the caller's mount namespace has it. A session is driven by files there, so what is not
 * the kernel's own, or shows processes only, is told before a module is inserted that nobody could
 * talk to.
 */
#ifndef SPILE_LOADER_PROC_H
#define SPILE_LOADER_PROC_H

#include "base/error.h"

/* NULL when modules have their files there; else what is there, and what to do. */
struct error *proc_check(void);

#endif
