/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way into and out of every handler that runs on an event. Inline, because the cost of a hit is
 * mostly here: one look at the state, one at this CPU's context, a dozen stores.
 *
 *	cpu = stp_enter(p, &flags);
 *	if (cpu) {
 *		cpu->c.regs = ...;
 *		stp_run(cpu, p);
 *		stp_leave(cpu, flags);
 *	}
 *
 * Between the two, interrupts are off and cpu->c.busy is set, so a hit inside a handler (or in an
 * interrupt that came before they went off) finds the context taken and is counted as a skip.
 *
 * A handler runs on the stack of a task or of the interrupts, with MINSTACKSPACE of it free. The
 * task need not be current: while the kernel switches tasks it is on the next one's stack before
 * that is. On another (NMI, debug and other exceptions with a stack of their own) the hit is
 * refused.
 *
 * Context: any, NMI included, where stp_enter() says no. It is always this CPU that reads and
 * writes busy, so a compiler barrier() behind the setting and before the clearing is all it takes:
 * each pairs with the look at busy of a hit that comes in between.
 */
#ifndef STP_CORE_ENTER_H
#define STP_CORE_ENTER_H

#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/timex.h>
#include "core/internal.h"

/* Cold halves, core/error.c and core/stacks.c. */
void stp_enter_refused(struct stp_cpu *cpu, const struct stp_probe *p, u32 state,
		       unsigned int depth);
int stp_idle_refused(struct stp_cpu *cpu, const struct stp_probe *p);
int stp_stack_next_fits(const struct stp_cpu *cpu, unsigned long least);
extern int stp_max_action; /* statements a hit may run, MAXACTION; constant after load */
extern unsigned long
	stp_stack_span; /* bytes of a stack in which a handler may begin; constant after load */

/* Is this an NMI, beyond DEPTH levels of its count that the kernel made for a breakpoint? */
static __always_inline int stp_nmi(unsigned int depth)
{
	return (preempt_count() & NMI_MASK) > depth * NMI_OFFSET;
}

/*
 * Is at least MINSTACKSPACE left of the stack we are on? Not of one that is neither task's nor
 * interrupts'.
 */
static __always_inline int stp_stack_fits(const struct stp_cpu *cpu)
{
	unsigned long least = (unsigned long)__builtin_frame_address(0) - stp_script.min_stack;

	return likely(least - (unsigned long)task_stack_page(current) < stp_stack_span) ||
	       least - cpu->irq_stack < stp_stack_span || stp_stack_next_fits(cpu, least);
}

/* Interrupts are off. depth: how many levels of the kernel's NMI count are none of an NMI's. */
static __always_inline struct stp_cpu *stp_take(const struct stp_probe *p, unsigned int depth)
{
	struct stp_cpu *cpu = __this_cpu_read(stp_this_cpu);
	u32 state = READ_ONCE(stp_state);

	if (unlikely(state != STP_STATE_RUNNING || cpu->c.busy || stp_nmi(depth) ||
		     !stp_stack_fits(cpu))) {
		stp_enter_refused(cpu, p, state, depth);
		return NULL;
	}
	/*
	 * or the kernel's flags let the compiler think of NULL, and keep stores that others
	 * overwrite
	 */
	if (!cpu)
		__builtin_unreachable();
	cpu->c.busy = 1;
	barrier();
	cpu->c.regs = NULL;
	cpu->c.args = NULL;
	cpu->c.saved = NULL;
	cpu->c.error = NULL;
	cpu->c.top = cpu->scratch;
	cpu->c.probe = p;
	cpu->c.point = NULL;
	cpu->c.actions = stp_max_action;
	cpu->c.depth = 0;
	cpu->c.position = 0;
	cpu->c.flags = 0;
	cpu->c.ts = 0;
	cpu->c.point_addr = 0;
	return cpu;
}

/*
 * This CPU's context, taken for a hit of P, with interrupts off; NULL: the hit is refused, which
 * was counted, and interrupts are as before. *flags is for stp_leave(). depth: as for stp_take().
 */
static __always_inline struct stp_cpu *stp_enter_at(const struct stp_probe *p, unsigned long *flags,
						    unsigned int depth)
{
	struct stp_cpu *cpu;

	local_irq_save(*flags);
	cpu = stp_take(p, depth);
	if (!cpu)
		local_irq_restore(*flags);
	return cpu;
}

/* The same of all hits but those of kprobes. Context: any. */
static __always_inline struct stp_cpu *stp_enter(const struct stp_probe *p, unsigned long *flags)
{
	return stp_enter_at(p, flags, 0);
}

/*
 * A kprobe's breakpoint makes the kernel count itself as in NMI; one that goes through ftrace does
 * not. A jump that the kernel has put in the breakpoint's place (an optimised kprobe) does not
 * either, and nothing here tells the two apart. So a hit through such a jump is let in although in
 * NMI if that NMI came from user mode: then it stands on the task's stack and has interrupted no
 * code of the kernel. All other NMIs have a stack of their own.
 */
static __always_inline struct stp_cpu *
stp_enter_kprobe(const struct stp_probe *p, unsigned long *flags, const struct kprobe *kp)
{
	return stp_enter_at(p, flags, !(kp->flags & KPROBE_FLAG_FTRACE));
}

/*
 * Of a hit by way of ftrace or a return trampoline, behind stp_enter(): is it not to run? Before
 * 6.2 functions on the way into and out of idle can be traced while RCU does not watch, and much of
 * what handlers call relies on it. kprobes on what ftrace knows go by way of it; a breakpoint has
 * RCU watch, so of it this is never true.
 */
static __always_inline int stp_unwatched(struct stp_cpu *cpu, const struct stp_probe *p)
{
	return unlikely(is_idle_task(current)) && stp_idle_refused(cpu, p);
}

/*
 * What a hit is for, and its outcome in the ledger. Returns 0 when the probe's condition kept the
 * handler from running.
 */
static __always_inline int stp_run_handler(struct stp_cpu *cpu, struct stp_count *count,
					   const struct stp_probe *p)
{
	if (p->condition && !p->condition(&cpu->c)) {
		if (likely(!(cpu->c.flags & STP_CTX_SKIPPED)))
			count->skipped[STP_SKIP_CONDITION]++;
		return 0;
	}
	p->handler(&cpu->c);
	if (unlikely(cpu->c.error))
		stp_error_report(&cpu->c);
	if (likely(!(cpu->c.flags & STP_CTX_SKIPPED)))
		count->ran++;
	return 1;
}

/*
 * A condition is part of what a hit costs: it may call functions of the script, so it is timed and
 * throttled with the handler.
 */
static __always_inline void stp_run(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_count *count = &cpu->counts[p->index];

	if (likely(--count->untimed >= 0))
		stp_run_handler(cpu, count, p);
	else
		stp_run_timed(cpu, count, p);
}

/* A hit is over, but for the interrupts. */
static __always_inline void stp_give(struct stp_cpu *cpu)
{
	if (unlikely(cpu->c.ts))
		stp_rec_close(&cpu->c);
	barrier();
	cpu->c.busy = 0;
}

/* Gives back what stp_enter() gave, on the same CPU; flags: as it set them. */
static __always_inline void stp_leave(struct stp_cpu *cpu, unsigned long flags)
{
	stp_give(cpu);
	local_irq_restore(flags);
}

/*
 * stp_enter() and stp_leave() where interrupts are known to be on: of hits in the context of a
 * task.
 */
static __always_inline struct stp_cpu *stp_enter_task(const struct stp_probe *p)
{
	struct stp_cpu *cpu;

	local_irq_disable();
	cpu = stp_take(p, 0);
	if (!cpu)
		local_irq_enable();
	return cpu;
}

/* Gives back what stp_enter_task() gave. Interrupts are on afterwards. */
static __always_inline void stp_leave_task(struct stp_cpu *cpu)
{
	stp_give(cpu);
	local_irq_enable();
}

#endif
