// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments and environment of the current process, from its own memory, where it may have changed
 * them. Nothing is brought in: what lies behind a page that is not present is left out, and so is
 * what lies behind SCANNED bytes or STRINGS_MAX strings. A thread of the kernel has neither; begin,
 * end and error handlers get those of the reader.
 *
 * Context: any handler.
 */
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include "access/access.h"
#include "tapset/functions.h"

#define SCANNED (128 * 1024)

/* Strings one behind the other, each with its NUL. */
struct strings {
	u64 at, end;
	u32 n;     /* taken so far, */
	u32 parts; /* in so many parts */
};

/*
 * So many are one action, or so many parts of long ones: a process chooses how many it has, and how
 * long they are.
 */
#define STRINGS_PER_ACTION 16
#define STRINGS_MAX 4096
#define PARTS_PER_ACTION 64

/* Returns 0 for a task without user memory. */
static int strings_of(struct stp_ctx *c, int environment, struct strings *ret)
{
	const struct mm_struct *mm = current->mm;

	if (!mm)
		return 0;
	ret->at = READ_ONCE(*(environment ? &mm->env_start : &mm->arg_start));
	ret->end = READ_ONCE(*(environment ? &mm->env_end : &mm->arg_end));
	ret->end = min(ret->end, ret->at + SCANNED);
	ret->n = ret->parts = 0;
	return 1;
}

/*
 * Takes the next string and keeps it in t, or passes it over (NULL). Returns 0 when there is none,
 * it cannot be read, or the handler is out of actions.
 */
static int strings_next(struct stp_ctx *c, struct strings *s, struct stp_text *t)
{
	char part[64];

	if (s->at >= s->end || s->n == STRINGS_MAX ||
	    (++s->n % STRINGS_PER_ACTION == 0 && stp_actions(c, 1)))
		return 0;
	for (;;) {
		u32 room = min_t(u64, s->end - s->at, sizeof(part));
		int len = stp_copy_string(STP_USER, part, s->at, room);

		if (len < 0)
			return 0;
		if (t)
			stp_text_add(t, part, len);
		s->at += len;
		if (len < room || s->at >= s->end) {
			s->at++; /* its NUL */
			return 1;
		}
		if (++s->parts % PARTS_PER_ACTION == 0 && stp_actions(c, 1))
			return 0;
	}
}

struct stp_str stp_fn_cmdline_args(struct stp_ctx *c, stp_long first, stp_long last,
				   struct stp_str delimiter)
{
	struct strings args;
	struct stp_text t;
	stp_long i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (!strings_of(c, 0, &args))
		return stp_text_end(c, &t);
	first = max_t(stp_long, first, 0);
	for (i = 0; (last < 0 || i <= last) && t.len + 1 < t.size; i++) {
		if (i > first && args.at < args.end && args.n < STRINGS_MAX)
			stp_text_add(&t, delimiter.s, delimiter.len);
		if (!strings_next(c, &args, i >= first ? &t : NULL))
			break;
	}
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_env_var(struct stp_ctx *c, struct stp_str name)
{
	struct strings variables;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (!name.len || !strings_of(c, 1, &variables))
		return stp_text_end(c, &t);
	while (strings_next(c, &variables, &t)) {
		if (t.len > name.len && t.s[name.len] == '=' && !memcmp(t.s, name.s, name.len)) {
			t.len -= name.len + 1;
			memmove(t.s, t.s + name.len + 1, t.len);
			return stp_text_end(c, &t);
		}
		t.len = 0;
	}
	t.len = 0;
	return stp_text_end(c, &t);
}
