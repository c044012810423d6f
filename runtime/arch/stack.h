/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's stack from a set of registers on. Apart from arch.h, as few units need the kernel's
 * unwinder.
 */
#ifndef STP_ARCH_STACK_H
#define STP_ARCH_STACK_H

#include <linux/types.h>
#include "arch/arch.h"

#if defined(__x86_64__)
#include <asm/unwind.h>

/**
 * stp_arch_stack_from - the return addresses behind PC, of the registers R but for their own pc
 *
 * R are those of a function of the kernel on the stack of the current task, or an interrupt's.
 *
 * Context: any handler. Returns how many, at most MOST; 0: it cannot be followed.
 */
static inline u32 stp_arch_stack_from(const struct stp_regs *r, unsigned long pc,
				      unsigned long *pcs, u32 most)
{
	struct pt_regs *regs = (struct pt_regs *)r;
	const unsigned long own = regs->ip;
	struct unwind_state state;
	u32 n = 0;

	/* a breakpoint's is behind it, and so may not be where the registers are as at PC */
	regs->ip = pc;
	for (unwind_start(&state, current, regs, NULL); n < most && !unwind_done(&state);
	     unwind_next_frame(&state)) {
		pcs[n] = unwind_get_return_address(&state);
		if (!pcs[n])
			break;
		n++;
	}
	regs->ip = own;
	return n;
}
#else
/* The kernel exports no unwinder that begins with registers. */
static inline u32 stp_arch_stack_from(const struct stp_regs *r, unsigned long pc,
				      unsigned long *pcs, u32 most)
{
	return 0;
}
#endif

#endif
