/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a hit is in a process that its point means. Asked on the way in, before anything is
 * counted as a hit: what other processes do is none.
 */
#ifndef STP_PROBES_SCOPE_H
#define STP_PROBES_SCOPE_H

#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "core/internal.h"
#include "probes/processes.h"

/* What a scope is limited by: bits of struct stp_scope.limits. */
#define STP_LIMIT_TARGET BIT(0)
#define STP_LIMIT_PID BIT(1)
#define STP_LIMIT_FILE BIT(2)

int stp_scope_holds(const struct stp_scope *scope, const struct task_struct *task);
const char *stp_scope_refused(const struct stp_point *point);
/* stp_scope_admits() below, for what takes a function. Context: any handler. */
int stp_scope_admits_current(const struct stp_point *point);

/* The same for another task than the current one. Context: any handler. */
static __always_inline int stp_scope_admits_task(const struct stp_point *point,
						 const struct task_struct *task)
{
	const struct stp_scope *scope = point->scope;
	u32 limits = scope ? READ_ONCE(scope->limits) : 0;

	if (!limits)
		return 1;
	if (limits == STP_LIMIT_TARGET)
		return stp_process_is_targets(stp_process_find(task->signal));
	return stp_scope_holds(scope, task);
}

/*
 * Does the point mean the current process? Two loads where it means all, and one look into the
 * table of processes where it means the target's. Context: any handler.
 */
static __always_inline int stp_scope_admits(const struct stp_point *point)
{
	return stp_scope_admits_task(point, current);
}

#endif
