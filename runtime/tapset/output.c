// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output beyond print: messages, the reader's services, and indentation by call depth.
 *
 * Context: any handler; stp_fn_printk() only where the console's own locks are not held by what was
 * interrupted, a scheduler's run queue included.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "access/access.h"
#include "tapset/functions.h"

void stp_fn_log(struct stp_ctx *c, struct stp_str s)
{
	char *to = stp_rec_begin(c, STP_REC_TEXT, 0, sizeof(u32) + s.len + 1);

	if (!to)
		return;
	*(u32 *)to = s.len + 1;
	memcpy(to + sizeof(u32), s.s, s.len);
	to[sizeof(u32) + s.len] = '\n';
	stp_rec_end(c);
}

void stp_fn_warn(struct stp_ctx *c, struct stp_str s)
{
	stp_rec_text(c, STP_REC_WARNING, s.s, s.len);
}

void stp_fn_error(struct stp_ctx *c, struct stp_str s)
{
	stp_error_str(c, s);
}

void stp_fn_system(struct stp_ctx *c, struct stp_str command)
{
	stp_rec_text(c, STP_REC_SYSTEM, command.s, command.len);
}

void stp_fn_switch_file(struct stp_ctx *c)
{
	stp_rec_text(c, STP_REC_SWITCH, "", 0);
}

/*
 * printk() keeps no more of a line (kernel/printk, LOG_LINE_MAX); vsnprintf() warns of a precision
 * above 32767.
 */
#define PRINTK_MAX 1024

void stp_fn_printk(struct stp_ctx *c, stp_long level, struct stp_str s)
{
	printk("\001%c%.*s\n", (char)('0' + clamp_t(stp_long, level, 0, 7)),
	       (int)min_t(u32, s.len, PRINTK_MAX), s.s);
}

/*
 * Indentation. One row per thread that is inside something, found by its id and the time it began,
 * since ids are used again; only the thread itself touches its row, so taking one is the only step
 * that has to be atomic. A thread may end inside and leave its row behind: where a neighbourhood is
 * full, such rows are taken over. A thread that finds none then has depth 0, and it is not told.
 */
#define ROWS 2048 /* a power of two */
#define NEIGHBOURS 16

struct indent_row {
	s32 id; /* 0: free */
	s32 depth;
	u64 start; /* by the clock of the caller */
	u64 born;  /* start_time of the thread */
};

static struct indent_row rows[ROWS + 1]; /* the last is indent()'s */
#define GLOBAL_ROW (&rows[ROWS])

/* Has the thread of a row ended? Those of idle tasks, below 0, do not. */
static int row_left(s32 id)
{
	int left;

	rcu_read_lock();
	left = id > 0 && !pid_task(find_pid_ns(id, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return left;
}

static int row_take(struct indent_row *row, s32 from, s32 id, u64 born)
{
	if (READ_ONCE(row->id) != from || cmpxchg(&row->id, from, id) != from)
		return 0;
	row->depth = 0;
	row->born = born;
	return 1;
}

static struct indent_row *row_find(s32 id, u64 born)
{
	u32 at = (u32)id * 2654435761u, i;
	struct indent_row *row;

	for (i = 0; i < NEIGHBOURS; i++) {
		row = &rows[(at + i) & (ROWS - 1)];
		if (READ_ONCE(row->id) != id)
			continue;
		if (row->born != born)
			row->depth = 0;
		row->born = born;
		return row;
	}
	for (i = 0; i < NEIGHBOURS; i++) {
		row = &rows[(at + i) & (ROWS - 1)];
		if (row_take(row, 0, id, born))
			return row;
	}
	for (i = 0; i < NEIGHBOURS; i++) {
		s32 other;

		row = &rows[(at + i) & (ROWS - 1)];
		other = READ_ONCE(row->id);
		if (other && row_left(other) && row_take(row, other, id, born))
			return row;
	}
	return NULL;
}

/*
 * Apply delta; returns the depth to show: that of the deeper side of the step less one, so what is
 * outermost stands at the margin.
 */
static s32 row_step(struct indent_row *row, stp_long delta, u64 now, u64 *since)
{
	s32 deeper;

	delta = clamp_t(stp_long, delta, -1000000, 1000000);
	if (!row->depth)
		row->start = now;
	*since = now - row->start;
	deeper = row->depth + (delta > 0 ? delta : 0);
	row->depth = max_t(s32, row->depth + delta, 0);
	return max(deeper - 1, 0);
}

static s32 thread_step(struct stp_ctx *c, stp_long delta, u64 now, u64 *since)
{
	struct task_struct *task = stp_task(c);
	s32 id = task->pid ?: -1 - raw_smp_processor_id(); /* idle tasks share pid 0 */
	struct indent_row *row = row_find(id, task->start_time);
	s32 shown;

	*since = 0;
	if (!row)
		return 0;
	shown = row_step(row, delta, now, since);
	if (!row->depth)
		smp_store_release(&row->id,
				  0); /* pairs with the cmpxchg() of whoever takes it next */
	return shown;
}

/* indent() is one row for all: racing CPUs may disturb each other's depth, never more. */
static s32 global_step(stp_long delta, u64 now, u64 *since)
{
	return row_step(GLOBAL_ROW, delta, now, since);
}

struct stp_str stp_fn_thread_indent(struct stp_ctx *c, stp_long delta, stp_long now)
{
	struct task_struct *task = stp_task(c);
	struct stp_text t;
	u64 since;
	s32 depth;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	depth = thread_step(c, delta, now, &since);
	stp_text_printf(&t, "%6llu %.*s(%d):%*s", since, TASK_COMM_LEN, task->comm, task->pid,
			min_t(s32, depth, stp_script.max_string), "");
	return stp_text_end(c, &t);
}

stp_long stp_fn_thread_indent_depth(struct stp_ctx *c, stp_long delta, stp_long now)
{
	u64 since;

	return thread_step(c, delta, now, &since);
}

struct stp_str stp_fn_indent(struct stp_ctx *c, stp_long delta, stp_long now)
{
	struct stp_text t;
	u64 since;
	s32 depth;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	depth = global_step(delta, now, &since);
	stp_text_printf(&t, "%6llu :%*s", since, min_t(s32, depth, stp_script.max_string), "");
	return stp_text_end(c, &t);
}

stp_long stp_fn_indent_depth(struct stp_ctx *c, stp_long delta, stp_long now)
{
	u64 since;

	return global_step(delta, now, &since);
}
