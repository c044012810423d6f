/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.11, commit 7a9f50a05843: IRQ_WORK_INIT_LAZY(); without it work runs at once and costs more.
 * 5.16, commit b4c6f86ec2f6: on PREEMPT_RT work runs in a thread, but for what is
 * IRQ_WORK_INIT_HARD().
 *
 * Context: any, before the work is used.
 */
#ifndef STP_COMPAT_IRQ_WORK_H
#define STP_COMPAT_IRQ_WORK_H

#include <linux/irq_work.h>

/* Work that waits for the CPU's next tick unless the tick is stopped. */
static inline void stp_irq_work_init_lazy(struct irq_work *work, void (*func)(struct irq_work *))
{
#ifdef IRQ_WORK_INIT_LAZY
	*work = IRQ_WORK_INIT_LAZY(func);
#else
	init_irq_work(work, func);
#endif
}

/* Work that runs in hardirq context on PREEMPT_RT too. */
static inline void stp_irq_work_init_hard(struct irq_work *work, void (*func)(struct irq_work *))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(func);
#else
	init_irq_work(work, func);
#endif
}

#endif
