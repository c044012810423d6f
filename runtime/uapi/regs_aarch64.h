/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct user_pt_regs of arm64 as generated code sees it, with which struct pt_regs begins
 * (arch/arm64/include/asm/ptrace.h, since 3.7); the runtime asserts that the layouts agree.
 *
 * Context: any handler.
 */
#ifndef STP_UAPI_REGS_AARCH64_H
#define STP_UAPI_REGS_AARCH64_H

struct stp_regs {
	unsigned long regs[31], sp, pc, pstate;
};

#endif
