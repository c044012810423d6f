/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module carries of an object's debug information so that source lines and inlined copies
 * are known where nothing may be read but memory: made by src/target/line_table.c, read by
 * runtime/unwind/lines.c. A table is a file that the assembler includes. The head comes first; the
 * parts follow without gaps, in its order. Numbers have the byte order of the machine that is
 * probed. Addresses are as linked, less `base`; of modules, those of src/target/image.h's layout.
 */
#ifndef STP_UAPI_LINE_TABLE_H
#define STP_UAPI_LINE_TABLE_H

#include "types.h"

/* Changes with the format of either table, and with what is in them. */
#define STP_LINE_TABLE_VERSION 2u

/*
 * Lines: rows in the order of addresses, each holding up to the next, in blocks of STP_LINE_BLOCK.
 * A row is numbers of seven bits a byte, low ones first (ULEB128; DWARF 5, 7.6): bytes from the row
 * before, or in the first row of a block from the block's address; then twice the difference of
 * lines, as STP_LINE_ZIGZAG, plus 1 when the number of another file follows. A block begins with
 * file 0, line 0. Line 0: no line is known from here on.
 */
struct stp_line_table {
	stp_u32 version, kind; /* STP_TABLE_LINES */
	stp_u64 base;
	/* stp_u32 addresses, ascending; then as many offsets of their first rows */
	stp_u32 n_blocks;
	stp_u32 n_files;   /* stp_u32 offsets of names */
	stp_u32 rows_len;  /* bytes of rows, a multiple of 4 */
	stp_u32 names_len; /* bytes of names, each NUL-terminated */
};

#define STP_TABLE_LINES 1u
#define STP_TABLE_INLINES 2u
#define STP_LINE_BLOCK 32
#define STP_LINE_ZIGZAG(d) (((stp_u32)(d) << 1) ^ (stp_u32)((int)(d) >> 31))
#define STP_LINE_UNZIGZAG(z) ((int)((z) >> 1) ^ -(int)((z)&1))

/*
 * Inlined copies: ranges in the order of addresses, of several that begin at one the outer first.
 */
struct stp_inline_table {
	stp_u32 version, kind; /* STP_TABLE_INLINES */
	stp_u64 base;
	stp_u32 n_copies; /* struct stp_inline_copy */
	stp_u32 names_len;
};

struct stp_inline_copy {
	stp_u32 low, high; /* code from low to before high */
	stp_u32 outer;     /* from 1: the copy around it; 0: it lies in the function itself */
	stp_u32 name;      /* offsets of names: the function's, */
	stp_u32 call_file; /* and of the file it is called in, */
	stp_u32 call_line; /* at this line */
};

#endif
