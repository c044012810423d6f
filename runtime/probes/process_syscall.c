// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.syscall and .syscall.return: every system call of the processes in a scope, at the
 * tracepoints sys_enter and sys_exit (include/trace/events/syscalls.h). One callback for each
 * probe, which asks for the scope before it counts a hit.
 */
#include <linux/tracepoint.h>
#include "core/enter.h"
#include "probes/probes.h"
#include "probes/scope.h"

/* regs: the task's, on its way into or out of the kernel. Context: that task, interrupts on. */
static __always_inline void hit(const struct stp_probe *p, struct pt_regs *regs, u32 ctx_flags)
{
	u32 i;

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

/* p->impl: the tracepoint it is attached to. */
static int arm(struct stp_probe *p, const char *name, void *callback)
{
	struct tracepoint *tp;
	int err;
	u32 i;

	for (i = 0; i < p->n_points; i++) {
		const char *why = stp_scope_refused(&p->points[i]);

		err = why ? stp_point_failed(p, i, -ESRCH, why) : 0;
		if (err)
			return err;
	}
	tp = stp_tracepoint_find(name);
	err = tp ? tracepoint_probe_register(tp, callback, p) : -ENOENT;
	if (err)
		return stp_point_failed(p, 0, err, "the kernel refuses to attach to system calls");
	p->impl = tp;
	return 0;
}

/* No hit runs afterwards. */
static void disarm(struct stp_probe *p, void *callback)
{
	if (!p->impl)
		return;
	tracepoint_probe_unregister(p->impl, callback, p);
	tracepoint_synchronize_unregister();
	p->impl = NULL;
}

static int enter_arm(struct stp_probe *p)
{
	return arm(p, "sys_enter", (void *)on_enter);
}

static void enter_disarm(struct stp_probe *p)
{
	disarm(p, (void *)on_enter);
}

static int exit_arm(struct stp_probe *p)
{
	return arm(p, "sys_exit", (void *)on_exit);
}

static void exit_disarm(struct stp_probe *p)
{
	disarm(p, (void *)on_exit);
}

static u32 attached(const struct stp_probe *p)
{
	return p->impl ? p->n_points : 0;
}

STP_FAMILY(stp_family_process_syscall) = {
	.type = "utrace_syscall",
	.arm = enter_arm,
	.disarm = enter_disarm,
	.attached = attached,
};

STP_FAMILY(stp_family_process_syscall_return) = {
	.type = "utrace_syscall",
	.arm = exit_arm,
	.disarm = exit_disarm,
	.attached = attached,
};
