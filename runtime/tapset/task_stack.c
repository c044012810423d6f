// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel stacks of other tasks.
 *
 * Context: any handler.
 */
#include <linux/sched.h>
#include "access/access.h"
#include "tapset/functions.h"
#include "unwind/task_stack.h"

struct stp_str stp_fn_task_backtrace(struct stp_ctx *c, stp_long task)
{
	struct stp_task_stack s;
	struct stp_text t;
	u32 i;

	if ((unsigned long)task == (unsigned long)current)
		return stp_fn_backtrace(c);
	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_task_stack(c, task, &s);
	for (i = 0; i < s.n; i++)
		stp_text_printf(&t, "%s0x%lx", i ? " " : "", s.pcs[i]);
	/* no address: what reads such lists ends there */
	if (s.end != STP_TASK_WHOLE)
		stp_text_add(&t, " ...", 4);
	return stp_text_end(c, &t);
}
