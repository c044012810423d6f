// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the dynamic linker has put a file, by its own list, for when what the process has mapped
 * cannot be looked at (user_map.c). The program's dynamic section has the address of that list for
 * debuggers: struct r_debug and struct link_map of <link.h>. Where the section is, the program's
 * headers tell, whose address the kernel gives to each program (AT_PHDR).
 *
 * All of it is memory of the process, which may hold anything: it is only read, so often and no
 * oftener, and an entry is the file's when the dynamic section that it names says the same as the
 * file's, and its build-id is no other.
 */
#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "access/access.h"
#include "arch/arch.h"
#include "uapi/dynamic_sum.h"
#include "unwind/user_map.h"

#define MAX_HEADERS 64
#define MAX_FILES 512
#define MAX_WORDS                                                                                  \
	2048 /* pairs of words of dynamic sections that are compared: the list is the process's own, which may forge it */

/* struct r_debug: the list is behind its version, and a gap. */
#define LIST_AT 8

/* struct link_map: what was added to addresses, the name, the dynamic section, the next entry. */
struct entry {
	u64 bias, name, dynamic, next;
};

static int read_user(void *to, u64 from, u32 n)
{
	return stp_copy_from(STP_USER, to, from, n);
}

/* What the kernel has told the program when it was started; 0: nothing. */
static u64 told(const struct mm_struct *mm, unsigned long what)
{
	u32 i;

	for (i = 0; i + 1 < ARRAY_SIZE(mm->saved_auxv) && mm->saved_auxv[i] != AT_NULL; i += 2) {
		if (mm->saved_auxv[i] == what)
			return mm->saved_auxv[i + 1];
	}
	return 0;
}

/* Where the program has its dynamic section; 0: it has none, or that is not known. */
static u64 dynamic_of(const struct mm_struct *mm)
{
	u64 headers = told(mm, AT_PHDR), bias = 0, dynamic = 0;
	u32 n = min_t(u64, told(mm, AT_PHNUM), MAX_HEADERS), i;

	for (i = 0; i < n; i++) {
		Elf64_Phdr ph;

		if (read_user(&ph, headers + i * sizeof(ph), sizeof(ph)))
			return 0;
		if (ph.p_type == PT_PHDR)
			bias = headers - ph.p_vaddr;
		else if (ph.p_type == PT_DYNAMIC)
			dynamic = ph.p_vaddr;
	}
	return dynamic ? dynamic + bias : 0;
}

/* The first entry of the list; 0: there is none yet, or it cannot be found. */
static u64 list_of(const struct mm_struct *mm)
{
	u64 at = dynamic_of(mm), list;
	u32 i;

	for (i = 0; at && i < STP_DYNAMIC_MAX; i++) {
		u64 dynamic[2];

		if (read_user(dynamic, at + i * sizeof(dynamic), sizeof(dynamic)) ||
		    dynamic[0] == DT_NULL)
			return 0;
		if (dynamic[0] == DT_DEBUG)
			return dynamic[1] && !read_user(&list, dynamic[1] + LIST_AT, sizeof(list))
				       ? list
				       : 0;
	}
	return 0;
}

/* The linker may have added the bias to addresses in the section. */
static int says_the_same(struct stp_ctx *c, const struct stp_mapped *m, const struct entry *e,
			 u32 *left)
{
	u64 sum = 0;
	u32 i;

	if (e->dynamic - e->bias != m->dynamic)
		return 0;
	for (i = 0; i < STP_DYNAMIC_MAX; i++) {
		u64 dynamic[2];

		if (!*left || read_user(dynamic, e->dynamic + i * sizeof(dynamic), sizeof(dynamic)))
			return 0;
		stp_user_map_step(c, MAX_WORDS - (*left)--);
		if (dynamic[0] == DT_NULL)
			break;
		if (e->bias && dynamic[1] >= e->bias)
			dynamic[1] -= e->bias;
		if (dynamic[0] != DT_DEBUG)
			sum = stp_dynamic_sum(sum, dynamic[0], dynamic[1]);
	}
	return sum == m->dynamic_sum;
}

/*
 * Files made alike can say the same; the build-id tells them apart, where its page is present:
 * after fork(2) it need not be.
 */
static int is_file(struct stp_ctx *c, const struct stp_mapped *m, const struct entry *e, u32 *left)
{
	const char *id = stp_script.objects[m->object].build_id;
	char there[STP_BUILD_ID_SIZE];

	if (!says_the_same(c, m, e, left))
		return 0;
	return !id || !m->build_id || read_user(there, e->bias + m->build_id, sizeof(there)) ||
	       !memcmp(there, id, sizeof(there));
}

/**
 * stp_linked_address - where the dynamic linker says that the current process has what is linked at
 * an address of a file
 *
 * 0: it does not say it. What is read is charged to MAXACTION. Context: any handler; what the hit
 * is about is the current task.
 */
u64 stp_linked_address(struct stp_ctx *c, const struct stp_mapped *m, u64 link_addr)
{
	struct mm_struct *mm = current->mm;
	struct entry e;
	u64 at;
	u32 i, left = MAX_WORDS;

	if (!mm || current->flags & PF_KTHREAD || stp_arch_is_32bit(current) || !m->dynamic)
		return 0;
	for (i = 0, at = list_of(mm); at && left && i < MAX_FILES; i++, at = e.next) {
		stp_user_map_step(c, i);
		if (read_user(&e, at, sizeof(e)))
			return 0;
		if (is_file(c, m, &e, &left))
			return e.bias + link_addr;
	}
	return 0;
}
