/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit Arm for arch.h. Register numbers: aadwarf64, section 4.1. Arguments: aapcs64, section 6.8.2. */
#ifndef STP_ARCH_AARCH64_H
#define STP_ARCH_AARCH64_H

/* clang-format off */
#define STP_ARCH_DWARF_REGISTERS(X) \
	X(regs[0]) X(regs[1]) X(regs[2]) X(regs[3]) X(regs[4]) X(regs[5]) X(regs[6]) \
	X(regs[7]) X(regs[8]) X(regs[9]) X(regs[10]) X(regs[11]) X(regs[12]) X(regs[13]) \
	X(regs[14]) X(regs[15]) X(regs[16]) X(regs[17]) X(regs[18]) X(regs[19]) \
	X(regs[20]) X(regs[21]) X(regs[22]) X(regs[23]) X(regs[24]) X(regs[25]) \
	X(regs[26]) X(regs[27]) X(regs[28]) X(regs[29]) X(regs[30]) X(sp) X(pc)
/* clang-format on */

#define STP_ARCH_REGS_SAME(X) X(regs[0]) X(regs[30]) X(sp) X(pc) X(pstate)

#define STP_ARCH_STACK_ARGS 0
#define STP_ARCH_ARGUMENTS 8

/*
 * -fpatchable-function-entry=2: two instructions behind the BTI, if there is one; ftrace's address is that of the second
 * (arch/arm64/kernel/ftrace.c, ftrace_call_adjust)
 */
#define STP_ARCH_FTRACE_OFFSETS 0, -4, -8
#define STP_ARCH_FTRACE_CODE 4

static inline const unsigned long *stp_arch_argument(const struct stp_regs *r, u32 n)
{
	return n < STP_ARCH_ARGUMENTS ? &r->regs[n] : NULL;
}

static inline unsigned long stp_arch_result(const struct stp_regs *r)
{
	return r->regs[0];
}

static inline unsigned long stp_arch_pc(const struct stp_regs *r)
{
	return r->pc;
}

static inline unsigned long stp_arch_sp(const struct stp_regs *r)
{
	return r->sp;
}

/* What no table maps faults like anything else; only what is the user's must not pass for the kernel's. */
static inline int stp_arch_kernel_range(u64 addr, u32 n)
{
	return (s64)addr < 0 && addr + (n ? n - 1 : 0) >= addr;
}

/* BTI is a hint instruction with bits 6 and 7 for what may branch there (Arm ARM, C6.2.41). */
static inline unsigned long stp_arch_ftrace_location(unsigned long addr, const u8 *code)
{
	u32 insn;

	memcpy(&insn, code, sizeof(insn));
	return addr + ((insn & ~0xc0u) == 0xd503241fu ? 8 : 4);
}

#endif
