// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Soft errors, skips, and what they add up to. A soft error ends one hit; more than MAXERRORS of
 * them end the session, and so do more than MAXSKIPPED skips.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include "core/enter.h"

int stp_max_action;
static atomic_t error_count, skip_count;

/**
 * stp_error - raise a soft error with a constant text
 *
 * The first error of a hit stays. Context: any handler.
 */
void stp_error(struct stp_ctx *c, const char *msg)
{
	if (c->error)
		return;
	c->error = msg;
	c->error_position = c->position;
	stp_cpu_of(c)->n_calls = 0;
	c->flags &= ~(STP_CTX_RAISED_AT_CALL | STP_CTX_LEAVE_OUT);
}

/**
 * stp_error_skip - raise a soft error that is nobody's fault
 * @reason: enum stp_skip, as which the hit is counted unless the script catches the error
 *
 * Context: any handler.
 */
void stp_error_skip(struct stp_ctx *c, const char *msg, u32 reason)
{
	if (c->error)
		return;
	stp_error(c, msg);
	c->flags |= STP_CTX_LEAVE_OUT;
	stp_cpu_of(c)->left_out_as = reason;
}

/**
 * stp_errorf - raise a soft error with a formatted text
 *
 * Context: any handler. The text is cut at MAXSTRINGLEN.
 */
void stp_errorf(struct stp_ctx *c, const char *fmt, ...)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	va_list ap;

	if (c->error)
		return;
	va_start(ap, fmt);
	vsnprintf(cpu->message, cpu->message_size, fmt, ap);
	va_end(ap);
	stp_error(c, cpu->message);
}

/*
 * The next portion for a handler of the session, which there is always without limits. 0 when what
 * is left is less than was spent.
 */
static int actions_refill(struct stp_ctx *c)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	int more = min(cpu->more_actions, STP_ACTIONS_PORTION - c->actions);

	if (stp_script.flags & STP_SCRIPT_NO_TIME_LIMITS)
		more = STP_ACTIONS_PORTION - c->actions;
	else
		cpu->more_actions -= more;
	c->actions += more;
	return c->actions >= 0;
}

/**
 * stp_action_overflow - c->actions is used up
 *
 * Handlers of the session get MAXACTION_INTERRUPTIBLE in portions, between which others can run.
 * One ends without a word when the session was abandoned: nobody would read it. Returns 0 when the
 * handler may go on; else 1 with the error set.
 *
 * Context: any handler; sleeps only in one of the session.
 */
int stp_action_overflow(struct stp_ctx *c)
{
	if (c->flags & STP_CTX_SLEEP && actions_refill(c)) {
		cond_resched();
		if (!stp_session_abandoned())
			return 0;
		c->flags |= STP_CTX_ABORT | STP_CTX_FATAL;
		c->error = "abort";
		return 1;
	}
	c->error = NULL;
	stp_error(c, "MAXACTION exceeded");
	c->flags |= STP_CTX_FATAL;
	return 1;
}

/**
 * stp_called - note where the function was called that an error comes out of
 *
 * A callee that failed without a position of its own (MAXNESTING exceeded, no overload left) has
 * its call's.
 *
 * Context: any handler.
 */
void stp_called(struct stp_ctx *c, u32 position)
{
	struct stp_cpu *cpu = stp_cpu_of(c);

	if (!cpu->n_calls && (!c->error_position || position == c->error_position) &&
	    !(c->flags & STP_CTX_RAISED_AT_CALL)) {
		c->error_position = position;
		c->flags |= STP_CTX_RAISED_AT_CALL;
		return;
	}
	cpu->calls[min_t(u32, cpu->n_calls, STP_MAX_CALLS - 1)] = position;
	cpu->n_calls++;
}

/* Text that is measured first, with no room for it, and then written. */
struct line {
	char *text;
	u32 size, len;
};

static __printf(2, 3) void line_add(struct line *l, const char *fmt, ...)
{
	u32 at = min(l->len, l->size);
	va_list ap;

	va_start(ap, fmt);
	l->len += vsnprintf(l->text + at, l->size - at, fmt, ap);
	va_end(ap);
}

static const char *position_text(u32 position)
{
	return position < stp_script.n_positions ? stp_script.positions[position] : "";
}

/* MESSAGE near SITE (called from SITE)... in probe PP */
static void error_line(struct stp_ctx *c, struct line *l)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	const struct stp_point *point = stp_ctx_point(c);
	const char *pp = point ? point->pp : c->probe->pn;
	const char *position = position_text(c->error_position);
	u32 i;

	l->len = 0;
	line_add(l, "%s%s%s", c->error, *position ? " near " : "", position);
	for (i = 0; i < min_t(u32, cpu->n_calls, STP_MAX_CALLS); i++) {
		if (i == STP_MAX_CALLS - 1 && cpu->n_calls > STP_MAX_CALLS)
			line_add(l, " ...");
		line_add(l, " (called from %s)", position_text(cpu->calls[i]));
	}
	line_add(l, " in probe %s", pp);
}

static void error_record(struct stp_ctx *c)
{
	struct line l = { NULL, 0, 0 };
	u32 len;
	char *to;

	error_line(c, &l);
	len = min_t(u32, l.len, stp_rec_max() - sizeof(u32) - 1);
	to = stp_rec_begin(c, STP_REC_ERROR, 0, sizeof(u32) + len + 1);
	if (!to)
		return;
	*(u32 *)to = len;
	l.text = to + sizeof(u32);
	l.size = len + 1;
	error_line(c, &l);
	stp_rec_end(c);
}

/**
 * stp_skip - count a hit that did not run to its end
 *
 * Only reasons that say the script asks for too much count towards MAXSKIPPED: a lock not had, and
 * low stack. That a handler calls a function that is probed too, or is interrupted by one, is no
 * fault of anybody's.
 *
 * Context: any, NMI included.
 */
void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, u32 reason)
{
	cpu->counts[p->index].skipped[reason]++;
	if (reason != STP_SKIP_LOCK && reason != STP_SKIP_STACK)
		return;
	if (stp_script.flags & STP_SCRIPT_SUPPRESS_ERRORS)
		return;
	if (atomic_inc_return(&skip_count) == (int)stp_script.max_skipped + 1)
		stp_session_fail(
			"Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details.");
}

/* Not to its end, whatever the reasons: one skip. */
static void skip_hit(struct stp_ctx *c, u32 reason)
{
	if (c->flags & STP_CTX_SKIPPED)
		return;
	c->flags |= STP_CTX_SKIPPED;
	stp_skip(stp_cpu_of(c), c->probe, reason);
}

/**
 * stp_error_report - write the error record of a hit that failed, or count it as a skip
 *
 * Context: the hit's own, after its handler returned.
 */
void stp_error_report(struct stp_ctx *c)
{
	struct stp_cpu *cpu = stp_cpu_of(c);

	if (c->flags & STP_CTX_ABORT) {
		c->error = NULL;
		return;
	}
	if (c->flags & STP_CTX_LEAVE_OUT) {
		c->error = NULL;
		skip_hit(c, cpu->left_out_as);
		return;
	}
	cpu->counts[c->probe->index].errors++;
	if (stp_script.flags & STP_SCRIPT_SUPPRESS_ERRORS) {
		c->error = NULL;
		return;
	}
	error_record(c);
	c->error = NULL;
	if (atomic_inc_return(&error_count) > (int)stp_script.max_errors)
		stp_session_fail(NULL);
}

/**
 * stp_skip_lock - a lock was not had in time
 *
 * The hit goes on without what it wanted to do there, and counts as a skip. Context: any handler.
 */
void stp_skip_lock(struct stp_ctx *c)
{
	skip_hit(c, STP_SKIP_LOCK);
}

/**
 * stp_enter_refused - why stp_enter_at() said no, counted
 * @state: as it was seen
 * @depth: levels of NMI count that are none of an NMI's
 *
 * The context may be in use by the handler we interrupted: only its counters are touched. Context:
 * any, NMI included; interrupts off.
 */
void stp_enter_refused(struct stp_cpu *cpu, const struct stp_probe *p, u32 state,
		       unsigned int depth)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);
	u32 reason = STP_SKIP_STACK;

	if (state != STP_STATE_RUNNING)
		reason = state < STP_STATE_RUNNING ? STP_SKIP_STATE : STP_SKIP_STOPPED;
	else if (stp_nmi(depth) || stp_stack_foreign(cpu, sp))
		reason = STP_SKIP_NMI;
	else if (cpu->c.busy)
		reason = STP_SKIP_REENTRANT;
	stp_skip(cpu, p, reason);
}

/**
 * stp_idle_refused - a hit in an idle task: does RCU not watch?
 *
 * Returns 1, counted as a skip, when it does not. Context: any handler, before it runs.
 */
int stp_idle_refused(struct stp_cpu *cpu, const struct stp_probe *p)
{
	if (rcu_is_watching())
		return 0;
	stp_skip(cpu, p, STP_SKIP_RCU);
	return 1;
}
