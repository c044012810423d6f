/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes on instructions of files. 6.12, commits 3c83a9ad0295 and e04332ebc8ac: uprobe_register()
 * takes the offset of the counter and returns a struct uprobe, by which it is taken back;
 * 04b01625da13: without waiting, one wait is for all. 6.13, commit da09a9e0c3ea: handlers get a
 * word of data.
 *
 * Context: process, may sleep; the handlers in the context of the task that hit, interrupts on.
 */
#ifndef STP_COMPAT_UPROBE_H
#define STP_COMPAT_UPROBE_H

#include "stp_features.h"
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/uprobes.h>

/* Behind the last parameter of a handler. */
#ifdef STP_HAVE_UPROBE_DATA
#define STP_UPROBE_DATA , __u64 *data
#else
#define STP_UPROBE_DATA
#endif

/*
 * Can what stands in the place of a return address be the trampoline of uretprobes? That is the
 * begin of a page which the kernel maps into the process (xol_add_vma() in
 * kernel/events/uprobes.c); where, it does not tell modules. Context: any.
 */
static inline int stp_uprobe_may_be_trampoline(unsigned long pc)
{
	return pc && !(pc & ~PAGE_MASK);
}

/* What is attached, all zero: nothing. The inode is held by the caller. */
struct stp_uprobe_handle {
#ifdef STP_HAVE_UPROBE_POINTER
	struct uprobe *uprobe;
#else
	struct inode *inode;
	loff_t offset;
#endif
};

/* 0 or a negative errno, then *h is untouched. */
static inline int stp_uprobe_register(struct stp_uprobe_handle *h, struct inode *inode,
				      loff_t offset, loff_t counter, struct uprobe_consumer *uc)
{
#ifdef STP_HAVE_UPROBE_POINTER
	struct uprobe *uprobe = uprobe_register(inode, offset, counter, uc);

	if (IS_ERR(uprobe))
		return PTR_ERR(uprobe);
	h->uprobe = uprobe;
	return 0;
#else
	int err = uprobe_register_refctr(inode, offset, counter, uc);

	if (err)
		return err;
	h->inode = inode;
	h->offset = offset;
	return 0;
#endif
}

/* Handlers may still run until stp_uprobe_unregister_done(). */
static inline void stp_uprobe_unregister(struct stp_uprobe_handle *h, struct uprobe_consumer *uc)
{
#ifdef STP_HAVE_UPROBE_POINTER
	uprobe_unregister_nosync(h->uprobe, uc);
#else
	uprobe_unregister(h->inode, h->offset, uc);
#endif
}

/* Waits until no handler of what was taken back runs. */
static inline void stp_uprobe_unregister_done(void)
{
#ifdef STP_HAVE_UPROBE_POINTER
	uprobe_unregister_sync();
#endif
}

#endif
