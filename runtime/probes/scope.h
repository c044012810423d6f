/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a hit is in a process that its point means. Asked on the way in, before anything is counted
 * as a hit: what other processes do is none.
 */
#ifndef STP_PROBES_SCOPE_H
#define STP_PROBES_SCOPE_H

#include <linux/sched.h>
#include "core/internal.h"

int stp_scope_holds(const struct stp_scope *scope, const struct task_struct *task);
const char *stp_scope_refused(const struct stp_point *point);
/* stp_scope_admits() below, for what takes a function. Context: any handler. */
int stp_scope_admits_current(const struct stp_point *point);

/* The same for another task than the current one. Context: any handler. */
static __always_inline int stp_scope_admits_task(const struct stp_point *point,
						 const struct task_struct *task)
{
	const struct stp_scope *scope = point->scope;

	return !scope || !READ_ONCE(scope->limits) || stp_scope_holds(scope, task);
}

/* Does the point mean the current process? Two loads where it means all. Context: any handler. */
static __always_inline int stp_scope_admits(const struct stp_point *point)
{
	return stp_scope_admits_task(point, current);
}

#endif
