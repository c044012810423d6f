/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -l, -L and the --dump-* options. */
#ifndef SPILE_DRIVER_LIST_H
#define SPILE_DRIVER_LIST_H

struct session;

int list_run(struct session *s); /* exit status */

#endif
