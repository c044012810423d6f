// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What ftrace knows: the entries whose call it can patch. On kernels without ftrace that is none.
 */
#include <linux/slab.h>
#include "access/access.h"
#include "arch/arch.h"
#include "compat/ftrace.h"
#include "probes/probes.h"

/**
 * stp_ftrace_location - where ftrace's call is in the function at an address
 *
 * What cannot be read counts as the first instruction.
 *
 * Context: any handler; does not sleep.
 */
unsigned long stp_ftrace_location(unsigned long addr)
{
	u8 code[STP_ARCH_FTRACE_CODE];

	if (stp_copy_from(STP_KERNEL, code, addr, sizeof(code)))
		return addr;
	return stp_arch_ftrace_location(addr, code);
}

#if STP_FTRACE
/* ops is never registered: it only asks. */
static void ask(struct ftrace_ops *ops, struct stp_address *list, unsigned long *locations, u32 n)
{
	u32 i, half = n / 2;

	if (n && n <= STP_FTRACE_ASK_MAX && !stp_ftrace_set_filter(ops, locations, n, 1)) {
		for (i = 0; i < n; i++)
			list[i].traced = 1;
	} else if (n > 1) {
		ask(ops, list, locations, half);
		ask(ops, list + half, locations + half, n - half);
	}
}

static void ask_all(struct stp_addresses *addresses, unsigned long *locations)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);

	if (!ops)
		return;
	ask(ops, addresses->list, locations, addresses->n);
	stp_ftrace_free_filter(ops);
	kfree(ops);
}
#else
static void ask_all(struct stp_addresses *addresses, unsigned long *locations)
{
}
#endif

/**
 * stp_ftrace_known - which addresses ftrace can attach to
 * @locations: for each of the addresses the one to ask for; those it knows move to the front
 *
 * One unknown address makes the kernel refuse a whole list, so it is halved until the culprits are
 * found: log2(n) calls deep, and 2n questions when all are unknown. Sets traced. Returns the number
 * of known ones, 0 when there is no memory to ask with.
 *
 * Context: process, may sleep.
 */
u32 stp_ftrace_known(struct stp_addresses *addresses, unsigned long *locations)
{
	u32 i, n = 0;

	ask_all(addresses, locations);
	for (i = 0; i < addresses->n; i++) {
		if (addresses->list[i].traced)
			locations[n++] = locations[i];
	}
	return n;
}
