// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracepoint says whether the last thread of its process ends. */
#include <linux/sched.h>
#include <trace/events/sched.h>

void test(void (*callback)(void *data, struct task_struct *task, bool group_dead));
void test(void (*callback)(void *data, struct task_struct *task, bool group_dead))
{
	register_trace_sched_process_exit(callback, NULL);
}
