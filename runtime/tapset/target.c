// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The target of -c or -x and what descends from it, as the tracker of processes knows it; and the
 * system call that a process.syscall probe is at.
 *
 * Context: any handler.
 */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include "probes/processes.h"
#include "tapset/functions.h"

stp_long stp_fn_target_set_pid(struct stp_ctx *c, stp_long pid)
{
	const struct stp_process *process = NULL;
	struct task_struct *task = NULL;

	rcu_read_lock();
	if (pid > 0 && pid <= INT_MAX)
		task = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		process = stp_process_find(task->signal);
	rcu_read_unlock();
	return process && READ_ONCE(process->flags) & STP_PROCESS_TREE;
}

/* Actions charged for a walk over the table: as for other walks, 512 places each. */
#define WALK_ACTIONS 64

void stp_fn_target_set_report(struct stp_ctx *c)
{
	const struct stp_process *p = NULL;
	char line[64];

	if (stp_actions(c, WALK_ACTIONS))
		return;
	stp_print_text(c, STP_S("target set:\n"));
	while ((p = stp_process_next(p)) != NULL) {
		u32 flags = READ_ONCE(p->flags);

		if (!(flags & STP_PROCESS_TREE) || flags & STP_PROCESS_ENDED)
			continue;
		if (stp_actions(c, 1))
			return;
		scnprintf(line, sizeof(line), "%d begat %d\n", p->parent, p->pid);
		stp_print_text(c, stp_cstr(line));
	}
}

/* ---- $syscall, $argN, $return ---- */

static struct pt_regs *caller(struct stp_ctx *c)
{
	if (c->regs && c->flags & STP_CTX_USER_REGS)
		return (struct pt_regs *)c->regs;
	stp_error(c, "this probe is at no system call");
	return NULL;
}

stp_long stp_fn_process_syscall(struct stp_ctx *c)
{
	struct pt_regs *regs = caller(c);

	return regs ? syscall_get_nr(current, regs) : 0;
}

stp_long stp_fn_process_return(struct stp_ctx *c)
{
	struct pt_regs *regs = caller(c);

	return regs ? syscall_get_return_value(current, regs) : 0;
}

static stp_long argument(struct stp_ctx *c, u32 n)
{
	struct pt_regs *regs = caller(c);
	unsigned long args[6];

	if (!regs)
		return 0;
	syscall_get_arguments(current, regs, args);
	return args[n];
}

stp_long stp_fn_process_arg1(struct stp_ctx *c)
{
	return argument(c, 0);
}

stp_long stp_fn_process_arg2(struct stp_ctx *c)
{
	return argument(c, 1);
}

stp_long stp_fn_process_arg3(struct stp_ctx *c)
{
	return argument(c, 2);
}

stp_long stp_fn_process_arg4(struct stp_ctx *c)
{
	return argument(c, 3);
}

stp_long stp_fn_process_arg5(struct stp_ctx *c)
{
	return argument(c, 4);
}

stp_long stp_fn_process_arg6(struct stp_ctx *c)
{
	return argument(c, 5);
}
