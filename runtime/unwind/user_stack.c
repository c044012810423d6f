// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stack of the current process, from its innermost frame outwards: by the rules of the tables
 * that the module carries, and in files without one by frame pointers (System V ABI, AMD64
 * supplement, 3.2.2; AAPCS64, 6.2.3: a frame pointer points to the caller's, and the word behind it
 * is the return address). Only the stack itself is read, with page faults off.
 *
 * A return address that a uretprobe has replaced is the one that the kernel keeps of it.
 *
 * Context: any handler. At most STP_BACKTRACE_DEPTH frames, and MAX_RETURNS replaced addresses, are
 * looked at.
 */
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include "access/access.h"
#include "arch/arch.h"
#include "compat/uprobe.h"
#include "unwind/user_map.h"
#include "uapi/user_table.h"

#define MAX_RETURNS 64
#define WORD 8

static int read_word(u64 addr, u64 *ret)
{
	return !stp_copy_from(STP_USER, ret, addr, sizeof(*ret));
}

/*
 * The address that stood in that place of the stack before a uretprobe's trampoline; else pc. A
 * call that a jump left (longjmp(3)) is in the kernel's list until the next that is probed, while
 * other calls have its place of the stack: what stands there is no trampoline then. While a chain
 * of returns is handled the kernel frees instances that its list still begins with
 * (handle_trampoline() in kernel/events/uprobes.c), and their memory may be somebody else's by
 * then: so they are read as memory that may not be there.
 */
static u64 original_return(u64 at, u64 pc)
{
	const struct uprobe_task *utask = current->utask;
	const struct return_instance *next = utask ? READ_ONCE(utask->return_instances) : NULL;
	struct return_instance ri;
	u32 i;

	if (!stp_uprobe_may_be_trampoline(pc))
		return pc;
	for (i = 0; next && i < MAX_RETURNS; i++, next = ri.next) {
		if (stp_copy_from(STP_KERNEL, &ri, (unsigned long)next, sizeof(ri)))
			break;
		if (ri.stack == at && !ri.chained)
			return ri.orig_ret_vaddr;
	}
	return pc;
}

/* To the caller, whose frame begins at cfa. */
static enum stp_user_end leave(struct stp_user_frame *f, u64 cfa)
{
	if (cfa <= f->sp)
		return STP_STACK_NO_RULE;
	if (!read_word(cfa - WORD, &f->pc))
		return STP_STACK_FAULT;
	f->pc = original_return(cfa - WORD, f->pc);
	f->sp = cfa;
	return STP_STACK_WHOLE;
}

/* From the instruction that returns, which has not run yet. */
static void leave_returning(const struct stp_regs *r, struct stp_user_frame *f)
{
	if (STP_ARCH_RETURN_WORDS)
		leave(f, f->sp + WORD);
	else
		f->pc = stp_arch_link(r);
}

/**
 * stp_user_frame - the innermost frame of the current process
 *
 * At a return that is the caller's, wherever the process is stopped for it. 0: there is none.
 * Context: any handler.
 */
int stp_user_frame(struct stp_ctx *c, struct stp_user_frame *ret)
{
	const struct stp_regs *r = c->flags & STP_CTX_USER_REGS ? c->regs : NULL;

	if (c->flags & (STP_CTX_PROCESS | STP_CTX_TASK) || !current->mm ||
	    current->flags & PF_KTHREAD)
		return 0;
	if (!r)
		r = (const struct stp_regs *)task_pt_regs(current);
	*ret = (struct stp_user_frame){ stp_arch_pc(r), stp_arch_sp(r), stp_arch_fp(r) };
	if (c->flags & STP_CTX_RETURNING)
		leave_returning(r, ret);
	return 1;
}

/* By the frame pointer, if it may be one: on the stack, with a return address to code behind it. */
static enum stp_user_end by_frame_pointer(struct mm_struct *mm, struct stp_user_frame *f)
{
	const struct vm_area_struct *stack = stp_user_vma(mm, f->sp), *code;
	u64 fp = f->fp, outer;
	enum stp_user_end end;

	if (!fp) { /* of the outermost frame */
		f->pc = 0;
		return STP_STACK_WHOLE;
	}
	if (!stack)
		return mm ? STP_STACK_NO_RULE : STP_STACK_NO_MAP;
	if (fp % WORD || fp < f->sp || fp >= stack->vm_end - 2 * WORD)
		return STP_STACK_NO_RULE;
	if (!read_word(fp, &outer))
		return STP_STACK_FAULT;
	end = leave(f, fp + 2 * WORD);
	code = end == STP_STACK_WHOLE ? stp_user_vma(mm, f->pc) : NULL;
	if (end == STP_STACK_WHOLE && f->pc && !(code && code->vm_flags & VM_EXEC))
		return STP_STACK_NO_RULE;
	f->fp = outer;
	return end;
}

/* What the kernel saved when it called the handler. */
static enum stp_user_end by_signal_frame(struct stp_user_frame *f)
{
	u64 at = f->sp + STP_ARCH_SIGNAL_CONTEXT;

	return read_word(at + STP_ARCH_SIGNAL_PC, &f->pc) &&
			       read_word(at + STP_ARCH_SIGNAL_FP, &f->fp) &&
			       read_word(at + STP_ARCH_SIGNAL_SP, &f->sp)
		       ? STP_STACK_WHOLE
		       : STP_STACK_FAULT;
}

/* Where the caller's frame begins, by a rule that says so; 0: the stack could not be read. */
static u64 frame_address(const struct stp_user_frame *f, u32 rule)
{
	s64 offset = STP_RULE_OFFSET(rule);
	u64 cfa;

	switch (rule & 7) {
	case STP_RULE_SP:
		return f->sp + offset * WORD;
	case STP_RULE_FP:
		return f->fp + offset * WORD;
	case STP_RULE_PLT:
		return f->sp + ((f->pc & 15) >= offset ? 2 * WORD : WORD);
	case STP_RULE_ALIGNED:
		return read_word(f->fp + offset * WORD, &cfa) ? cfa : 0;
	default:
		return 0;
	}
}

static enum stp_user_end by_rule(struct stp_user_frame *f, u32 rule)
{
	u64 cfa = frame_address(f, rule), fp = f->fp, at = cfa + (s64)STP_RULE_SAVED(rule) * WORD;

	if (!cfa)
		return STP_STACK_FAULT;
	if ((rule & 7) == STP_RULE_ALIGNED)
		at = f->fp;
	if (((rule & 7) == STP_RULE_ALIGNED || STP_RULE_SAVED(rule)) && !read_word(at, &fp))
		return STP_STACK_FAULT;
	f->fp = fp;
	return leave(f, cfa);
}

/* To the caller of a frame; its pc is 0 when there is none. */
static enum stp_user_end step(struct mm_struct *mm, struct stp_user_frame *f, int is_call,
			      int *was_signal, int *wanted)
{
	struct stp_user_place place;
	u32 rule;

	/* a call may be the last instruction of a function */
	stp_user_place(mm, f->pc - is_call, &place);
	*wanted |= place.wanted;
	rule = stp_user_rule(&place);
	*was_signal = (rule & 7) == STP_RULE_SIGNAL;
	switch (rule & 7) {
	case STP_RULE_END:
		f->pc = 0;
		return STP_STACK_WHOLE;
	case STP_RULE_SIGNAL:
		return by_signal_frame(f);
	case STP_RULE_NONE:
		return by_frame_pointer(mm, f);
	default:
		return by_rule(f, rule);
	}
}

static void walk(struct mm_struct *mm, struct stp_user_frame frame, struct stp_user_stack *ret,
		 int *wanted)
{
	int was_signal = 1; /* the first pc is where it runs, not behind a call */

	while (frame.pc && ret->n < STP_BACKTRACE_DEPTH) {
		ret->exact |= (u32) !!was_signal << ret->n;
		ret->pcs[ret->n++] = frame.pc;
		if (ret->n == STP_BACKTRACE_DEPTH)
			return;
		ret->end = stp_arch_is_32bit(current)
				   ? STP_STACK_NARROW
				   : step(mm, &frame, !was_signal, &was_signal, wanted);
		/* of a signal, too: nothing was called there, it begins at that instruction */
		ret->exact |= (u32) !!was_signal << (ret->n - 1);
		if (ret->end != STP_STACK_WHOLE)
			return;
	}
}

/**
 * stp_user_stack - the addresses from a frame outwards
 * @mm: the current process's map, held; NULL: by frame pointers, as far as that goes
 *
 * Context: any handler.
 */
void stp_user_stack(struct mm_struct *mm, struct stp_user_frame frame, struct stp_user_stack *ret)
{
	int wanted = 0;

	BUILD_BUG_ON(STP_BACKTRACE_DEPTH > 32); /* a bit of ret->exact each */
	ret->n = 0;
	ret->exact = 0;
	ret->end = STP_STACK_WHOLE;
	walk(mm, frame, ret, &wanted);
	if (wanted)
		ret->end = STP_STACK_NO_TABLE;
}
