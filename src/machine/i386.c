/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i386, as programs on a kernel of x86-64: their registers are the lower halves of that kernel's
 * struct pt_regs. Register numbers and the calling convention: System V ABI, Intel386 Architecture
 * Processor Supplement, version 1.0, table 2.14 and section 2.2.
 */
#include <elf.h>

#include "machine/machine.h"
#include "runtime/uapi/regs_x86_64.h"

/* Rows: PROBED is a register with a value at a probe, NAMED_8 are eight without. */
#define PROBED(number, reg, member)                                                                \
	[number] = { reg, #member, offsetof(struct stp_regs, member), true }
#define NAMED(number, reg) [number] = { .name = reg }
#define NAMED_8(number, prefix)                                                                    \
	NAMED(number, prefix "0"), NAMED(number + 1, prefix "1"), NAMED(number + 2, prefix "2"),   \
		NAMED(number + 3, prefix "3"), NAMED(number + 4, prefix "4"),                      \
		NAMED(number + 5, prefix "5"), NAMED(number + 6, prefix "6"),                      \
		NAMED(number + 7, prefix "7")

static const struct machine_register registers[] = {
	PROBED(0, "eax", ax),       PROBED(1, "ecx", cx), PROBED(2, "edx", dx),
	PROBED(3, "ebx", bx),       PROBED(4, "esp", sp), PROBED(5, "ebp", bp),
	PROBED(6, "esi", si),       PROBED(7, "edi", di), PROBED(8, "eip", ip),
	PROBED(9, "eflags", flags), NAMED_8(11, "st"),    NAMED_8(21, "xmm"),
	NAMED_8(29, "mm"),
};

/* Intel SDM, volume 1, 3.4.1: the general registers and their parts. */
#define WHOLE(number, d, w)                                                                        \
	{ d, number, 4, 0 },                                                                       \
	{                                                                                          \
		w, number, 2, 0                                                                    \
	}
#define BYTES(number, low, high)                                                                   \
	{ low, number, 1, 0 },                                                                     \
	{                                                                                          \
		high, number, 1, 8                                                                 \
	}
static const struct machine_operand operands[] = {
	WHOLE(0, "eax", "ax"), WHOLE(1, "ecx", "cx"), WHOLE(2, "edx", "dx"), WHOLE(3, "ebx", "bx"),
	WHOLE(4, "esp", "sp"), WHOLE(5, "ebp", "bp"), WHOLE(6, "esi", "si"), WHOLE(7, "edi", "di"),
	BYTES(0, "al", "ah"),  BYTES(1, "cl", "ch"),  BYTES(2, "dl", "dh"),  BYTES(3, "bl", "bh"),
};

/* ebx esp ebp esi edi (section 2.2.1) */
static const uint16_t saved[] = { 3, 4, 5, 6, 7 };

/* eax ecx edx: gcc(1), regparm */
static const uint16_t asked[] = { 0, 1, 2 };

/*
 * Arguments are all on the stack. A structure is returned in memory, whose address is a hidden
 * first argument, and in eax at the return (section 2.2.4).
 */
const struct machine machine_i386 = {
	.name = "i386",
	.triplet = "i386-linux-gnu",
	.e_machine = EM_386,
	.word = 4,
	.is_x86 = true,
	.carrier = &machine_x86_64,
	.registers = registers,
	.n_registers = sizeof(registers) / sizeof(*registers),
	.operands = operands,
	.n_operands = sizeof(operands) / sizeof(*operands),
	.syntax = MACHINE_SYNTAX_ATT,
	.stack_pointer = 4,
	.frame_pointer = 5,
	.cfa_at_entry = 4, /* the return address */
	.return_address = 4,
	.convention = {
		.asked = asked,
		.n_asked = sizeof(asked) / sizeof(*asked),
		.results = { 0, 2 },
		.first_float = 11, /* st0 */
		.result_address = 0,
		.result_is_argument = true,
		.aggregates_in_memory = true,
		.saved = saved,
		.n_saved = sizeof(saved) / sizeof(*saved),
	},
	.fentry_size = 5, /* call rel32 */
	.landing_size = 4,
	.landing = { 0xf3, 0x0f, 0x1e, 0xfb }, /* ENDBR32 */
	/* gcc(1), -mindirect-branch and -mfunction-return */
	.thunks = "__x86_",
	.return_thunks = "__x86_return_thunk",
};
