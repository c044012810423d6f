/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -L of many functions of the kernel or of modules, kept in the cache: reading their variables from
 * debug information takes seconds.
 */
#ifndef SPILE_DRIVER_KEPT_LIST_H
#define SPILE_DRIVER_KEPT_LIST_H

#include "sema/sema.h"

struct session;

/* What sema asks and tells (sema/sema.h). Lives as long as S, whose target must be opened. */
const struct sema_kept_lists *kept_lists(struct session *s);

#endif
