/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that are threads of a process to the kernel alone. */
#ifndef STP_COMPAT_TASKS_H
#define STP_COMPAT_TASKS_H

#include "stp_features.h"
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/*
 * Flags of tasks that run no code of a process: kernel threads; workers of io_uring, threads of the
 * process since 5.12 (3bfe6106693b) and created without sched_process_fork; of vhost the same since
 * 6.4 (f9010dbdce91).
 */
#ifdef PF_USER_WORKER
#define STP_PF_WORKER (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#else
#define STP_PF_WORKER (PF_KTHREAD | PF_IO_WORKER)
#endif

/*
 * The file a program came from, for fput(), or NULL. It may be replaced meanwhile
 * (prctl(PR_SET_MM_EXE_FILE)). Since 6.7, commit 0ede61d8599e, memory of files is used again at
 * once, and RCU keeps none alive.
 *
 * Context: any but NMI; does not sleep. MM does not go away.
 */
static inline struct file *stp_exe_file_get(struct mm_struct *mm)
{
	struct file *file;

	rcu_read_lock();
#ifdef STP_HAVE_GET_FILE_RCU
	file = get_file_rcu(&mm->exe_file);
#else
	file = rcu_dereference(mm->exe_file);
	if (file && !get_file_rcu(file))
		file = NULL;
#endif
	rcu_read_unlock();
	return file;
}

#endif
