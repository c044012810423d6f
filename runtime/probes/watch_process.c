// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.data probes: the address is watched on every CPU, whoever runs there, and who touches it
 * decides: threads and descendants of the target need no breakpoint of their own, and there is none
 * to be made when one begins. Of an address that nobody touched it is told at the end when no
 * process of the target had anything there whenever one was looked at: at the begin, behind each
 * exec, and at the end.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include "compat/portable.h"
#include "compat/tasks.h"
#include "probes/probes.h"
#include "probes/scope.h"

/*
 * What is known of the address of a probe. Two processes may write it at once, and both the same.
 */
struct looks {
	u32 looked; /* at processes that the point means */
	u32 there;  /* one of them had something at the address, or would not say */
	struct stp_trace_hook exec;
};

static struct looks *looks; /* by probe; NULL: none is prepared */

static int is_mapped(struct mm_struct *mm, u64 addr)
{
	struct vm_area_struct *vma;
	int ret;

	if (!down_read_trylock(&mm->mmap_lock))
		return 1;
	vma = find_vma(mm, addr);
	ret = vma && vma->vm_start <= addr;
	up_read(&mm->mmap_lock);
	return ret;
}

/* MM does not go away meanwhile. Context: process; does not sleep. */
static void look(const struct stp_probe *p, struct task_struct *task, struct mm_struct *mm)
{
	struct looks *known = &looks[p->index];

	if (READ_ONCE(known->there) || !stp_scope_admits_task(p->points, task))
		return;
	WRITE_ONCE(known->looked, 1);
	if (is_mapped(mm, p->points->data.addr))
		WRITE_ONCE(known->there, 1);
}

/*
 * Called behind processes.c, which was there first: it knows already that the task is the target.
 */
static void executed(void *probe, struct task_struct *task, pid_t old_pid, void *bprm)
{
	look(probe, task, task->mm);
}

/* One of its threads that has not ended tells; the first may have, before the others. Under RCU. */
static void look_at_process(const struct stp_probe *p, struct task_struct *leader)
{
	struct task_struct *t;
	int has_map = 0;

	for_each_thread(leader, t)
	{
		task_lock(t);
		has_map = t->mm && !(t->flags & STP_PF_WORKER);
		if (has_map)
			look(p, t, t->mm);
		task_unlock(t);
		if (has_map)
			return;
	}
}

static void look_at_present(const struct stp_probe *p)
{
	struct task_struct *leader;

	rcu_read_lock();
	for_each_process(leader) look_at_process(p, leader);
	rcu_read_unlock();
}

static int watch_process_prepare(struct stp_probe *p)
{
	if (!looks)
		looks = stp_mem_alloc(array_size(stp_script.n_probes, sizeof(*looks)));
	return looks ? stp_percpu_events_prepare(p) : -ENOMEM;
}

static void watch_process_release(struct stp_probe *p)
{
	stp_percpu_events_release(p);
	stp_mem_free(looks);
	looks = NULL;
}

static int watch_process_arm(struct stp_probe *p)
{
	const char *why = stp_scope_refused(p->points);
	int err;

	if (!why && p->points->data.addr >= TASK_SIZE_MAX)
		return stp_point_failed(p, 0, -EINVAL, "no program has anything at that address");
	if (why)
		return stp_point_failed(p, 0, -ESRCH, why);
	err = stp_watch_arm(p, stp_scope_admits_current);
	if (err)
		return err;
	/* it is no news to have missed an exec: what is left is the look at the end */
	looks[p->index].exec = (struct stp_trace_hook){ "sched_process_exec", (void *)executed, p };
	stp_trace_follow(&looks[p->index].exec);
	look_at_present(p);
	return 0;
}

static void watch_process_disarm(struct stp_probe *p)
{
	int was_armed = stp_percpu_events_attached(p) != 0;

	if (!looks)
		return;
	stp_trace_leave(&looks[p->index].exec, 1);
	stp_percpu_events_disarm(p);
	if (!was_armed || stp_probe_hits(p))
		return;
	look_at_present(p);
	if (looks[p->index].looked && !looks[p->index].there)
		stp_control_warn(
			"probe %s: no process of the target had anything at this address, neither when it began its program nor at the end: look it up in /proc/PID/maps of one that runs; position-independent programs are elsewhere each time, but not under setarch -R",
			p->points->pp);
}

STP_FAMILY(stp_family_data_process) = {
	.type = "hwbkpt",
	.prepare = watch_process_prepare,
	.release = watch_process_release,
	.arm = watch_process_arm,
	.disarm = watch_process_disarm,
	.attached = stp_percpu_events_attached,
};
