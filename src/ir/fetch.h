/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch programs: how the value (or address) of a resolved target variable is got at run time.
 * target/ makes them from DWARF locations or from BTF and the calling convention; codegen/ turns
 * each into straight-line C. A program is a small stack machine on 64-bit words; it begins with an
 * empty stack and ends with exactly one word, its result. Its operations are the rows of
 * fetch_ops.def. Operands (subscripts, the pointer of a @cast) are script expressions evaluated
 * first, left to right.
 *
 * Instructions are in the arena of whoever made the program. Copies of a struct fetch_program
 * share them: fetch_copy() before pushing to one of the two.
 */
#ifndef SPILE_IR_FETCH_H
#define SPILE_IR_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct ir_object;
struct ir_section;
struct machine;
struct strbuf;

/* Words that a program may have on its stack. */
#define FETCH_STACK_MAX 64
/* Words that a tracepoint may have as arguments. */
#define FETCH_TPARG_MAX 12

/* The operations, in the order of the table. */
enum fetch_op {
#define OP(name, text, pops, pushes, fields, flags) FETCH_##name,
#include "ir/fetch_ops.def"
#undef OP
	N_FETCH_OPS
};

/* Whose memory an address is of. */
enum fetch_space {
	FETCH_KERNEL,
	FETCH_USER,   /* the current task's */
	FETCH_PERCPU, /* an object that each CPU has a copy of; this CPU's is meant */
	FETCH_IO,     /* a device's: pointers to it have values, but nothing is loaded */
};

struct fetch_entry;

/* Fields that an operation does not use are 0, and equality counts on it. */
struct fetch_insn {
	enum fetch_op op;
	enum fetch_space space;
	uint8_t size; /* bytes: 1 2 4 8 */
	uint8_t bits; /* 1 to 64, and not past bit 63 */
	bool is_signed;
	uint16_t number;
	int64_t value;
	const struct ir_section
		*section; /* of a LINKED operation: value is an offset in it; NULL: vmlinux */
	struct fetch_entry *entry; /* of ENTRY: what is kept */
};

/* The fields of struct fetch_insn that an operation uses. */
enum fetch_field {
	FETCH_USES_VALUE = 1,
	FETCH_USES_SIZE = 2,
	FETCH_USES_BITS = 4,
	FETCH_USES_SIGN = 8,
	FETCH_USES_SPACE = 16,
	/* number, by what it counts */
	FETCH_USES_REGISTER = 32, /* DWARF registers */
	FETCH_USES_WORD = 64,     /* words of a tracepoint's arguments */
	FETCH_USES_OPERAND = 128, /* operands beside the program */
	FETCH_USES_DEPTH = 256,   /* words down from the top of the stack */
	FETCH_USES_KEPT = 512,    /* entry */
	FETCH_USES_NUMBER =
		FETCH_USES_REGISTER | FETCH_USES_WORD | FETCH_USES_OPERAND | FETCH_USES_DEPTH,
};

/* Properties of an operation, as bits. */
enum fetch_flag {
	FETCH_FAILS = 1,  /* may raise an error */
	FETCH_LINKED = 2, /* value is a link-time address */
};

/* A row of fetch_ops.def. */
struct fetch_op_info {
	const char *name; /* the word in dumps */
	uint8_t pops, pushes;
	uint16_t fields; /* enum fetch_field */
	uint8_t flags;   /* enum fetch_flag */
};
/* By enum fetch_op. */
extern const struct fetch_op_info fetch_ops[N_FETCH_OPS];

/*
 * What a store changes: BITS bits, from bit AT on, of a word of SIZE bytes in memory or, where the
 * value has no address, of a register. bits 0: no part but the whole.
 */
struct fetch_part {
	uint8_t bits, at, size;
};

/* All zero: no program. Grows by fetch_push() only. */
struct fetch_program {
	struct fetch_insn *insns;
	size_t n, cap;
};

/*
 * A register at the entry of a function whose code asks later what it held there. One for each
 * register and function, made by target/ and compared by address. The function is said as in the
 * arm of struct ir_attach that points in it have.
 */
struct fetch_entry {
	const char *function;
	const struct ir_object *object;   /* a file or a module; NULL: vmlinux */
	const struct ir_section *section; /* of a module */
	uint64_t addr;
	uint64_t offset; /* of a file: in it */
	struct fetch_program frame,
		value;  /* at the entry: the call's frame address, the register */
	uint32_t index; /* step entries of sema/: what the program calls it */
};

/*
 * Is it kept by thread as well? Threads of programs have stacks at one address; those of the kernel
 * have not, and who runs on one may change in the middle of a call (__switch_to, exec).
 */
bool fetch_entry_by_thread(const struct fetch_entry *entry);
/* Appends INSN; the arena must be the one that P's instructions are in, or P empty. */
void fetch_push(struct arena *arena, struct fetch_program *p, struct fetch_insn insn);
/* All of FROM's instructions behind those of P. */
void fetch_append(struct arena *arena, struct fetch_program *p, const struct fetch_program *from);
/* A program of its own, in ARENA, that may be pushed to. */
struct fetch_program fetch_copy(struct arena *arena, const struct fetch_program *p);
/* The same instructions, field by field. */
bool fetch_equal(const struct fetch_program *a, const struct fetch_program *b);

/*
 * NULL when P is a program for the machine with that many operands: rows, fields, stack and
 * registers are right, and one word is left. Else what is wrong, in the arena. MACHINE: NULL when
 * there is none to probe; then there are no registers.
 */
const char *fetch_verify(const struct fetch_program *p, const struct machine *machine,
			 size_t n_operands, struct arena *arena);

/* As dumps show it: "reg 5, add 16, load u32". MACHINE names registers; NULL: by number. */
void fetch_text(const struct fetch_program *p, const struct machine *machine, struct strbuf *out);

/* Some operation may raise an error. */
bool fetch_can_fail(const struct fetch_program *p);
/* Some operation names a link-time address of the kernel or a module. */
bool fetch_has_address(const struct fetch_program *p);
/* Some operation needs an operand. */
bool fetch_has_operands(const struct fetch_program *p);
/* Needs registers that ftrace's argument-only entry does not save. */
bool fetch_needs_full_regs(const struct fetch_program *p, const struct machine *machine);
/* The value is the same wherever the program runs; *ret is that, else untouched. */
bool fetch_constant(const struct fetch_program *p, int64_t *ret);
/* The DWARF number of the register that the value, or a part of which it is, is in; or -1. */
int fetch_register(const struct fetch_program *p);

#endif
