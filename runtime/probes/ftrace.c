// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What ftrace knows: the entries whose call it can patch. On kernels without ftrace that is none.
 */
#include <linux/slab.h>
#include "access/access.h"
#include "arch/arch.h"
#include "compat/ftrace.h"
#include "probes/probes.h"

static const char ftrace_is_off[] =
	"probes of functions are switched off: sysctl kernel.ftrace_enabled is 0";

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
	u32 i;

	for (i = 0; i < addresses->n; i++)
		addresses->list[i].traced = 0;
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

/**
 * stp_ftrace_silent - why what has been attached to a call of ftrace's sees no hit; NULL: it does
 * @location: stp_ftrace_location()
 *
 * Where the sysctl kernel.ftrace_enabled is 0 the kernel takes kprobes, kretprobes and fprobes, and
 * patches nothing. Context: process, when arming.
 */
const char *stp_ftrace_silent(unsigned long location)
{
	u8 code[STP_ARCH_FTRACE_CODE];

	if (stp_copy_from(STP_KERNEL, code, location, sizeof(code)) || stp_arch_ftrace_calls(code))
		return NULL;
	return ftrace_is_off;
}

/**
 * stp_ftrace_off - say that ftrace attaches nothing
 * @err: -EBUSY: registering what the sysctl must not silence has returned that
 *
 * Returns whether that is so, with stp_arm_text filled. Context: process, when arming.
 */
int stp_ftrace_off(const struct stp_probe *p, int err)
{
	if (err != -EBUSY)
		return 0;
	scnprintf(stp_arm_text, sizeof(stp_arm_text), "probe %s: %s", stp_probe_name(p),
		  ftrace_is_off);
	return 1;
}
