/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk that tells reads from writes. Callbacks may be NULL; `at` is the node, or NULL where
 * there is none. A user embeds struct sema_use_walker as its first member, calls
 * sema_use_init(), sets callbacks and walks with the functions of ir/walk.h. Callees are not
 * entered: call() may do so.
 */
#ifndef SPILE_SEMA_USES_H
#define SPILE_SEMA_USES_H

#include "sema/pass.h"

struct sema_use_walker {
	struct ir_walker walker;
	struct sema *s;
	void (*global)(struct sema_use_walker *u, struct ir_global *g, struct ir_expr *at,
		       bool write);
	void (*local)(struct sema_use_walker *u, struct ir_local *l, struct ir_expr *at,
		      bool write);
	void (*call)(struct sema_use_walker *u, struct ir_function *f);
	/* instead of global() for the array of a foreach */
	void (*iterate)(struct sema_use_walker *u, struct ir_foreach *f);
	bool statement; /* the next expression is a statement: nobody takes its value */
	bool adding;    /* the write being reported is ++ -- += -= and nobody takes its value */
	bool lowering;  /* and it may make the global smaller */
	void *data;
};

/* Zeroes all and sets the walk's own functions; no callbacks. */
void sema_use_init(struct sema_use_walker *u, struct sema *s);

#endif
