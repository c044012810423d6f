// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kernel stacks handlers may run on. A task's is known from the task. The kernel exports no
 * address of a CPU's interrupt stack, so an irq_work on each CPU looks at where it stands itself:
 * an interrupt of the kernel's own code in a task switches to the stack's top, so the top is the
 * end of that page. CPUs that come online later are asked when they have a hit there: that one is
 * refused, and counted. A state of CPU hotplug would tell of them before, but the kernel has no
 * more than 30 or 40 for everybody.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/init_task.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <asm/page.h>
#include "arch/arch.h"
#include "core/enter.h"
#include "compat/irq_work.h"

#ifndef IRQ_STACK_SIZE
#define IRQ_STACK_SIZE THREAD_SIZE
#endif

#define ROUNDS 20      /* of asking one that was in the middle of an interrupt */
#define PATIENCE 10000 /* looks, of 50 to 100 us each, at what has not answered at load */

unsigned long stp_stack_span;

/* A CPU's. */
struct asked {
	struct irq_work look, find;
	struct work_struct finding; /* on that CPU */
	int again;                  /* it was in the middle of an interrupt */
	int sought;                 /* finding is queued or will be */
};

static DEFINE_PER_CPU(struct asked, asked);

static int on_task_stack(unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

/* An interrupt that came in a softirq or another interrupt goes on where those stand. */
static int is_nested(void)
{
	return in_serving_softirq() || hardirq_count() > HARDIRQ_OFFSET;
}

/*
 * Context: hardirq. On a machine whose irq_work has no interrupt it may come on the task's stack.
 */
static void look(struct irq_work *work)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);

	if (is_nested())
		this_cpu_write(asked.again, 1);
	else if (!on_task_stack(sp))
		WRITE_ONCE(__this_cpu_read(stp_this_cpu)->irq_stack,
			   ALIGN(sp, PAGE_SIZE) - IRQ_STACK_SIZE);
}

/*
 * From here the interrupt comes in the kernel: one that comes in user mode stays on the task's
 * stack. Context: process, on the CPU in question unless that has just gone offline.
 */
static void look_here(void)
{
	struct irq_work *work = per_cpu_ptr(&asked.look, get_cpu());

	irq_work_queue(work);
	put_cpu();
	irq_work_sync(work);
}

static int is_known(int cpu)
{
	return READ_ONCE(stp_cpus[cpu]->irq_stack) != 0;
}

static void find(struct work_struct *work)
{
	struct asked *of = container_of(work, struct asked, finding);
	int rounds = ROUNDS;

	do {
		WRITE_ONCE(of->again, 0);
		look_here();
	} while (READ_ONCE(of->again) && --rounds);
	WRITE_ONCE(of->sought, 0);
}

static void find_later(struct irq_work *work)
{
	schedule_work_on(smp_processor_id(), this_cpu_ptr(&asked.finding));
}

static int is_sought(void)
{
	int cpu, n = 0;

	for_each_possible_cpu(cpu) n += READ_ONCE(per_cpu(asked.sought, cpu));
	return n;
}

/**
 * stp_stacks_init - find the interrupt stacks of all CPUs
 *
 * A CPU that a task of the highest priority has to itself does not answer: it is not waited for.
 *
 * Context: process, at load, after stp_contexts_init().
 */
void stp_stacks_init(void)
{
	u32 patience = PATIENCE;
	int cpu;

	BUILD_BUG_ON(IRQ_STACK_SIZE < THREAD_SIZE);
	if (stp_script.min_stack < THREAD_SIZE)
		stp_stack_span = THREAD_SIZE - stp_script.min_stack;
	for_each_possible_cpu(cpu)
	{
		stp_irq_work_init_hard(per_cpu_ptr(&asked.look, cpu), look);
		init_irq_work(per_cpu_ptr(&asked.find, cpu), find_later);
		INIT_WORK(per_cpu_ptr(&asked.finding, cpu), find);
	}
	for_each_online_cpu(cpu)
	{
		per_cpu(asked.sought, cpu) = 1;
		schedule_work_on(cpu, per_cpu_ptr(&asked.finding, cpu));
	}
	while (is_sought() && patience--)
		usleep_range(50, 100);
}

/**
 * stp_stacks_exit - ask no more
 *
 * Context: process, at unload; no handler can be hit any more. Also without an init.
 */
void stp_stacks_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
	{
		irq_work_sync(per_cpu_ptr(&asked.find, cpu));
		if (per_cpu(asked.finding, cpu).func)
			cancel_work_sync(per_cpu_ptr(&asked.finding, cpu));
	}
}

/**
 * stp_stacks_came - a CPU has come online: find its interrupt stack before it has a hit there
 *
 * Context: process, on that CPU, by the kernel's thread for hotplug.
 */
void stp_stacks_came(void)
{
	if (!is_known(raw_smp_processor_id()))
		look_here();
}

/*
 * The stack of the task that is switched to, when it is not current yet. That of the first idle
 * task is the image's.
 */
static int on_next_stack(const struct stp_cpu *cpu, unsigned long sp)
{
	if (!READ_ONCE(cpu->irq_stack) || sp - cpu->irq_stack < IRQ_STACK_SIZE || on_task_stack(sp))
		return 0;
	return sp - (unsigned long)task_stack_page(&init_task) < THREAD_SIZE ||
	       stp_arch_task_stack(sp);
}

/**
 * stp_stack_next_fits - is there room for a handler on the stack of a task that becomes current?
 * @least: MINSTACKSPACE below where we are
 *
 * No on all other stacks. Context: any, NMI included.
 */
int stp_stack_next_fits(const struct stp_cpu *cpu, unsigned long least)
{
	unsigned long sp = least + stp_script.min_stack;

	return on_next_stack(cpu, sp) && least - ALIGN_DOWN(sp, THREAD_SIZE) < stp_stack_span;
}

/**
 * stp_stack_foreign - is this address on a stack that is neither a task's nor the interrupts'?
 *
 * Of one that may be the interrupts', but is not known to be, that is found out behind it, for one
 * hit at a time: the way of the interrupt that asks may be probed itself. Context: any, NMI
 * included.
 */
int stp_stack_foreign(const struct stp_cpu *cpu, unsigned long sp)
{
	if (on_task_stack(sp) || on_next_stack(cpu, sp))
		return 0;
	if (!READ_ONCE(cpu->irq_stack) && !this_cpu_xchg(asked.sought, 1))
		irq_work_queue(this_cpu_ptr(&asked.find));
	return sp - cpu->irq_stack >= IRQ_STACK_SIZE;
}
