/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a value is at a probe: in memory, or in pieces (DWARF 5, section 2.6.1.2), each of which is
 * a value that a fetch program computes, a part of memory, or lost. A value in one register is one
 * piece of 64 bits.
 *
 * Everything is in the arena given; programs and pieces may be shared with other locations and are
 * never changed.
 */
#ifndef SPILE_TARGET_LOCATION_H
#define SPILE_TARGET_LOCATION_H

#include "base/arena.h"
#include "ir/fetch.h"

struct target_object;

/*
 * NONE: there is no value; MEMORY: at an address; PIECES: put together from pieces; IMPLICIT: a
 * pointer that has no value, for what it points to has no address or it was not needed, but what it
 * points to is known (DWARF 5, 2.6.1.1.4).
 */
enum location_kind { LOCATION_NONE, LOCATION_MEMORY, LOCATION_PIECES, LOCATION_IMPLICIT };

/* A part of a value. */
struct location_piece {
	unsigned bits;  /* of the value, above those of the pieces before */
	unsigned skip;  /* low bits of the word, or of memory, that are not part of it */
	bool in_memory; /* prog pushes an address of the kernel's, else the word itself */
	struct fetch_program prog;
	const char *problem; /* not NULL: cannot be read, why; prog is empty */
};

/* All zero: NONE without a reason. */
struct location {
	enum location_kind kind;
	/* MEMORY */
	enum fetch_space space;
	struct fetch_program address; /* pushes the address */
	/* PIECES, the lowest bits first */
	struct location_piece *pieces;
	size_t n_pieces, cap;
	/* PIECES: pushes the address of the word whose low part the value is; or empty */
	struct fetch_program stored;
	/* IMPLICIT: it points to OFFSET bytes behind the beginning of what is there, no IMPLICIT */
	const struct location *pointee;
	int64_t offset;
	/* NONE: why, and what would help; or NULL */
	const char *problem, *hint;
};

/* NONE: PROBLEM; NULL: it was optimised out. */
struct location location_none(const char *problem);
/* Is there a value that can be read, if only a part of it? */
static inline bool location_has_value(const struct location *l)
{
	return l->kind == LOCATION_MEMORY || l->kind == LOCATION_PIECES;
}
/* In memory of the kernel, at the address that PROG pushes. */
struct location location_memory(struct fetch_program prog);
/* In memory of the kernel, at a link-time address. */
struct location location_linked(struct arena *arena, uint64_t addr);
/*
 * L, whose addresses are those of object O's debug information and symbols, as what is known when
 * the module is built: of vmlinux unchanged; of a module, sections and offsets. NONE: where the
 * loaded module has it cannot be known. The programs of L are changed, and nobody else may hold
 * them.
 */
struct location location_relocate(const struct target_object *o, struct location l);
/* A pointer to OFFSET bytes behind the beginning of POINTEE; NONE: that has no value either. */
struct location location_implicit(struct arena *arena, const struct location *pointee,
				  int64_t offset);
/* The word that PROG pushes. */
struct location location_word(struct arena *arena, struct fetch_program prog);
/*
 * Pushes what a register of M holds, which has a value at a probe: of a program, as wide as its
 * machine's words.
 */
void location_push_register(struct arena *arena, const struct machine *m, uint16_t number,
			    struct fetch_program *prog);
/* The value of a register of M. */
struct location location_register(struct arena *arena, const struct machine *m, uint16_t number);
/* NONE, for it is in a register that has no value at a probe, or that the machine does not have. */
struct location location_lost(struct arena *arena, const struct machine *machine, uint64_t number);
/* Another piece, above those that are there; L becomes, or is, PIECES. */
void location_add_piece(struct arena *arena, struct location *l, struct location_piece piece);

/*
 * A program that reads BITS (1 to 64) bits of a location in PIECES, AT bits from its low end;
 * extended to a word. false: they cannot be read, and *problem says why.
 */
bool location_read_bits(struct arena *arena, const struct location *l, uint64_t at, unsigned bits,
			bool is_signed, struct fetch_program *ret, const char **problem);

#endif
