/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a call comes from code that its probe means (.callee). Asked at the entry, on the way in,
 * before anything is counted as a hit: a call from elsewhere is none.
 */
#ifndef STP_PROBES_CALLERS_H
#define STP_PROBES_CALLERS_H

#include "arch/arch.h"
#include "core/internal.h"

int stp_callers_have(const struct stp_probe *p, unsigned long to);

/* Is the call meant that returns to TO? One load where all are. Context: any handler. */
static __always_inline int stp_caller_admits(const struct stp_probe *p, unsigned long to)
{
	return likely(!p->callers) || stp_callers_have(p, to);
}

/*
 * The same for a hit that has only its registers, those of the function's entry, before the kernel
 * has put a trampoline in the place of the return address. Context: any handler.
 */
static __always_inline int stp_caller_admits_regs(const struct stp_probe *p,
						  const struct pt_regs *regs)
{
	const struct stp_regs *r = (const struct stp_regs *)regs;

	if (likely(!p->callers))
		return 1;
	return stp_callers_have(p, STP_ARCH_RETURN_WORDS ? *(unsigned long *)stp_arch_sp(r)
							 : stp_arch_link(r));
}

#endif
