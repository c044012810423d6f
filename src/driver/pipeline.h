/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of passes. */
#ifndef SPILE_DRIVER_PIPELINE_H
#define SPILE_DRIVER_PIPELINE_H

struct session;

/* Runs passes 1 to options.last_pass; the exit status. */
int pipeline_run(struct session *s);

#endif
