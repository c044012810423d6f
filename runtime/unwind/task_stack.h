/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel stack of another task (task_stack.c).
 *
 * Context: any handler.
 */
#ifndef STP_UNWIND_TASK_STACK_H
#define STP_UNWIND_TASK_STACK_H

#include "core/internal.h"
#include "uapi/depth.h"

/* Why a stack ends where it does. */
enum stp_task_end {
	/* at its outermost frame, or at STP_BACKTRACE_DEPTH; or the task has none any more */
	STP_TASK_WHOLE,
	STP_TASK_RUNS,  /* it has no frame: the task runs, or ran while it was looked at */
	STP_TASK_FAULT, /* it has no frame: the stack could not be read */
	STP_TASK_LOST,  /* in code that the kernel cannot unwind: a trampoline, a program of BPF */
	STP_TASK_ENDS
};

/* Return addresses, from where the task was switched away on. */
struct stp_task_stack {
	unsigned long pcs[STP_BACKTRACE_DEPTH];
	u32 n;
	enum stp_task_end end;
};

void stp_task_stack(struct stp_ctx *c, u64 task, struct stp_task_stack *ret);

#endif
