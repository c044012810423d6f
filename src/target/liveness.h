/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does code read what a register holds? Forward along all ways from a place, over as many
 * instructions as STEPS_MAX (liveness.c); what is not understood counts as a read, so that "lost"
 * is never said of what might matter.
 */
#ifndef SPILE_TARGET_LIVENESS_H
#define SPILE_TARGET_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decoder;
struct machine;

/* Code as the compiler wrote it. Borrowed for the call. */
struct liveness_code {
	const struct machine *machine;
	/*
	 * The kernel's: it writes others over nops and jumps when it runs, and calls functions that
	 * have conventions of their own.
	 */
	bool is_kernel;
	/* A call may end in another place of the caller: C++ and Rust. */
	bool unwinds;
	/* The bytes at ADDR, *len of them, at most as many as it says; NULL: none is known. */
	const unsigned char *(*bytes)(const void *arg, uint64_t addr, size_t *len);
	/* The symbol that begins at ADDR; NULL: none does. */
	const char *(*name)(const void *arg, uint64_t addr);
	const void *arg; /* of these */
};

/*
 * Is the register of that DWARF number of the machine overwritten, or forgotten, before anything
 * reads it, whichever way the code goes on from PC? ENTRY: where the function begins that PC is in.
 * D decodes the machine's instructions.
 */
bool liveness_is_lost(const struct liveness_code *code, struct decoder *d, uint64_t entry,
		      uint64_t pc, unsigned number);

#endif
