// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the current process has mapped, looked at from a handler: its map is locked for reading if
 * that can be had at once, and unlocked as soon as interrupts are on again, by irq_work, because
 * unlocking may wake somebody and the interrupted code may hold the locks for that (the kernel's
 * kernel/bpf/mmap_unlock_work.h does the same). Several looks in one stretch without interrupts
 * share the lock. On PREEMPT_RT even trying takes a lock that the interrupted code may hold, so
 * there it is never had.
 *
 * Files are known by inode, that of the file system at the bottom: in containers too, whatever path
 * they have there.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/rwsem.h>
#include <linux/sched/mm.h>
#include "compat/irq_work.h"
#include "compat/vma.h"
#include "probes/probes.h"
#include "unwind/search.h"
#include "unwind/user_map.h"
#include "unwind/user_tables.h"
#include "uapi/user_table.h"

/* The unlocking that is due on a CPU. */
struct unlock {
	struct irq_work work;
	struct mm_struct *mm; /* NULL: none */
};

static DEFINE_PER_CPU(struct unlock, unlocks);
/* Stacks cut short, by enum stp_user_end. */
static atomic_t n_cut[STP_STACK_ENDS];

static void unlock(struct irq_work *work)
{
	struct unlock *u = container_of(work, struct unlock, work);
	struct mm_struct *mm = u->mm;

	/* a hit inside up_read() may queue the next one */
	u->mm = NULL;
	barrier();
	up_read_non_owner(&mm->mmap_lock);
	mmdrop(mm);
	stp_user_tables_tell();
}

/**
 * stp_user_map_hold - the current process's address space, not to change while the handler runs
 *
 * NULL: there is none, its map is being changed, or the handler runs with interrupts on. Nothing is
 * to be given back.
 * Context: any handler.
 */
struct mm_struct *stp_user_map_hold(struct stp_ctx *c)
{
	struct mm_struct *mm = current->mm;
	struct unlock *u;

	if (IS_ENABLED(CONFIG_PREEMPT_RT) || c->flags & (STP_CTX_PROCESS | STP_CTX_TASK) || !mm ||
	    current->flags & PF_KTHREAD || !irqs_disabled())
		return NULL;
	u = this_cpu_ptr(&unlocks);
	if (u->mm) /* not unlocked yet */
		return u->mm == mm ? mm : NULL;
	if (!down_read_trylock(&mm->mmap_lock))
		return NULL;
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	mmgrab(mm);
	u->mm = mm;
	irq_work_queue(&u->work);
	return mm;
}

/**
 * stp_user_next_vma - the first mapping that ends behind an address; NULL: there is none, or no map
 *
 * Context: any handler; the map is held.
 */
struct vm_area_struct *stp_user_next_vma(struct mm_struct *mm, u64 addr)
{
	struct vm_area_struct *vma;

	if (!mm)
		return NULL;
	/* lockdep was told that the lock is not this task's, and find_vma() may ask it */
	rwsem_acquire_read(&mm->mmap_lock.dep_map, 0, 1, _RET_IP_);
	vma = stp_find_vma(mm, addr);
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	return vma;
}

/**
 * stp_user_vma - the mapping around an address; NULL: there is none, or no map
 *
 * Context: any handler; the map is held.
 */
struct vm_area_struct *stp_user_vma(struct mm_struct *mm, u64 addr)
{
	struct vm_area_struct *vma = stp_user_next_vma(mm, addr);

	return vma && vma->vm_start <= addr ? vma : NULL;
}

static const struct stp_carried *carried_of(const struct inode *inode)
{
	u32 i;

	for (i = 0; i < stp_script.n_carried; i++) {
		if (stp_script.carried[i].inode == inode)
			return &stp_script.carried[i];
	}
	return NULL;
}

/* ---- the parts of a table ---- */
static const struct stp_user_segment *segments_of(const struct stp_user_table *t)
{
	return (const void *)(t + 1);
}

static const u32 *rules_of(const struct stp_user_table *t)
{
	return (const void *)(segments_of(t) + t->n_segments);
}

static const u32 *symbols_of(const struct stp_user_table *t)
{
	return rules_of(t) + 2 * t->n_rules;
}

static const char *names_of(const struct stp_user_table *t)
{
	return (const void *)(symbols_of(t) + 2 * t->n_symbols);
}

/**
 * stp_user_place - what is at an address of the current process
 * @mm: its map, held; NULL: nothing is known
 *
 * Context: any handler.
 */
void stp_user_place(struct mm_struct *mm, u64 addr, struct stp_user_place *ret)
{
	const struct stp_user_segment *s;
	const struct stp_user_table *table;
	const struct stp_carried *carried;
	u32 i;

	*ret = (struct stp_user_place){ .vma = stp_user_vma(mm, addr) };
	if (!ret->vma || !ret->vma->vm_file)
		return;
	ret->offset = addr - ret->vma->vm_start + ((u64)ret->vma->vm_pgoff << PAGE_SHIFT);
	carried = carried_of(file_inode(ret->vma->vm_file));
	table = carried ? carried->table : stp_user_table_met(ret->vma, &ret->wanted);
	if (!table)
		return;
	for (i = 0, s = segments_of(table); i < table->n_segments; i++, s++) {
		if (ret->offset < s->offset || ret->offset - s->offset >= s->size)
			continue;
		ret->table = table;
		ret->carried = carried;
		ret->addr = s->addr + (ret->offset - s->offset);
		return;
	}
}

/**
 * stp_user_rule - how to get to the caller from a place: uapi/user_table.h
 *
 * Context: any handler.
 */
u32 stp_user_rule(const struct stp_user_place *place)
{
	const struct stp_user_table *t = place->table;
	u32 i;

	if (!t)
		return STP_RULE_NONE;
	i = stp_rows_until(rules_of(t), t->n_rules, 1, place->addr);
	return i ? rules_of(t)[t->n_rules + i - 1] : STP_RULE_NONE;
}

/**
 * stp_user_symbol - the symbol around a place; 0: none is known
 *
 * Context: any handler.
 */
int stp_user_symbol(const struct stp_user_place *place, struct stp_user_symbol *ret)
{
	const struct stp_user_table *t = place->table;
	const u32 *addrs;
	u32 i;

	if (!t)
		return 0;
	addrs = symbols_of(t);
	i = stp_rows_until(addrs, t->n_symbols, 1, place->addr);
	if (!i-- || !addrs[t->n_symbols + i])
		return 0;
	ret->name = names_of(t) + addrs[t->n_symbols + i];
	ret->offset = place->addr - addrs[i];
	ret->size = i + 1 < t->n_symbols ? addrs[i + 1] - addrs[i] : 0;
	return 1;
}

/**
 * stp_user_stack_cut - count a stack that was asked for by how it ended
 *
 * Context: any.
 */
void stp_user_stack_cut(enum stp_user_end end)
{
	if (end != STP_STACK_WHOLE)
		atomic_inc(&n_cut[end]);
}

/* The first n files are given back. */
static void put_files(u32 n)
{
	while (n)
		stp_file_put(&stp_script.objects[stp_script.carried[--n].object]);
}

static int user_map_init(void)
{
	int cpu, err;
	u32 i;

	for (i = 0; i < stp_script.n_carried; i++) {
		err = stp_file_get(&stp_script.objects[stp_script.carried[i].object]);
		if (err) {
			put_files(i);
			return err;
		}
	}
	for_each_possible_cpu(cpu)
		stp_irq_work_init_hard(&per_cpu_ptr(&unlocks, cpu)->work, unlock);
	return 0;
}

static void user_map_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) irq_work_sync(&per_cpu_ptr(&unlocks, cpu)->work);
	put_files(stp_script.n_carried);
}

/* Somebody listens now. */
static int user_map_start(void)
{
	u32 i;

	for (i = 0; i < stp_script.n_carried; i++) {
		struct stp_carried *carried = &stp_script.carried[i];
		const struct stp_object *object = &stp_script.objects[carried->object];
		const char *why;
		struct inode *inode = stp_file_inode(object, &why);

		if (IS_ERR(inode))
			stp_control_warn("No stacks and symbols of %s: %s.", object->path, why);
		else
			carried->inode = inode;
	}
	return 0;
}

static void user_map_stop(void)
{
	static const char *const why[] = {
		[STP_STACK_NO_MAP] =
			IS_ENABLED(CONFIG_PREEMPT_RT)
				? "what a process has mapped cannot be looked at on PREEMPT_RT"
				: "the process was changing its memory",
		[STP_STACK_NO_RULE] = "in a file that -d does not name, without frame pointers",
		[STP_STACK_NARROW] = "of 32-bit programs",
		[STP_STACK_FAULT] = "the stack could not be read",
		[STP_STACK_NO_TABLE] = "while tables of the files were being made",
	};
	u32 i;

	for (i = STP_STACK_NO_MAP; i < STP_STACK_ENDS; i++) {
		u32 n = atomic_read(&n_cut[i]);

		if (n)
			stp_control_warn("User stacks cut short: %u (%s).", n, why[i]);
	}
}

const struct stp_member stp_member_user_map = {
	.init = user_map_init,
	.exit = user_map_exit,
	.start = user_map_start,
	.stop = user_map_stop,
};
