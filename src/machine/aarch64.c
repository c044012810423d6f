/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 64-bit Arm. Register numbers: DWARF for the Arm 64-bit Architecture (aadwarf64), section 4.1.
 * Calling convention: Procedure Call Standard for the Arm 64-bit Architecture (aapcs64), section
 * 6.8.2. What an entry without full registers saves: struct ftrace_regs in
 * arch/arm64/include/asm/ftrace.h (since 6.2, commit 26299b3f6ba2).
 */
#include <elf.h>
#include <string.h>

#include "machine/machine.h"
#include "runtime/uapi/regs_aarch64.h"

/* Rows: PROBED is a register with a value at a probe, NAMED one without. */
#define PROBED(number, reg, member, entry)                                                         \
	[number] = { reg, #member, offsetof(struct stp_regs, member), entry }
#define NAMED(number, reg) [number] = { .name = reg }
#define NAMED_4(number, prefix, a, b, c, d)                                                        \
	NAMED(number, prefix a), NAMED(number + 1, prefix b), NAMED(number + 2, prefix c),         \
		NAMED(number + 3, prefix d)
#define NAMED_16(number, prefix)                                                                   \
	NAMED_4(number, prefix, "0", "1", "2", "3"),                                               \
		NAMED_4(number + 4, prefix, "4", "5", "6", "7"),                                   \
		NAMED_4(number + 8, prefix, "8", "9", "10", "11"),                                 \
		NAMED_4(number + 12, prefix, "12", "13", "14", "15")
#define NAMED_32(number, prefix)                                                                   \
	NAMED_16(number, prefix), NAMED_4(number + 16, prefix, "16", "17", "18", "19"),            \
		NAMED_4(number + 20, prefix, "20", "21", "22", "23"),                              \
		NAMED_4(number + 24, prefix, "24", "25", "26", "27"),                              \
		NAMED_4(number + 28, prefix, "28", "29", "30", "31")

static const struct machine_register registers[] = {
	STP_REGISTERS(PROBED),    NAMED(33, "elr_mode"),  NAMED(34, "ra_sign_state"),
	NAMED(35, "tpidrro_el0"), NAMED(36, "tpidr_el0"), NAMED(37, "tpidr_el1"),
	NAMED(38, "tpidr_el2"),   NAMED(39, "tpidr_el3"), NAMED(46, "vg"),
	NAMED(47, "ffr"),         NAMED_16(48, "p"),      NAMED_32(64, "v"),
	NAMED_32(96, "z"),
};

/* Arm ARM, C1.2.5: the general registers, whole and by halves. */
#define WHOLE(number)                                                                              \
	{ "x" #number, number, 8, 0 },                                                             \
	{                                                                                          \
		"w" #number, number, 4, 0                                                          \
	}
static const struct machine_operand operands[] = {
	WHOLE(0),  WHOLE(1),  WHOLE(2),  WHOLE(3),          WHOLE(4),  WHOLE(5),  WHOLE(6),
	WHOLE(7),  WHOLE(8),  WHOLE(9),  WHOLE(10),         WHOLE(11), WHOLE(12), WHOLE(13),
	WHOLE(14), WHOLE(15), WHOLE(16), WHOLE(17),         WHOLE(18), WHOLE(19), WHOLE(20),
	WHOLE(21), WHOLE(22), WHOLE(23), WHOLE(24),         WHOLE(25), WHOLE(26), WHOLE(27),
	WHOLE(28), WHOLE(29), WHOLE(30), { "sp", 31, 8, 0 }
};

/* x0 to x7 (aapcs64, 6.8.2). */
static const uint16_t arguments[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/*
 * arch/arm64/include/asm/syscall_wrapper.h: SC_ARM64_REGS_TO_ARGS. The compat wrapper takes a
 * 32-bit caller's r0 to r5, which are x0 to x5.
 */
static const struct machine_syscalls syscalls[] = {
	{ "__arm64_", { 0, 1, 2, 3, 4, 5 }, false },
	{ "__arm64_compat_", { 0, 1, 2, 3, 4, 5 }, true },
};

#define NATIVE(number, name, entries) { 0, number, #name, entries, NULL, 0 },
static const struct machine_call calls[] = {
#include "runtime/uapi/syscalls_aarch64.def"
};
#undef NATIVE

/* ELF for the Arm 64-bit Architecture, 5.7.5 */
static const struct machine_relocation relocations[] = {
	{ R_AARCH64_NONE, 0 },
	{ R_AARCH64_ABS64, 8 },
	{ R_AARCH64_ABS32, 4 },
};

/* BL (Arm ARM, C6.2): 26 bits, signed, are the distance from the instruction, in words. */
static uint64_t call_target(const unsigned char *code, uint64_t len, uint64_t addr)
{
	uint32_t insn;

	if (len < sizeof(insn))
		return 0;
	memcpy(&insn, code, sizeof(insn));
	if (insn >> 26 != 0x25)
		return 0;
	return addr + (uint64_t)((int64_t)(int32_t)(insn << 6) >> 4);
}

const struct machine machine_aarch64 = {
	.name = "aarch64",
	.triplet = "aarch64-linux-gnu",
	.e_machine = EM_AARCH64,
	.word = 8,
	.relocations = relocations,
	.n_relocations = sizeof(relocations) / sizeof(*relocations),
	.registers = registers,
	.n_registers = sizeof(registers) / sizeof(*registers),
	.operands = operands,
	.n_operands = sizeof(operands) / sizeof(*operands),
	.syntax = MACHINE_SYNTAX_ARM,
	.stack_pointer = 31,
	.return_address = 30, /* lr; cfa_at_entry is 0 */
	.convention = {
		.arguments = arguments,
		.n_arguments = sizeof(arguments) / sizeof(*arguments),
		.results = { 0, 1 },
		.first_float = 64, /* v0 */
		.n_floats = 8,
		.result_address = -1, /* x8 holds it at the entry, and need not at the return */
		.large_by_reference = true,
		.pairs_are_even = true,
		.stack_is_aligned = true,
		.stack_is_final = true,
	},
	/* ELF for the Arm 64-bit Architecture, 5.7.11 and 5.7.12 */
	.threads = {
		.known = true,
		.gap = 16,
		.to_thread = R_AARCH64_TLS_TPREL,
		.to_module = R_AARCH64_TLS_DTPMOD,
	},
	.syscalls = syscalls,
	.n_syscalls = sizeof(syscalls) / sizeof(*syscalls),
	.calls = calls,
	.n_calls = sizeof(calls) / sizeof(*calls),
	.fentry_size = 8, /* mov x9, lr; bl: -fpatchable-function-entry=2 */
	.landing_size = 4,
	.landing = { 0x5f, 0x24, 0x03, 0xd5 }, /* BTI C */
	.call_target = call_target,
	.call_alignment = 4,
	/*
	 * KIMAGE_VADDR with 48 bits of address since 6.6 (commit 3e35d303ab7d), and 64 KB of head
	 * before the text
	 */
	.kernel_base = 0xffff800080000000,
	.kernel_text = 0xffff800080010000,
	.n_watchpoints = STP_WATCHPOINTS,
};
