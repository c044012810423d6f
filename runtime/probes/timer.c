// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timers. Intervals in time units are one hrtimer, wherever it was started; jiffies are a kernel
 * timer; profile is an hrtimer pinned to every CPU, whose handler sees what it interrupted.
 */
#include <linux/cpu.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <asm/irq_regs.h>
#include "compat/timer.h"
#include "core/enter.h"
#include "probes/probes.h"

struct timer_impl {
	struct hrtimer timer;
	const struct stp_probe *probe;
	int armed;
	u64 interval;
};

struct jiffies_impl {
	struct timer_list timer;
	const struct stp_probe *probe;
	int armed;
};

struct profile_impl {
	int armed;
	struct timer_impl cpus[];
};

static int timer_live(void)
{
	u32 state = READ_ONCE(stp_state);

	return state == STP_STATE_RUNNING || state == STP_STATE_STARTING;
}

/* Uniform in -spread .. +spread. */
static s64 jitter(u64 spread)
{
	u64 bits = ((u64)get_random_u32() << 32) | get_random_u32();

	return spread ? (s64)(bits % (2 * spread + 1)) - (s64)spread : 0;
}

static void timer_run(const struct stp_probe *p, struct pt_regs *regs)
{
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	stp_slots_renew(cpu);
	cpu->c.point = p->points;
	if (regs) {
		cpu->c.regs = (struct stp_regs *)regs;
		cpu->c.flags = user_mode(regs) ? STP_CTX_USER_REGS : 0;
		cpu->c.point_addr = instruction_pointer(regs);
	}
	stp_run(cpu, p);
	stp_leave(cpu, flags);
}

/* ---- timer.ns(), .us(), .ms(), .s(), .hz() ---- */

static enum hrtimer_restart interval_fire(struct hrtimer *timer)
{
	struct timer_impl *impl = container_of(timer, struct timer_impl, timer);
	const struct stp_probe *p = impl->probe;
	s64 next = p->points->timer.interval + jitter(p->points->timer.randomize);

	timer_run(p, NULL);
	if (!timer_live())
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(max_t(s64, next, 1000)));
	return HRTIMER_RESTART;
}

static int interval_prepare(struct stp_probe *p)
{
	struct timer_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->probe = p;
	stp_hrtimer_setup(&impl->timer, interval_fire, HRTIMER_MODE_REL_HARD);
	return 0;
}

static void timer_release(struct stp_probe *p)
{
	kfree(p->impl);
	p->impl = NULL;
}

static int interval_arm(struct stp_probe *p)
{
	struct timer_impl *impl = p->impl;
	s64 first = p->points->timer.interval + jitter(p->points->timer.randomize);

	impl->armed = 1;
	hrtimer_start(&impl->timer, ns_to_ktime(max_t(s64, first, 1000)), HRTIMER_MODE_REL_HARD);
	return 0;
}

static void interval_disarm(struct stp_probe *p)
{
	struct timer_impl *impl = p->impl;

	if (impl->armed)
		hrtimer_cancel(&impl->timer);
	impl->armed = 0;
}

static u32 interval_attached(const struct stp_probe *p)
{
	const struct timer_impl *impl = p->impl;

	return impl->armed;
}

const struct stp_family stp_family_timer = {
	.type = "hrtimer",
	.prepare = interval_prepare,
	.release = timer_release,
	.arm = interval_arm,
	.disarm = interval_disarm,
	.attached = interval_attached,
};

/* ---- timer.jiffies() ---- */

static unsigned long jiffies_next(const struct stp_probe *p)
{
	return jiffies +
	       max_t(s64, p->points->timer.interval + jitter(p->points->timer.randomize), 1);
}

static void jiffies_fire(struct timer_list *timer)
{
	struct jiffies_impl *impl = container_of(timer, struct jiffies_impl, timer);

	timer_run(impl->probe, NULL);
	if (timer_live())
		mod_timer(timer, jiffies_next(impl->probe));
}

static int jiffies_prepare(struct stp_probe *p)
{
	struct jiffies_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->probe = p;
	timer_setup(&impl->timer, jiffies_fire, 0);
	return 0;
}

static int jiffies_arm(struct stp_probe *p)
{
	struct jiffies_impl *impl = p->impl;

	impl->armed = 1;
	mod_timer(&impl->timer, jiffies_next(p));
	return 0;
}

static void jiffies_disarm(struct stp_probe *p)
{
	struct jiffies_impl *impl = p->impl;

	if (impl->armed)
		stp_timer_cancel(&impl->timer);
	impl->armed = 0;
}

static u32 jiffies_attached(const struct stp_probe *p)
{
	const struct jiffies_impl *impl = p->impl;

	return impl->armed;
}

const struct stp_family stp_family_jiffies = {
	.type = "timer",
	.prepare = jiffies_prepare,
	.release = timer_release,
	.arm = jiffies_arm,
	.disarm = jiffies_disarm,
	.attached = jiffies_attached,
};

/* ---- timer.profile ---- */

static enum hrtimer_restart profile_fire(struct hrtimer *timer)
{
	struct timer_impl *one = container_of(timer, struct timer_impl, timer);

	timer_run(one->probe, get_irq_regs());
	if (!timer_live())
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(one->interval));
	return HRTIMER_RESTART;
}

static int profile_prepare(struct stp_probe *p)
{
	struct profile_impl *impl = kvzalloc(struct_size(impl, cpus, nr_cpu_ids), GFP_KERNEL);
	u32 hz = p->points->timer.interval > 0
			 ? (u32)min_t(stp_long, p->points->timer.interval, 100000)
			 : HZ;
	int cpu;

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		impl->cpus[cpu].probe = p;
		impl->cpus[cpu].interval = NSEC_PER_SEC / hz;
	}
	return 0;
}

static void profile_release(struct stp_probe *p)
{
	kvfree(p->impl);
	p->impl = NULL;
}

static void profile_start(void *data)
{
	struct timer_impl *one = data;

	stp_hrtimer_setup(&one->timer, profile_fire, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&one->timer, ns_to_ktime(one->interval), HRTIMER_MODE_REL_PINNED_HARD);
}

static int profile_arm(struct stp_probe *p)
{
	struct profile_impl *impl = p->impl;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
	{
		if (smp_call_function_single(cpu, profile_start, &impl->cpus[cpu], 1))
			continue;
		impl->cpus[cpu].armed = 1;
		impl->armed++;
	}
	cpus_read_unlock();
	return impl->armed ? 0 : -ENODEV;
}

static void profile_disarm(struct stp_probe *p)
{
	struct profile_impl *impl = p->impl;
	int cpu;

	for_each_possible_cpu(cpu)
	{
		if (impl->cpus[cpu].armed)
			hrtimer_cancel(&impl->cpus[cpu].timer);
		impl->cpus[cpu].armed = 0;
	}
	impl->armed = 0;
}

static u32 profile_attached(const struct stp_probe *p)
{
	const struct profile_impl *impl = p->impl;

	return impl->armed;
}

const struct stp_family stp_family_profile = {
	.type = "profile_timer",
	.prepare = profile_prepare,
	.release = profile_release,
	.arm = profile_arm,
	.disarm = profile_disarm,
	.attached = profile_attached,
};
