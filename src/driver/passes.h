/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes. Each runs on what earlier ones left in the session, reports its own failure and then returns false; each says
 * for -v what it did, without the times.
 */
#ifndef SPILE_DRIVER_PASSES_H
#define SPILE_DRIVER_PASSES_H

#include <stdbool.h>

#include "sema/sema.h"

struct session;

bool pass1_run(struct session *s);
void pass1_say(struct session *s);
bool pass2_run(struct session *s);
void pass2_say(struct session *s);
bool pass3_run(struct session *s);
bool pass4_run(struct session *s);
bool pass5_run(struct session *s);
void passes_say_backend(struct session *s, int pass); /* 3 and 4 */

/* Pass 1 without its output, also for listings: reads the user's scripts and opens the tapset. */
bool pass_parse(struct session *s);
/* What pass 2 and the listings start from; opens the target. */
bool pass_elaborate_input(struct session *s, struct sema_input *ret);

#endif
