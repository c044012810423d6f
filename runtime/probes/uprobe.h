/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobes on the points of a probe, for entries and other instructions (uprobe.c) and for returns (uretprobe.c), and the
 * calls on their way that returns with values of the entry keep (user_calls.c).
 *
 * Context: process, may sleep, unless said; handlers run in the context of the task that hit.
 */
#ifndef STP_PROBES_UPROBE_H
#define STP_PROBES_UPROBE_H

#include "compat/uprobe.h"
#include "probes/probes.h"

struct stp_uprobes;

struct stp_uprobe {
	struct uprobe_consumer uc;
	struct stp_uprobe_handle handle;
	const struct stp_uprobes *of;
	const struct stp_point *point;
	atomic64_t missed; /* hits that the kernel left out, of this arming */
};

struct stp_uprobes {
	const struct stp_probe *probe;
	struct stp_uprobe *list; /* room for all points */
	u32 n;                   /* attached */
	u32 n_files;             /* points whose files are held */
};

int stp_uprobes_init(struct stp_uprobes *set, const struct stp_probe *p);
void stp_uprobes_exit(struct stp_uprobes *set);
int stp_uprobes_arm(struct stp_uprobes *set, const struct uprobe_consumer *handlers);
void stp_uprobes_disarm(struct stp_uprobes *set);

/* One call; its record (struct stp_call) is behind it. */
struct stp_user_call {
	struct task_struct *owner; /* compared only, never followed */
	unsigned long sp, func;    /* the stack pointer at the entry, and the function's address */
	unsigned long from;        /* the address the call returns to, as it stood on the stack */
	u32 next;                  /* the next in its bucket, or free one, from 1; 0: none */
	u32 skipped;               /* nothing was saved: its return is not to be seen */
	u64 record[];
};

#define STP_USER_CALL_BUCKETS 64

struct stp_user_bucket {
	raw_spinlock_t lock;
	u32 first; /* the newest call of the tasks that belong here, from 1 */
};

struct stp_user_calls {
	char *calls; /* n of size bytes */
	u32 n, size;
	raw_spinlock_t lock; /* of free; taken inside a bucket's */
	u32 free;
	u32 overflowed; /* a call of this arming found no room */
	struct stp_user_bucket buckets[STP_USER_CALL_BUCKETS];
	void (*dropped)(void *arg,
			struct stp_user_call *call); /* what never returned is forgotten */
	void *arg;
	struct tracepoint *freed;
};

int stp_user_calls_init(struct stp_user_calls *t, size_t record_size);
void stp_user_calls_exit(struct stp_user_calls *t);
void stp_user_calls_arm(struct stp_user_calls *t);
void stp_user_calls_disarm(struct stp_user_calls *t);
struct stp_user_call *stp_user_calls_enter(struct stp_user_calls *t, unsigned long func,
					   unsigned long sp, unsigned long from);
struct stp_user_call *stp_user_calls_leave(struct stp_user_calls *t, unsigned long func,
					   unsigned long sp);
void stp_user_calls_free(struct stp_user_calls *t, struct stp_user_call *call);

#endif
