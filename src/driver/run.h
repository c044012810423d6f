/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes 4 and 5: the module file, and its session here or in a guest. */
#ifndef SPILE_DRIVER_RUN_H
#define SPILE_DRIVER_RUN_H

#include <stdbool.h>

struct session;

bool run_clean_cache(struct session *s); /* --clean-cache */
bool run_pass4(struct session *s);
bool run_pass5(struct session *s);

#endif
