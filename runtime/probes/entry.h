/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of a probe that ftrace patches, all in one attachment: entry_ftrace.c. The others are
 * kprobes: entry.c.
 */
#ifndef STP_PROBES_ENTRY_H
#define STP_PROBES_ENTRY_H

#include "compat/ftrace.h"
#include "probes/probes.h"

struct stp_entry_ftrace {
	struct ftrace_ops *ops; /* room for all points */
	unsigned long *filter;  /* what ftrace is asked for; room for all points */
	u32 n_ops;              /* registered */
	u32 n;                  /* points attached */
	struct stp_addresses addresses;
};

int stp_entry_ftrace_init(struct stp_entry_ftrace *f, u32 n_points);
void stp_entry_ftrace_exit(struct stp_entry_ftrace *f);
int stp_entry_ftrace_arm(struct stp_entry_ftrace *f, const struct stp_probe *p,
			 unsigned long *addrs);
void stp_entry_ftrace_disarm(struct stp_entry_ftrace *f);

#endif
