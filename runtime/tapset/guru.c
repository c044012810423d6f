// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What disturbs the machine that is probed: delays, signals, a panic, lines in its logs.
 *
 * Context: any handler that is not within what the call itself needs: the console's locks, a run
 * queue or the task's signals for those that print, wake or kill. Scripts may call these only with
 * -g.
 */
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include "access/access.h"
#include "compat/kernel.h"
#include "tapset/functions.h"

/* Interrupts are off meanwhile; the watchdogs of the kernel count seconds. */
#define MAX_DELAY_MS 1000

static int delay_allowed(struct stp_ctx *c, stp_long n, stp_long max, const char *unit)
{
	if (n >= 0 && n <= max)
		return 1;
	stp_errorf(c, "a delay of %lld %s is not within 0 to %lld", n, unit, max);
	return 0;
}

void stp_fn_mdelay(struct stp_ctx *c, stp_long ms)
{
	if (delay_allowed(c, ms, MAX_DELAY_MS, "ms"))
		mdelay(ms);
}

void stp_fn_udelay(struct stp_ctx *c, stp_long us)
{
	if (!delay_allowed(c, us, 1000 * MAX_DELAY_MS, "us"))
		return;
	mdelay(us / 1000);
	udelay(us % 1000);
}

#define LOCK_TRIES 1000

/*
 * The lock of a task's signals, which sending takes, may be what was interrupted here. Another task
 * than the current one (stp_task()) may have ended: the caller is under RCU then, which its lock's
 * memory stays as long as.
 */
static int signals_free(struct task_struct *task)
{
	struct sighand_struct *sighand = READ_ONCE(task->sighand);
	u32 i;

	for (i = 0; sighand && i < LOCK_TRIES; i++) {
		if (spin_trylock(&sighand->siglock)) {
			spin_unlock(&sighand->siglock);
			return 1;
		}
		udelay(1);
	}
	return 0;
}

/* In the task that the hit is about: a thread that begins gets it before its first instruction. */
void stp_fn_raise(struct stp_ctx *c, stp_long signo)
{
	struct task_struct *task = stp_task(c);

	if (c->flags & STP_CTX_PROCESS)
		stp_error(c, "no task to raise a signal in");
	else if (!valid_signal(signo) || signo < 1)
		stp_errorf(c, "invalid signal number %lld", signo);
	else if (!signals_free(task))
		stp_error(c, "the task's signals are locked");
	else
		send_sig(signo, task, 1);
}

void stp_fn_panic(struct stp_ctx *c, struct stp_str msg)
{
	panic("%.*s", (int)min_t(u32, msg.len, 1024), msg.s);
}

void stp_fn_dump_stack(struct stp_ctx *c)
{
	dump_stack();
}
