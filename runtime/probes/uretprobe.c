// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Returns of functions of programs and shared libraries: the kernel's uretprobes, which put an address of their own in the place of the
 * return address. What a return is, is in probes/return.h; its key is the task and the frame (user_calls.c).
 */
#include <linux/ptrace.h>
#include <linux/slab.h>
#include "access/access.h"
#include "arch/arch.h"
#include "core/enter.h"
#include "probes/return.h"
#include "probes/scope.h"
#include "probes/uprobe.h"

struct uretprobe_impl {
	struct stp_uprobes set;
	struct stp_return calls;
	struct stp_user_calls on_their_way; /* of a probe that saves values at the entry */
};

static struct uretprobe_impl *impl_of(const struct stp_uprobe *u)
{
	return container_of(u->of, struct uretprobe_impl, set);
}

static void context_fill(struct stp_cpu *cpu, const struct stp_uprobe *u, struct pt_regs *regs,
			 unsigned long func)
{
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.point_addr = func;
	cpu->c.point = u->point;
	cpu->c.flags = STP_CTX_USER_REGS;
}

/* What cannot be read is as good as another place. */
static unsigned long address_of_return(const struct stp_regs *r)
{
	unsigned long from = stp_arch_link(r);

	if (STP_ARCH_RETURN_POPS)
		stp_copy_from(STP_USER, &from, stp_arch_sp(r), sizeof(from));
	return from;
}

/* More calls of one task on their way than this the kernel does not follow: the return of this one will not be seen. */
static int is_too_deep(void)
{
	const struct uprobe_task *own = current->utask;

	return own && own->depth >= MAX_URETPROBE_DEPTH;
}

static int plain_entry_hit(struct uprobe_consumer *uc, struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);

	if (unlikely(is_too_deep()) && stp_scope_admits(u->point))
		atomic64_inc(&u->missed);
	return 0;
}

/* The place is taken whether the handler may run or not: then the return is known to be one that was counted here. */
static int entry_hit(struct uprobe_consumer *uc, struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	struct uretprobe_impl *impl = impl_of(u);
	const struct stp_regs *r = (struct stp_regs *)regs;
	unsigned long func = instruction_pointer(regs), flags, irq;
	struct stp_user_call *call;
	struct stp_cpu *cpu;

	if (!stp_scope_admits(u->point))
		return 0;
	if (unlikely(is_too_deep())) {
		atomic64_inc(&u->missed);
		return 0;
	}
	local_irq_save(irq);
	call = stp_user_calls_enter(&impl->on_their_way, func, stp_arch_sp(r),
				    address_of_return(r));
	cpu = stp_enter(u->of->probe, &flags);
	if (call)
		call->skipped = 1;
	if (cpu) {
		context_fill(cpu, u, regs, func);
		if (!call)
			stp_skip(cpu, u->of->probe, STP_SKIP_SAVED);
		else
			call->skipped = stp_return_entered(&impl->calls, cpu,
							   (struct stp_call *)call->record);
		stp_leave(cpu, flags);
	}
	local_irq_restore(irq);
	return 0;
}

/* A call without a place was counted at its entry when there was no room; else it is a forked child's. */
static void leave_unknown(struct uretprobe_impl *impl, struct stp_cpu *cpu)
{
	if (cpu && !READ_ONCE(impl->on_their_way.overflowed))
		stp_skip(cpu, impl->set.probe, STP_SKIP_FOREIGN);
}

static void leave(struct uretprobe_impl *impl, struct stp_cpu *cpu, unsigned long func,
		  struct pt_regs *regs)
{
	struct stp_user_call *call;

	if (!impl->set.probe->entry) {
		stp_return_left(&impl->calls, cpu, NULL);
		return;
	}
	call = stp_user_calls_leave(&impl->on_their_way, func,
				    stp_arch_sp((struct stp_regs *)regs) - STP_ARCH_RETURN_POPS);
	if (!call) {
		leave_unknown(impl, cpu);
		return;
	}
	if (!call->skipped)
		stp_return_left(&impl->calls, cpu, (struct stp_call *)call->record);
	stp_user_calls_free(&impl->on_their_way, call);
}

static int return_hit(struct uprobe_consumer *uc, unsigned long func,
		      struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	unsigned long flags, irq;
	struct stp_cpu *cpu;

	if (!stp_scope_admits(u->point))
		return 0;
	local_irq_save(irq);
	cpu = stp_enter(u->of->probe, &flags);
	if (cpu)
		context_fill(cpu, u, regs, func);
	leave(impl_of(u), cpu, func, regs);
	if (cpu)
		stp_leave(cpu, flags);
	local_irq_restore(irq);
	return 0;
}

/* A call that will not return gives its strings back, unless its task has died: then they have been taken from it. */
static void call_dropped(void *arg, struct stp_user_call *call)
{
	struct uretprobe_impl *impl = arg;
	const struct stp_probe *p = impl->set.probe;
	const struct stp_call *record = (const struct stp_call *)call->record;
	struct stp_saved_strings *strings = &impl->calls.strings;
	u32 instance;

	if (call->skipped || !p->n_saved_strings)
		return;
	instance = record->saved[p->n_saved];
	if (instance && READ_ONCE(strings->instances[instance - 1].owner) == call->owner)
		stp_saved_strings_free(strings, instance);
}

static int uretprobe_prepare(struct stp_probe *p)
{
	struct uretprobe_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->on_their_way.dropped = call_dropped;
	impl->on_their_way.arg = impl;
	return stp_uprobes_init(&impl->set, p)
		       ?: stp_return_init(&impl->calls, p, 0)
		       ?: (p->entry ? stp_user_calls_init(&impl->on_their_way,
							  stp_return_call_size(p))
				    : 0);
}

static void uretprobe_release(struct stp_probe *p)
{
	struct uretprobe_impl *impl = p->impl;

	if (!impl)
		return;
	stp_user_calls_exit(&impl->on_their_way);
	stp_return_exit(&impl->calls);
	stp_uprobes_exit(&impl->set);
	kfree(impl);
	p->impl = NULL;
}

static int uretprobe_arm(struct stp_probe *p)
{
	static const struct uprobe_consumer plain = { .handler = plain_entry_hit,
						      .ret_handler = return_hit },
					    saving = { .handler = entry_hit,
						       .ret_handler = return_hit };
	struct uretprobe_impl *impl = p->impl;

	stp_return_arm(&impl->calls);
	if (p->entry)
		stp_user_calls_arm(&impl->on_their_way);
	return stp_uprobes_arm(&impl->set, p->entry ? &saving : &plain);
}

static void uretprobe_disarm(struct stp_probe *p)
{
	struct uretprobe_impl *impl = p->impl;

	stp_uprobes_disarm(&impl->set);
	stp_user_calls_disarm(&impl->on_their_way);
	stp_return_disarm(&impl->calls);
}

static u32 uretprobe_attached(const struct stp_probe *p)
{
	const struct uretprobe_impl *impl = p->impl;

	return impl->set.n;
}

const struct stp_family stp_family_uretprobe = {
	.type = "uretprobe",
	.prepare = uretprobe_prepare,
	.release = uretprobe_release,
	.arm = uretprobe_arm,
	.disarm = uretprobe_disarm,
	.attached = uretprobe_attached,
};
