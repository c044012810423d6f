/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mistakes in code that may come to nothing: they are held back until step elide has seen whether
 * the code stays. Private to this folder.
 */
#ifndef SPILE_SEMA_MISTAKES_H
#define SPILE_SEMA_MISTAKES_H

#include <stdbool.h>

struct diagnostic;
struct ir_expr;
struct ir_probe;
struct ir_stmt;
struct sema;

/*
 * D, just reported, is about E: it is held until step elide has seen whether E stays. Not in
 * trials: it counts at once there.
 */
void sema_hold(struct sema *s, const struct ir_expr *e, struct diagnostic *d);
/*
 * Copies FROM, which nothing else refers to, over NODE; mistakes that are held about FROM are about
 * NODE then.
 */
void sema_replace(struct sema *s, struct ir_expr *node, const struct ir_expr *from);
/* Is a mistake held about an expression of STMT, or of E? False of NULL. */
bool sema_has_mistake(struct sema *s, struct ir_stmt *stmt);
bool sema_is_mistaken(struct sema *s, struct ir_expr *e);
/*
 * P, of optional points, is not in the program because of WHY, an error that is held. When nothing
 * is left of its point of the script, that is told as a warning.
 */
void sema_leave_out(struct sema *s, const struct ir_probe *p, struct diagnostic *why);
/*
 * Is one of the errors listed after the first MARK, not held, wrong on whatever kernel? Optional
 * points are not left out for such a one.
 */
bool sema_is_of_script(const struct sema *s, size_t mark);
/* Every mistake that is held counts now: the pass ends before step elide. */
void sema_release_all(struct sema *s);
/*
 * Those whose nodes are still in a handler or function count now, the others are forgotten. A
 * handler of optional points that has one, or calls a function that has, is left out.
 */
void sema_report_mistakes(struct sema *s);

#endif
