// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.syscall and .syscall.return: every system call of the processes in a scope, at the
 * tracepoints sys_enter and sys_exit (include/trace/events/syscalls.h). One callback for each
 * probe, which asks for the scope before it counts a hit. What uprobes make of a return is none.
 */
#include <linux/ptrace.h>
#include <linux/slab.h>
#include "arch/arch.h"
#include "core/enter.h"
#include "probes/probes.h"
#include "probes/scope.h"

/* regs: the task's, on its way into or out of the kernel. Context: that task, interrupts on. */
static __always_inline void hit(const struct stp_probe *p, struct pt_regs *regs, u32 ctx_flags)
{
	u32 i;

	if (stp_arch_syscall_of_uprobes(regs))
		return;
	for (i = 0; i < p->n_points; i++) {
		const struct stp_point *point = &p->points[i];
		unsigned long flags;
		struct stp_cpu *cpu;

		if (!stp_scope_admits(point))
			continue;
		cpu = stp_enter(p, &flags);
		if (!cpu)
			continue;
		cpu->c.regs = (const struct stp_regs *)regs;
		cpu->c.point = point;
		cpu->c.flags = ctx_flags;
		stp_run(cpu, p);
		stp_leave(cpu, flags);
	}
}

static void on_enter(void *data, struct pt_regs *regs, long number)
{
	hit(data, regs, STP_CTX_USER_REGS);
}

static void on_exit(void *data, struct pt_regs *regs, long result)
{
	hit(data, regs, STP_CTX_USER_REGS | STP_CTX_RETURN);
}

/* p->impl: what it follows. */
static int prepare(struct stp_probe *p, const char *name, void *callback)
{
	struct stp_trace_hook *hook = kzalloc(sizeof(*hook), GFP_KERNEL);

	p->impl = hook;
	if (!hook)
		return -ENOMEM;
	*hook = (struct stp_trace_hook){ name, callback, p };
	return 0;
}

static int prepare_enter(struct stp_probe *p)
{
	return prepare(p, "sys_enter", (void *)on_enter);
}

static int prepare_exit(struct stp_probe *p)
{
	return prepare(p, "sys_exit", (void *)on_exit);
}

static void release(struct stp_probe *p)
{
	kfree(p->impl);
	p->impl = NULL;
}

static int arm(struct stp_probe *p)
{
	int err;
	u32 i;

	for (i = 0; i < p->n_points; i++) {
		const char *why = stp_scope_refused(&p->points[i]);

		err = why ? stp_point_failed(p, i, -ESRCH, why) : 0;
		if (err)
			return err;
	}
	err = stp_trace_follow(p->impl);
	return err ? stp_point_failed(p, 0, err, "the kernel refuses to attach to system calls")
		   : 0;
}

static void disarm(struct stp_probe *p)
{
	stp_trace_leave(p->impl, 1);
}

static u32 attached(const struct stp_probe *p)
{
	const struct stp_trace_hook *hook = p->impl;

	return hook->tp ? p->n_points : 0;
}

STP_FAMILY(stp_family_process_syscall) = {
	.type = "utrace_syscall",
	.prepare = prepare_enter,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.attached = attached,
};

STP_FAMILY(stp_family_process_syscall_return) = {
	.type = "utrace_syscall",
	.prepare = prepare_exit,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.attached = attached,
};
