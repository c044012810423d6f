// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings that wait for a function's return. What the kernel keeps with a call holds a few words
 * (fprobe of 6.14 and later: fifteen; kretprobes: 4096 bytes), so the strings are here and the
 * call keeps the number of its instance. A call finds no instance when more are on their way than
 * the script's maxactive allows; then its return is one of those missed.
 *
 * A call that never returns, because its task exits inside, would keep its instance for ever:
 * instances of a task are taken back when the kernel frees it, after which nothing of it can run.
 *
 * Free instances are a stack whose head carries a count of its changes, so that taking one is safe
 * against others that take it and give it back meanwhile.
 */
#include <linux/overflow.h>
#include "compat/portable.h"
#include "probes/probes.h"

#define INSTANCES_MAX 65536u
#define INSTANCES_OF_CPU 16
#define INSTANCES_LEAST 256

/* In front of each string in an instance. */
struct string_head {
	u32 len;
	u32 unused;
	char text[];
};

static u32 string_size(void)
{
	return sizeof(struct string_head) + ALIGN(stp_script.max_string, 8);
}

static char *instance_bytes(const struct stp_saved_strings *t, u32 instance)
{
	return t->bytes + (size_t)(instance - 1) * t->instance_size;
}

static u32 instances_wanted(const struct stp_probe *p, u32 max_active)
{
	u64 n = max_active ? min_t(u64, max_active, INSTANCES_MAX) * p->n_points
			   : max_t(u64, INSTANCES_LEAST, INSTANCES_OF_CPU * num_possible_cpus());

	return min_t(u64, n, INSTANCES_MAX);
}

/* The head of the stack of free instances after a change. */
static u64 next_head(u64 head, u32 instance)
{
	return (((head >> 32) + 1) << 32) | instance;
}

/**
 * stp_saved_strings_init - memory for the strings of a probe's calls
 * @max_active: calls of a point that may be on their way at once; 0: as many as the machine makes
 * likely
 *
 * Context: process, may sleep. Returns 0 or -ENOMEM; stp_saved_strings_exit() is safe after either.
 */
int stp_saved_strings_init(struct stp_saved_strings *t, const struct stp_probe *p, u32 max_active)
{
	u32 n = instances_wanted(p, max_active);

	if (!p->n_saved_strings)
		return 0;
	t->instance_size = p->n_saved_strings * string_size();
	t->instances = stp_mem_alloc(array_size(n, sizeof(*t->instances)));
	t->bytes = stp_mem_alloc(array_size(n, t->instance_size));
	if (!t->instances || !t->bytes)
		return -ENOMEM;
	t->n = n;
	stp_saved_strings_reset(t);
	return 0;
}

/**
 * stp_saved_strings_reset - all instances are free
 *
 * Those of calls whose return will not be seen any more too: they were entered under an earlier
 * arming.
 *
 * Context: process; the probe is not armed, and no handler of its runs.
 */
void stp_saved_strings_reset(struct stp_saved_strings *t)
{
	u32 i;

	if (!t->n)
		return;
	for (i = 1; i <= t->n; i++) {
		t->instances[i - 1].owner = NULL;
		t->instances[i - 1].next = i < t->n ? i + 1 : 0;
	}
	atomic_set(&t->taken, 0);
	t->highest = 0;
	atomic64_set(&t->head, next_head(atomic64_read(&t->head), 1));
}

/**
 * stp_saved_strings_exit - give the memory back
 *
 * Context: process; no call of the probe is on its way any more. Also zeroed.
 */
void stp_saved_strings_exit(struct stp_saved_strings *t)
{
	stp_mem_free(t->instances);
	stp_mem_free(t->bytes);
	memset(t, 0, sizeof(*t));
}

/* ---- the stack of free instances: numbers from 1; 0 is its end ---- */

/*
 * The free ones are a stack, so the highest number taken is about the most calls that were ever on
 * their way at once.
 */
static void note_taken(struct stp_saved_strings *t, u32 instance)
{
	u32 seen = READ_ONCE(t->highest), old;

	atomic_inc(&t->taken);
	while (unlikely(instance > seen)) {
		old = cmpxchg(&t->highest, seen, instance);
		if (old == seen)
			break;
		seen = old;
	}
}

/**
 * stp_saved_strings_alloc - an instance for a call of the current task, and c->saved_strings to
 * fill it
 *
 * Context: any handler. Returns 0, counted, when there is none.
 */
u32 stp_saved_strings_alloc(struct stp_saved_strings *t, struct stp_ctx *c)
{
	u64 head = atomic64_read(&t->head), old;
	u32 instance;

	for (;;) {
		instance = (u32)head;
		if (!instance) {
			stp_skip(stp_cpu_of(c), c->probe, STP_SKIP_SAVED);
			return 0;
		}
		old = atomic64_cmpxchg(&t->head, head,
				       next_head(head, READ_ONCE(t->instances[instance - 1].next)));
		if (old == head)
			break;
		head = old;
	}
	note_taken(t, instance);
	WRITE_ONCE(t->instances[instance - 1].owner, current);
	stp_saved_strings_use(t, c, instance);
	return instance;
}

/**
 * stp_saved_strings_use - point c->saved_strings at the strings of an instance
 *
 * Context: any handler.
 */
void stp_saved_strings_use(const struct stp_saved_strings *t, struct stp_ctx *c, u32 instance)
{
	c->saved_strings = instance_bytes(t, instance);
}

/**
 * stp_saved_strings_free - the call with that instance is over
 *
 * Context: any handler, NMI too.
 */
void stp_saved_strings_free(struct stp_saved_strings *t, u32 instance)
{
	u64 head = atomic64_read(&t->head), old;

	WRITE_ONCE(t->instances[instance - 1].owner, NULL);
	atomic_dec(&t->taken);
	for (;;) {
		WRITE_ONCE(t->instances[instance - 1].next, (u32)head);
		old = atomic64_cmpxchg(&t->head, head, next_head(head, instance));
		if (old == head)
			return;
		head = old;
	}
}

/* ---- tasks that died inside ---- */

/*
 * At each task's end, in RCU's softirq as a rule: nothing when no call is on its way, else a look
 * at as many instances as were ever taken at once. What the task took was taken long before.
 */
static void task_freed(void *data, struct task_struct *task)
{
	struct stp_saved_strings *t = data;
	u32 i, highest = READ_ONCE(t->highest);

	if (!atomic_read(&t->taken))
		return;
	for (i = 1; i <= highest; i++) {
		if (READ_ONCE(t->instances[i - 1].owner) == task)
			stp_saved_strings_free(t, i);
	}
}

/**
 * stp_saved_strings_watch - take back the instances of tasks that die
 *
 * Context: process, may sleep. On a kernel without the tracepoint such instances stay taken.
 */
void stp_saved_strings_watch(struct stp_saved_strings *t)
{
	if (!t->n)
		return;
	t->freed = (struct stp_trace_hook){ "sched_process_free", (void *)task_freed, t };
	stp_trace_follow(&t->freed);
}

/**
 * stp_saved_strings_unwatch - leave dead tasks' instances alone again
 *
 * Afterwards task_freed() does not run. Harmless when nothing is watched. Context: process, may
 * sleep.
 */
void stp_saved_strings_unwatch(struct stp_saved_strings *t)
{
	stp_trace_leave(&t->freed, 1);
}

/* ---- for generated code ---- */

static struct string_head *string_of(const struct stp_ctx *c, u32 index)
{
	return (struct string_head *)(c->saved_strings + (size_t)index * string_size());
}

/**
 * stp_saved_string_set - keep a string until the function returns
 *
 * Context: the entry handler of a return probe.
 */
void stp_saved_string_set(struct stp_ctx *c, stp_u32 index, struct stp_str v)
{
	struct string_head *head = string_of(c, index);

	head->len = stp_str_store(head->text, stp_script.max_string, v).len;
}

/**
 * stp_saved_string - the string kept at entry; it stays where it is while the handler runs
 *
 * Context: the handler of a return probe.
 */
struct stp_str stp_saved_string(struct stp_ctx *c, stp_u32 index)
{
	const struct string_head *head = string_of(c, index);

	return (struct stp_str){ head->text, head->len };
}
