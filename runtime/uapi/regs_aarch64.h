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

/*
 * The registers that have a value at a probe, as items of an initialiser: X(DWARF number, name in
 * the ABI document, member, whether an entry through ftrace without full registers has it).
 * Numbers: DWARF for the Arm 64-bit Architecture (aadwarf64), section 4.1.
 */
/* clang-format off */
#define STP_REGISTERS(X) \
	X(0, "x0", regs[0], 1), X(1, "x1", regs[1], 1), X(2, "x2", regs[2], 1), X(3, "x3", regs[3], 1), \
	X(4, "x4", regs[4], 1), X(5, "x5", regs[5], 1), X(6, "x6", regs[6], 1), X(7, "x7", regs[7], 1), \
	X(8, "x8", regs[8], 1), X(9, "x9", regs[9], 0), X(10, "x10", regs[10], 0), \
	X(11, "x11", regs[11], 0), X(12, "x12", regs[12], 0), X(13, "x13", regs[13], 0), \
	X(14, "x14", regs[14], 0), X(15, "x15", regs[15], 0), X(16, "x16", regs[16], 0), \
	X(17, "x17", regs[17], 0), X(18, "x18", regs[18], 0), X(19, "x19", regs[19], 0), \
	X(20, "x20", regs[20], 0), X(21, "x21", regs[21], 0), X(22, "x22", regs[22], 0), \
	X(23, "x23", regs[23], 0), X(24, "x24", regs[24], 0), X(25, "x25", regs[25], 0), \
	X(26, "x26", regs[26], 0), X(27, "x27", regs[27], 0), X(28, "x28", regs[28], 0), \
	X(29, "x29", regs[29], 1), X(30, "x30", regs[30], 1), X(31, "sp", sp, 1), X(32, "pc", pc, 1)
/* clang-format on */

/*
 * Places that a processor watches for its kernel at once; none, because the kernel steps over a
 * watched access for its own handlers only (arch/arm64/kernel/hw_breakpoint.c).
 */
#define STP_WATCHPOINTS 0

#endif
