// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kernel stacks handlers may run on. A task's is known from the task. The kernel exports no
 * address of a CPU's interrupt stack, so an irq_work on each CPU looks at where it stands itself:
 * interrupts switch to the stack's top, so the top is the end of that page. CPUs that come online
 * later are looked at then.
 */
#include <linux/cpuhotplug.h>
#include <linux/irq_work.h>
#include <asm/page.h>
#include "core/enter.h"
#include "compat/irq_work.h"

#ifndef IRQ_STACK_SIZE
#define IRQ_STACK_SIZE THREAD_SIZE
#endif

unsigned long stp_stack_span;
static DEFINE_PER_CPU(struct irq_work, looking);
static int hotplug_state;

static int on_task_stack(unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

/*
 * Context: hardirq. On a machine whose irq_work has no interrupt it may come on the task's stack.
 */
static void look(struct irq_work *work)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);

	if (!on_task_stack(sp))
		__this_cpu_read(stp_this_cpu)->irq_stack = ALIGN(sp, PAGE_SIZE) - IRQ_STACK_SIZE;
}

/* Context: process, on that CPU, by the kernel's thread for hotplug. */
static int look_at(unsigned int cpu)
{
	struct irq_work *work = per_cpu_ptr(&looking, cpu);

	stp_irq_work_init_hard(work, look);
	irq_work_queue(work);
	irq_work_sync(work);
	return 0;
}

/**
 * stp_stacks_init - find the interrupt stacks of all CPUs, and of those that come later
 *
 * Context: process, at load, after stp_contexts_init(). 0 or a negative errno.
 */
int stp_stacks_init(void)
{
	int state;

	BUILD_BUG_ON(IRQ_STACK_SIZE < THREAD_SIZE);
	if (stp_script.min_stack < THREAD_SIZE)
		stp_stack_span = THREAD_SIZE - stp_script.min_stack;
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "systemtap:stacks", look_at, NULL);
	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * stp_stacks_exit - look at new CPUs no more
 *
 * Context: process, at unload. Also after a failed or missing init.
 */
void stp_stacks_exit(void)
{
	if (hotplug_state > 0)
		cpuhp_remove_state_nocalls(hotplug_state);
	hotplug_state = 0;
}

/**
 * stp_stack_foreign - is this address on a stack that is neither the task's nor the interrupts'?
 *
 * Context: any, NMI included.
 */
int stp_stack_foreign(const struct stp_cpu *cpu, unsigned long sp)
{
	return !on_task_stack(sp) && sp - cpu->irq_stack >= IRQ_STACK_SIZE;
}
