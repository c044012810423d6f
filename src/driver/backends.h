/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The back ends there are: the rows of backend/backends.def. */
#ifndef SPILE_DRIVER_BACKENDS_H
#define SPILE_DRIVER_BACKENDS_H

#include "backend/backend.h"

/* That of this name, NULL if there is none; with NULL the first, which serves by default. */
const struct backend *backends_find(const char *name);

#endif
