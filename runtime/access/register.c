// SPDX-License-Identifier: GPL-2.0-or-later
/* @kregister and @uregister: registers by DWARF number. */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "arch/arch.h"
#include "core/internal.h"

/*
 * Where a register is in a register set, plus 1; 0: no register, or one without a value at a probe.
 */
#define OFFSET(number, name, member, entry) [number] = 1 + offsetof(struct stp_regs, member)
static const u16 dwarf_offsets[] = { STP_REGISTERS(OFFSET) };

/**
 * stp_register - the value of a register where the probe is
 * @n: DWARF number
 * @user: of the current task's user mode instead
 *
 * Raises "register access fault" when there is no such register or no register set: of a hit that
 * the current task does not run itself there is none.
 * Context: any handler.
 */
stp_long stp_register(struct stp_ctx *c, stp_long n, int user)
{
	const void *regs = user ? (const void *)task_pt_regs(current) : (const void *)c->regs;

	if (!regs ||
	    (user &&
	     (current->flags & PF_KTHREAD || c->flags & (STP_CTX_PROCESS | STP_CTX_TASK))) ||
	    n < 0 || n >= (stp_long)ARRAY_SIZE(dwarf_offsets) || !dwarf_offsets[n]) {
		stp_error(c, "register access fault");
		return 0;
	}
	return *(const unsigned long *)(regs + dwarf_offsets[n] - 1);
}
