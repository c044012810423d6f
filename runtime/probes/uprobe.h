/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobes on the points of a probe and on the exits that points have (uprobe.c), and the calls on
 * their way that returns keep (user_calls.c). What returns share is in probes/user_return.h.
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
	const struct stp_user_exit *exit; /* NULL: the place of the point itself */
	struct stp_uprobe *entry;         /* that of the point itself */
	atomic64_t missed; /* of an entry: hits that the kernel left out, of this arming */
};

struct stp_uprobes {
	const struct stp_probe *probe;
	struct stp_uprobe
		*list; /* room for all points and exits; a point stands before its exits */
	u32 n;         /* attached */
	u32 n_points;  /* points that are */
	u32 n_files;   /* points whose files are held */
};

int stp_uprobes_init(struct stp_uprobes *set, const struct stp_probe *p);
void stp_uprobes_exit(struct stp_uprobes *set);
int stp_uprobes_arm(struct stp_uprobes *set, const struct uprobe_consumer *handlers,
		    const struct uprobe_consumer exit_handlers[STP_EXIT_KINDS]);
void stp_uprobes_detach(struct stp_uprobes *set);
void stp_uprobes_count(struct stp_uprobes *set);

/*
 * Which call of a function: that of a thread of execution whose stack pointer was so at the entry,
 * and is again before the return address is taken off. A stack that grows downwards and stays where
 * it is has its addresses; one that may be moved (a goroutine's), distances from its end, which are
 * negative.
 */
struct stp_user_frame {
	struct task_struct *owner; /* compared only, never followed */
	unsigned long stack;       /* of several that the owner has: which; 0: its own */
	unsigned long sp;
	struct stp_uprobe *entry; /* the function */
};

/* One call; its record (struct stp_call) is behind it. */
struct stp_user_call {
	struct stp_user_frame frame;
	unsigned long func; /* the address of the probed entry in the process */
	unsigned long from; /* the address the call returns to, as it stood on the stack */
	u32 next;           /* the next in its bucket, or free one, from 1; 0: none */
	u8 skipped;         /* nothing was saved: its return is not to be seen */
	u8 jumped;          /* it was seen at a jump that may have ended it */
	u8 forked;          /* its entry was the parent's; the record is not its own */
	u64 record[];
};

#define STP_USER_CALL_BUCKETS 64

struct stp_user_bucket {
	raw_spinlock_t lock;
	u32 first; /* the newest call of the stacks that belong here, from 1 */
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
	struct stp_trace_hook tasks[2];
};

int stp_user_calls_init(struct stp_user_calls *t, size_t record_size);
void stp_user_calls_exit(struct stp_user_calls *t);
void stp_user_calls_arm(struct stp_user_calls *t);
void stp_user_calls_disarm(struct stp_user_calls *t);
struct stp_user_call *stp_user_calls_enter(struct stp_user_calls *t,
					   const struct stp_user_frame *frame, unsigned long from);
void stp_user_calls_add(struct stp_user_calls *t, struct stp_user_call *call);
int stp_user_calls_has(struct stp_user_calls *t, const struct stp_user_frame *frame);
struct stp_user_call *stp_user_calls_leave(struct stp_user_calls *t,
					   const struct stp_user_frame *frame, unsigned long from);
void stp_user_calls_jump(struct stp_user_calls *t, const struct stp_user_frame *frame);
void stp_user_calls_free(struct stp_user_calls *t, struct stp_user_call *call);

#endif
