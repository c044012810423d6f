/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.11, commit d19ad0775dcd: callbacks get struct ftrace_regs, with the argument registers filled
 * also without FTRACE_OPS_FL_SAVE_REGS where CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS. Same release,
 * commit a25d036d939a: callbacks guard themselves against recursion unless they ask for help;
 * before, they had to say they do. <linux/trace_recursion.h> came with these, so it is the test.
 *
 * Without CONFIG_FUNCTION_TRACER or CONFIG_DYNAMIC_FTRACE no entry can be patched, and there is no
 * struct ftrace_ops: STP_FTRACE is 0.
 *
 * In every version x86-64 has a struct pt_regs at the start of struct ftrace_regs; so have machines
 * whose ftrace saves all registers or none. What has a struct of its own (arm64 since 6.2, commit
 * 26299b3f6ba2) is refused below.
 *
 * Context: process, may sleep.
 */
#ifndef STP_COMPAT_FTRACE_H
#define STP_COMPAT_FTRACE_H

#include <linux/ftrace.h>
#include "core/internal.h"
#include "stp_features.h"

#if defined(CONFIG_FUNCTION_TRACER) && defined(CONFIG_DYNAMIC_FTRACE)
#define STP_FTRACE 1
#else
#define STP_FTRACE 0
#endif

#if STP_FTRACE
/*
 * ftrace_free_filter is exported since 6.1 (commit 8be9fbd5345d), and by stable kernels that took
 * it. Resetting the filter frees the hash as well: an empty one is replaced by the kernel's static
 * EMPTY_HASH.
 */
static inline void stp_ftrace_free_filter(struct ftrace_ops *ops)
{
#ifdef STP_HAVE_FTRACE_FREE_FILTER
	ftrace_free_filter(ops);
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

/*
 * Takes registered ops back and frees their filter. After a bug in ftrace itself nothing is taken
 * back any more (ftrace_disabled): false, the ops and all they lead to must stay, and the module
 * does.
 */
static inline bool stp_ftrace_unregister(struct ftrace_ops *ops)
{
	if (unregister_ftrace_function(ops)) {
		stp_keep_loaded("ftrace, disabled by an error of its own, keeps what is attached");
		return false;
	}
	stp_ftrace_free_filter(ops);
	return true;
}
#endif

/*
 * ftrace_set_filter_ips came with 5.18 (commit 4f554e955614). Without it the addresses are added
 * one by one, and each copies the filter there is so far: no more than STP_FTRACE_FILTER_MAX belong
 * into one. The fewer, the sooner all of the kernel's functions are attached; the more, the fewer
 * ops there are, each of which costs a pass over the kernel's text to register and a grace period
 * to take away. Who only asks whether ftrace knows them asks for STP_FTRACE_ASK_MAX at once.
 */
#ifdef STP_HAVE_FTRACE_SET_FILTER_IPS
#define STP_FTRACE_FILTER_MAX U32_MAX
#define STP_FTRACE_ASK_MAX U32_MAX
#else
#define STP_FTRACE_FILTER_MAX 500
#define STP_FTRACE_ASK_MAX 1
#endif

#if STP_FTRACE
/* Adds n addresses, one at least, to the filter, or to an empty one. -EINTR: the session ends. */
static inline int stp_ftrace_set_filter(struct ftrace_ops *ops, unsigned long *ips, u32 n,
					int reset)
{
#ifdef STP_HAVE_FTRACE_SET_FILTER_IPS
	return ftrace_set_filter_ips(ops, ips, n, 0, reset);
#else
	u32 i;
	int err = 0;

	for (i = 0; i < n && !err; i++)
		err = stp_session_ending() ? -EINTR
					   : ftrace_set_filter_ip(ops, ips[i], 0, reset && !i);
	return err;
#endif
}
#endif

#if __has_include(<linux/trace_recursion.h>)
#define STP_FTRACE_REGS struct ftrace_regs
#define STP_FTRACE_FLAGS 0
#else
#define STP_FTRACE_REGS struct pt_regs
#define STP_FTRACE_FLAGS FTRACE_OPS_FL_RECURSION_SAFE
#endif

#if defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) && defined(CONFIG_ARM64)
#error "the registers of an arm64 function entry are not a struct pt_regs on this kernel: not built yet"
#endif

#if __has_include(<linux/trace_recursion.h>) && defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS)
#define STP_FTRACE_HAS_ARGS 1
#else
#define STP_FTRACE_HAS_ARGS 0
#endif

#endif
