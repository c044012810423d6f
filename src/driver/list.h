/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -l, -L and the --dump-* options: what there is to probe, on standard output. They end the run;
 * no pass after elaboration is made.
 */
#ifndef SPILE_DRIVER_LIST_H
#define SPILE_DRIVER_LIST_H

struct session;

/* The exit status: 1 when nothing matched or something failed; nothing matched is said with -vv. */
int list_run(struct session *s);

#endif
