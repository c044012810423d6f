// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the current process has a file that the point being handled does not tell of: by its
 * mappings, which are looked through for the one of the file's code, or else by what its dynamic
 * linker says (link_map.c).
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include "probes/probes.h"
#include "unwind/user_map.h"

/* A process that has more than so many mappings before the file's is not looked through further. */
#define MAX_MAPPINGS 4096

static int is_code(const struct vm_area_struct *vma, const struct stp_mapped *m)
{
	u64 start = (u64)vma->vm_pgoff << PAGE_SHIFT;

	return vma->vm_file && file_inode(vma->vm_file) == m->inode && vma->vm_flags & VM_EXEC &&
	       m->offset >= start && m->offset - start < vma->vm_end - vma->vm_start;
}

static u64 by_map(struct stp_ctx *c, struct mm_struct *mm, const struct stp_mapped *m,
		  u64 link_addr)
{
	const struct vm_area_struct *vma;
	u64 addr = 0;
	u32 i;

	for (i = 0; i < MAX_MAPPINGS; i++) {
		stp_user_map_step(c, i);
		vma = stp_user_next_vma(mm, addr);
		if (!vma)
			return 0;
		if (is_code(vma, m))
			return vma->vm_start - ((u64)vma->vm_pgoff << PAGE_SHIFT) + m->offset -
			       m->addr + link_addr;
		addr = vma->vm_end;
	}
	return 0;
}

/**
 * stp_mapped_address - where the current process has what is linked at an address of a file
 *
 * 0: it has not mapped the file, or that cannot be known here. A long search is charged to
 * MAXACTION. Context: any handler.
 */
stp_u64 stp_mapped_address(struct stp_ctx *c, stp_u32 n, stp_u64 link_addr)
{
	const struct stp_mapped *m = &stp_script.mapped[n];
	struct mm_struct *mm;

	if (!m->inode || c->flags & (STP_CTX_PROCESS | STP_CTX_TASK))
		return 0;
	mm = stp_user_map_hold(c);
	return mm ? by_map(c, mm, m, link_addr) : stp_linked_address(c, m, link_addr);
}

/* The first n files are given back. */
static void put_files(u32 n)
{
	while (n)
		stp_file_put(&stp_script.objects[stp_script.mapped[--n].object]);
}

static int mapped_init(void)
{
	u32 i;

	for (i = 0; i < stp_script.n_mapped; i++) {
		int err = stp_file_get(&stp_script.objects[stp_script.mapped[i].object]);

		if (err) {
			put_files(i);
			return err;
		}
	}
	return 0;
}

static void mapped_exit(void)
{
	put_files(stp_script.n_mapped);
}

/* Somebody listens now. */
static int mapped_start(void)
{
	u32 i;

	for (i = 0; i < stp_script.n_mapped; i++) {
		struct stp_mapped *m = &stp_script.mapped[i];
		const struct stp_object *object = &stp_script.objects[m->object];
		const char *why;
		struct inode *inode = stp_file_inode(object, &why);

		if (IS_ERR(inode))
			stp_control_warn("No variables of %s: %s.", object->path, why);
		else
			m->inode = inode;
	}
	return 0;
}

const struct stp_member stp_member_mapped = {
	.init = mapped_init,
	.exit = mapped_exit,
	.start = mapped_start,
};
