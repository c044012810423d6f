// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel counter (perf_event) on every CPU that is online when the probe is armed: what perf and kernel.data
 * probes attach. Those that overflow in hardirq context run their handler there. Those that come in an NMI, or
 * as a debug exception, which the kernel counts as one, leave their registers for an irq_work, which runs as
 * soon as interrupts are on; of more than QUEUE that come before, the rest is counted as missed.
 */
#include <linux/cpumask.h>
#include <linux/hardirq.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include "compat/irq_work.h"
#include "core/enter.h"
#include "probes/probes.h"

#define QUEUE 16 /* a power of two */

/* One CPU's. The queue is written in NMIs, which do not nest, and read in hardirqs, all on that CPU. */
struct one {
	struct perf_event *event; /* NULL: none */
	const struct stp_probe *probe;
	int (*admits)(const struct stp_point *point); /* is an event a hit? NULL: each is */
	struct irq_work work;
	u32 head, tail; /* entries put in and taken out */
	u64 missed;
	struct pt_regs queue[QUEUE];
};

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
	barrier(); /* as in run_queue() */
	WRITE_ONCE(one->head, one->head + 1);
	irq_work_queue(&one->work);
}

/**
 * stp_percpu_events_prepare - take the memory of a probe
 *
 * Context: process, may sleep.
 */
int stp_percpu_events_prepare(struct stp_probe *p)
{
	struct one *all = kvcalloc(nr_cpu_ids, sizeof(struct one), GFP_KERNEL);
	int cpu;

	p->impl = all;
	if (!all)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		all[cpu].probe = p;
		stp_irq_work_init_hard(&all[cpu].work, run_queue);
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
 * stp_percpu_events_arm - an event on each CPU
 * @attr: of all of them
 * @admits: asked when one overflows, in NMI context too: is it a hit of the point? NULL: it is
 *
 * One that goes offline meanwhile has none. Not from a callback of CPU hotplug: the kernel takes the lock of that
 * for some events. Returns 0, or the kernel's refusal with those made so far still there.
 *
 * Context: process, may sleep.
 */
int stp_percpu_events_arm(struct stp_probe *p, const struct perf_event_attr *attr,
			  int (*admits)(const struct stp_point *point))
{
	struct one *all = p->impl;
	struct perf_event_attr copy = *attr;
	int cpu;

	for_each_online_cpu(cpu)
	{
		struct one *one = &all[cpu];
		struct perf_event *event;

		one->admits = admits;
		event = perf_event_create_kernel_counter(&copy, cpu, NULL, overflow, one);

		if (IS_ERR(event) && PTR_ERR(event) != -ENODEV)
			return PTR_ERR(event);
		if (!IS_ERR(event))
			WRITE_ONCE(one->event, event);
	}
	return 0;
}

/**
 * stp_percpu_events_disarm - take them away
 *
 * No hit runs afterwards. Context: process, may sleep.
 */
void stp_percpu_events_disarm(struct stp_probe *p)
{
	struct one *all = p->impl;
	u64 missed = 0;
	int cpu;

	if (!all)
		return;
	for_each_possible_cpu(cpu)
	{
		struct one *one = &all[cpu];

		if (one->event)
			perf_event_release_kernel(one->event);
		WRITE_ONCE(one->event, NULL);
		irq_work_sync(&one->work);
		missed += one->missed;
		one->missed = 0;
	}
	synchronize_rcu(); /* an event is freed behind that; its overflow runs with preemption off */
	if (missed)
		stp_probe_missed(p, missed);
}

/**
 * stp_percpu_events_attached - on how many CPUs
 *
 * Context: any.
 */
u32 stp_percpu_events_attached(const struct stp_probe *p)
{
	const struct one *all = p->impl;
	u32 n = 0;
	int cpu;

	for_each_possible_cpu(cpu) n += all && READ_ONCE(all[cpu].event) != NULL;
	return n;
}
