// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf counters: what @perf tells of. An event counts on every CPU, and at each switch of tasks
 * what came since the last one is added to the task that ran, when it is one that is meant. So a
 * counter needs nothing made for a task, which may sleep, and a thread that begins is counted from
 * its first instruction on. A task is in the table from its first events until the kernel frees it.
 *
 * Who adds is on the CPU that the task runs on, with interrupts off, so an entry of the table has
 * one writer at a time; the kernel's own order of switching a task out here and in there is that of
 * its entries. Who reads is there too, or asks for a thread that begins (stp_task()).
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "core/internal.h"
#include "probes/probes.h"
#include "probes/scope.h"
#include "tapset/functions.h"

#define ENTRIES_LOG 12
#define WINDOW 32 /* entries that a task may have, from that of its hash on */

struct entry {
	struct task_struct *task; /* NULL: free */
	u64 value;
};

/* What the event of a CPU had counted at the last switch there. */
struct last {
	const struct perf_event *event; /* a CPU that comes back has another one */
	u64 value;
};

/* What it follows of tasks, in the order in which it leaves them. */
enum { TASK_SWITCHED, TASK_FREED, N_TASK_EVENTS };

struct counter {
	struct counter *next;
	const struct stp_probe *probe;
	struct last __percpu *last;
	struct stp_trace_hook tasks[N_TASK_EVENTS];
	atomic_t n_lost; /* switches of tasks that had no entry */
	struct entry entries[(1 << ENTRIES_LOG) + WINDOW];
};

static struct counter *counters; /* of the script's probes, made at load */

static struct counter *counter_of(const struct stp_probe *p)
{
	struct counter *c = counters;

	while (c && c->probe != p)
		c = c->next;
	return c;
}

/* What is counted while a CPU's event is not on it is in its count already. */
static u64 event_value(struct perf_event *event)
{
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE &&
	    READ_ONCE(event->oncpu) == smp_processor_id())
		event->pmu->read(event);
	return local64_read(&event->count);
}

/*
 * Events on this CPU since the last switch; they are taken when TAKE. Context: any, interrupts off.
 */
static u64 since_switch(struct counter *c, int take)
{
	struct perf_event *event = stp_percpu_event(c->probe);
	struct last *last = this_cpu_ptr(c->last);
	u64 now, before;

	if (!event)
		return 0;
	now = event_value(event);
	before = last->event == event ? last->value : 0;
	/* a new event may be where an old one was */
	if (now < before)
		before = 0;
	if (take) {
		last->event = event;
		last->value = now;
	}
	return now - before;
}

/* The entry of a task, or with MAKE a free one that becomes its; NULL: none. */
static struct entry *entry_of(struct counter *c, struct task_struct *task, int make)
{
	struct entry *first = &c->entries[hash_ptr(task, ENTRIES_LOG)];
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		if (READ_ONCE(first[i].task) == task)
			return &first[i];
	}
	for (i = 0; make && i < WINDOW; i++) {
		if (!READ_ONCE(first[i].task) && !cmpxchg(&first[i].task, NULL, task)) {
			first[i].value = 0;
			return &first[i];
		}
	}
	return NULL;
}

/*
 * Context: the scheduler, interrupts off, before it switches; what is behind the arguments differs
 * between kernels.
 */
static void task_switched(void *data, unsigned long preempt, struct task_struct *prev,
			  struct task_struct *next)
{
	struct counter *c = data;
	u64 n = since_switch(c, 1);
	struct entry *entry;

	if (!n || !prev->pid || !stp_scope_admits_task(c->probe->points, prev))
		return;
	entry = entry_of(c, prev, 1);
	if (entry)
		entry->value += n;
	else
		atomic_inc(&c->n_lost);
}

/* Context: softirq or process; nobody runs the task any more. */
static void task_freed(void *data, struct task_struct *task)
{
	struct entry *entry = entry_of(data, task, 0);

	if (entry)
		smp_store_release(&entry->task, NULL);
}

static void counter_free(struct counter *c)
{
	free_percpu(c->last);
	kvfree(c);
}

static int counter_prepare(struct stp_probe *p)
{
	struct counter *c = kvzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	c->probe = p;
	c->tasks[TASK_SWITCHED] =
		(struct stp_trace_hook){ "sched_switch", (void *)task_switched, c };
	c->tasks[TASK_FREED] =
		(struct stp_trace_hook){ "sched_process_free", (void *)task_freed, c };
	c->last = alloc_percpu(struct last);
	if (!c->last) {
		counter_free(c);
		return -ENOMEM;
	}
	c->next = counters;
	counters = c;
	return stp_percpu_events_prepare(p);
}

/* All are released before any is prepared again. */
static void counter_release(struct stp_probe *p)
{
	struct counter **at = &counters, *c;

	while (*at && (*at)->probe != p)
		at = &(*at)->next;
	c = *at;
	if (c) {
		*at = c->next;
		counter_free(c);
	}
	stp_percpu_events_release(p);
}

/*
 * Switches are followed before there are events, so that none of them is older than the task that
 * ran.
 */
static int counter_arm(struct stp_probe *p)
{
	const char *why = stp_scope_refused(p->points);
	struct counter *c = counter_of(p);
	int err;

	if (why)
		return stp_point_failed(p, 0, -ESRCH, why);
	err = stp_trace_follow(&c->tasks[TASK_FREED]);
	if (!err)
		err = stp_trace_follow(&c->tasks[TASK_SWITCHED]);
	if (err)
		return stp_point_failed(p, 0, err, "the switches of tasks cannot be followed");
	return stp_perf_arm(p, NULL);
}

static void counter_disarm(struct stp_probe *p)
{
	struct counter *c = counter_of(p);
	u32 lost;

	if (!c)
		return;
	stp_trace_leave(c->tasks, N_TASK_EVENTS);
	lost = atomic_xchg(&c->n_lost, 0);
	if (lost)
		stp_control_warn("Performance counter %s: %u times no room for a thread's events.",
				 p->points->perf.counter, lost);
	if (stp_percpu_events_shared(p))
		stp_control_warn(
			"Performance counter %s: the processor counted other events, too, and some of these were not counted.",
			p->points->perf.counter);
	stp_percpu_events_disarm(p);
}

STP_FAMILY(stp_family_perf_counter) = {
	.type = "perf",
	.prepare = counter_prepare,
	.release = counter_release,
	.arm = counter_arm,
	.disarm = counter_disarm,
	.attached = stp_percpu_events_attached,
};

/* Of a task that is not the current one, what came up to its last switch. */
static u64 value_of(struct counter *c, struct task_struct *task)
{
	struct entry *entry = entry_of(c, task, 0);

	return (entry ? READ_ONCE(entry->value) : 0) + (task == current ? since_switch(c, 0) : 0);
}

/* Several probes may have one name: those of the programs that a pattern means. */
stp_long stp_fn_perf_counter(struct stp_ctx *c, struct stp_str name)
{
	struct task_struct *task = stp_task(c);
	struct counter *counter;
	unsigned long flags;
	u64 sum = 0;

	local_irq_save(flags);
	for (counter = counters; counter; counter = counter->next) {
		const struct stp_point *point = counter->probe->points;

		if (strlen(point->perf.counter) == name.len &&
		    !memcmp(point->perf.counter, name.s, name.len) &&
		    stp_scope_admits_task(point, task))
			sum += value_of(counter, task);
	}
	local_irq_restore(flags);
	return sum;
}
