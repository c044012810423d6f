/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module carries of a program or a shared library, so that user stacks through it can be
 * walked and its addresses named where nothing may be read but memory: made by
 * src/target/user_table.c, read by runtime/unwind/. The head comes first; the tables follow without
 * gaps, in its order, and after them the names. Numbers have the byte order of the machine that is
 * probed, which is that of the compiler's. Addresses are as linked, less `base`.
 *
 * A rule says how to get from a place in a function to its caller: where the canonical frame
 * address (CFA, DWARF 5, 6.4) is and where the caller's frame pointer was saved; the return address
 * is in the word below the CFA. It holds from its address up to that of the next.
 */
#ifndef STP_UAPI_USER_TABLE_H
#define STP_UAPI_USER_TABLE_H

#include "types.h"

/* The cache keeps tables as they are written: a change of what they say is another version. */
#define STP_USER_TABLE_VERSION 2u
/* Handlers look through all segments for each frame. Linkers make 2 to 6. */
#define STP_USER_SEGMENTS_MAX 64
#define STP_USER_TABLE_MAX (32u << 20) /* bytes of one that is handed in while a session runs */

struct stp_user_table {
	stp_u64 base;       /* lowest linked address */
	stp_u32 n_segments; /* struct stp_user_segment */
	stp_u32 n_rules;    /* stp_u32 addresses, ascending; then as many rules */
	/* stp_u32 addresses, ascending; then as many offsets of names; 0: nameless */
	stp_u32 n_symbols;
	stp_u32 names_len; /* bytes of names, each NUL-terminated; the first is empty */
};

/* A loaded segment. */
struct stp_user_segment {
	stp_u64 offset, size; /* in the file */
	stp_u64 addr;
};

/* Kinds of rules, the lowest 3 bits of one. */
enum stp_user_rule {
	STP_RULE_NONE, /* not known */
	STP_RULE_SP,   /* CFA = stack pointer + offset */
	STP_RULE_FP,   /* CFA = frame pointer + offset */
	/*
	 * CFA is the word at frame pointer + offset, the caller's frame pointer the word at the
	 * frame pointer
	 */
	STP_RULE_ALIGNED,
	/* CFA = stack pointer + 8, or 16 from byte `offset` of each 16 bytes of code on */
	STP_RULE_PLT,
	STP_RULE_SIGNAL, /* the frame that the kernel made for a signal handler */
	STP_RULE_END,    /* there is no caller */
};

/*
 * The next 13 bits, signed: where the caller's frame pointer is, in words from the CFA; 0: it was
 * not saved, and is the same.
 */
#define STP_RULE_SAVED(rule) (((int)((rule) << 16)) >> 19)
/* The rest, signed: the offset; in words, but of PLT in bytes. */
#define STP_RULE_OFFSET(rule) ((int)(rule) >> 16)
#define STP_RULE(kind, saved, offset)                                                              \
	((stp_u32)(kind) | ((stp_u32)(saved)&0x1fff) << 3 | (stp_u32)(offset) << 16)

#endif
