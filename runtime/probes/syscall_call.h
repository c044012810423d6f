/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of system calls on their way, for probes of returns that want values of the entry. The
 * key is the task: it makes one call at a time. A table of fixed size, hashed by the task's
 * address; a task's record is in one of a few neighbouring entries, and nobody else takes or
 * changes it.
 *
 * A call that never returns (exit, a task that is killed inside) leaves its record behind: the
 * task's next call gives it back first, and what dead tasks have is taken back when the kernel
 * frees them.
 */
#ifndef STP_PROBES_SYSCALL_CALL_H
#define STP_PROBES_SYSCALL_CALL_H

#include "probes/return.h"

struct stp_syscall_record {
	struct task_struct *owner; /* NULL: free. Compared only, never followed */
	u32 skipped;               /* nothing was saved: its return is not to be seen */
	struct stp_call call;      /* stp_return_call_size() bytes */
};

/* One for each probe; without values of the entry only the return is used. */
struct stp_syscall_calls {
	struct stp_return calls;
	char *records;               /* NULL: the probe wants none */
	u32 size;                    /* bytes of a record */
	u32 overflowed;              /* a call of this arming found no room */
	struct stp_trace_hook freed; /* where we learn of dead tasks */
};

int stp_syscall_calls_init(struct stp_syscall_calls *t, const struct stp_probe *p);
void stp_syscall_calls_exit(struct stp_syscall_calls *t);
void stp_syscall_calls_arm(struct stp_syscall_calls *t);
void stp_syscall_calls_disarm(struct stp_syscall_calls *t);
struct stp_syscall_record *stp_syscall_record_take(struct stp_syscall_calls *t);
struct stp_syscall_record *stp_syscall_record_find(struct stp_syscall_calls *t);
void stp_syscall_record_free(struct stp_syscall_record *record);

#endif
