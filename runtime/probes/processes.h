/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that scopes and probes on tasks ask for, in one table of fixed size: who belongs to
 * the target's tree, and who runs which of the script's files. Kept up to date at fork, exec and
 * exit by the kernel's tracepoints. A process is known by what its threads share and exec keeps,
 * its signal_struct, from its creation until the kernel frees its first thread.
 */
#ifndef STP_PROBES_PROCESSES_H
#define STP_PROBES_PROCESSES_H

#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/rculist_nulls.h>
#include "core/internal.h"

struct inode;
struct signal_struct;

#define STP_PROCESS_TREE BIT(0)  /* the target of -c or -x, or a descendant */
#define STP_PROCESS_BEGUN BIT(1) /* handlers have seen the program it runs begin */
#define STP_PROCESS_ENDED BIT(2) /* its last thread has ended */
#define STP_PROCESS_HELD BIT(3)  /* the reader forked it, and it has executed nothing yet */

/* An entry of the table. Others change it meanwhile: read with READ_ONCE(). */
struct stp_process {
	struct hlist_nulls_node node; /* in the chain of its hash; the table's own */
	u32 next_free;                /* of entries that are free, from 1; the table's own */
	struct signal_struct *signal; /* NULL: free */
	u32 file;                     /* of the script's files, from 1; 0: none of them */
	u32 flags;                    /* STP_PROCESS_* */
	pid_t pid, parent;            /* of those in the tree: itself, and who made it */
};

/*
 * What probes on tasks want to know; without them only processes of limited scopes are in the
 * table.
 * Context: process; may not sleep. The functions are called while the session is not running yet,
 * too.
 */
struct stp_process_hooks {
	/* The current process has another program now. BEFORE: the table still says what it ran. */
	void (*exec)(struct task_struct *task, int before);
	/* A thread was made, which has not run yet. */
	void (*thread)(struct task_struct *task);
	/* The current thread ends; LAST: and its process. */
	void (*exit)(struct task_struct *task, int last);
	/*
	 * A thread had begun before the session ran; FIRST: and its process. It may end meanwhile.
	 * Under RCU.
	 */
	void (*present)(struct task_struct *task, int first);
};

/* What processes are to be kept; set once, in process context, before stp_processes_start(). */
struct stp_processes_wanted {
	const struct stp_process_hooks *hooks; /* or NULL */
	struct inode *const *files; /* in order of their addresses: number N is at N - 1 */
	u32 n_files;
};

extern struct stp_processes_wanted stp_processes_wanted;

u32 stp_file_number(const struct inode *inode);
int stp_processes_start(void);
void stp_processes_running(void);
u32 stp_processes_refused(void);
void stp_processes_exit(void);
const struct stp_process *stp_process_search(const struct signal_struct *signal);
const struct stp_process *stp_process_next(const struct stp_process *last);

#define STP_PROCESS_CHAINS_BITS 14

extern struct hlist_nulls_head *stp_process_chains; /* NULL: not started */

/* Which of the chains, of 1 << STP_PROCESS_CHAINS_BITS, a process is in. Context: any. */
static __always_inline u32 stp_process_chain(const struct signal_struct *signal)
{
	return hash_ptr(signal, STP_PROCESS_CHAINS_BITS);
}

/*
 * What is known of a process, or NULL; NULL also before stp_processes_start(). Inline is what
 * nearly all searches are: the first of a chain, or a chain without any. Context: any handler.
 */
static __always_inline const struct stp_process *
stp_process_find(const struct signal_struct *signal)
{
	struct hlist_nulls_head *chains = READ_ONCE(stp_process_chains);
	struct hlist_nulls_node *first;
	const struct stp_process *p;

	if (unlikely(!chains))
		return NULL;
	first = READ_ONCE(chains[stp_process_chain(signal)].first);
	if (is_a_nulls(first))
		return NULL;
	p = hlist_nulls_entry(first, struct stp_process, node);
	return likely(READ_ONCE(p->signal) == signal) ? p : stp_process_search(signal);
}

/*
 * Does it belong to the target? What the reader's child does until it is the command is the
 * reader's.
 */
static __always_inline int stp_process_is_targets(const struct stp_process *process)
{
	return process && (READ_ONCE(process->flags) & (STP_PROCESS_TREE | STP_PROCESS_HELD)) ==
				  STP_PROCESS_TREE;
}

#endif
