/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of debug information, opened for libdw. That of a module is relocatable: what its .debug_
 * sections say of addresses and of each other is in relocations, which are applied here, in memory,
 * to the addresses of image.h's layout. libdwfl would do the same at five times the cost (ext4: 50
 * ms against 9).
 */
#ifndef SPILE_TARGET_DWARF_FILE_H
#define SPILE_TARGET_DWARF_FILE_H

#include <elfutils/libdw.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* All zero: not open. */
struct dwarf_file {
	int fd;
	char *unpacked; /* on the heap: what elf reads instead of the file (image_unpack.h); or NULL */
	Elf *elf;
	Dwarf *dw;
	Dwarf *alternate; /* opened by us; NULL: libdw found it, or there is none */
	int alternate_fd;
	/* on the heap: files of split units (.dwo), each once, in order of the units */
	Dwarf **split;
	size_t n_split;
	bool has_split; /* they are listed */
	/* .debug_info where it is read from pages of the file itself, as they are; else NULL */
	char *info;
	size_t info_len;
	size_t released; /* of these bytes so many were given back when last asked */
};

/*
 * A DIE in whatever file the debug information is spread over, as a number that is the same each
 * time the file is opened: the offset in .debug_info, and from bit 40 on the file: 0 itself, 1 the
 * alternate file that dwz shares among several (DWARF 5, 7.3.6), from 2 on those of split units
 * (7.3.2); bit 55: it is in .debug_types instead (DWARF 4, 7.5.1.2). 0 is no DIE.
 */
uint64_t dwarf_file_ref(struct dwarf_file *f, Dwarf_Die *die);
/* Back again; false: there is none. */
bool dwarf_file_die(struct dwarf_file *f, uint64_t ref, Dwarf_Die *ret);
/*
 * The file in which a DIE, or the abstract one behind it, is declared; NULL: it says none. libdw's
 * dwarf_decl_file() knows no file 0, which DWARF 5 (6.2.4) has and clang uses, and aborts in split
 * units.
 */
const char *dwarf_declared_in(Dwarf_Die *die);
/* The file of the call that an inlined copy stands for, as above; NULL: DIE is none. */
const char *dwarf_called_in(Dwarf_Die *die);
/* That file as a number in the table of *UNIT; false: it says none. */
bool dwarf_declared_number(Dwarf_Die *die, Dwarf_Die *unit, Dwarf_Word *ret);
/*
 * Is the language of the DIE's unit LANGUAGE (DW_LANG_...)? A unit of what others have in common
 * (DWARF 5, 3.1.1) may have none, as dwz makes them: then, does any unit of the file have it?
 */
bool dwarf_is_of_language(struct dwarf_file *f, Dwarf_Die *die, int language);
/*
 * The language of the DIE's unit (DW_LANG_...); of a unit of what others have in common, without
 * one, that of the first unit which has one. Not above 0: none has.
 */
int dwarf_language(struct dwarf_file *f, Dwarf_Die *die);
/*
 * Where a function or copy with code is entered. One in several parts (DW_AT_ranges) has neither
 * DW_AT_entry_pc nor DW_AT_low_pc when gcc writes it: that is where the first of them begins, as
 * DWARF 5, 2.18 has it. 0: it has no code.
 */
uint64_t dwarf_entry(Dwarf_Die *die);
/*
 * The row of its unit's line table at the entry; NULL: there is none, or no code. It is where a
 * function is whose DIE does not say where it is declared: lambdas of GCC, functions of Go (no
 * line).
 */
Dwarf_Line *dwarf_entry_row(Dwarf_Die *die);
#define DWARF_REF_BITS 56 /* above these a reference is 0 */

/*
 * Opens PATH and, when it is relocatable, applies the relocations of its .debug_ sections. The file
 * itself is never changed. On failure *ret is untouched.
 */
struct error *dwarf_file_open(const char *path, struct dwarf_file *ret) ERROR_MUST_CHECK;
/*
 * What is before OFFSET of .debug_info has been read, and is unlikely to be again soon: it need not
 * stay in memory. Reading it again is no mistake. May be called often.
 */
void dwarf_file_release(struct dwarf_file *f, uint64_t offset);
/* One that was never opened is all zero. */
void dwarf_file_close(struct dwarf_file *f);

#endif
