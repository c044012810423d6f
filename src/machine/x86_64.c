/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x86-64. Register numbers and the calling convention: System V ABI, AMD64 supplement, version 1.0,
 * figure 3.36 and section 3.2.3. What an entry without full registers saves:
 * arch/x86/kernel/ftrace_64.S, ftrace_caller.
 */
#include <elf.h>
#include <string.h>

#include "machine/machine.h"
#include "runtime/uapi/regs_x86_64.h"

/* Rows: PROBED is a register with a value at a probe, NAMED one without. */
#define PROBED(number, reg, member, entry)                                                         \
	[number] = { reg, #member, offsetof(struct stp_regs, member), entry }
#define NAMED(number, reg) [number] = { .name = reg }
#define NAMED_8(number, prefix, a, b, c, d, e, f, g, h)                                            \
	NAMED(number, prefix a), NAMED(number + 1, prefix b), NAMED(number + 2, prefix c),         \
		NAMED(number + 3, prefix d), NAMED(number + 4, prefix e),                          \
		NAMED(number + 5, prefix f), NAMED(number + 6, prefix g),                          \
		NAMED(number + 7, prefix h)
#define NAMED_0_TO_7(number, prefix) NAMED_8(number, prefix, "0", "1", "2", "3", "4", "5", "6", "7")

static const struct machine_register registers[] = {
	STP_REGISTERS(PROBED),
	NAMED_0_TO_7(17, "xmm"),
	NAMED_8(25, "xmm", "8", "9", "10", "11", "12", "13", "14", "15"),
	NAMED_0_TO_7(33, "st"),
	NAMED_0_TO_7(41, "mm"),
	NAMED(50, "es"),
	NAMED(53, "ds"),
	NAMED(54, "fs"),
	NAMED(55, "gs"),
	NAMED(58, "fs.base"),
	NAMED(59, "gs.base"),
	NAMED(62, "tr"),
	NAMED(63, "ldtr"),
	NAMED(64, "mxcsr"),
	NAMED(65, "fcw"),
	NAMED(66, "fsw"),
	NAMED_8(67, "xmm", "16", "17", "18", "19", "20", "21", "22", "23"),
	NAMED_8(75, "xmm", "24", "25", "26", "27", "28", "29", "30", "31"),
	NAMED_0_TO_7(118, "k"),
	NAMED(126, "bnd0"),
	NAMED(127, "bnd1"),
	NAMED(128, "bnd2"),
	NAMED(129, "bnd3"),
};

/*
 * Intel SDM, volume 1, 3.4.1: the general registers and their parts, and what moves with the code.
 */
#define WHOLE(number, q, d, w, b)                                                                  \
	{ q, number, 8, 0 }, { d, number, 4, 0 }, { w, number, 2, 0 },                             \
	{                                                                                          \
		b, number, 1, 0                                                                    \
	}
#define NUMBERED(n) WHOLE(n, "r" #n, "r" #n "d", "r" #n "w", "r" #n "b")
static const struct machine_operand operands[] = {
	WHOLE(0, "rax", "eax", "ax", "al"),
	WHOLE(1, "rdx", "edx", "dx", "dl"),
	WHOLE(2, "rcx", "ecx", "cx", "cl"),
	WHOLE(3, "rbx", "ebx", "bx", "bl"),
	WHOLE(4, "rsi", "esi", "si", "sil"),
	WHOLE(5, "rdi", "edi", "di", "dil"),
	WHOLE(6, "rbp", "ebp", "bp", "bpl"),
	WHOLE(7, "rsp", "esp", "sp", "spl"),
	NUMBERED(8),
	NUMBERED(9),
	NUMBERED(10),
	NUMBERED(11),
	NUMBERED(12),
	NUMBERED(13),
	NUMBERED(14),
	NUMBERED(15),
	{ "ah", 0, 1, 8 },
	{ "dh", 1, 1, 8 },
	{ "ch", 2, 1, 8 },
	{ "bh", 3, 1, 8 },
	{ "rip", 16, 8, 0 },
};

/* rdi rsi rdx rcx r8 r9 (section 3.2.3, "Passing"), by DWARF number. */
static const uint16_t arguments[] = { 5, 4, 1, 2, 8, 9 };

/* rcx rdx r8 r9 (gcc(1), "ms_abi") */
static const uint16_t microsoft[] = { 2, 1, 8, 9 };

/* rbx rbp rsp r12 to r15 (section 3.2.1) */
static const uint16_t saved[] = { 3, 6, 7, 12, 13, 14, 15 };

/* rax rbx rcx rdi rsi r8 r9 r10 r11 (cmd/compile/abi-internal.md, "amd64 architecture") */
static const uint16_t go_registers[] = { 0, 3, 2, 5, 4, 8, 9, 10, 11 };

/* arch/x86/include/asm/syscall_wrapper.h: SC_X86_64_REGS_TO_ARGS, SC_IA32_REGS_TO_ARGS */
static const struct machine_syscalls syscalls[] = {
	{ "__x64_", { 5, 4, 1, 10, 8, 9 }, false }, /* di si dx r10 r8 r9 */
	{ "__ia32_", { 3, 2, 1, 4, 5, 6 }, true },  /* bx cx dx si di bp */
};

#define NATIVE(number, name, entries) { 0, number, #name, entries, NULL, 0 },
#define COMPAT(number, name, entries, like, n) { 1, number, #name, entries, like, n },
static const struct machine_call calls[] = {
#include "runtime/uapi/syscalls_x86_64.def"
};
#undef NATIVE
#undef COMPAT

/* System V ABI, AMD64 supplement, 4.4.1 */
static const struct machine_relocation relocations[] = {
	{ R_X86_64_NONE, 0 },
	{ R_X86_64_64, 8 },
	{ R_X86_64_32, 4 },
	{ R_X86_64_32S, 4 },
};

/* CALL rel32, which is E8 (Intel SDM, volume 2). */
static uint64_t call_target(const unsigned char *code, uint64_t len, uint64_t addr)
{
	int32_t distance;

	if (*code != 0xe8 || len < 5)
		return 0;
	memcpy(&distance, code + 1, sizeof(distance));
	return addr + 5 + (uint64_t)(int64_t)distance;
}

/*
 * A result over two words is in memory, whose address the caller passes in rdi and finds again in
 * rax (section 3.2.3, "Returning of Values").
 */
const struct machine machine_x86_64 = {
	.name = "x86_64",
	.triplet = "x86_64-linux-gnu",
	.e_machine = EM_X86_64,
	.word = 8,
	.is_x86 = true,
	.relocations = relocations,
	.n_relocations = sizeof(relocations) / sizeof(*relocations),
	.registers = registers,
	.n_registers = sizeof(registers) / sizeof(*registers),
	.operands = operands,
	.n_operands = sizeof(operands) / sizeof(*operands),
	.syntax = MACHINE_SYNTAX_ATT,
	.stack_pointer = 7,
	.frame_pointer = 6,
	.return_column = 16,
	.cfa_at_entry = 8, /* the return address */
	.return_address = 7,
	.convention = {
		.arguments = arguments,
		.n_arguments = sizeof(arguments) / sizeof(*arguments),
		.results = { 0, 1 },
		.first_float = 17, /* xmm0 */
		.n_floats = 8,
		.result_address = 0,
		.result_is_argument = true,
		.words_have_classes = true,
		.x87_result = 33, /* st0 */
		.microsoft = microsoft,
		.n_microsoft = sizeof(microsoft) / sizeof(*microsoft),
		.stack_is_aligned = true,
		.saved = saved,
		.n_saved = sizeof(saved) / sizeof(*saved),
	},
	.go = {
		.registers = go_registers,
		.n_registers = sizeof(go_registers) / sizeof(*go_registers),
		.n_floats = 15,
		.first_float = 17, /* xmm0 */
	},
	/* System V ABI, AMD64 supplement, 4.4.1 */
	.threads = {
		.known = true,
		.below = true,
		.to_thread = R_X86_64_TPOFF64,
		.to_module = R_X86_64_DTPMOD64,
	},
	.syscalls = syscalls,
	.n_syscalls = sizeof(syscalls) / sizeof(*syscalls),
	.calls = calls,
	.n_calls = sizeof(calls) / sizeof(*calls),
	.fentry_size = 5, /* call rel32 */
	.landing_size = 4,
	.landing = { 0xf3, 0x0f, 0x1e, 0xfa }, /* ENDBR64 */
	.call_target = call_target,
	.call_alignment = 1,
	/* gcc(1), -mindirect-branch and -mfunction-return */
	.thunks = "__x86_",
	.return_thunks = "__x86_return_thunk",
	.plt_jump = { 0xff, 0x25 }, /* jmp *rip(...) */
	.n_plt_jump = 2,
	.lazy_plt_entry = 16, /* binutils: elf64_x86_64_lazy_plt_eh_frame */
	.to_chosen = R_X86_64_IRELATIVE,
	/* __START_KERNEL_map, and CONFIG_PHYSICAL_START above it */
	.kernel_base = 0xffffffff80000000,
	.kernel_text = 0xffffffff81000000,
	.n_watchpoints = STP_WATCHPOINTS,
};
