// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel stack of a task that does not run. Nothing holds the task or its stack: kernels do not
 * export put_task_stack(), and the last to give a stack back frees it, which no handler may do. So
 * the part in use is copied, as memory that may not be there, and what walks it sees nothing but
 * the copy: words that point into the stack point into the copy instead. That the task did not run
 * meanwhile is seen by its counts of switches; else the copy is dropped and made again.
 *
 * The walk is the kernel's own where that goes by ORC tables, from a state that is made here:
 * unwind_start() would look at the task. Elsewhere it goes by frame pointers.
 *
 * Context: any handler. TRIES copies of THREAD_SIZE and STP_BACKTRACE_DEPTH frames at most. The
 * copy's memory is taken at load, one for each context.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "access/access.h"
#include "arch/arch.h"
#include "probes/probes.h"
#include "unwind/task_stack.h"
#if defined(CONFIG_UNWINDER_ORC)
#include <asm/unwind.h>
#elif !defined(CONFIG_FRAME_POINTER)
#error "kernels that unwind neither by ORC tables nor by frame pointers guess at their stacks"
#endif

#define TRIES 3
#define WORD sizeof(unsigned long)
#define END_SLACK                                                                                  \
	(4 *                                                                                       \
	 WORD) /* what entry code may have between a thread's outermost call and its registers */

/* What tells that a task ran, and where its stack is. */
struct sleeper {
	void *stack;
	unsigned long sp, nvcsw, nivcsw;
#ifdef CONFIG_SMP
	typeof(((struct task_struct *)NULL)->on_cpu) on_cpu;
#endif
};

/* A stack copied: its words from at on, and where it ends. */
struct copy {
	unsigned long at, end; /* in the copy */
	unsigned long pc, fp;  /* of the innermost frame; fp in the copy, when it is on the stack */
};

static void **copies; /* by context */
#ifdef CONFIG_UNWINDER_ORC
/*
 * Whom the kernel asks for stacks and for returns that are on their way: a task that has none, and
 * does not run.
 */
static struct task_struct *nobody;
#endif
/* Stacks cut short, by enum stp_task_end. */
static atomic_t n_cut[STP_TASK_ENDS];

static int field(u64 task, size_t offset, void *ret, u32 size)
{
	return !stp_copy_from(STP_KERNEL, ret, task + offset, size);
}

#define FIELD(task, s, member)                                                                     \
	field(task, offsetof(struct task_struct, member), &(s)->member, sizeof((s)->member))

static int look(u64 task, struct sleeper *s)
{
	memset(s, 0, sizeof(*s)); /* compared as bytes */
	return FIELD(task, s, stack) && FIELD(task, s, nvcsw) && FIELD(task, s, nivcsw) &&
#ifdef CONFIG_SMP
	       FIELD(task, s, on_cpu) &&
#endif
	       field(task, STP_ARCH_SLEEPER_SP, &s->sp, sizeof(s->sp));
}

static int runs(const struct sleeper *s)
{
#ifdef CONFIG_SMP
	return s->on_cpu;
#else
	return 0; /* it would be current */
#endif
}

/* The words of the copy, and fp, that point into the stack shall point into the copy. */
static void relocate(struct copy *k, unsigned long stack, unsigned long to)
{
	unsigned long at, *word;

	for (at = k->at; at < k->end; at += WORD) {
		word = (unsigned long *)at;
		if (*word - stack < THREAD_SIZE)
			*word += to - stack;
	}
	if (k->fp - stack < THREAD_SIZE)
		k->fp += to - stack;
}

/* One try: the state of the task before and behind it tells what it is worth. */
static int copy_words(u64 task, const struct sleeper *s, void *to, struct copy *ret)
{
	unsigned long stack = (unsigned long)s->stack, used = s->sp - stack;
	u64 frame = STP_ARCH_SLEEPER_ON_STACK ? s->sp : task;

	if (used >= THREAD_SIZE || used % WORD ||
	    stp_copy_from(STP_KERNEL, to + used, s->sp, THREAD_SIZE - used) ||
	    !field(frame, STP_ARCH_SLEEPER_PC, &ret->pc, WORD) ||
	    !field(frame, STP_ARCH_SLEEPER_FP, &ret->fp, WORD))
		return 0;
	ret->at = (unsigned long)to + used;
	ret->end = (unsigned long)to + THREAD_SIZE;
	return 1;
}

static enum stp_task_end copy_stack(u64 task, void *to, struct copy *ret)
{
	struct sleeper before, after;
	int i, copied;

	for (i = 0; i < TRIES; i++) {
		if (!look(task, &before) || !before.stack)
			return STP_TASK_FAULT;
		if (runs(&before))
			return STP_TASK_RUNS;
		/* what tells that it ran is read before the copy is made, and again behind it */
		smp_rmb();
		copied = copy_words(task, &before, to, ret);
		smp_rmb();
		if (!look(task, &after))
			return STP_TASK_FAULT;
		if (memcmp(&before, &after, sizeof(before)))
			continue;
		if (!copied)
			return STP_TASK_FAULT;
		relocate(ret, (unsigned long)before.stack, (unsigned long)to);
		return STP_TASK_WHOLE;
	}
	return STP_TASK_RUNS;
}

/* Where the registers are that a task entered the kernel with: the outermost thing on its stack. */
static unsigned long outermost(const struct copy *k)
{
	return k->end - STP_ARCH_STACK_PADDING - sizeof(struct pt_regs);
}

#ifdef CONFIG_UNWINDER_ORC

/*
 * Any address but those of the copy is looked for on the stacks of state.task, which has none. A
 * return that a kretprobe has in its hands ends the walk: whose it is, only the task knows.
 */
static enum stp_task_end walk(const struct copy *k, struct stp_task_stack *ret)
{
	struct unwind_state state = {
		.task = nobody,
		.stack_info = { STACK_TYPE_TASK, (void *)k->at, (void *)k->end },
		.stack_mask = 1ul << STACK_TYPE_TASK,
		.sp = k->at + STP_ARCH_SLEEPER_SIZE,
		.bp = k->fp,
		.ip = k->pc,
	};
	unsigned long pc;

	/* it has never run: nothing called where it begins */
	state.signal = state.sp == outermost(k);
	while ((pc = unwind_get_return_address(&state)) != 0) {
		if (ret->n == STP_BACKTRACE_DEPTH)
			return STP_TASK_WHOLE;
		ret->pcs[ret->n++] = pc;
		unwind_next_frame(&state);
	}
	if (state.regs && user_mode(state.regs))
		return STP_TASK_WHOLE;
	return unwind_done(&state) && !unwind_error(&state) && state.sp + END_SLACK >= outermost(k)
		       ? STP_TASK_WHOLE
		       : STP_TASK_LOST;
}

static int make_nobody(void)
{
	nobody = kvzalloc(sizeof(*nobody), GFP_KERNEL);
	if (!nobody)
		return -ENOMEM;
	nobody->stack = (void *)-THREAD_SIZE; /* no address is above it and below its end, 0 */
#ifdef CONFIG_RETHOOK
	nobody->__state = TASK_UNINTERRUPTIBLE;
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	nobody->curr_ret_stack = -1;
#endif
	return 0;
}

static void free_nobody(void)
{
	kvfree(nobody);
	nobody = NULL;
}

#else

static int make_nobody(void)
{
	return 0;
}

static void free_nobody(void)
{
}

/* A frame pointer points to the caller's, and the word behind it is the return address. */
static enum stp_task_end walk(const struct copy *k, struct stp_task_stack *ret)
{
	unsigned long pc = k->pc, fp = k->fp, at = k->at;

	while (pc) {
		if (ret->n == STP_BACKTRACE_DEPTH)
			return STP_TASK_WHOLE;
		ret->pcs[ret->n++] = pc;
		if (fp < at || fp % WORD || fp > k->end - 2 * WORD)
			break;
		at = fp + 2 * WORD;
		pc = ((unsigned long *)fp)[1];
		fp = ((unsigned long *)fp)[0];
	}
	/* x86 marks a pointer to registers by its lowest bit */
	return !pc || !fp || (fp & ~1ul) + END_SLACK >= outermost(k) ? STP_TASK_WHOLE
								     : STP_TASK_LOST;
}

#endif

/**
 * stp_task_stack - the stack of a task that is not the current one
 * @task: what a script says is one
 *
 * Raises an error when that cannot be read. Context: any handler.
 */
void stp_task_stack(struct stp_ctx *c, u64 task, struct stp_task_stack *ret)
{
	struct sleeper now;
	struct copy copy;

	ret->n = 0;
	ret->end = STP_TASK_WHOLE;
	if (!look(task, &now)) {
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", task);
		return;
	}
	if (!now.stack)
		return; /* it has ended */
	ret->end = copy_stack(task, copies[c->cpu], &copy);
	if (ret->end == STP_TASK_WHOLE)
		ret->end = walk(&copy, ret);
	if (ret->end != STP_TASK_WHOLE)
		atomic_inc(&n_cut[ret->end]);
}

static void task_stacks_exit(void)
{
	int i;

	for (i = 0; copies && i < stp_n_ctx; i++)
		kvfree(copies[i]);
	kvfree(copies);
	copies = NULL;
	free_nobody();
}

static int task_stacks_init(void)
{
	int i;

	if (!stp_mem_fits((u64)THREAD_SIZE * (num_possible_cpus() + 1)))
		return -ENOMEM;
	copies = kvcalloc(stp_n_ctx, sizeof(*copies), GFP_KERNEL);
	if (!copies || make_nobody()) {
		task_stacks_exit();
		return -ENOMEM;
	}
	for (i = 0; i < stp_n_ctx; i++) {
		if (!stp_cpus[i])
			continue;
		copies[i] = kvzalloc_node(THREAD_SIZE, GFP_KERNEL,
					  i < nr_cpu_ids ? cpu_to_node(i) : NUMA_NO_NODE);
		if (!copies[i]) {
			task_stacks_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

static void task_stacks_stop(void)
{
	static const char *const why[STP_TASK_ENDS] = {
		[STP_TASK_RUNS] = "the task was running",
		[STP_TASK_FAULT] = "the stack could not be read",
		[STP_TASK_LOST] = "in code that the kernel cannot unwind",
	};
	u32 i;

	for (i = 0; i < STP_TASK_ENDS; i++) {
		u32 n = atomic_read(&n_cut[i]);

		if (n)
			stp_control_warn("Stacks of other tasks cut short: %u (%s).", n, why[i]);
	}
}

const struct stp_member stp_member_task_stacks = {
	.init = task_stacks_init,
	.exit = task_stacks_exit,
	.stop = task_stacks_stop,
};
