// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Returns of functions of programs and shared libraries: the kernel's uretprobes, which put an
 * address of their own in the place of the return address. Calls are noted only when something of
 * their entry is wanted.
 */
#include <linux/ptrace.h>
#include "arch/arch.h"
#include "core/enter.h"
#include "probes/scope.h"
#include "probes/user_return.h"

/*
 * More calls of one task on their way than this the kernel does not follow: the return of this one
 * will not be seen.
 */
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

static struct stp_user_frame frame_of(struct stp_uprobe *u, unsigned long sp)
{
	return (struct stp_user_frame){ .owner = current, .sp = sp, .entry = u };
}

static int entry_hit(struct uprobe_consumer *uc, struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	struct stp_user_frame frame = frame_of(u, stp_arch_sp((struct stp_regs *)regs));
	unsigned long irq;

	if (!stp_scope_admits(u->point))
		return 0;
	if (unlikely(is_too_deep())) {
		atomic64_inc(&u->missed);
		return 0;
	}
	local_irq_save(irq);
	stp_user_return_entered(u, &frame, regs);
	local_irq_restore(irq);
	return 0;
}

/*
 * A call without a place was counted at its entry when there was no room; else it is a forked
 * child's.
 */
static void leave_unknown(struct stp_user_return *r, struct stp_cpu *cpu)
{
	if (cpu && !READ_ONCE(r->on_their_way.overflowed))
		stp_skip(cpu, r->set.probe, STP_SKIP_FOREIGN);
}

/*
 * The frame of a call that is left with these registers. A function of i386 that returns a
 * structure takes the address of that off the stack too (System V ABI, Intel386 supplement, 2.2.4);
 * no call of its own can have been entered between the two.
 */
static struct stp_user_frame frame_left(struct stp_uprobe *u, const struct stp_regs *regs)
{
	const u32 word = stp_arch_user_word(regs);
	struct stp_user_frame frame = frame_of(u, stp_arch_sp(regs) - STP_ARCH_RETURN_WORDS * word),
			      below = frame_of(u, frame.sp - word);
	struct stp_user_calls *calls = &stp_user_return_of(u)->on_their_way;

	if (word == sizeof(long) || stp_user_calls_has(calls, &frame) ||
	    !stp_user_calls_has(calls, &below))
		return frame;
	return below;
}

static void leave(struct stp_uprobe *u, struct stp_cpu *cpu, struct pt_regs *regs)
{
	struct stp_user_return *r = stp_user_return_of(u);
	struct stp_user_frame frame;
	struct stp_user_call *call;

	if (!r->set.probe->entry) {
		stp_return_left(&r->calls, cpu, NULL);
		return;
	}
	frame = frame_left(u, (struct stp_regs *)regs);
	call = stp_user_calls_leave(&r->on_their_way, &frame, 0);
	if (call)
		stp_user_return_left(r, cpu, call);
	else
		leave_unknown(r, cpu);
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
		stp_user_return_context(cpu, u, regs, func);
	leave(u, cpu, regs);
	if (cpu)
		stp_leave(cpu, flags);
	local_irq_restore(irq);
	return 0;
}

static int uretprobe_prepare(struct stp_probe *p)
{
	return stp_user_return_prepare(p, p->entry != NULL);
}

static int uretprobe_arm(struct stp_probe *p)
{
	static const struct uprobe_consumer plain = { .handler = plain_entry_hit,
						      .ret_handler = return_hit },
					    saving = { .handler = entry_hit,
						       .ret_handler = return_hit };

	return stp_user_return_arm(p, p->entry ? &saving : &plain, NULL);
}

STP_FAMILY(stp_family_uretprobe) = {
	.type = "uretprobe",
	.prepare = uretprobe_prepare,
	.release = stp_user_return_release,
	.arm = uretprobe_arm,
	.disarm = stp_user_return_disarm,
	.attached = stp_user_return_attached,
};
