/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64 for arch.h. System V ABI, AMD64 supplement, section 3.2.3 (arguments). */
#ifndef STP_ARCH_X86_64_H
#define STP_ARCH_X86_64_H

#include <asm/fsgsbase.h>
#include <asm/segment.h>
#include <asm/switch_to.h>
#include <linux/thread_info.h>
#include <uapi/asm/unistd.h>
#include <uapi/asm/vsyscall.h>

#define STP_ARCH_SYSCALLS "uapi/syscalls_x86_64.def"

#define STP_ARCH_REGS_SAME(X)                                                                      \
	X(r15) X(bp) X(bx) X(r8) X(ax) X(di) X(orig_ax) X(ip) X(cs) X(flags) X(sp) X(ss)

/*
 * Intel SDM, volume 1, 3.4.1.1: names of the lower halves. Those with an x are ptrace(2)'s of i386.
 */
/* clang-format off */
#define STP_ARCH_REGISTER_PARTS(X) \
	X("eax", ax, 4), X("ebx", bx, 4), X("ecx", cx, 4), X("edx", dx, 4), X("esi", si, 4), X("edi", di, 4), \
	X("ebp", bp, 4), X("esp", sp, 4), X("eip", ip, 4), X("eflags", flags, 4), X("r8d", r8, 4), X("r9d", r9, 4), \
	X("r10d", r10, 4), X("r11d", r11, 4), X("r12d", r12, 4), X("r13d", r13, 4), X("r14d", r14, 4), \
	X("r15d", r15, 4), X("xcs", cs, 4), X("xss", ss, 4), X("orig_rax", orig_ax, 8), X("orig_eax", orig_ax, 4)
/* clang-format on */

#define STP_ARCH_ENTRY_MARK 4 /* ENDBR64 */
#define STP_ARCH_FTRACE_OFFSETS 0, -STP_ARCH_ENTRY_MARK, STP_ARCH_ENTRY_MARK
#define STP_ARCH_FTRACE_CODE 5

/* The kernel decodes a function before it places a kprobe in it. INT3: Intel SDM, volume 2. */
#define STP_ARCH_KPROBES_DECODE 1
#define STP_ARCH_TRAP 0xcc

#define STP_ARCH_RETURN_WORDS 1

#define STP_ARCH_SLEEPER_SP offsetof(struct task_struct, thread.sp)
#define STP_ARCH_SLEEPER_ON_STACK 1
#define STP_ARCH_SLEEPER_PC offsetof(struct inactive_task_frame, ret_addr)
#define STP_ARCH_SLEEPER_FP offsetof(struct inactive_task_frame, bp)
#define STP_ARCH_SLEEPER_SIZE sizeof(struct inactive_task_frame)
#define STP_ARCH_STACK_PADDING TOP_OF_KERNEL_STACK_PADDING

/*
 * uc_mcontext of struct ucontext, to which the stack pointer points then, and its members:
 * uapi/asm/sigcontext.h, struct sigcontext_64
 */
#define STP_ARCH_SIGNAL_CONTEXT 40
#define STP_ARCH_SIGNAL_FP 80
#define STP_ARCH_SIGNAL_SP 120
#define STP_ARCH_SIGNAL_PC 128

static inline unsigned long stp_arch_link(const struct stp_regs *r)
{
	return 0;
}

static inline const unsigned long *stp_arch_argument(const struct stp_regs *r, u32 n)
{
	const unsigned long *const in[] = { &r->di, &r->si, &r->dx, &r->cx, &r->r8, &r->r9 };

	return n < ARRAY_SIZE(in) ? in[n] : NULL;
}

static inline unsigned long stp_arch_result(const struct stp_regs *r)
{
	return r->ax;
}

static inline unsigned long *stp_arch_result_at(struct stp_regs *r)
{
	return &r->ax;
}

/* ia32 and x32 programs */
static inline int stp_arch_is_32bit(struct task_struct *task)
{
	return test_tsk_thread_flag(task, TIF_ADDR32);
}

/* x32 programs run in the code segment of the machine's own. */
static inline u32 stp_arch_user_word(const struct stp_regs *r)
{
	return r->cs != __USER_CS && stp_arch_is_32bit(current) ? 4 : sizeof(long);
}

static inline unsigned long stp_arch_pc(const struct stp_regs *r)
{
	return r->ip;
}

static inline unsigned long stp_arch_sp(const struct stp_regs *r)
{
	return r->sp;
}

static inline unsigned long stp_arch_fp(const struct stp_regs *r)
{
	return r->bp;
}

/*
 * Go: cmd/compile/abi-internal.md, "Architecture specifics"; before 1.17,
 * cmd/internal/obj/x86/obj6.go, load_g_cx: %fs:-8
 */
static inline unsigned long stp_arch_go_g(const struct stp_regs *r)
{
	return r->r14;
}

static inline unsigned long stp_arch_go_thread_g(void)
{
	return x86_fsbase_read_cpu() - 8;
}

/*
 * The register itself: entering the kernel leaves it, and what the kernel has of it in memory is
 * older where programs set it by WRFSBASE. System V ABI, AMD64 supplement, 3.4.2; ELF Handling For
 * Thread-Local Storage, 3.4.6.
 */
#define STP_ARCH_DTV 8

static inline unsigned long stp_arch_thread_pointer(void)
{
	return x86_fsbase_read_cpu();
}

static inline u32 stp_arch_syscall_abi(void)
{
	return in_ia32_syscall();
}

/* x32 programs mark their numbers, which are the machine's own else. */
static inline unsigned long stp_arch_syscall_number(long number)
{
	return number & ~(long)__X32_SYSCALL_BIT;
}

/*
 * Made by the trampolines of uprobes: since 6.11, commit 63ded110979b, and 6.18, commit
 * 56101b69c919.
 */
static inline int stp_arch_syscall_of_uprobes(const struct pt_regs *regs)
{
#ifdef __NR_uretprobe
	if (!in_ia32_syscall() && regs->orig_ax == __NR_uretprobe)
		return 1;
#endif
#ifdef __NR_uprobe
	if (!in_ia32_syscall() && regs->orig_ax == __NR_uprobe)
		return 1;
#endif
	return 0;
}

/*
 * Stacks of tasks are vmalloc()ed; those of exceptions are in the CPU entry areas, which lie
 * elsewhere.
 */
static inline int stp_arch_task_stack(unsigned long sp)
{
	return IS_ENABLED(CONFIG_VMAP_STACK) && sp >= VMALLOC_START && sp < VMALLOC_END;
}

/*
 * What is not canonical does not page-fault but traps with #GP, and older kernels' own check goes
 * by what the CPU could do, not by what is on. The page of old system calls counts as user space:
 * with SMAP a fault there is an oops, fault table or not, and copy_from_kernel_nofault() knows it
 * only since 6.9.
 */
static inline int stp_arch_kernel_range(u64 addr, u32 n)
{
	u32 shift = 63 - __VIRTUAL_MASK_SHIFT;
	u64 last = addr + (n ? n - 1 : 0);

	if ((s64)addr >= 0 || last < addr || (s64)(addr << shift) >> shift != (s64)addr)
		return 0;
	return addr >= VSYSCALL_ADDR + PAGE_SIZE || last < VSYSCALL_ADDR;
}

/* A call (opcode e8), or the breakpoint (cc) that stands for it while it is being written. */
static inline int stp_arch_ftrace_calls(const u8 *code)
{
	return code[0] == 0xe8 || code[0] == 0xcc;
}

/*
 * The first instruction, or behind the ENDBR64 there: a call, or the five-byte NOP of the Intel
 * SDM, volume 2B, "NOP", that stands in for it.
 */
static inline unsigned long stp_arch_ftrace_location(unsigned long addr, const u8 *code)
{
	static const u8 nop[STP_ARCH_FTRACE_CODE] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	if (code[0] == 0xe8 || !memcmp(code, nop, sizeof(nop)))
		return addr;
	return addr + STP_ARCH_ENTRY_MARK;
}

#endif
