/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of a probe that ftrace patches, all in one attachment: entry_ftrace.c. The others are
 * kprobes: entry.c.
 */
#ifndef STP_PROBES_ENTRY_H
#define STP_PROBES_ENTRY_H

#include "compat/ftrace.h"
#include "core/enter.h"
#include "probes/callers.h"
#include "probes/probes.h"

struct stp_entry_ftrace {
	struct ftrace_ops *ops; /* room for all points */
	unsigned long *filter;  /* what ftrace is asked for; room for all points */
	u32 n_ops;              /* registered */
	u32 known;              /* points that ftrace can attach to */
	u32 n;                  /* points attached */
	struct stp_addresses addresses;
};

int stp_entry_ftrace_init(struct stp_entry_ftrace *f, u32 n_points);
void stp_entry_ftrace_exit(struct stp_entry_ftrace *f);
int stp_entry_ftrace_arm(struct stp_entry_ftrace *f, const struct stp_probe *p,
			 unsigned long *addrs);
void stp_entry_ftrace_disarm(struct stp_entry_ftrace *f);

#if STP_FTRACE
/*
 * The way in of a callback of ftrace. NULL: it is no hit. Else stp_leave() follows, with *FLAGS, on
 * every path. fregs is good for the hit alone. Context: any that ftrace calls from.
 */
static __always_inline struct stp_cpu *stp_enter_ftrace(const struct stp_probe *p, unsigned long ip,
							unsigned long parent_ip,
							STP_FTRACE_REGS *fregs,
							unsigned long *flags)
{
	struct stp_cpu *cpu = stp_caller_admits(p, parent_ip) ? stp_enter(p, flags) : NULL;

	if (cpu) {
		cpu->c.regs = (struct stp_regs *)fregs;
		cpu->c.point_addr = ip;
	}
	return cpu;
}
#endif

#endif
