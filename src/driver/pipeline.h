/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The passes in order; each reports its own failure. */
#ifndef SPILE_DRIVER_PIPELINE_H
#define SPILE_DRIVER_PIPELINE_H

#include <stdbool.h>

#include "sema/sema.h"

struct session;

/* Runs passes 1 to options.last_pass; the exit status. */
int pipeline_run(struct session *s);

/* Pass 1, also for listings: reads the user's scripts and opens the tapset. false: reported. */
bool pass_parse(struct session *s);
/* What pass 2 and the listings start from; opens the target. */
bool pass_elaborate_input(struct session *s, struct sema_input *ret);

#endif
