// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings that wait for a function's return. What the kernel keeps with a call holds a few words
 * (fprobe of 6.14 and later: fifteen; kretprobes: 4096 bytes), so the strings are here and the
 * call keeps the number of its slot. A call finds no slot when more are on their way than the
 * script's maxactive allows; then its return is one of those missed.
 *
 * A call that never returns, because its task exits inside, would keep its slot for ever: slots
 * of a task are taken back when the kernel frees it, after which nothing of it can run.
 *
 * Free slots are a stack whose head carries a count of its changes, so that taking one is safe
 * against others that take it and give it back meanwhile.
 */
#include <linux/overflow.h>
#include <linux/tracepoint.h>
#include "compat/portable.h"
#include "probes/probes.h"

#define SLOTS_MAX 65536u
#define SLOTS_OF_CPU 16
#define SLOTS_LEAST 256

/* In front of each string in a slot. */
struct text_head {
	u32 len;
	u32 unused;
	char text[];
};

static u32 text_size(void)
{
	return sizeof(struct text_head) + ALIGN(stp_script.max_string, 8);
}

static char *slot_bytes(const struct stp_texts *t, u32 slot)
{
	return t->bytes + (size_t)(slot - 1) * t->slot_size;
}

static u32 slots_wanted(const struct stp_probe *p)
{
	u32 max_active = p->points->text.max_active;
	u64 n = max_active ? min_t(u64, max_active, SLOTS_MAX) * p->n_points
			   : max_t(u64, SLOTS_LEAST, SLOTS_OF_CPU * num_possible_cpus());

	return min_t(u64, n, SLOTS_MAX);
}

/* The head of the stack of free slots after a change. */
static u64 next_head(u64 head, u32 slot)
{
	return (((head >> 32) + 1) << 32) | slot;
}

/**
 * stp_texts_init - memory for the strings of a probe's calls
 *
 * Context: process, may sleep. Returns 0 or -ENOMEM; stp_texts_exit() is safe after either.
 */
int stp_texts_init(struct stp_texts *t, const struct stp_probe *p)
{
	u32 n = slots_wanted(p);

	if (!p->n_texts)
		return 0;
	t->slot_size = p->n_texts * text_size();
	t->slots = stp_mem_alloc(array_size(n, sizeof(*t->slots)));
	t->bytes = stp_mem_alloc(array_size(n, t->slot_size));
	if (!t->slots || !t->bytes)
		return -ENOMEM;
	t->n = n;
	stp_texts_reset(t);
	return 0;
}

/**
 * stp_texts_reset - all slots are free
 *
 * Those of calls whose return will not be seen any more too: they were entered under an earlier arming.
 *
 * Context: process; the probe is not armed, and no handler of its runs.
 */
void stp_texts_reset(struct stp_texts *t)
{
	u32 i;

	if (!t->n)
		return;
	for (i = 1; i <= t->n; i++) {
		t->slots[i - 1].owner = NULL;
		t->slots[i - 1].next = i < t->n ? i + 1 : 0;
	}
	atomic64_set(&t->head, next_head(atomic64_read(&t->head), 1));
}

/**
 * stp_texts_exit - give the memory back
 *
 * Context: process; no call of the probe is on its way any more. Also zeroed.
 */
void stp_texts_exit(struct stp_texts *t)
{
	stp_mem_free(t->slots);
	stp_mem_free(t->bytes);
	memset(t, 0, sizeof(*t));
}

/* ---- the stack of free slots: numbers from 1; 0 is its end ---- */

/**
 * stp_texts_take - a slot for a call of the current task, and c->texts to fill it
 *
 * Context: any handler. Returns 0, counted, when there is none.
 */
u32 stp_texts_take(struct stp_texts *t, struct stp_ctx *c)
{
	u64 head = atomic64_read(&t->head), old;
	u32 slot;

	for (;;) {
		slot = (u32)head;
		if (!slot) {
			stp_skip(stp_cpu_of(c), c->probe, STP_SKIP_SAVED);
			return 0;
		}
		old = atomic64_cmpxchg(&t->head, head,
				       next_head(head, READ_ONCE(t->slots[slot - 1].next)));
		if (old == head)
			break;
		head = old;
	}
	WRITE_ONCE(t->slots[slot - 1].owner, current);
	stp_texts_use(t, c, slot);
	return slot;
}

/**
 * stp_texts_use - point c->texts at the strings of a slot
 *
 * Context: any handler.
 */
void stp_texts_use(const struct stp_texts *t, struct stp_ctx *c, u32 slot)
{
	c->texts = slot_bytes(t, slot);
}

/**
 * stp_texts_give - the call with that slot is over
 *
 * Context: any handler, NMI too.
 */
void stp_texts_give(struct stp_texts *t, u32 slot)
{
	u64 head = atomic64_read(&t->head), old;

	WRITE_ONCE(t->slots[slot - 1].owner, NULL);
	for (;;) {
		WRITE_ONCE(t->slots[slot - 1].next, (u32)head);
		old = atomic64_cmpxchg(&t->head, head, next_head(head, slot));
		if (old == head)
			return;
		head = old;
	}
}

/* ---- tasks that died inside ---- */

static void task_freed(void *data, struct task_struct *task)
{
	struct stp_texts *t = data;
	u32 i;

	for (i = 1; i <= t->n; i++) {
		if (READ_ONCE(t->slots[i - 1].owner) == task)
			stp_texts_give(t, i);
	}
}

/**
 * stp_texts_watch - take back the slots of tasks that die
 *
 * Context: process, may sleep. On a kernel without the tracepoint such slots stay taken.
 */
void stp_texts_watch(struct stp_texts *t)
{
	if (!t->n)
		return;
	t->freed = stp_tracepoint_find("sched_process_free");
	if (t->freed && tracepoint_probe_register(t->freed, (void *)task_freed, t))
		t->freed = NULL;
}

/**
 * stp_texts_unwatch - leave dead tasks' slots alone again
 *
 * Afterwards task_freed() does not run. Harmless when nothing is watched. Context: process, may
 * sleep.
 */
void stp_texts_unwatch(struct stp_texts *t)
{
	if (!t->freed)
		return;
	tracepoint_probe_unregister(t->freed, (void *)task_freed, t);
	tracepoint_synchronize_unregister();
	t->freed = NULL;
}

/* ---- for generated code ---- */

static struct text_head *text_of(const struct stp_ctx *c, u32 index)
{
	return (struct text_head *)(c->texts + (size_t)index * text_size());
}

/**
 * stp_text_save - keep a string until the function returns
 *
 * Context: the entry handler of a return probe.
 */
void stp_text_save(struct stp_ctx *c, stp_u32 index, struct stp_str v)
{
	struct text_head *head = text_of(c, index);

	head->len = stp_str_store(head->text, stp_script.max_string, v).len;
}

/**
 * stp_text_saved - the string kept at entry; it stays where it is while the handler runs
 *
 * Context: the handler of a return probe.
 */
struct stp_str stp_text_saved(struct stp_ctx *c, stp_u32 index)
{
	const struct text_head *head = text_of(c, index);

	return (struct stp_str){ head->text, head->len };
}
