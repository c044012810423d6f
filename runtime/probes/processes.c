// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of processes: chains by hash of entries that are taken once and live as long as the
 * table, so hits look into it without a lock while others change it. An entry may be given back and
 * taken for another chain under a reader's feet: then the chain that it comes to the end of is not
 * the one it began with, and it begins again (Documentation/RCU/rculist_nulls.rst).
 *
 * Which kernels call sched_process_exit when: before it took group_dead as an argument (6.16), the
 * task's memory was gone by then, and several threads could each find that no thread was alive any
 * more; so what a process ran is kept here, and so is that its end was seen.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/mm_types.h>
#include <linux/rculist_nulls.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include "compat/portable.h"
#include "compat/tasks.h"
#include "probes/probes.h"
#include "probes/processes.h"

#define CHAINS (1u << STP_PROCESS_CHAINS_BITS)
#define STP_PROCESSES_MAX 16384u
#define TRIES 8 /* of a reader whose chain changes meanwhile */

struct stp_processes_wanted stp_processes_wanted;

static struct stp_process *entries; /* STP_PROCESSES_MAX of them; NULL: not started */
struct hlist_nulls_head *stp_process_chains;
static u32 first_free; /* from 1; 0: none. changing */
static DEFINE_RAW_SPINLOCK(changing);
static u32 n_refused; /* changing */
/*
 * When the hooks began to be told, ns of the monotonic clock. What had begun by then is told of by
 * stp_processes_running(), what begins later as it happens. changing
 */
static u64 told_since = U64_MAX;

/* ---- the table ---- */

/* NULL, with the number of the chain that the search ended in: it is not there. */
static struct stp_process *find_from(u32 chain, const struct signal_struct *signal, u32 *end)
{
	struct hlist_nulls_node *node;
	struct stp_process *p;
	u32 steps = 0;

	hlist_nulls_for_each_entry_rcu(p, node, &stp_process_chains[chain], node)
	{
		if (READ_ONCE(p->signal) == signal)
			return p;
		if (++steps > STP_PROCESSES_MAX)
			return NULL;
	}
	*end = get_nulls_value(node);
	return NULL;
}

/* Also its entry that is to be changed; under the lock then. */
static struct stp_process *find(const struct signal_struct *signal)
{
	u32 chain = stp_process_chain(signal), end = chain, i;

	for (i = 0; i < TRIES; i++) {
		struct stp_process *p = find_from(chain, signal, &end);

		if (p || end == chain)
			return p;
	}
	return NULL;
}

/**
 * stp_process_search - stp_process_find(), the whole of it; the table is there
 *
 * Context: any handler.
 */
const struct stp_process *stp_process_search(const struct signal_struct *signal)
{
	return find(signal);
}

/**
 * stp_process_next - the one behind LAST, or the first of all; NULL: there is none
 *
 * In no order. Context: any handler; looks at no more than the whole table.
 */
const struct stp_process *stp_process_next(const struct stp_process *last)
{
	const struct stp_process *p = last ? last + 1 : entries;

	if (!entries)
		return NULL;
	for (; p < entries + STP_PROCESSES_MAX; p++) {
		if (READ_ONCE(p->signal))
			return p;
	}
	return NULL;
}

/* An entry for a process that has none. */
static struct stp_process *take(struct signal_struct *signal)
{
	struct stp_process *p;

	if (!first_free) {
		n_refused++;
		return NULL;
	}
	p = &entries[first_free - 1];
	first_free = p->next_free;
	p->file = 0;
	p->flags = 0;
	smp_store_release(&p->signal, signal);
	hlist_nulls_add_head_rcu(&p->node, &stp_process_chains[stp_process_chain(signal)]);
	return p;
}

/* Whoever reads it just now goes on from there: what leads to the next in the chain stays. */
static void give_back(struct stp_process *p)
{
	WRITE_ONCE(p->signal, NULL);
	hlist_nulls_del_rcu(&p->node);
	p->next_free = first_free;
	first_free = p - entries + 1;
}

/*
 * Is it the command of -c, forked by the reader, but still to be executed? Threads have the flag
 * too, so the first is asked.
 */
static int is_held(const struct task_struct *task)
{
	int held;

	rcu_read_lock();
	/* of one that has been released the first thread may be gone, and who its parent is */
	held = pid_alive(task) && task->group_leader->flags & PF_FORKNOEXEC &&
	       rcu_dereference(task->real_parent)->tgid == READ_ONCE(stp_reader_pid);
	rcu_read_unlock();
	return held;
}

/*
 * Note what a process runs and belongs to; nothing when that is nothing that anybody wants. What
 * was noted meanwhile of what it runs is newer, but for an execution. Whether it is held is looked
 * at under the lock: an execution that ends that comes here later.
 */
static void note(struct task_struct *task, u32 file, u32 flags, pid_t parent, int executes)
{
	struct signal_struct *signal = task->signal;
	struct stp_process *p;
	unsigned long irq;

	raw_spin_lock_irqsave(&changing, irq);
	p = find(signal);
	if (p && !executes)
		file = p->file;
	if (!p && (file || flags || stp_processes_wanted.hooks))
		p = take(signal);
	if (p) {
		flags |= p->flags & ~STP_PROCESS_HELD;
		flags |= is_held(task) ? STP_PROCESS_HELD : 0;
		WRITE_ONCE(p->file, file);
		WRITE_ONCE(p->flags, flags);
		p->pid = task->tgid;
		if (parent)
			p->parent = parent;
	}
	raw_spin_unlock_irqrestore(&changing, irq);
}

/*
 * Sets flags of a process that something begins in, if the hooks are told by now, or ends in;
 * returns those it had. One that is not in the table has none.
 */
static u32 note_flags(struct signal_struct *signal, u32 flags, int *told)
{
	struct stp_process *p;
	unsigned long irq;
	u32 had = 0;

	raw_spin_lock_irqsave(&changing, irq);
	*told = told_since != U64_MAX;
	p = find(signal);
	if (!p && *told)
		p = take(signal);
	if (p) {
		had = p->flags;
		if (*told || flags == STP_PROCESS_ENDED)
			WRITE_ONCE(p->flags, had | flags);
	}
	raw_spin_unlock_irqrestore(&changing, irq);
	return had;
}

/* Has a task begun since the hooks are told? */
static int is_late(const struct task_struct *task)
{
	unsigned long irq;
	int late;

	raw_spin_lock_irqsave(&changing, irq);
	late = task->start_time >= told_since;
	raw_spin_unlock_irqrestore(&changing, irq);
	return late;
}

static void forget(struct signal_struct *signal)
{
	struct stp_process *p;
	unsigned long irq;

	raw_spin_lock_irqsave(&changing, irq);
	p = find(signal);
	if (p)
		give_back(p);
	raw_spin_unlock_irqrestore(&changing, irq);
}

/* ---- files ---- */

/**
 * stp_file_number - the number of one of the script's files, or 0
 *
 * Context: any.
 */
u32 stp_file_number(const struct inode *inode)
{
	u32 low = 0, high = stp_processes_wanted.n_files;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const struct inode *at = stp_processes_wanted.files[middle];

		if (at == inode)
			return middle + 1;
		if (at < inode)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/*
 * The file that a program came from, as its own file system knows it. MM does not go away
 * meanwhile.
 */
static u32 file_of(struct mm_struct *mm)
{
	struct file *exe;
	u32 number = 0;

	if (!stp_processes_wanted.n_files)
		return 0;
	exe = stp_exe_file_get(mm);
	if (exe) {
		number = stp_file_number(d_real_inode(exe->f_path.dentry));
		fput(exe);
	}
	return number;
}

/* ---- what happens to them ---- */

/* A kernel's worker beside a process is none of its threads, though it ends like one. */
static int is_users(const struct task_struct *task)
{
	return !(task->flags & STP_PF_WORKER);
}

/* In the parent's context, before the child runs. */
static void forked(void *data, struct task_struct *parent, struct task_struct *child)
{
	const struct stp_process *p = find(parent->signal);

	if (!child->mm || !is_users(child))
		return;
	if (child->signal != parent->signal)
		note(child, p ? READ_ONCE(p->file) : 0,
		     p ? READ_ONCE(p->flags) & STP_PROCESS_TREE : 0, parent->tgid, 0);
	else if (stp_processes_wanted.hooks && is_late(child))
		stp_processes_wanted.hooks->thread(child);
}

/* The end of the program that was there before is told only if its beginning was. */
static void executed(void *data, struct task_struct *task, pid_t old_pid, void *bprm)
{
	const struct stp_process_hooks *hooks = stp_processes_wanted.hooks;
	int told = 0;

	if (hooks && note_flags(task->signal, STP_PROCESS_BEGUN, &told) & STP_PROCESS_BEGUN)
		hooks->exec(task, 1);
	note(task, file_of(task->mm), 0, 0, 1);
	if (told)
		hooks->exec(task, 0);
}

static void thread_ended(struct task_struct *task, int last)
{
	int told;

	if (!stp_processes_wanted.hooks || !is_users(task) || !find(task->signal))
		return;
	/* of what is gone before it could be told of there is no end either */
	if (READ_ONCE(told_since) == U64_MAX)
		return;
	if (last && note_flags(task->signal, STP_PROCESS_ENDED, &told) & STP_PROCESS_ENDED)
		last = 0;
	stp_processes_wanted.hooks->exit(task, last);
}

#ifdef STP_HAVE_EXIT_GROUP_DEAD
static void exited(void *data, struct task_struct *task, bool group_dead)
{
	thread_ended(task, group_dead);
}
#else
static void exited(void *data, struct task_struct *task)
{
	thread_ended(task, !atomic_read(&task->signal->live));
}
#endif

/*
 * The first thread is freed when no other is left that could run. One whose place another thread
 * took in an exec is not first any more.
 */
static void freed(void *data, struct task_struct *task)
{
	if (task->group_leader == task)
		forget(task->signal);
}

/* ---- those that are there already ---- */

/* Under RCU. As many steps as there are generations. */
static int descends(struct task_struct *leader, pid_t ancestor)
{
	struct task_struct *p = leader;

	while (p->tgid != ancestor && p->tgid > 1)
		p = rcu_dereference(p->real_parent);
	return p->tgid == ancestor;
}

/* A thread of a process that has not ended; its first may have, before the others. Under RCU. */
static struct task_struct *living(struct task_struct *leader)
{
	struct task_struct *t;

	for_each_thread(leader, t)
	{
		if (READ_ONCE(t->mm) && is_users(t))
			return t;
	}
	return NULL;
}

/* Under RCU. */
static void note_present(struct task_struct *leader)
{
	struct task_struct *t = living(leader);
	u32 file = 0, flags = 0;
	int is_process;

	if (!t)
		return;
	task_lock(t);
	is_process = t->mm != NULL;
	if (is_process)
		file = file_of(t->mm);
	task_unlock(t);
	if (stp_target && descends(leader, stp_target))
		flags = STP_PROCESS_TREE;
	if (is_process)
		note(leader, file, flags, rcu_dereference(leader->real_parent)->tgid, 0);
}

/*
 * Those that fork meanwhile note their children themselves, or are not noted yet: then the child
 * comes behind them in the kernel's list.
 */
static void note_all_present(void)
{
	struct task_struct *p;

	rcu_read_lock();
	for_each_process(p) note_present(p);
	rcu_read_unlock();
}

/* Under RCU. */
static void tell_present(struct task_struct *leader)
{
	const struct stp_process_hooks *hooks = stp_processes_wanted.hooks;
	const struct stp_process *p = find(leader->signal);
	struct task_struct *t;
	int told;

	if (!p || READ_ONCE(p->flags) & STP_PROCESS_HELD)
		return;
	if (!(note_flags(leader->signal, STP_PROCESS_BEGUN, &told) &
	      (STP_PROCESS_BEGUN | STP_PROCESS_ENDED)))
		hooks->present(leader, 1);
	for_each_thread(leader, t)
	{
		if (t != leader && is_users(t) && !is_late(t))
			hooks->present(t, 0);
	}
}

/**
 * stp_processes_running - tell the hooks of what began before the session ran
 *
 * Each process and thread is told of once, here or as it begins.
 *
 * Context: process, may sleep, when the session runs.
 */
void stp_processes_running(void)
{
	struct task_struct *p;

	if (!stp_processes_wanted.hooks)
		return;
	raw_spin_lock_irq(&changing);
	told_since = ktime_get_ns();
	raw_spin_unlock_irq(&changing);
	rcu_read_lock();
	for_each_process(p)
	{
		if (READ_ONCE(stp_state) != STP_STATE_RUNNING)
			break;
		tell_present(p);
	}
	rcu_read_unlock();
}

/**
 * stp_processes_refused - how many were not followed, because too many were at once
 *
 * Context: any.
 */
u32 stp_processes_refused(void)
{
	return READ_ONCE(n_refused);
}

/* ---- attached to the kernel ---- */

static struct stp_trace_hook watched[] = {
	{ "sched_process_fork", (void *)forked },
	{ "sched_process_exec", (void *)executed },
	{ "sched_process_exit", (void *)exited },
	{ "sched_process_free", (void *)freed },
};

static int watch(void)
{
	u32 i;
	int err;

	for (i = 0; i < ARRAY_SIZE(watched); i++) {
		err = stp_trace_follow(&watched[i]);
		if (err) {
			scnprintf(stp_arm_text, sizeof(stp_arm_text),
				  "the kernel refuses to attach to tracepoint %s (rc %d)",
				  watched[i].name, err);
			return err;
		}
	}
	return 0;
}

/*
 * What could not be had stp_processes_exit() leaves. Nobody looks into the table before the chains
 * are set.
 */
static int table_alloc(void)
{
	struct hlist_nulls_head *chains = stp_mem_alloc(array_size(CHAINS, sizeof(*chains)));
	u32 i;

	entries = stp_mem_alloc(array_size(STP_PROCESSES_MAX, sizeof(*entries)));
	if (!entries || !chains) {
		stp_mem_free(chains);
		return -ENOMEM;
	}
	for (i = 0; i < CHAINS; i++)
		INIT_HLIST_NULLS_HEAD(&chains[i], i);
	for (i = 0; i < STP_PROCESSES_MAX; i++)
		entries[i].next_free = i + 1 < STP_PROCESSES_MAX ? i + 2 : 0;
	first_free = 1;
	smp_store_release(&stp_process_chains, chains);
	return 0;
}

/**
 * stp_processes_start - fill the table with those there are, and follow what becomes of them
 *
 * What stp_processes_wanted says and stp_target are known and do not change any more.
 *
 * Context: process, may sleep. Returns 0 or a negative errno with stp_arm_text filled;
 * stp_processes_exit() gives back what was taken.
 */
int stp_processes_start(void)
{
	int err;

	if (table_alloc()) {
		scnprintf(stp_arm_text, sizeof(stp_arm_text), "no memory for a table of processes");
		return -ENOMEM;
	}
	err = watch();
	if (!err)
		note_all_present();
	return err;
}

/**
 * stp_processes_exit - let the kernel and the memory go
 *
 * Context: process, may sleep; no hit looks into the table any more.
 */
void stp_processes_exit(void)
{
	stp_trace_leave(watched, ARRAY_SIZE(watched));
	stp_mem_free(entries);
	stp_mem_free(stp_process_chains);
	entries = NULL;
	stp_process_chains = NULL;
}
