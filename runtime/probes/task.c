// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.begin, .end, .thread.begin and .thread.end: attached to the tracker of processes
 * (processes.c), which tells of each once. In the task's own context as far as handlers can tell:
 * what begins has not run yet, and what was there before is told of by the session's worker.
 */
#include "core/enter.h"
#include "probes/probes.h"
#include "probes/processes.h"
#include "probes/scope.h"

extern const struct stp_family stp_family_process_begin, stp_family_process_end;
extern const struct stp_family stp_family_thread_begin, stp_family_thread_end;

/*
 * The handler of a probe at a point, for TASK, which the caller keeps: it is current, or held while
 * it is told of. Context: process.
 */
static void hit(const struct stp_probe *p, const struct stp_point *point, struct task_struct *task)
{
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	cpu->c.point = point;
	if (task != current) {
		cpu->c.flags = STP_CTX_TASK;
		cpu->task = task;
	}
	stp_run(cpu, p);
	stp_leave(cpu, flags);
}

/* All armed points of a kind that mean the task's process. */
static void tell(const struct stp_family *family, struct task_struct *task)
{
	u32 i, k;

	for (i = 0; i < stp_script.n_probes; i++) {
		const struct stp_probe *p = &stp_script.probes[i];

		if (p->family != family || !READ_ONCE(p->impl))
			continue;
		for (k = 0; k < p->n_points; k++) {
			if (stp_scope_admits_task(&p->points[k], task))
				hit(p, &p->points[k], task);
		}
	}
}

static void process_begins(struct task_struct *task)
{
	tell(&stp_family_process_begin, task);
	tell(&stp_family_thread_begin, task);
}

static void process_ends(struct task_struct *task)
{
	tell(&stp_family_thread_end, task);
	tell(&stp_family_process_end, task);
}

static void on_exec(struct task_struct *task, int before)
{
	if (before)
		process_ends(task);
	else
		process_begins(task);
}

static void on_thread(struct task_struct *task)
{
	tell(&stp_family_thread_begin, task);
}

static void on_exit(struct task_struct *task, int last)
{
	if (last)
		process_ends(task);
	else
		tell(&stp_family_thread_end, task);
}

static void on_present(struct task_struct *task, int first)
{
	if (first)
		process_begins(task);
	else
		tell(&stp_family_thread_begin, task);
}

static const struct stp_process_hooks hooks = {
	.exec = on_exec,
	.thread = on_thread,
	.exit = on_exit,
	.present = on_present,
};

static int task_prepare(struct stp_probe *p)
{
	stp_processes_wanted.hooks = &hooks;
	return 0;
}

/* p->impl: it is armed. */
static int task_arm(struct stp_probe *p)
{
	u32 i;

	for (i = 0; i < p->n_points; i++) {
		const char *why = stp_scope_refused(&p->points[i]);
		int err = why ? stp_point_failed(p, i, -ESRCH, why) : 0;

		if (err)
			return err;
	}
	WRITE_ONCE(p->impl, p);
	return 0;
}

/*
 * The tracker goes on; the session is stopping, so nothing that is being told runs a handler any
 * more.
 */
static void task_disarm(struct stp_probe *p)
{
	WRITE_ONCE(p->impl, NULL);
}

static u32 task_attached(const struct stp_probe *p)
{
	u32 i, n = 0;

	for (i = 0; p->impl && i < p->n_points; i++)
		n += !stp_scope_refused(&p->points[i]);
	return n;
}

#define TASK_FAMILY(name)                                                                          \
	STP_FAMILY(name) = {                                                                       \
		.type = "utrace",                                                                  \
		.prepare = task_prepare,                                                           \
		.arm = task_arm,                                                                   \
		.disarm = task_disarm,                                                             \
		.attached = task_attached,                                                         \
	}

TASK_FAMILY(stp_family_process_begin);
TASK_FAMILY(stp_family_process_end);
TASK_FAMILY(stp_family_thread_begin);
TASK_FAMILY(stp_family_thread_end);
