// SPDX-License-Identifier: GPL-2.0-or-later
/* Handlers of uprobe consumers get a word to hand to their return handler, since 6.13. */
#include <linux/uprobes.h>

int test(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *data);
int test(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *data)
{
	return uc->handler(uc, regs, data);
}
