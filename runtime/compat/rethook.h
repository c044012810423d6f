/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.18, commit 54ecbe6f1ed5: rethook, returns hooked without locks; 5.19, commit 73f9b911faa7:
 * kretprobes are made of it. The kernel exports none of it to modules, but a kretprobe has a pool
 * of nodes, and its pre_handler (set when it is registered) takes a node and hooks the call whose
 * registers it is given. So one that is registered and never armed serves any number of functions
 * whose entries somebody else sees.
 *
 * Its handler got other parameters with 6.6: not used there, where fprobe serves.
 *
 * Context: process, before anything is attached.
 */
#ifndef STP_COMPAT_RETHOOK_H
#define STP_COMPAT_RETHOOK_H

#include <linux/kprobes.h>
#include "compat/ftrace.h"

#if STP_FTRACE && defined(CONFIG_KRETPROBE_ON_RETHOOK) && defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#include <linux/rethook.h>

#define STP_HAVE_RETHOOK 1
#define STP_RETHOOK_KNOWN                                                                          \
	__builtin_types_compatible_p(rethook_handler_t,                                            \
				     void (*)(struct rethook_node *, void *, struct pt_regs *))

struct stp_rethook {
	struct ftrace_ops ops;
	struct kretprobe pool; /* registered, never armed */
};
#else
struct stp_rethook {
	int unused;
};
#endif

#endif
