/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch programs: how the value (or address) of a resolved target variable is got at run time.
 * target/ makes them from DWARF locations or from BTF and the calling convention; codegen/ turns
 * each into straight-line C. A program is a small stack machine on 64-bit words; it begins with an
 * empty stack and ends with exactly one word, its result. Operands (subscripts, the pointer of a
 * @cast) are script expressions evaluated first, left to right.
 */
#ifndef SPILE_IR_FETCH_H
#define SPILE_IR_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fetch_op {
	/* push */
	FETCH_CONST,   /* value */
	FETCH_ADDRESS, /* value: link-time address in vmlinux; pushes the run-time address */
	FETCH_REG, /* reg: DWARF register number of the machine; value of the probe's register set */
	FETCH_TPARG,   /* reg: 0-based tracepoint argument word */
	FETCH_OPERAND, /* reg: operand number */
	FETCH_DUP,
	FETCH_PICK, /* value: 0 = top */
	/* top := f(top) */
	FETCH_ADD,    /* + value */
	FETCH_LOAD,   /* size, is_signed, user: memory at top; a fault raises the read error */
	FETCH_EXTEND, /* size, is_signed: keep the low size bytes */
	FETCH_BITS,   /* value: bit offset from bit 0; bits: width; is_signed */
	FETCH_INDEX,  /* += operand[reg] * value */
	FETCH_NEG,
	FETCH_NOT,
	FETCH_ABS,
	/* second, top := */
	FETCH_SWAP,
	FETCH_DROP,
	FETCH_PLUS,
	FETCH_MINUS,
	FETCH_MUL,
	FETCH_DIV, /* signed; "divide by zero in DWARF operand (DW_OP_div)" */
	FETCH_MOD,
	FETCH_AND,
	FETCH_OR,
	FETCH_XOR,
	FETCH_SHL,
	FETCH_SHR,
	FETCH_SHRA,
	FETCH_EQ,
	FETCH_NE,
	FETCH_LT,
	FETCH_LE,
	FETCH_GT,
	FETCH_GE,
};

struct fetch_insn {
	enum fetch_op op;
	uint8_t size; /* 1 2 4 8 */
	uint8_t bits;
	bool is_signed, user;
	uint16_t reg;
	int64_t value;
};

struct fetch_program {
	struct fetch_insn *insns;
	size_t n, cap;
};

/* Needs registers that ftrace's argument-only entry does not save (anything but the integer
 * arguments, sp, bp, ip). */
bool fetch_needs_full_regs(const struct fetch_program *p);
/* The DWARF number of the register that the whole value is in, or -1. */
int fetch_register(const struct fetch_program *p);
bool fetch_equal(const struct fetch_program *a, const struct fetch_program *b);

#endif
