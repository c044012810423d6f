/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit Arm for arch.h. Arguments: aapcs64, section 6.8.2. */
#ifndef STP_ARCH_AARCH64_H
#define STP_ARCH_AARCH64_H

#include <asm/sysreg.h>
#include <linux/compat.h>

#define STP_ARCH_SYSCALLS "uapi/syscalls_aarch64.def"

#define STP_ARCH_REGS_SAME(X) X(regs[0]) X(regs[30]) X(sp) X(pc) X(pstate)

/* clang-format off */
#define STP_ARCH_REGISTER_PARTS(X) \
	X("pstate", pstate, 8), X("fp", regs[29], 8), X("lr", regs[30], 8), X("w0", regs[0], 4), X("w1", regs[1], 4), \
	X("w2", regs[2], 4), X("w3", regs[3], 4), X("w4", regs[4], 4), X("w5", regs[5], 4), X("w6", regs[6], 4), \
	X("w7", regs[7], 4)
/* clang-format on */

#define STP_ARCH_ARGUMENTS 8

#define STP_ARCH_ENTRY_MARK 4 /* BTI C */

/*
 * -fpatchable-function-entry=2: two instructions behind the BTI, if there is one; ftrace's address
 * is that of the second (arch/arm64/kernel/ftrace.c, ftrace_call_adjust)
 */
#define STP_ARCH_FTRACE_OFFSETS 0, -4, -8
#define STP_ARCH_FTRACE_CODE 4

#define STP_ARCH_KPROBES_DECODE 0
#define STP_ARCH_TRAP 0

#define STP_ARCH_RETURN_WORDS 0

#define STP_ARCH_SLEEPER_SP offsetof(struct task_struct, thread.cpu_context.sp)
#define STP_ARCH_SLEEPER_ON_STACK 0
#define STP_ARCH_SLEEPER_PC offsetof(struct task_struct, thread.cpu_context.pc)
#define STP_ARCH_SLEEPER_FP offsetof(struct task_struct, thread.cpu_context.fp)
#define STP_ARCH_SLEEPER_SIZE 0
#define STP_ARCH_STACK_PADDING 0

/*
 * struct rt_sigframe of arch/arm64/kernel/signal.c: siginfo, then ucontext; and members of struct
 * sigcontext, uapi/asm/sigcontext.h
 */
#define STP_ARCH_SIGNAL_CONTEXT 304
#define STP_ARCH_SIGNAL_FP 240
#define STP_ARCH_SIGNAL_SP 256
#define STP_ARCH_SIGNAL_PC 264

static inline unsigned long stp_arch_link(const struct stp_regs *r)
{
	return r->regs[30];
}

/*
 * Go: cmd/compile/abi-internal.md, "Architecture specifics": R28, before 1.17 too. Threads have it
 * nowhere else that is known.
 */
static inline unsigned long stp_arch_go_g(const struct stp_regs *r)
{
	return r->regs[28];
}

static inline unsigned long stp_arch_go_thread_g(void)
{
	return 0;
}

/*
 * ELF for the Arm 64-bit Architecture, "Thread Local Storage"; ELF Handling For Thread-Local
 * Storage, 3 (variant I)
 */
#define STP_ARCH_DTV 0

static inline unsigned long stp_arch_thread_pointer(void)
{
	return read_sysreg(tpidr_el0);
}

static inline const unsigned long *stp_arch_argument(const struct stp_regs *r, u32 n)
{
	return n < STP_ARCH_ARGUMENTS ? &r->regs[n] : NULL;
}

static inline unsigned long stp_arch_result(const struct stp_regs *r)
{
	return r->regs[0];
}

static inline unsigned long *stp_arch_result_at(struct stp_regs *r)
{
	return &r->regs[0];
}

/* AArch32 programs */
static inline u32 stp_arch_user_word(const struct stp_regs *r)
{
	return sizeof(long);
}

static inline int stp_arch_is_32bit(struct task_struct *task)
{
	return test_tsk_thread_flag(task, TIF_32BIT);
}

static inline unsigned long stp_arch_pc(const struct stp_regs *r)
{
	return r->pc;
}

static inline unsigned long stp_arch_sp(const struct stp_regs *r)
{
	return r->sp;
}

static inline unsigned long stp_arch_fp(const struct stp_regs *r)
{
	return r->regs[29];
}

static inline u32 stp_arch_syscall_abi(void)
{
	return is_compat_task();
}

static inline unsigned long stp_arch_syscall_number(long number)
{
	return number;
}

static inline int stp_arch_syscall_of_uprobes(const struct pt_regs *regs)
{
	return 0;
}

/* What can be probed while tasks are switched stands on the stack of the one that is current. */
static inline int stp_arch_task_stack(unsigned long sp)
{
	return 0;
}

/*
 * What no table maps faults like anything else; only what is the user's must not pass for the
 * kernel's.
 */
static inline int stp_arch_kernel_range(u64 addr, u32 n)
{
	return (s64)addr < 0 && addr + (n ? n - 1 : 0) >= addr;
}

/* BL (Arm ARM, C6.2). */
static inline int stp_arch_ftrace_calls(const u8 *code)
{
	return (code[3] & 0xfc) == 0x94;
}

/* BTI is a hint instruction with bits 6 and 7 for what may branch there (Arm ARM, C6.2.41). */
static inline unsigned long stp_arch_ftrace_location(unsigned long addr, const u8 *code)
{
	u32 insn;

	memcpy(&insn, code, sizeof(insn));
	return addr + ((insn & ~0xc0u) == 0xd503241fu ? 8 : 4);
}

#endif
