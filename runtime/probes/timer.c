// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timers. Intervals in time units are one hrtimer, wherever it was started; jiffies are a kernel
 * timer; profile is an hrtimer pinned to every CPU, also to those that come online later, whose
 * handler sees what it interrupted. A tick that is due while the one before is late is left out,
 * and counted.
 *
 * hrtimers fire in hardirq context on PREEMPT_RT too, so no lock that can sleep is taken there:
 * random numbers are a timer's own, and the kernel's generator is asked at load.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <asm/irq_regs.h>
#include "compat/timer.h"
#include "core/enter.h"
#include "probes/probes.h"

struct timer_impl {
	struct hrtimer timer;
	const struct stp_probe *probe;
	int armed;
	u64 interval;
	u64 overruns; /* ticks left out */
	u64 random;   /* state of jitter() */
};

struct jiffies_impl {
	struct timer_list timer;
	const struct stp_probe *probe;
	int armed;
	u64 random;
};

struct profile_impl {
	struct stp_cpus_follower follower;
	struct timer_impl cpus[];
};

/* Is a timer that has fired to go on? Not when the session stops, before it is disarmed. */
static int timer_live(void)
{
	u32 state = READ_ONCE(stp_state);

	return state == STP_STATE_RUNNING || state == STP_STATE_STARTING;
}

static u64 random_state(void)
{
	u64 state;

	get_random_bytes(&state, sizeof(state));
	return state | 1; /* 0 would stay 0 */
}

/*
 * Uniform in -spread .. +spread, by xorshift64*. One timer's callbacks follow each other, so state
 * needs no lock.
 */
static s64 jitter(u64 *state, u64 spread)
{
	if (!spread)
		return 0;
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (s64)(*state * 0x2545f4914f6cdd1dull % (2 * spread + 1)) - (s64)spread;
}

/* Set a timer that has fired to its next time. */
static void timer_forward(struct timer_impl *impl, s64 next)
{
	u64 ticks = hrtimer_forward_now(&impl->timer, ns_to_ktime(max_t(s64, next, 1000)));

	if (ticks > 1)
		WRITE_ONCE(impl->overruns, impl->overruns + ticks - 1);
}

/*
 * regs: of what was interrupted; NULL: the probe has none. Context: hardirq of an hrtimer, softirq
 * of jiffies. Hits that come before all probes are armed are turned away by stp_enter().
 */
static void timer_run(const struct stp_probe *p, struct pt_regs *regs)
{
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	stp_counters_renew(cpu);
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

static s64 interval_next(struct timer_impl *impl)
{
	const struct stp_timer_attach *at = &impl->probe->points->timer;

	return at->interval + jitter(&impl->random, at->randomize);
}

static enum hrtimer_restart interval_fire(struct hrtimer *timer)
{
	struct timer_impl *impl = container_of(timer, struct timer_impl, timer);
	const struct stp_probe *p = impl->probe;

	timer_run(p, NULL);
	if (!timer_live())
		return HRTIMER_NORESTART;
	timer_forward(impl, interval_next(impl));
	return HRTIMER_RESTART;
}

static int interval_prepare(struct stp_probe *p)
{
	struct timer_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->probe = p;
	impl->random = random_state();
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
	s64 first = interval_next(impl);

	impl->armed = 1;
	hrtimer_start(&impl->timer, ns_to_ktime(max_t(s64, first, 1000)), HRTIMER_MODE_REL_HARD);
	return 0;
}

/* Waits for a callback that runs, which cannot start the timer again. */
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

static u64 interval_overruns(const struct stp_probe *p)
{
	const struct timer_impl *impl = p->impl;

	return READ_ONCE(impl->overruns);
}

STP_FAMILY(stp_family_timer) = {
	.type = "hrtimer",
	.prepare = interval_prepare,
	.release = timer_release,
	.arm = interval_arm,
	.disarm = interval_disarm,
	.attached = interval_attached,
	.overruns = interval_overruns,
};

/* ---- timer.jiffies() ---- */

static unsigned long jiffies_next(struct jiffies_impl *impl)
{
	const struct stp_timer_attach *at = &impl->probe->points->timer;

	return jiffies + max_t(s64, at->interval + jitter(&impl->random, at->randomize), 1);
}

static void jiffies_fire(struct timer_list *timer)
{
	struct jiffies_impl *impl = container_of(timer, struct jiffies_impl, timer);

	timer_run(impl->probe, NULL);
	if (timer_live())
		mod_timer(timer, jiffies_next(impl));
}

static int jiffies_prepare(struct stp_probe *p)
{
	struct jiffies_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->probe = p;
	impl->random = random_state();
	timer_setup(&impl->timer, jiffies_fire, 0);
	return 0;
}

static int jiffies_arm(struct stp_probe *p)
{
	struct jiffies_impl *impl = p->impl;

	impl->armed = 1;
	mod_timer(&impl->timer, jiffies_next(impl));
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

STP_FAMILY(stp_family_jiffies) = {
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
	timer_forward(one, one->interval);
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

/* Of the CPU's own timer. Context: process, on that CPU, by the kernel's thread for hotplug. */
static void profile_came(struct stp_cpus_follower *f, u32 cpu)
{
	struct timer_impl *one = &container_of(f, struct profile_impl, follower)->cpus[cpu];

	stp_hrtimer_setup(&one->timer, profile_fire, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&one->timer, ns_to_ktime(one->interval), HRTIMER_MODE_REL_PINNED_HARD);
	WRITE_ONCE(one->armed, 1);
}

/* Before the CPU goes, which would move its timers to another. */
static void profile_goes(struct stp_cpus_follower *f, u32 cpu)
{
	struct timer_impl *one = &container_of(f, struct profile_impl, follower)->cpus[cpu];

	if (one->armed)
		hrtimer_cancel(&one->timer);
	WRITE_ONCE(one->armed, 0);
}

static int profile_arm(struct stp_probe *p)
{
	struct profile_impl *impl = p->impl;

	impl->follower.came = profile_came;
	impl->follower.goes = profile_goes;
	return stp_cpus_follow(&impl->follower, 1);
}

static void profile_disarm(struct stp_probe *p)
{
	struct profile_impl *impl = p->impl;

	stp_cpus_leave(&impl->follower, 1);
}

static u32 profile_attached(const struct stp_probe *p)
{
	const struct profile_impl *impl = p->impl;
	u32 n = 0;
	int cpu;

	for_each_possible_cpu(cpu) n += READ_ONCE(impl->cpus[cpu].armed);
	return n;
}

static u64 profile_overruns(const struct stp_probe *p)
{
	const struct profile_impl *impl = p->impl;
	u64 n = 0;
	int cpu;

	for_each_possible_cpu(cpu) n += READ_ONCE(impl->cpus[cpu].overruns);
	return n;
}

STP_FAMILY(stp_family_profile) = {
	.type = "profile_timer",
	.prepare = profile_prepare,
	.release = profile_release,
	.arm = profile_arm,
	.disarm = profile_disarm,
	.attached = profile_attached,
	.overruns = profile_overruns,
};
