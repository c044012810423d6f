/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk that tells reads from writes. Callbacks may be NULL; `at` is the node, or NULL where there
 * is none. A user embeds struct ir_use_walker as its first member, calls ir_use_init(), sets
 * callbacks and walks with the functions of ir/walk.h. Callees are not entered: call() may do so,
 * and restores `statement` behind it then.
 */
#ifndef SPILE_IR_USES_H
#define SPILE_IR_USES_H

#include "ir/walk.h"

/* The first five members are the user's, the flags are valid while a callback runs. */
struct ir_use_walker {
	struct ir_walker walker;
	void (*global)(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at,
		       bool write);
	void (*local)(struct ir_use_walker *u, struct ir_local *l, struct ir_expr *at, bool write);
	/* of every call, builtins too */
	void (*call)(struct ir_use_walker *u, struct ir_function *f);
	/* instead of global() for the array of a foreach */
	void (*iterate)(struct ir_use_walker *u, struct ir_foreach *f);
	bool statement; /* the next expression is a statement: nobody takes its value */
	bool updating;  /* the write being reported is ++, -- or op= */
	bool adding;    /* the write being reported is ++ -- += -= and nobody takes its value */
	bool lowering;  /* and it may make the global smaller */
};

/* Zeroes *U and sets the functions of its walker; the caller then sets the callbacks it wants. */
void ir_use_init(struct ir_use_walker *u);
/*
 * What ir_use_init() sets as walker.stmt. Who needs to see statements sets a function of his own
 * there that ends by calling this one.
 */
void ir_use_stmt(struct ir_walker *w, struct ir_stmt **ref);

#endif
