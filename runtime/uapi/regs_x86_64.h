/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct pt_regs of x86-64 as generated code sees it (arch/x86/include/asm/ptrace.h, stable since 2.6);
 * the runtime asserts that the layouts agree. Function-entry probes through ftrace without full registers
 * fill only di, si, dx, cx, r8, r9, bp, sp, ip (and ax at exit).
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

#endif
