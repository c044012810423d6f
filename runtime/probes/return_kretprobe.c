// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Returns by a kretprobe for each point: where the kernel has no fprobe, and for points that it
 * does not take.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "compat/kretprobe.h"
#include "core/enter.h"
#include "probes/callers.h"
#include "probes/return.h"

struct stp_kretprobe {
	struct kretprobe rp;
	struct stp_return *of;
	const struct stp_point *point;
};

static struct stp_kretprobe *kretprobe_of(struct kretprobe_instance *ri)
{
	struct kretprobe *rp = stp_kretprobe_of(ri);

	return rp ? container_of(rp, struct stp_kretprobe, rp) : NULL;
}

static void context_fill(struct stp_cpu *cpu, struct stp_kretprobe *k, struct pt_regs *regs)
{
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.point_addr = (unsigned long)k->rp.kp.addr;
	cpu->c.point = k->point;
}

/* Returns non-zero when this call's return is not to be seen. */
static int kretprobe_entry_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct stp_kretprobe *k = kretprobe_of(ri);
	unsigned long flags;
	struct stp_cpu *cpu;
	int failed = 1;

	if (!k || !stp_caller_admits_regs(k->of->probe, regs))
		return 1;
	cpu = stp_enter_kprobe(k->of->probe, &flags, &k->rp.kp);
	if (!cpu)
		return 1;
	context_fill(cpu, k, regs);
	if (!stp_unwatched(cpu, k->of->probe))
		failed = stp_return_entered(k->of, cpu, (struct stp_call *)ri->data);
	stp_leave(cpu, flags);
	return failed;
}

static int kretprobe_return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct stp_kretprobe *k = kretprobe_of(ri);
	const struct stp_probe *p;
	unsigned long flags;
	struct stp_cpu *cpu;

	if (!k)
		return 0;
	p = k->of->probe;
	cpu = stp_enter(p, &flags); /* by a trampoline, not a breakpoint */
	if (cpu)
		context_fill(cpu, k, regs);
	/* where RCU does not watch no handler runs, but what the call had saved is given back */
	stp_return_left(k->of, cpu && !stp_unwatched(cpu, p) ? cpu : NULL,
			stp_return_has_calls(p) ? (struct stp_call *)ri->data : NULL);
	if (cpu)
		stp_leave(cpu, flags);
	return 0;
}

/**
 * stp_return_kretprobes_init - room for a kretprobe on each point
 *
 * Returns 0 or -ENOMEM; stp_return_kretprobes_exit() is safe after either. Context: process, may
 * sleep; at load.
 */
int stp_return_kretprobes_init(struct stp_return_kretprobes *k, u32 n_points)
{
	k->list = kvcalloc(max(n_points, 1u), sizeof(*k->list), GFP_KERNEL);
	return k->list ? 0 : -ENOMEM;
}

/**
 * stp_return_kretprobes_exit - give it back
 *
 * Context: process; nothing is attached.
 */
void stp_return_kretprobes_exit(struct stp_return_kretprobes *k)
{
	kvfree(k->list);
	k->list = NULL;
}

static int arm_point(struct stp_return_kretprobes *set, u32 point, unsigned long addr)
{
	struct stp_kretprobe *k = &set->list[set->n];
	const struct stp_probe *p = set->of->probe;
	const char *why;
	int err;

	if (stp_point_gone(&p->points[point]))
		return 0; /* its module went meanwhile: as one that is not loaded */
	why = stp_kprobe_refused(&p->points[point], addr);
	memset(k, 0, sizeof(*k));
	k->of = set->of;
	k->point = &p->points[point];
	k->rp.kp.addr = (kprobe_opcode_t *)addr;
	k->rp.handler = kretprobe_return_hit;
	if (stp_return_has_calls(p)) {
		k->rp.entry_handler = kretprobe_entry_hit;
		k->rp.data_size = stp_return_call_size(p);
	}
	k->rp.maxactive = stp_return_max_active(p);
	err = why ? -EFAULT : register_kretprobe(&k->rp);
	if (!err)
		why = stp_kprobe_silent(&k->rp.kp);
	if (!err && why) {
		unregister_kretprobe(&k->rp);
		err = -EBUSY;
	}
	if (stp_point_gone(k->point)) {
		/* it went just now, and what is registered may be in one that came in its place */
		if (!err)
			unregister_kretprobe(&k->rp);
		return 0;
	}
	if (err)
		return stp_point_failed(p, point, err,
					why ?: "the kernel refuses a return probe there");
	set->n++;
	return 0;
}

/**
 * stp_return_kretprobes_arm - a kretprobe on every address that is not 0
 * @addrs: by point
 *
 * Returns 0, or negative as stp_kprobes_arm() does; those registered so far are armed then.
 * Context: process, may sleep.
 */
int stp_return_kretprobes_arm(struct stp_return_kretprobes *k, const unsigned long *addrs)
{
	u32 i;
	int err = 0;

	for (i = 0; i < k->of->probe->n_points && !err; i++) {
		if (addrs[i])
			err = stp_session_ending() ? -EINTR : arm_point(k, i, addrs[i]);
	}
	return err;
}

static void unregister(void **list, u32 n)
{
	unregister_kretprobes((struct kretprobe **)list, n);
}

/**
 * stp_return_kretprobes_disarm - take them away, in batches
 *
 * Afterwards no hit of theirs runs, and what the kernel left out is booked under their points.
 * Harmless when nothing is attached.
 *
 * Context: process, may sleep: waits for grace periods. The lock of arming is held.
 */
void stp_return_kretprobes_disarm(struct stp_return_kretprobes *k)
{
	const struct stp_probe *p = k->of->probe;
	u32 i, n = k->n;

	stp_in_batches(&k->list->rp, sizeof(*k->list), &k->n, unregister);
	for (i = 0; i < n; i++) {
		const struct kretprobe *rp = &k->list[i].rp;

		/* the kernel counts the first in an int */
		stp_point_missed(p, k->list[i].point - p->points,
				 (u64)(u32)rp->nmissed + rp->kp.nmissed);
	}
}
