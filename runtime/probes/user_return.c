// SPDX-License-Identifier: GPL-2.0-or-later
/* What both attachments of returns in user space do (probes/user_return.h). */
#include <linux/ptrace.h>
#include <linux/slab.h>
#include "access/access.h"
#include "arch/arch.h"
#include "core/enter.h"
#include "probes/user_return.h"

/**
 * stp_user_return_context - what a handler finds
 * @func: the address of the function in the process, which stands for the point
 *
 * Context: the handler of a uprobe.
 */
void stp_user_return_context(struct stp_cpu *cpu, const struct stp_uprobe *u, struct pt_regs *regs,
			     unsigned long func)
{
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.point_addr = func;
	cpu->c.point = u->point;
	cpu->c.flags = STP_CTX_USER_REGS;
}

/**
 * stp_user_return_address - where a call returns to, at its entry and at a return of it
 *
 * What cannot be read is 0. Context: the handler of a uprobe.
 */
unsigned long stp_user_return_address(const struct stp_regs *r)
{
	unsigned long from = stp_arch_link(r);

	if (STP_ARCH_RETURN_WORDS)
		stp_copy_from(STP_USER, &from, stp_arch_sp(r), stp_arch_user_word(r));
	return from;
}

/* Strings go with what owns the frame, which may live longer than the task that runs on it now. */
static void own_strings(struct stp_user_return *r, const struct stp_user_call *call)
{
	const struct stp_probe *p = r->set.probe;
	const struct stp_call *record = (const struct stp_call *)call->record;

	if (p->n_saved_strings && !call->skipped)
		WRITE_ONCE(r->calls.strings.instances[record->saved[p->n_saved] - 1].owner,
			   call->frame.owner);
}

/* What the return wants of the entry. @call: NULL: there is no place for it. */
static void save(struct stp_uprobe *u, struct stp_user_call *call, unsigned long func,
		 struct pt_regs *regs)
{
	struct stp_user_return *r = stp_user_return_of(u);
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(u->of->probe, &flags);

	if (call)
		call->skipped = 1;
	if (!cpu)
		return;
	stp_user_return_context(cpu, u, regs, func);
	if (call) {
		call->skipped =
			!!stp_return_entered(&r->calls, cpu, (struct stp_call *)call->record);
		own_strings(r, call);
	} else {
		stp_skip(cpu, u->of->probe, STP_SKIP_SAVED);
	}
	stp_leave(cpu, flags);
}

/**
 * stp_user_return_entered - a call begins: note it, and save what its return wants
 *
 * The place is taken whether the handler may run or not: then the return is known to be one that
 * was counted here.
 *
 * Context: the handler of a uprobe, interrupts off.
 */
void stp_user_return_entered(struct stp_uprobe *u, const struct stp_user_frame *frame,
			     struct pt_regs *regs)
{
	struct stp_user_return *r = stp_user_return_of(u);
	unsigned long func = instruction_pointer(regs);
	struct stp_user_call *call;

	call = stp_user_calls_enter(&r->on_their_way, frame,
				    stp_user_return_address((struct stp_regs *)regs));
	if (call)
		call->func = func;
	if (!call || u->of->probe->entry)
		save(u, call, func, regs);
	if (call)
		stp_user_calls_add(&r->on_their_way, call);
}

/**
 * stp_user_return_left - a call that was noted is over: run the handler
 * @cpu: NULL when it may not run
 * @call: from stp_user_calls_leave(); given back
 *
 * Context: the handler of a uprobe, interrupts off.
 */
void stp_user_return_left(struct stp_user_return *r, struct stp_cpu *cpu,
			  struct stp_user_call *call)
{
	const struct stp_probe *p = r->set.probe;

	if (call->forked && p->entry) {
		if (cpu)
			stp_skip(cpu, p, STP_SKIP_FOREIGN);
	} else if (!call->skipped) {
		stp_return_left(&r->calls, cpu, p->entry ? (struct stp_call *)call->record : NULL);
	}
	stp_user_calls_free(&r->on_their_way, call);
}

/*
 * A call that will not return gives its strings back, unless its task has died: then they have been
 * taken from it.
 */
static void call_dropped(void *arg, struct stp_user_call *call)
{
	struct stp_user_return *r = arg;
	const struct stp_probe *p = r->set.probe;
	const struct stp_call *record = (const struct stp_call *)call->record;
	struct stp_saved_strings *strings = &r->calls.strings;
	u32 instance;

	if (call->skipped || call->forked || !p->n_saved_strings)
		return;
	instance = record->saved[p->n_saved];
	if (instance && READ_ONCE(strings->instances[instance - 1].owner) == call->frame.owner)
		stp_saved_strings_free(strings, instance);
}

/**
 * stp_user_return_prepare - memory for a probe
 * @notes_entries: calls are kept on their way
 *
 * Returns 0 or -ENOMEM. Context: process, may sleep; at load.
 */
int stp_user_return_prepare(struct stp_probe *p, int notes_entries)
{
	struct stp_user_return *r = kzalloc(sizeof(*r), GFP_KERNEL);

	p->impl = r;
	if (!r)
		return -ENOMEM;
	r->on_their_way.dropped = call_dropped;
	r->on_their_way.arg = r;
	return stp_uprobes_init(&r->set, p)
		       ?: stp_return_init(&r->calls, p, 0)
		       ?: (notes_entries ? stp_user_calls_init(&r->on_their_way,
							       stp_return_call_size(p))
					 : 0);
}

/**
 * stp_user_return_release - give it back
 *
 * Context: process; nothing is attached.
 */
void stp_user_return_release(struct stp_probe *p)
{
	struct stp_user_return *r = p->impl;

	if (!r)
		return;
	stp_user_calls_exit(&r->on_their_way);
	stp_return_exit(&r->calls);
	stp_uprobes_exit(&r->set);
	kfree(r);
	p->impl = NULL;
}

/**
 * stp_user_return_arm - attach all points and their exits
 * @exits: of each kind; NULL: they have none
 *
 * Returns as stp_uprobes_arm(). Context: process, may sleep.
 */
int stp_user_return_arm(struct stp_probe *p, const struct uprobe_consumer *entry,
			const struct uprobe_consumer exits[STP_EXIT_KINDS])
{
	struct stp_user_return *r = p->impl;

	stp_return_arm(&r->calls);
	if (r->on_their_way.calls)
		stp_user_calls_arm(&r->on_their_way);
	return stp_uprobes_arm(&r->set, entry, exits);
}

/**
 * stp_user_return_disarm - detach them
 *
 * Context: process, may sleep.
 */
void stp_user_return_disarm(struct stp_probe *p)
{
	struct stp_user_return *r = p->impl;

	stp_uprobes_detach(&r->set);
	stp_user_calls_disarm(&r->on_their_way);
	stp_uprobes_count(&r->set);
	stp_return_disarm(&r->calls);
}

/**
 * stp_user_return_attached - points attached now
 *
 * Context: beside everything else.
 */
u32 stp_user_return_attached(const struct stp_probe *p)
{
	const struct stp_user_return *r = p->impl;

	return r->set.n_points;
}
