/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes. Each runs on what earlier ones left in the session, reports its own failure and
 * then returns false; each says for -v what it did, without the times. pipeline.c calls them in
 * order; list.c calls pass_parse() and pass_elaborate_input() only.
 */
#ifndef SPILE_DRIVER_PASSES_H
#define SPILE_DRIVER_PASSES_H

#include <stdbool.h>

#include "sema/sema.h"

struct session;

/* Parses; with --remote also begins to boot the guest. -p1 prints the trees. */
bool pass1_run(struct session *s);
/* The line of -v about pass 1, without memory and times: see verbose.h. */
void pass1_say(struct session *s);
/*
 * Gives the back end its options, analyses, and has the back end check the program; when a later
 * pass follows, also gather what goes along with it. Leaves session.program; -p2 prints it.
 */
bool pass2_run(struct session *s);
/* The same of pass 2. */
void pass2_say(struct session *s);
/* Has the back end lower the program; -p3 prints the result. */
bool pass3_run(struct session *s);
/* Builds what runs. */
bool pass4_run(struct session *s);
/* Runs it. False when the script or its session failed, too. */
bool pass5_run(struct session *s);
/* The same of pass 3 or 4, in the back end's words. */
void passes_say_backend(struct session *s, int pass);

/* Pass 1 without its output, also for listings: reads the user's scripts and opens the tapset. */
bool pass_parse(struct session *s);
/* What pass 2 and the listings start from; opens the target. */
bool pass_elaborate_input(struct session *s, struct sema_input *ret);

#endif
