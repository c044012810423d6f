/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a module keeps the globals that its handlers share: the module back end's answer to what the
 * IR says of their use (ir_global.access, struct ir_facts). Nothing is kept: each answer follows
 * from the facts alone.
 */
#ifndef SPILE_CODEGEN_SHARING_H
#define SPILE_CODEGEN_SHARING_H

#include "ir/ir.h"
#include "ir/symbol.h"

struct arena;

/* How the values of a global are kept, which is the same for all of its elements. */
enum storage {
	STORE_PLAIN,   /* under a lock, where more than one handler may be at it */
	STORE_COUNTER, /* a number that handlers only add to: a share for each CPU */
	STORE_CONST,   /* never written after initialisation: no lock */
};

/* Where G's value is kept, from what the IR says all handlers do with it. */
enum storage sharing_storage(const struct ir_global *g);

/* A global that must be locked; write: exclusively. */
struct lock_use {
	const struct ir_global *global;
	bool write;
};

/* By index of the global, which is the order all handlers lock in: none waits in a circle. */
struct lock_uses {
	struct lock_use *data;
	size_t n, cap;
};

/* What the body of P must lock; the list is in the arena. */
struct lock_uses sharing_body_locks(struct arena *arena, const struct ir_probe *p);
/* The same for its condition. */
struct lock_uses sharing_condition_locks(struct arena *arena, const struct ir_probe *p);
/* For what it saves at entry. */
struct lock_uses sharing_entry_locks(struct arena *arena, const struct ir_probe *p);

#endif
