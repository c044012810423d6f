// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls of user space that are on their way, for return probes on exits and those that save values
 * at the entry. The kernel calls the return handler of a uretprobe with the function's address and
 * the registers, and forgets calls that were left another way (longjmp, an exception, exit). So a
 * call is known by its stack, the stack pointer it was entered with and the function. Calls of one
 * stack stand newest first. One may be dead when another is seen to be entered or left whose stack
 * pointer lies above; for the kernel it is (arch_uretprobe_is_alive(), kernel/events/uprobes.c).
 * But a thread need not be on one stack: programs change them (makecontext(3), fibers), and so do
 * signals (sigaltstack(2)), which of several lies above says nothing, and the probed file does not
 * tell. So a call below is dead when its return address does not stand where it was entered any
 * more, or when there is no room.
 *
 * A call entered at the stack pointer of an older one is a jump from that one's end (both are
 * alive, and both return at once, to one place), or the older one is dead: that it is when the same
 * function was called from the same place, and when a return there leads to another place.
 *
 * A forked child returns from the calls that its parent was in, so it gets copies of them.
 */
#include <linux/hash.h>
#include <linux/sched/task_stack.h>
#include "access/access.h"
#include "arch/arch.h"
#include "compat/portable.h"
#include "probes/uprobe.h"

#define CALLS 4096
/* Of calls below that may be alive, as many are looked at in one hit. */
#define LOOKS 64

static struct stp_user_call *call_at(const struct stp_user_calls *t, u32 number)
{
	return (struct stp_user_call *)(t->calls + (size_t)(number - 1) * t->size);
}

static u32 number_of(const struct stp_user_calls *t, const struct stp_user_call *call)
{
	return ((const char *)call - t->calls) / t->size + 1;
}

static struct stp_user_bucket *bucket_of(struct stp_user_calls *t,
					 const struct stp_user_frame *frame)
{
	return &t->buckets[hash_long((unsigned long)frame->owner ^ frame->stack,
				     ilog2(STP_USER_CALL_BUCKETS))];
}

static int is_on_stack_of(const struct stp_user_call *call, const struct stp_user_frame *frame)
{
	return call->frame.owner == frame->owner && call->frame.stack == frame->stack;
}

static int is_of_frame(const struct stp_user_call *call, const struct stp_user_frame *frame)
{
	return is_on_stack_of(call, frame) && call->frame.sp == frame->sp &&
	       call->frame.entry == frame->entry;
}

/**
 * stp_user_calls_init - memory for the calls of a probe
 * @t: zeroed
 * @record_size: of each
 *
 * Returns 0 or -ENOMEM; stp_user_calls_exit() is safe after either. Context: process, may sleep; at
 * load.
 */
int stp_user_calls_init(struct stp_user_calls *t, size_t record_size)
{
	u32 i;

	t->size = ALIGN(sizeof(struct stp_user_call) + record_size, 8);
	t->n = CALLS;
	t->calls = stp_mem_alloc((unsigned long)t->n * t->size);
	raw_spin_lock_init(&t->lock);
	for (i = 0; i < STP_USER_CALL_BUCKETS; i++)
		raw_spin_lock_init(&t->buckets[i].lock);
	return t->calls ? 0 : -ENOMEM;
}

/**
 * stp_user_calls_exit - give it back
 *
 * Context: process; no hit can look here any more. Also zeroed.
 */
void stp_user_calls_exit(struct stp_user_calls *t)
{
	stp_mem_free(t->calls);
	t->calls = NULL;
}

static void give_back(struct stp_user_calls *t, struct stp_user_call *call)
{
	raw_spin_lock(&t->lock);
	call->frame.owner = NULL;
	call->next = t->free;
	t->free = number_of(t, call);
	raw_spin_unlock(&t->lock);
}

static struct stp_user_call *take(struct stp_user_calls *t)
{
	struct stp_user_call *call = NULL;

	raw_spin_lock(&t->lock);
	if (t->free) {
		call = call_at(t, t->free);
		t->free = call->next;
	} else {
		t->overflowed = 1;
	}
	raw_spin_unlock(&t->lock);
	return call;
}

/* A call that jumped elsewhere and did not come back was ended by a return that nobody saw. */
static void count_unseen(const struct stp_user_call *call)
{
	if (call->jumped && !call->skipped)
		atomic64_inc(&call->frame.entry->missed);
}

/* Takes the call at *link out of its bucket, whose lock is held. */
static void drop(struct stp_user_calls *t, u32 *link)
{
	struct stp_user_call *call = call_at(t, *link);

	*link = call->next;
	count_unseen(call);
	t->dropped(t->arg, call);
	give_back(t, call);
}

/*
 * Does the return address of a call of the current thread stand where it was, or what a uretprobe
 * may have put there? No: where it stands is not known, as on a stack that moves.
 */
static int is_intact(const struct stp_user_call *call)
{
	const u32 word = stp_arch_user_word((struct stp_regs *)task_pt_regs(current));
	unsigned long from = 0;

	return STP_ARCH_RETURN_WORDS && !call->frame.stack &&
	       !stp_copy_from(STP_USER, &from, call->frame.sp, word) &&
	       (from == call->from || stp_uprobe_may_be_trampoline(from));
}

/* *ALIVE: those that were not, in this hit. */
static int is_dead_below(const struct stp_user_call *call, u32 *alive)
{
	if (*alive == LOOKS)
		return 0;
	if (!is_intact(call))
		return 1;
	++*alive;
	return 0;
}

/* Of a call at the stack pointer of FRAME. */
static int is_dead_beside(const struct stp_user_call *call, const struct stp_user_frame *frame,
			  int is_return, unsigned long from)
{
	if (is_return)
		return from && call->from && call->from != from;
	return is_of_frame(call, frame) && call->from == from;
}

/*
 * Calls on the stack of FRAME that cannot return any more. A return to FROM: all at the same sp may
 * be alive that return there; 0: all.
 */
static void drop_dead(struct stp_user_calls *t, struct stp_user_bucket *b,
		      const struct stp_user_frame *frame, int is_return, unsigned long from)
{
	u32 *link = &b->first, alive = 0;

	while (*link) {
		struct stp_user_call *call = call_at(t, *link);

		if (is_on_stack_of(call, frame) &&
		    ((call->frame.sp < frame->sp && is_dead_below(call, &alive)) ||
		     (call->frame.sp == frame->sp && is_dead_beside(call, frame, is_return, from))))
			drop(t, link);
		else
			link = &call->next;
	}
}

/* All calls of the thread below FRAME, dead or not: what the others still return from is missed. */
static void drop_below(struct stp_user_calls *t, struct stp_user_bucket *b,
		       const struct stp_user_frame *frame)
{
	u32 *link = &b->first;

	while (*link) {
		struct stp_user_call *call = call_at(t, *link);

		if (!is_on_stack_of(call, frame) || call->frame.sp >= frame->sp) {
			link = &call->next;
			continue;
		}
		if (!call->jumped && !call->skipped && is_intact(call))
			atomic64_inc(&call->frame.entry->missed);
		drop(t, link);
	}
}

/**
 * stp_user_calls_enter - a call begins
 * @frame: which; copied
 * @from: the return address
 *
 * Returns its record's place, for stp_user_calls_add(); NULL when there is none free. Looks at the
 * calls on their way in one bucket, at most all. Context: the handler of a uprobe, interrupts off.
 */
struct stp_user_call *stp_user_calls_enter(struct stp_user_calls *t,
					   const struct stp_user_frame *frame, unsigned long from)
{
	struct stp_user_bucket *b = bucket_of(t, frame);
	struct stp_user_call *call;

	raw_spin_lock(&b->lock);
	drop_dead(t, b, frame, 0, from);
	call = take(t);
	if (!call) {
		drop_below(t, b, frame);
		call = take(t);
	}
	if (call) {
		call->frame = *frame;
		call->from = from;
		call->skipped = call->jumped = call->forked = 0;
	}
	raw_spin_unlock(&b->lock);
	return call;
}

/**
 * stp_user_calls_add - from now on the call is found
 * @call: from stp_user_calls_enter(); its record is complete
 *
 * No sooner: two threads of a program may claim to be on one stack (uexit.c reads which it is from
 * the program's registers), and then a hit of one drops the calls of the other. Context: as above.
 */
void stp_user_calls_add(struct stp_user_calls *t, struct stp_user_call *call)
{
	struct stp_user_bucket *b = bucket_of(t, &call->frame);

	raw_spin_lock(&b->lock);
	call->next = b->first;
	b->first = number_of(t, call);
	raw_spin_unlock(&b->lock);
}

/* Where the number of the call of that frame stands; 0 is there: it is not known. */
static u32 *find(struct stp_user_calls *t, struct stp_user_bucket *b,
		 const struct stp_user_frame *frame)
{
	u32 *link = &b->first;

	while (*link && !is_of_frame(call_at(t, *link), frame))
		link = &call_at(t, *link)->next;
	return link;
}

/**
 * stp_user_calls_has - is there a call of that frame?
 *
 * Context: as above.
 */
int stp_user_calls_has(struct stp_user_calls *t, const struct stp_user_frame *frame)
{
	struct stp_user_bucket *b = bucket_of(t, frame);
	int found;

	raw_spin_lock(&b->lock);
	found = *find(t, b, frame) != 0;
	raw_spin_unlock(&b->lock);
	return found;
}

/**
 * stp_user_calls_leave - a call is over
 * @from: where it returns to; 0: not known
 *
 * Returns it, which nobody else finds any more, for stp_user_calls_free(); NULL when it is not
 * known. Context: as above.
 */
struct stp_user_call *stp_user_calls_leave(struct stp_user_calls *t,
					   const struct stp_user_frame *frame, unsigned long from)
{
	struct stp_user_bucket *b = bucket_of(t, frame);
	struct stp_user_call *found = NULL;
	u32 *link;

	raw_spin_lock(&b->lock);
	drop_dead(t, b, frame, 1, from);
	link = find(t, b, frame);
	if (*link) {
		found = call_at(t, *link);
		*link = found->next;
	}
	raw_spin_unlock(&b->lock);
	return found;
}

/**
 * stp_user_calls_jump - a call may be over, or go on
 *
 * When nothing more is seen of it, it is counted as missed. Context: as above.
 */
void stp_user_calls_jump(struct stp_user_calls *t, const struct stp_user_frame *frame)
{
	struct stp_user_bucket *b = bucket_of(t, frame);
	u32 *link;

	raw_spin_lock(&b->lock);
	link = find(t, b, frame);
	if (*link)
		call_at(t, *link)->jumped = 1;
	raw_spin_unlock(&b->lock);
}

/**
 * stp_user_calls_free - its record is not needed any more
 *
 * Context: as above.
 */
void stp_user_calls_free(struct stp_user_calls *t, struct stp_user_call *call)
{
	give_back(t, call);
}

static void drop_owned(struct stp_user_calls *t, struct stp_user_bucket *b,
		       const struct task_struct *task)
{
	unsigned long flags;
	u32 *link = &b->first;

	raw_spin_lock_irqsave(&b->lock, flags);
	while (*link) {
		struct stp_user_call *call = call_at(t, *link);

		if (call->frame.owner == task)
			drop(t, link);
		else
			link = &call->next;
	}
	raw_spin_unlock_irqrestore(&b->lock, flags);
}

/* Nothing of the task runs any more. In RCU's softirq as a rule. */
static void task_freed(void *data, struct task_struct *task)
{
	struct stp_user_calls *t = data;
	u32 i;

	for (i = 0; i < STP_USER_CALL_BUCKETS; i++)
		if (READ_ONCE(t->buckets[i].first))
			drop_owned(t, &t->buckets[i], task);
}

/*
 * Copies of the calls of PARENT for CHILD, in their order, from *FIRST on. Returns the link behind.
 */
static u32 *copy_calls(struct stp_user_calls *t, struct stp_user_bucket *b,
		       const struct stp_user_frame *parent, struct task_struct *child, u32 *first)
{
	u32 number, *last = first;

	for (number = b->first; number; number = call_at(t, number)->next) {
		const struct stp_user_call *call = call_at(t, number);
		struct stp_user_call *copy = is_on_stack_of(call, parent) ? take(t) : NULL;

		if (!copy)
			continue;
		copy->frame = call->frame;
		copy->frame.owner = child;
		copy->func = call->func;
		copy->from = call->from;
		copy->skipped = call->skipped;
		copy->jumped = 0;
		copy->forked = 1;
		copy->next = 0;
		*last = number_of(t, copy);
		last = &copy->next;
	}
	return last;
}

/* A new thread has a stack of its own, and returns from none of these. */
static int goes_on_with_stack(struct task_struct *child)
{
	return stp_arch_sp((struct stp_regs *)task_pt_regs(child)) ==
	       stp_arch_sp((struct stp_regs *)task_pt_regs(current));
}

static void task_forked(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct stp_user_calls *t = data;
	struct stp_user_frame of_parent = { .owner = parent }, of_child = { .owner = child };
	struct stp_user_bucket *b = bucket_of(t, &of_parent);
	u32 first = 0, *last;
	unsigned long flags;

	if (!READ_ONCE(b->first) || parent != current || !goes_on_with_stack(child))
		return;
	raw_spin_lock_irqsave(&b->lock, flags);
	last = copy_calls(t, b, &of_parent, child, &first);
	raw_spin_unlock(&b->lock);
	b = bucket_of(t, &of_child);
	raw_spin_lock(&b->lock);
	if (first) {
		*last = b->first;
		b->first = first;
	}
	raw_spin_unlock_irqrestore(&b->lock, flags);
}

/**
 * stp_user_calls_arm - no call is on its way, and those of tasks that die will be forgotten
 *
 * Context: process, may sleep; before anything is attached.
 */
void stp_user_calls_arm(struct stp_user_calls *t)
{
	u32 i;

	for (i = 0; i < STP_USER_CALL_BUCKETS; i++)
		t->buckets[i].first = 0;
	for (i = 1; i <= t->n; i++)
		call_at(t, i)->next = i < t->n ? i + 1 : 0;
	t->free = 1;
	t->overflowed = 0;
	t->tasks[0] = (struct stp_trace_hook){ "sched_process_free", (void *)task_freed, t };
	t->tasks[1] = (struct stp_trace_hook){ "sched_process_fork", (void *)task_forked, t };
	for (i = 0; i < ARRAY_SIZE(t->tasks); i++)
		stp_trace_follow(&t->tasks[i]);
}

/**
 * stp_user_calls_disarm - the arming is over
 *
 * Calls that may have ended unseen are counted as missed, at their entries. Context: process, may
 * sleep; after everything is detached, before that is counted.
 */
void stp_user_calls_disarm(struct stp_user_calls *t)
{
	u32 i, number;

	stp_trace_leave(t->tasks, ARRAY_SIZE(t->tasks));
	for (i = 0; i < STP_USER_CALL_BUCKETS; i++) {
		for (number = t->buckets[i].first; number; number = call_at(t, number)->next)
			count_unseen(call_at(t, number));
		t->buckets[i].first = 0;
	}
}
