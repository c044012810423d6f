/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that are threads of a process to the kernel alone. */
#ifndef STP_COMPAT_TASKS_H
#define STP_COMPAT_TASKS_H

#include <linux/sched.h>

/*
 * Flags of tasks that run no code of a process: kernel threads; workers of io_uring, threads of the process since 5.12 (3bfe6106693b)
 * and created without sched_process_fork; of vhost the same since 6.4 (f9010dbdce91).
 */
#ifdef PF_USER_WORKER
#define STP_PF_WORKER (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#else
#define STP_PF_WORKER (PF_KTHREAD | PF_IO_WORKER)
#endif

#endif
