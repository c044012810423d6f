/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of passes: the order of a run, its -v lines and its messages of failure. */
#ifndef SPILE_DRIVER_PIPELINE_H
#define SPILE_DRIVER_PIPELINE_H

struct session;

/*
 * Runs passes 1 to options.last_pass; the exit status, 0 or 1. Output that could not be written
 * to standard output is a failure.
 */
int pipeline_run(struct session *s);

#endif
