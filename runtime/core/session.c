// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session: loaded -> starting -> running -> stopping -> stopped, never back. Starting and
 * stopping are done by one ordered worker, so they cannot overlap and the reader is free to drain
 * the rings meanwhile; handlers only ask, through an irq_work, because they may run anywhere.
 */
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>
#include "core/enter.h"
#include "tapset/functions.h"

u32 stp_state = STP_STATE_LOADED;
stp_long stp_target;
DEFINE_MUTEX(stp_process_mutex); /* the process context, and who stp_reader is */
static u32 start_requested, exit_requested, failed;
static u32 abandoned;   /* see stp_session_abandon() */
static u32 was_running; /* all probes were armed */
static u32
	/* by the reader, before that: no end handler reports what was not measured */
	stopped_early;
static const char *fail_text;
static struct workqueue_struct *worker;

/* Run a begin, end or error handler on the process context. */
static void process_run(const struct stp_probe *p)
{
	struct stp_cpu *cpu = stp_cpus[stp_n_ctx - 1];
	struct stp_ctx *c = &cpu->c;
	int max = stp_script.flags & STP_SCRIPT_NO_TIME_LIMITS
			  ? INT_MAX
			  : min_t(u32, stp_script.max_action_interruptible, INT_MAX);

	c->regs = NULL;
	c->args = NULL;
	c->saved = NULL;
	c->error = NULL;
	c->top = cpu->scratch;
	c->probe = p;
	c->point = p->points;
	c->actions = min(max, STP_ACTIONS_PORTION);
	cpu->more_actions = max - c->actions;
	c->depth = 0;
	c->position = 0;
	c->flags = STP_CTX_SLEEP | STP_CTX_ALONE | STP_CTX_PROCESS;
	c->point_addr = 0;
	stp_counters_renew(cpu);
	cpu->timing_started = stp_timing_now();
	if (p->condition && !p->condition(c)) {
		cpu->counts[p->index].skipped[STP_SKIP_CONDITION]++;
		return;
	}
	c->busy = 1;
	p->handler(c);
	if (c->error)
		stp_error_report(c);
	if (cpu->timings)
		stp_timing_add(cpu, p);
	c->busy = 0;
	if (!(c->flags & STP_CTX_SKIPPED))
		cpu->counts[p->index].ran++;
}

/*
 * The same with the reader's memory as the user memory, since the handler is about the reader:
 * what reads its arguments or strings finds them, and current->mm of embedded C is not NULL. A
 * session that was left, or whose reader was killed, has none.
 */
static void process_run_in_reader(const struct stp_probe *p)
{
	struct mm_struct *mm = stp_reader ? get_task_mm(stp_reader) : NULL;

	if (mm)
		kthread_use_mm(mm);
	process_run(p);
	if (mm) {
		kthread_unuse_mm(mm);
		mmput(mm);
	}
}

static stp_long sequence(const struct stp_probe *p)
{
	return p->points->session.sequence;
}

/* The probe of a phase that comes after prev in (sequence, index) order. */
static const struct stp_probe *process_next(enum stp_phase phase, const struct stp_probe *prev)
{
	const struct stp_probe *best = NULL;
	u32 i;

	for (i = 0; i < stp_script.n_probes; i++) {
		const struct stp_probe *p = &stp_script.probes[i];

		if (stp_probe_phase(p) != phase)
			continue;
		if (prev &&
		    (sequence(p) < sequence(prev) || (sequence(p) == sequence(prev) && p <= prev)))
			continue;
		if (!best || sequence(p) < sequence(best))
			best = p;
	}
	return best;
}

/* What ends a phase before all its probes ran. */
static int phase_is_over(enum stp_phase phase)
{
	switch (phase) {
	case STP_PHASE_BEGIN:
		return READ_ONCE(exit_requested) || READ_ONCE(failed);
	case STP_PHASE_END:
		return READ_ONCE(failed);
	case STP_PHASE_ERROR:
	case STP_PHASE_NEVER:
	case STP_PHASE_NONE:
		break;
	}
	return 0;
}

static void process_run_all(enum stp_phase phase)
{
	const struct stp_probe *p = NULL;

	while ((p = process_next(phase, p)) != NULL) {
		if (phase_is_over(phase))
			return;
		mutex_lock(&stp_process_mutex);
		process_run_in_reader(p);
		mutex_unlock(&stp_process_mutex);
		cond_resched();
	}
}

static void start_work(struct work_struct *work)
{
	u64 began;
	int err;

	if (READ_ONCE(exit_requested)) {
		stp_control_send(STP_MSG_STARTED, 1, NULL);
		return; /* stopped before it began: no end without a begin */
	}
	WRITE_ONCE(stp_state, STP_STATE_STARTING);
	stp_arm_text[0] = '\0';
	err = stp_members_start();
	if (err) {
		WRITE_ONCE(stp_state, STP_STATE_STOPPED);
		stp_control_send(STP_MSG_STARTED, err, stp_arm_text);
		return;
	}
	process_run_all(STP_PHASE_BEGIN);
	if (READ_ONCE(exit_requested) || READ_ONCE(failed)) {
		stp_control_send(STP_MSG_STARTED, 1, NULL);
		return; /* the stop is queued behind us */
	}
	began = stp_timing_now();
	err = stp_probes_arm();
	stp_agg_add(&stp_timing_init, &stp_timing_desc,
		    stp_timing_loading + stp_timing_now() - began);
	if (err && !stp_session_ending()) {
		WRITE_ONCE(stp_state, STP_STATE_STOPPED);
		stp_control_send(STP_MSG_STARTED, err, stp_arm_text);
		return;
	}
	if (!err) {
		WRITE_ONCE(was_running, 1);
		cmpxchg(&stp_state, STP_STATE_STARTING, STP_STATE_RUNNING);
		stp_members_running();
	}
	if (READ_ONCE(exit_requested))
		cmpxchg(&stp_state, STP_STATE_RUNNING, STP_STATE_STOPPING);
	stp_control_send(STP_MSG_STARTED, READ_ONCE(exit_requested), NULL);
}

static DECLARE_WORK(starting, start_work);

/**
 * stp_session_ending - was exit asked for?
 *
 * What takes long gives up then. Never goes back to 0. Context: any, NMI included.
 */
int stp_session_ending(void)
{
	return READ_ONCE(exit_requested);
}

static void stop_work(struct work_struct *work)
{
	u32 state = READ_ONCE(stp_state);

	if (state == STP_STATE_STOPPED)
		return;
	WRITE_ONCE(stp_state, STP_STATE_STOPPING);
	if (state != STP_STATE_LOADED) {
		stp_probes_disarm();
		synchronize_rcu();
		if (fail_text)
			stp_control_send(STP_MSG_ERROR, 0, fail_text);
		if (!READ_ONCE(stopped_early)) {
			process_run_all(STP_PHASE_END);
			if (READ_ONCE(failed))
				process_run_all(STP_PHASE_ERROR);
		}
	}
	WRITE_ONCE(stp_state, STP_STATE_STOPPED);
	stp_members_stop();
	stp_control_send(STP_MSG_STOPPED, READ_ONCE(failed), NULL);
}

static DECLARE_WORK(stopping, stop_work);

static void exit_wakeup(struct irq_work *work)
{
	queue_work(worker, &stopping);
}

static struct irq_work exit_irq;

/**
 * stp_session_start - run begin handlers and arm, in the worker
 *
 * Returns 0 when it was started before: that happens once. Context: process.
 */
int stp_session_start(stp_long target)
{
	if (xchg(&start_requested, 1))
		return 0;
	WRITE_ONCE(stp_target, target);
	queue_work(worker, &starting);
	return 1;
}

/**
 * stp_session_stop - stop in good order, in the worker
 *
 * Context: process; harmless in any state.
 */
void stp_session_stop(void)
{
	if (!READ_ONCE(was_running) && !xchg(&exit_requested, 1))
		WRITE_ONCE(stopped_early, 1);
	WRITE_ONCE(exit_requested, 1);
	cmpxchg(&stp_state, STP_STATE_RUNNING, STP_STATE_STOPPING);
	queue_work(worker, &stopping);
}

/**
 * stp_session_abandon - the reader is gone, and wants nothing of the session any more
 *
 * It died, or did not wait for the end. As stp_session_stop(), but handlers of the session end at
 * their next portion of actions.
 *
 * Context: process.
 */
void stp_session_abandon(void)
{
	WRITE_ONCE(abandoned, 1);
	stp_session_stop();
}

/**
 * stp_session_abandoned - was it? Never goes back to 0
 *
 * Context: any.
 */
int stp_session_abandoned(void)
{
	return READ_ONCE(abandoned);
}

/**
 * stp_session_request_exit - exit()
 *
 * Context: any handler.
 */
void stp_session_request_exit(void)
{
	if (xchg(&exit_requested, 1))
		return;
	cmpxchg(&stp_state, STP_STATE_RUNNING, STP_STATE_STOPPING);
	irq_work_queue(&exit_irq);
}

/**
 * stp_session_fail - end the session as failed
 * @text: for the reader, static, or NULL when a record already says it
 *
 * Context: any handler.
 */
void stp_session_fail(const char *text)
{
	if (READ_ONCE(stp_state) == STP_STATE_STOPPED || xchg(&failed, 1))
		return;
	WRITE_ONCE(fail_text, text);
	stp_session_request_exit();
}

/**
 * stp_session_init - make the worker
 *
 * Context: process, at load.
 */
int stp_session_init(void)
{
	int unlimited = stp_script.flags & STP_SCRIPT_NO_TIME_LIMITS;

	init_irq_work(&exit_irq, exit_wakeup);
	stp_max_action = unlimited ? INT_MAX : min_t(u32, stp_script.max_action, INT_MAX);
	if (unlimited)
		stp_script.overload_interval = 0;
	stp_timed = stp_script.overload_interval || (stp_script.flags & STP_SCRIPT_TIMING);
	worker = alloc_ordered_workqueue("%s", 0, THIS_MODULE->name);
	return worker ? 0 : -ENOMEM;
}

/**
 * stp_session_finish - stop what still runs and wait for it
 *
 * Afterwards the session stays stopped, whatever is still asked of it. Context: process, at unload.
 */
void stp_session_finish(void)
{
	if (!worker)
		return;
	stp_session_abandon(); /* nobody has cmd open */
	flush_workqueue(worker);
}

/**
 * stp_session_exit - give the worker back
 *
 * Context: process, at unload, when nobody can ask for anything any more.
 */
void stp_session_exit(void)
{
	if (!worker)
		return;
	irq_work_sync(&exit_irq);
	destroy_workqueue(worker);
	worker = NULL;
}

/* ---- exit(), abort(), error(), warn(), log() of the tapset ---- */

/**
 * stp_fn_exit - exit()
 *
 * Context: any handler.
 */
void stp_fn_exit(struct stp_ctx *c)
{
	c->flags |= STP_CTX_EXITING;
	stp_session_request_exit();
}

/**
 * stp_fn_abort - abort(): leave the handler at once, and the session
 *
 * Context: any handler.
 */
void stp_fn_abort(struct stp_ctx *c)
{
	c->flags |= STP_CTX_ABORT | STP_CTX_FATAL | STP_CTX_EXITING;
	c->error = "abort";
	stp_session_request_exit();
}
