// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel counter (perf_event) on every CPU that is online: what perf and kernel.data probes
 * attach. The kernel takes a CPU's events away when it goes, so one that comes online gets a new
 * one, by a work item: the callback of hotplug holds a lock that the kernel takes for some events.
 * Those that overflow in hardirq context run their handler there. Those that come in an NMI, or as
 * a debug exception, which the kernel counts as one, leave their registers for an irq_work, which
 * runs as soon as interrupts are on; of more than QUEUE that come before, the rest is counted as
 * missed, and so are those for whose task it runs too late.
 */
#include <linux/cpumask.h>
#include <linux/hardirq.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "compat/irq_work.h"
#include "core/enter.h"
#include "probes/probes.h"

#define QUEUE 16 /* a power of two */

/*
 * One CPU's. The queue is written in NMIs, which do not nest, and read in hardirqs, all on that
 * CPU.
 */
struct one {
	struct perf_event *event; /* NULL: none */
	const struct stp_probe *probe;
	int (*admits)(const struct stp_point *point); /* is an event a hit? NULL: each is */
	struct irq_work work;
	u32 head, tail;   /* entries put in and taken out */
	u64 missed, late; /* left out in NMIs, and in hardirqs */
	u32 came;         /* its CPU has come online since it got its event */
	struct pt_regs queue[QUEUE];
	const struct task_struct
		*tasks[QUEUE]; /* whose registers they are; compared, not followed */
};

/* Of a probe. */
struct events {
	struct perf_event_attr attr;
	struct stp_cpus_follower follower;
	struct work_struct renewing;
	struct one all[]; /* by CPU */
};

static DEFINE_MUTEX(making); /* events: by who arms, and by the work item */

static void hit(const struct stp_probe *p, struct pt_regs *regs)
{
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	cpu->c.point = p->points;
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.flags = user_mode(regs) ? STP_CTX_USER_REGS : 0;
	cpu->c.point_addr = instruction_pointer(regs);
	stp_run(cpu, p);
	stp_leave(cpu, flags);
}

static void run_queue(struct irq_work *work)
{
	struct one *one = container_of(work, struct one, work);
	u32 end = READ_ONCE(one->head); /* who comes later queues the work again */

	while (one->tail != end) {
		/* it came while the CPU was switching: its task's memory is out of reach */
		if (one->tasks[one->tail % QUEUE] != current)
			one->late++;
		else
			hit(one->probe, &one->queue[one->tail % QUEUE]);
		/* an NMI of this CPU that sees the new tail comes behind the hit */
		barrier();
		WRITE_ONCE(one->tail, one->tail + 1);
	}
}

/* Does this CPU run a handler? Context: any. */
static int handler_runs(void)
{
	const struct stp_cpu *cpu = __this_cpu_read(stp_this_cpu);

	return cpu && READ_ONCE(cpu->c.busy);
}

static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct one *one = event->overflow_handler_context;

	if (one->admits && !one->admits(one->probe->points))
		return;
	if (!in_nmi()) {
		hit(one->probe, regs);
		return;
	}
	/* a handler that touches what it watches would feed itself */
	if (handler_runs() || one->head - READ_ONCE(one->tail) == QUEUE) {
		one->missed++;
		return;
	}
	one->queue[one->head % QUEUE] = *regs;
	one->tasks[one->head % QUEUE] = current;
	barrier(); /* as in run_queue() */
	WRITE_ONCE(one->head, one->head + 1);
	irq_work_queue(&one->work);
}

/* The lock of making is held. Returns 0, also for a CPU that has gone meanwhile. */
static int make(struct events *events, int cpu)
{
	struct perf_event_attr copy = events->attr;
	struct one *one = &events->all[cpu];
	struct perf_event *event =
		perf_event_create_kernel_counter(&copy, cpu, NULL, overflow, one);

	if (IS_ERR(event))
		return PTR_ERR(event) == -ENODEV ? 0 : PTR_ERR(event);
	WRITE_ONCE(one->event, event);
	return 0;
}

/* Who looks at it with interrupts off has it until then: it is freed behind a grace period. */
static void drop(struct one *one)
{
	struct perf_event *event = xchg(&one->event, NULL);

	if (event)
		perf_event_release_kernel(event);
}

static void renew(struct work_struct *work)
{
	struct events *events = container_of(work, struct events, renewing);
	int cpu;

	mutex_lock(&making);
	for_each_possible_cpu(cpu)
	{
		struct one *one = &events->all[cpu];

		if (!xchg(&one->came, 0))
			continue;
		drop(one);
		if (make(events, cpu))
			stp_control_warn("probe %s: no event on CPU %d, which has come online",
					 one->probe->pn, cpu);
	}
	mutex_unlock(&making);
}

/* Context: process, on that CPU, by the kernel's thread for hotplug. */
static void cpu_came(struct stp_cpus_follower *f, u32 cpu)
{
	struct events *events = container_of(f, struct events, follower);

	WRITE_ONCE(events->all[cpu].came, 1);
	schedule_work(&events->renewing);
}

static int follow(struct events *events)
{
	events->follower.came = cpu_came;
	return stp_cpus_follow(&events->follower, 0);
}

static void unfollow(struct events *events)
{
	stp_cpus_leave(&events->follower, 0);
	cancel_work_sync(&events->renewing);
}

/**
 * stp_percpu_events_prepare - take the memory of a probe
 *
 * Context: process, may sleep.
 */
int stp_percpu_events_prepare(struct stp_probe *p)
{
	struct events *events = kvzalloc(struct_size(events, all, nr_cpu_ids), GFP_KERNEL);
	int cpu;

	p->impl = events;
	if (!events)
		return -ENOMEM;
	INIT_WORK(&events->renewing, renew);
	for_each_possible_cpu(cpu)
	{
		events->all[cpu].probe = p;
		stp_irq_work_init_hard(&events->all[cpu].work, run_queue);
	}
	return 0;
}

/**
 * stp_percpu_events_release - give it back
 *
 * Context: process.
 */
void stp_percpu_events_release(struct stp_probe *p)
{
	kvfree(p->impl);
	p->impl = NULL;
}

/**
 * stp_percpu_events_disarm - take them away
 *
 * No hit runs afterwards. Context: process, may sleep; the lock of arming is held.
 */
void stp_percpu_events_disarm(struct stp_probe *p)
{
	struct events *events = p->impl;
	u64 missed = 0;
	int cpu;

	if (!events)
		return;
	unfollow(events);
	for_each_possible_cpu(cpu)
	{
		struct one *one = &events->all[cpu];

		drop(one);
		irq_work_sync(&one->work);
		missed += one->missed + one->late;
		one->missed = one->late = one->came = 0;
	}
	/* an event is freed behind that; its overflow runs with preemption off */
	synchronize_rcu();
	if (missed)
		stp_probe_missed(p, missed);
}

/**
 * stp_percpu_events_arm - an event on each CPU, also on those that come
 * @attr: of all of them
 * @admits: asked when one overflows, in NMI context too: is it a hit of the point? NULL: it is
 *
 * Returns 0, or the kernel's refusal with none there.
 *
 * Context: process, may sleep; the lock of arming is held.
 */
int stp_percpu_events_arm(struct stp_probe *p, const struct perf_event_attr *attr,
			  int (*admits)(const struct stp_point *point))
{
	struct events *events = p->impl;
	int cpu, err;

	events->attr = *attr;
	for_each_possible_cpu(cpu) events->all[cpu].admits = admits;
	/*
	 * the work item of a CPU that comes meanwhile makes its event behind the loop, in place of
	 * the loop's
	 */
	mutex_lock(&making);
	err = follow(events);
	for_each_online_cpu(cpu)
	{
		if (!err)
			err = make(events, cpu);
	}
	mutex_unlock(&making);
	if (err)
		stp_percpu_events_disarm(p);
	return err;
}

/**
 * stp_percpu_events_shared - was one of the events at times off its CPU's counters?
 *
 * There are fewer of those than events that are wanted: the kernel lets them take turns. Context:
 * process, may sleep.
 */
int stp_percpu_events_shared(struct stp_probe *p)
{
	struct events *events = p->impl;
	u64 enabled, running;
	int cpu, shared = 0;

	mutex_lock(&making);
	for_each_possible_cpu(cpu)
	{
		struct perf_event *event = events->all[cpu].event;

		if (!event)
			continue;
		perf_event_read_value(event, &enabled, &running);
		shared |= running < enabled;
	}
	mutex_unlock(&making);
	return shared;
}

/**
 * stp_percpu_events_attached - on how many CPUs
 *
 * Context: any.
 */
u32 stp_percpu_events_attached(const struct stp_probe *p)
{
	const struct events *events = p->impl;
	u32 n = 0;
	int cpu;

	for_each_possible_cpu(cpu) n += events && READ_ONCE(events->all[cpu].event) != NULL;
	return n;
}

/**
 * stp_percpu_event - the event of this CPU; NULL: it has none
 *
 * Context: any, interrupts off, for as long as they are.
 */
struct perf_event *stp_percpu_event(const struct stp_probe *p)
{
	const struct events *events = p->impl;

	return events ? READ_ONCE(events->all[smp_processor_id()].event) : NULL;
}
