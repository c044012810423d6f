// SPDX-License-Identifier: GPL-2.0-or-later
/* @kregister and @uregister: registers by DWARF number (System V ABI for x86-64, figure 3.36). */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "core/internal.h"

static const u16 dwarf_offsets[] = {
	offsetof(struct pt_regs, ax),  offsetof(struct pt_regs, dx),  offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, bx),  offsetof(struct pt_regs, si),  offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, bp),  offsetof(struct pt_regs, sp),  offsetof(struct pt_regs, r8),
	offsetof(struct pt_regs, r9),  offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13), offsetof(struct pt_regs, r14),
	offsetof(struct pt_regs, r15), offsetof(struct pt_regs, ip),
};

/**
 * stp_register - the value of a register where the probe is
 * @n: DWARF number, 0 to 16
 * @user: of the current task's user mode instead
 *
 * Raises "register access fault" when there is no such register or no register set.
 * Context: any handler.
 */
stp_long stp_register(struct stp_ctx *c, stp_long n, int user)
{
	const void *regs = user ? (const void *)task_pt_regs(current) : (const void *)c->regs;

	if (!regs || (user && (current->flags & PF_KTHREAD)) || n < 0 ||
	    n >= (stp_long)ARRAY_SIZE(dwarf_offsets)) {
		stp_error(c, "register access fault");
		return 0;
	}
	return *(const unsigned long *)(regs + dwarf_offsets[n]);
}
