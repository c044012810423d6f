/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings of a process, from any handler. */
#ifndef STP_COMPAT_VMA_H
#define STP_COMPAT_VMA_H

#include <linux/mm.h>
#include <linux/rbtree.h>

/*
 * As find_vma(): the first mapping that ends behind ADDR, or NULL. Until 6.1, commit 7964cf8caa4d,
 * find_vma() keeps what it found with the task, and may be interrupted where the task has noticed
 * that this is out of date and has not dropped it yet; so its tree is walked.
 *
 * Context: any handler; the map is locked.
 */
static inline struct vm_area_struct *stp_find_vma(struct mm_struct *mm, unsigned long addr)
{
#if __has_include(<linux/vmacache.h>)
	struct rb_node *node = mm->mm_rb.rb_node;
	struct vm_area_struct *ret = NULL;

	while (node) {
		struct vm_area_struct *vma = rb_entry(node, struct vm_area_struct, vm_rb);

		if (vma->vm_end > addr) {
			ret = vma;
			node = vma->vm_start <= addr ? NULL : node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return ret;
#else
	return find_vma(mm, addr);
#endif
}

#endif
