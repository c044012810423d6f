/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct pt_regs of x86-64 as generated code sees it (arch/x86/include/asm/ptrace.h, stable since
 * 2.6); the runtime asserts that the layouts agree. Function-entry probes through ftrace without
 * full registers fill only di, si, dx, cx, r8, r9, bp, sp, ip (and ax at exit).
 *
 * Context: any handler.
 */
#ifndef STP_UAPI_REGS_X86_64_H
#define STP_UAPI_REGS_X86_64_H

struct stp_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};

/*
 * The registers that have a value at a probe, as items of an initialiser: X(DWARF number, name in
 * the ABI document, member, whether an entry through ftrace without full registers has it).
 * Numbers: System V ABI, AMD64 supplement, version 1.0, figure 3.36.
 */
/* clang-format off */
#define STP_REGISTERS(X) \
	X(0, "rax", ax, 0), X(1, "rdx", dx, 1), X(2, "rcx", cx, 1), X(3, "rbx", bx, 0), X(4, "rsi", si, 1), \
	X(5, "rdi", di, 1), X(6, "rbp", bp, 1), X(7, "rsp", sp, 1), X(8, "r8", r8, 1), X(9, "r9", r9, 1), \
	X(10, "r10", r10, 0), X(11, "r11", r11, 0), X(12, "r12", r12, 0), X(13, "r13", r13, 0), \
	X(14, "r14", r14, 0), X(15, "r15", r15, 0), X(16, "rip", ip, 1), X(49, "rflags", flags, 0), \
	X(51, "cs", cs, 0), X(52, "ss", ss, 0)
/* clang-format on */

/* Places that a processor watches for its kernel at once: DR0 to DR3. */
#define STP_WATCHPOINTS 4

#endif
