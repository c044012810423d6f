/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.18, commit cad9931f64dc: fprobe. 6.5, commit cb16330d1274: handlers get the return address too;
 * earlier ones are not used. 6.14, commit 762abbc0d09f and following: struct ftrace_regs, in which
 * only the result is sure to be filled at exit, and no nr_maxactive any more.
 *
 * The handlers take the registers as void *: both kinds begin with a struct pt_regs, as
 * compat/ftrace.h says.
 *
 * Context: process, before the fprobe is registered.
 */
#ifndef STP_COMPAT_FPROBE_H
#define STP_COMPAT_FPROBE_H

#include "stp_features.h"

#ifdef STP_HAVE_FPROBE
#include <linux/fprobe.h>

#define STP_FPROBE_EXIT_IS(regs)                                                                   \
	__builtin_types_compatible_p(                                                              \
		__typeof__(((struct fprobe *)0)->exit_handler),                                    \
		void (*)(struct fprobe *, unsigned long, unsigned long, struct regs *, void *))
#define STP_FPROBE_PARTIAL_REGS STP_FPROBE_EXIT_IS(ftrace_regs)
#define STP_FPROBE_KNOWN (STP_FPROBE_EXIT_IS(ftrace_regs) || STP_FPROBE_EXIT_IS(pt_regs))

/*
 * Fills a zeroed fprobe that is not registered. entry may be NULL. data_size: bytes that both
 * handlers of a call get. max_active: calls on their way at once, for kernels that want to know.
 */
static inline void
stp_fprobe_setup(struct fprobe *fp,
		 int (*entry)(struct fprobe *, unsigned long, unsigned long, void *, void *),
		 void (*exit)(struct fprobe *, unsigned long, unsigned long, void *, void *),
		 size_t data_size, int max_active)
{
	fp->entry_handler = (__typeof__(fp->entry_handler))(void *)entry;
	fp->exit_handler = (__typeof__(fp->exit_handler))(void *)exit;
	fp->entry_data_size = data_size;
#ifdef STP_HAVE_FPROBE_MAXACTIVE
	fp->nr_maxactive = max_active;
	fp->ops.flags = FTRACE_OPS_FL_PERMANENT; /* kernel.ftrace_enabled does not silence it */
#endif
}
#else
struct fprobe {
	int unused;
};
#endif

#endif
