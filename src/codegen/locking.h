/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a handler takes its locks: behind its filters, before the first statement that needs them
 * (locking.c).
 */
#ifndef SPILE_CODEGEN_LOCKING_H
#define SPILE_CODEGEN_LOCKING_H

#include <stdbool.h>

struct cg;
struct ir_expr;
struct ir_probe;
struct ir_stmt;
struct lock_uses;

/*
 * In the order of the program, by which all handlers lock, so that none can wait for another in
 * a circle.
 */
void cg_lock_table(struct cg *cg, const char *name, const struct lock_uses *uses);
/* The table of what the body of P locks, if it locks anything. */
void cg_body_lock_table(struct cg *cg, const struct ir_probe *p);
/* The statements of P, with its locks held where it needs them; body.leave is "return;". */
void cg_locked_body(struct cg *cg, const struct ir_probe *p);
/* A branch of an `if`: takes the locks itself where its handler does not hold them yet. */
void cg_branch(struct cg *cg, struct ir_stmt *s);
/* Whether E touches a global whose lock is not held where it would be evaluated. */
bool cg_touches_unlocked(struct cg *cg, struct ir_expr *e);

#endif
