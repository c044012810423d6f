// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Returns of functions whose program looks at return addresses: one that throws C++ exceptions
 * finds its way by them, and Go walks and moves its stacks. So nothing is left on the stack, but
 * while a leaf runs that the function ends with; uprobes are on the function's entry and on the
 * instructions that leave it, which the translator has found. The stack pointer at a return is that
 * of the entry, so both are one frame; a return that finds no call of its frame is of one that
 * began before us, or of a function that ours only sometimes ends with. Frames that an exception
 * took away are dropped like all others that are dead (user_calls.c), and where a return leads to
 * another place than the call of its frame would.
 *
 * A goroutine moves between threads, and its stack in memory. The frame belongs to its process
 * then; what it is on is the g, the runtime's record of a goroutine, which begins with the bounds
 * of its stack (runtime/runtime2.go, struct g: stack.lo, stack.hi); moving keeps distances from the
 * end (runtime/stack.go, copystack).
 */
#include <linux/ptrace.h>
#include "access/access.h"
#include "arch/arch.h"
#include "core/enter.h"
#include "probes/scope.h"
#include "probes/user_return.h"

#define G_STACK_END 8

/* 0: what a goroutine has in memory cannot be read. */
static int go_frame(struct stp_user_frame *frame, unsigned long g)
{
	u64 end;

	if (stp_copy_from(STP_USER, &end, g + G_STACK_END, sizeof(end)))
		return 0;
	frame->owner = current->group_leader;
	frame->stack = g;
	frame->sp -= end;
	return 1;
}

/* The g of a thread, where programs before the convention of registers have it. */
static int go_thread_frame(struct stp_user_frame *frame)
{
	u64 g;

	return !stp_copy_from(STP_USER, &g, stp_arch_go_thread_g(), sizeof(g)) &&
	       go_frame(frame, g);
}

static int frame_of(struct stp_uprobe *u, const struct stp_regs *regs, struct stp_user_frame *frame)
{
	*frame = (struct stp_user_frame){ .owner = current,
					  .sp = stp_arch_sp(regs),
					  .entry = u->entry };
	if (u->point->user.ways & STP_WAY_GO_REGISTER)
		return go_frame(frame, stp_arch_go_g(regs));
	return !(u->point->user.ways & STP_WAY_GO_THREAD) || go_thread_frame(frame);
}

static int entry_hit(struct uprobe_consumer *uc, struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	struct stp_user_frame frame;
	unsigned long irq;

	if (!stp_scope_admits(u->point))
		return 0;
	local_irq_save(irq);
	if (frame_of(u, (struct stp_regs *)regs, &frame))
		stp_user_return_entered(u, &frame, regs);
	else
		atomic64_inc(&u->missed);
	local_irq_restore(irq);
	return 0;
}

/* context: STP_CTX_RETURNING, or 0 when the process is in the caller */
static void run(struct stp_uprobe *u, struct stp_user_call *call, struct pt_regs *regs, u32 context)
{
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(u->of->probe, &flags);

	if (cpu) {
		stp_user_return_context(cpu, u, regs, call->func);
		cpu->c.flags |= context;
	}
	stp_user_return_left(stp_user_return_of(u), cpu, call);
	if (cpu)
		stp_leave(cpu, flags);
}

/*
 * Where the return that is about to run leads to; 0: not known, as where another's uretprobe has
 * put its address there.
 */
static unsigned long returns_to(const struct pt_regs *regs)
{
	unsigned long to = stp_user_return_address((const struct stp_regs *)regs);

	return stp_uprobe_may_be_trampoline(to) ? 0 : to;
}

/* The call of that frame, which returns to FROM if that is not 0, is over, if there is one. */
static void leave(struct stp_uprobe *u, const struct stp_user_frame *frame, unsigned long from,
		  struct pt_regs *regs, u32 context)
{
	struct stp_user_call *call =
		stp_user_calls_leave(&stp_user_return_of(u)->on_their_way, frame, from);

	if (call)
		run(u, call, regs, context);
}

/* A frame that cannot be told was counted at the entry. */
static int exit_hit(struct uprobe_consumer *uc, struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	struct stp_user_frame frame;
	unsigned long irq;
	int is_known;

	if (!stp_scope_admits(u->point))
		return 0;
	local_irq_save(irq);
	is_known = frame_of(u, (struct stp_regs *)regs, &frame);
	if (is_known && u->exit->kind == STP_EXIT_RETURN)
		leave(u, &frame, returns_to(regs), regs, STP_CTX_RETURNING);
	else if (is_known)
		stp_user_calls_jump(&stp_user_return_of(u)->on_their_way, &frame);
	local_irq_restore(irq);
	return 0;
}

/* What a leaf that the call ended with returned to the kernel's address instead. */
static int leaf_hit(struct uprobe_consumer *uc, unsigned long func,
		    struct pt_regs *regs STP_UPROBE_DATA)
{
	struct stp_uprobe *u = container_of(uc, struct stp_uprobe, uc);
	const struct stp_regs *r = (const struct stp_regs *)regs;
	struct stp_user_frame frame;
	unsigned long irq;

	if (!stp_scope_admits(u->point))
		return 0;
	local_irq_save(irq);
	if (frame_of(u, r, &frame)) {
		frame.sp -= STP_ARCH_RETURN_WORDS * stp_arch_user_word(r);
		leave(u, &frame, 0, regs, 0);
	}
	local_irq_restore(irq);
	return 0;
}

static int uexit_prepare(struct stp_probe *p)
{
	return stp_user_return_prepare(p, 1);
}

static int uexit_arm(struct stp_probe *p)
{
	static const struct uprobe_consumer entry = { .handler = entry_hit },
					    exits[STP_EXIT_KINDS] = {
						    [STP_EXIT_RETURN] = { .handler = exit_hit },
						    [STP_EXIT_JUMP] = { .handler = exit_hit },
						    [STP_EXIT_LEAF] = { .handler = exit_hit,
									.ret_handler = leaf_hit },
					    };

	return stp_user_return_arm(p, &entry, exits);
}

STP_FAMILY(stp_family_uexit) = {
	.type = "uretprobe",
	.prepare = uexit_prepare,
	.release = stp_user_return_release,
	.arm = uexit_arm,
	.disarm = stp_user_return_disarm,
	.attached = stp_user_return_attached,
};
