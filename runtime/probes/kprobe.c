// SPDX-License-Identifier: GPL-2.0-or-later
/* Probes inside functions, and at entries that ftrace does not reach. */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "core/enter.h"
#include "probes/callers.h"
#include "probes/probes.h"

struct stp_kprobe {
	struct kprobe kp;
	const struct stp_probe *probe;
	const struct stp_point *point;
};

struct kprobe_impl {
	struct stp_kprobes set;
	unsigned long addrs[];
};

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct stp_kprobe *k = container_of(kp, struct stp_kprobe, kp);
	const struct stp_probe *p = k->probe;
	unsigned long flags;
	struct stp_cpu *cpu;

	if (!stp_caller_admits_regs(p, regs))
		return 0;
	cpu = stp_enter_kprobe(p, &flags, kp);
	if (!cpu)
		return 0;
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.point_addr = (unsigned long)kp->addr;
	cpu->c.point = k->point;
	if (!stp_unwatched(cpu, p))
		stp_run(cpu, p);
	stp_leave(cpu, flags);
	return 0;
}

/*
 * Its presence keeps the kernel from optimising a kprobe (Documentation/trace/kprobes.rst). One in
 * a module must not be: it is freed late, and the module, loaded again at the same address
 * meanwhile, meets the old one (a WARN in reuse_unused_kprobe(), kernel/kprobes.c, and -EINVAL).
 * Those at ftrace's call never are, and there it would change, for others who have a kprobe there,
 * by which of its two ops the kernel takes theirs away (disarm_kprobe_ftrace()).
 */
static void kprobe_done(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

/**
 * stp_kprobes_arm - a kprobe on every address that is not 0
 * @set: not armed
 * @addrs: by point of @p
 *
 * Registers them one by one, with the kernel's optimiser paused if they are many (optimise.c).
 * Returns 0; -ENOMEM; -EINTR when the session was told to end meanwhile; or the kernel's refusal of
 * a point that is not optional, with stp_arm_text filled. After a failure those registered so far
 * are armed: stp_kprobes_disarm() is for every outcome.
 *
 * Context: process, may sleep.
 */
int stp_kprobes_arm(struct stp_kprobes *set, const struct stp_probe *p, const unsigned long *addrs)
{
	u32 i, n = 0;
	int err;

	for (i = 0; i < p->n_points; i++)
		n += addrs[i] != 0;
	stp_optimise_pause(n);
	set->list = kvcalloc(p->n_points, sizeof(*set->list), GFP_KERNEL);
	if (!set->list)
		return -ENOMEM;
	for (i = 0, set->n = 0; i < p->n_points; i++) {
		struct stp_kprobe *k = &set->list[set->n];
		const char *why;

		if (!addrs[i])
			continue;
		if (stp_session_ending())
			return -EINTR;
		memset(k, 0, sizeof(*k));
		k->kp.addr = (kprobe_opcode_t *)addrs[i];
		k->kp.pre_handler = kprobe_hit;
		if (p->points[i].module && !stp_is_traced_entry(addrs[i], 0))
			k->kp.post_handler = kprobe_done;
		k->probe = p;
		k->point = &p->points[i];
		if (stp_point_gone(k->point))
			continue; /* its module went meanwhile: as one that is not loaded */
		why = stp_kprobe_refused(k->point, addrs[i]);
		err = why ? -EFAULT : register_kprobe(&k->kp);
		if (!err)
			why = stp_kprobe_silent(&k->kp);
		if (!err && why) {
			unregister_kprobe(&k->kp);
			err = -EBUSY;
		}
		if (stp_point_gone(k->point)) {
			/*
			 * it went just now, and what is registered may be in one that came in its
			 * place
			 */
			if (!err)
				unregister_kprobe(&k->kp);
			continue;
		}
		if (!err)
			set->n++;
		else if (stp_point_failed(p, i, err, why ?: "the kernel refuses a kprobe there"))
			return err;
	}
	return 0;
}

static void unregister(void **list, u32 n)
{
	unregister_kprobes((struct kprobe **)list, n);
}

/**
 * stp_kprobes_disarm - take the kprobes away, in batches
 *
 * Afterwards no hit of theirs runs, and what the kernel left out, hits while another kprobe was
 * being handled, is booked under their points. Harmless when nothing is armed.
 *
 * Context: process, may sleep: waits for grace periods. The lock of arming is held.
 */
void stp_kprobes_disarm(struct stp_kprobes *set)
{
	u32 i, n = set->n;

	if (!set->list)
		return;
	stp_in_batches(&set->list->kp, sizeof(*set->list), &set->n, unregister);
	for (i = 0; i < n; i++) {
		const struct stp_kprobe *k = &set->list[i];

		stp_point_missed(k->probe, k->point - k->probe->points, k->kp.nmissed);
	}
	kvfree(set->list);
	set->list = NULL;
}

static int kprobe_prepare(struct stp_probe *p)
{
	struct kprobe_impl *impl;

	impl = kvzalloc(struct_size(impl, addrs, p->n_points), GFP_KERNEL);
	p->impl = impl;
	return impl ? 0 : -ENOMEM;
}

static void kprobe_release(struct stp_probe *p)
{
	kvfree(p->impl);
	p->impl = NULL;
}

static int kprobe_arm(struct stp_probe *p)
{
	struct kprobe_impl *impl = p->impl;

	return stp_resolve(p, impl->addrs) ?: stp_kprobes_arm(&impl->set, p, impl->addrs);
}

static void kprobe_disarm(struct stp_probe *p)
{
	struct kprobe_impl *impl = p->impl;

	stp_kprobes_disarm(&impl->set);
}

static u32 kprobe_attached(const struct stp_probe *p)
{
	const struct kprobe_impl *impl = p->impl;

	return impl->set.n;
}

STP_FAMILY(stp_family_kprobe) = {
	.type = "kprobe",
	.prepare = kprobe_prepare,
	.release = kprobe_release,
	.arm = kprobe_arm,
	.disarm = kprobe_disarm,
	.attached = kprobe_attached,
};
