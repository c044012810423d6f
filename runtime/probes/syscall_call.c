// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of system calls on their way: see syscall_call.h. */
#include <linux/hash.h>
#include <linux/sched.h>
#include "compat/portable.h"
#include "probes/syscall_call.h"

/* Tasks that are in a call at once and can have a record; most wait in poll, futex or read. */
#define RECORDS_ORDER 12
#define RECORDS (1u << RECORDS_ORDER)
/* Places that are looked at; a task that finds all taken gets no record. */
#define NEIGHBOURS 32u

static struct stp_syscall_record *record_at(const struct stp_syscall_calls *t, u32 i)
{
	return (struct stp_syscall_record *)(t->records + (size_t)(i % RECORDS) * t->size);
}

/**
 * stp_syscall_calls_init - memory for the records of a probe's calls
 * @t: zeroed
 *
 * Returns 0 or -ENOMEM; stp_syscall_calls_exit() is safe after either. Context: process, may sleep;
 * at load.
 */
int stp_syscall_calls_init(struct stp_syscall_calls *t, const struct stp_probe *p)
{
	size_t size = stp_return_call_size(p);

	if (size) {
		t->size = ALIGN(offsetof(struct stp_syscall_record, call) + size, 8);
		t->records = stp_mem_alloc((unsigned long)RECORDS * t->size);
		if (!t->records)
			return -ENOMEM;
	}
	/* a string is as likely to be on its way at any of the points: the number is not theirs */
	return stp_return_init(&t->calls, p, DIV_ROUND_UP(RECORDS, p->n_points));
}

/**
 * stp_syscall_calls_exit - give it back
 *
 * Context: process; no hit can look here any more.
 */
void stp_syscall_calls_exit(struct stp_syscall_calls *t)
{
	stp_return_exit(&t->calls);
	stp_mem_free(t->records);
	t->records = NULL;
}

/* At each task's end, in RCU's softirq as a rule. Nothing of the task runs any more. */
static void task_freed(void *data, struct task_struct *task)
{
	const struct stp_syscall_calls *t = data;
	u32 i, first = hash_ptr(task, RECORDS_ORDER);

	for (i = 0; i < NEIGHBOURS; i++) {
		struct stp_syscall_record *r = record_at(t, first + i);

		if (READ_ONCE(r->owner) == task)
			stp_syscall_record_free(r);
	}
}

/**
 * stp_syscall_calls_arm - no call is on its way that was entered before
 *
 * Context: process, may sleep; before anything is attached.
 */
void stp_syscall_calls_arm(struct stp_syscall_calls *t)
{
	u32 i;

	stp_return_arm(&t->calls);
	t->overflowed = 0;
	if (!t->records)
		return;
	for (i = 0; i < RECORDS; i++)
		record_at(t, i)->owner = NULL;
	t->freed = (struct stp_trace_hook){ "sched_process_free", (void *)task_freed, t };
	stp_trace_follow(&t->freed);
}

/**
 * stp_syscall_calls_disarm - the arming is over
 *
 * Context: process, may sleep; after everything is detached, when no hit runs.
 */
void stp_syscall_calls_disarm(struct stp_syscall_calls *t)
{
	stp_trace_leave(&t->freed, 1);
	stp_return_disarm(&t->calls);
}

/**
 * stp_syscall_record_find - the current task's record
 *
 * Returns NULL when it has none. Context: any handler of a system call.
 */
struct stp_syscall_record *stp_syscall_record_find(struct stp_syscall_calls *t)
{
	u32 i, first = hash_ptr(current, RECORDS_ORDER);

	for (i = 0; i < NEIGHBOURS; i++) {
		struct stp_syscall_record *r = record_at(t, first + i);

		if (READ_ONCE(r->owner) == current)
			return r;
	}
	return NULL;
}

/**
 * stp_syscall_record_take - a record for the call that the current task enters
 *
 * It has none. Returns a free one; NULL when all entries are taken. Context: any handler of a
 * system call.
 */
struct stp_syscall_record *stp_syscall_record_take(struct stp_syscall_calls *t)
{
	u32 i, first = hash_ptr(current, RECORDS_ORDER);

	for (i = 0; i < NEIGHBOURS; i++) {
		struct stp_syscall_record *r = record_at(t, first + i);

		if (!READ_ONCE(r->owner) && !cmpxchg(&r->owner, NULL, current))
			return r;
	}
	return NULL;
}

/**
 * stp_syscall_record_free - the call is over, or its return is not to be seen
 *
 * Context: any handler.
 */
void stp_syscall_record_free(struct stp_syscall_record *record)
{
	smp_store_release(&record->owner, NULL);
}
