/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions, as far as they say where code goes on, and what they do to a register. Decoded by
 * capstone, which is loaded when it is first asked for: it takes 2 ms. libopcodes would take as
 * long, and tells only text.
 */
#ifndef SPILE_TARGET_DECODE_H
#define SPILE_TARGET_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes: no instruction of a machine that is decoded is longer (Intel SDM, 2.3.11). */
#define DECODE_LONGEST 15

struct decoder;
struct machine;

/* Where code goes on behind an instruction. */
enum decode_flow {
	DECODE_ON,     /* with the next instruction */
	DECODE_CALL,   /* at `to`, and with the next instruction after its return */
	DECODE_BRANCH, /* a jump that depends on something */
	DECODE_JUMP,
	DECODE_RETURN,
};

/* An instruction, as decoder_next() found it. */
struct decoded {
	uint64_t addr;
	unsigned size; /* bytes */
	enum decode_flow flow;
	uint64_t to; /* of a call, branch or jump: where; 0: it says so at run time */
	bool is_nop;
	bool is_notrack;  /* a jump that need not go to a landing pad, as those through tables */
	uint64_t address; /* what it puts into a register without reading any; 0: nothing */
};

/* What an instruction does to a general register. */
enum decode_use {
	DECODE_UNTOUCHED,
	DECODE_OVERWRITTEN, /* all of it, and it is not read before */
	DECODE_USED,        /* read, or changed in part; or that is not known */
};

/* *RET is the caller's for decoder_destroy(). */
struct error *decoder_create(struct decoder **ret) ERROR_MUST_CHECK;
/* Are instructions of that machine decoded? */
bool decoder_knows(const struct machine *machine);
/*
 * Whose instructions are decoded from now on; a machine that is not known to be decoded is refused.
 */
struct error *decoder_set_machine(struct decoder *d,
				  const struct machine *machine) ERROR_MUST_CHECK;
void decoder_destroy(struct decoder *d);
/*
 * After decoder_set_machine(): the instruction that the LEN bytes begin with, which are at ADDR;
 * false: they are none.
 */
bool decoder_next(struct decoder *d, const unsigned char *bytes, size_t len, uint64_t addr,
		  struct decoded *ret);
/*
 * Of the instruction that decoder_next() found last, and the register of that DWARF number of its
 * machine M.
 */
enum decode_use decoder_use(const struct decoder *d, const struct machine *m, unsigned number);

#endif
