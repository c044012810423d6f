/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DWARF index: for each function and global its DIE, and for each function its inlined copies,
 * kept in the cache as one mapped file per build-id. Scanning 15 million DIEs takes a second or
 * more and much memory: a child process does it.
 */
#ifndef SPILE_TARGET_DWARF_INDEX_H
#define SPILE_TARGET_DWARF_INDEX_H

#include "target/image.h"
#include "target/parts.h"

/*
 * A function, by what DWARF calls it. Records from here to the header are the file's: a change of
 * any is a new DWARF_INDEX_VERSION. name, file: offsets of the strings; scope: that of the
 * namespaces, classes and functions around it, each with "::" behind it; die: as of
 * dwarf_file_ref();
 * copies: first_copy .. first_copy + n_copies - 1.
 */
struct dwarf_function {
	uint64_t pc, end; /* 0: only inlined copies */
	uint64_t die;
	uint32_t name, scope, file, line;
	uint32_t first_copy, n_copies;
	uint32_t no_return, reserved; /* no_return: 1 when it is declared so */
};

/* An inlined copy: its entry and its DW_TAG_inlined_subroutine. */
struct dwarf_copy {
	uint64_t pc, die;
};

/* A global variable. */
struct dwarf_variable {
	uint32_t name, file, scope, reserved; /* file: of the unit; "" for a declaration */
	uint64_t die;
};

/*
 * A type with a name that a program or library defines, or an enumeration without one. Of several
 * with one name, scope and tag: the first.
 */
struct dwarf_type {
	uint32_t name, scope;
	uint32_t tag, reserved; /* DW_TAG_* */
	uint64_t die;
};

/* Tables of the file and their order. */
enum dwarf_part {
	DWARF_STRINGS,
	DWARF_FUNCTIONS, /* by name, file, line, pc */
	DWARF_COPIES,
	DWARF_BY_PC,     /* uint32_t: functions with code, by pc */
	DWARF_VARIABLES, /* by name, file */
	DWARF_TYPES,     /* by name, scope, tag; of files only: the kernel's are known from BTF */
	DWARF_PARTS,
};

/*
 * The begin of the file. image_size: bytes of the debug file that was scanned; image: its
 * file_identity(); missing: the string that names a file with a part of the debug information that
 * was not found (split units, what dwz puts apart), missing_id: its build-id in hexadecimal; or 0.
 */
struct dwarf_index_header {
	char magic[8];
	uint32_t version, header_size;
	unsigned char build_id[BUILD_ID_SIZE];
	uint32_t missing, missing_id, reserved;
	uint64_t file_size, image_size, image;
	struct file_part parts[DWARF_PARTS];
};

#define DWARF_INDEX_MAGIC "SPILEDWF"
#define DWARF_INDEX_VERSION 17u

/* An open index. Pointers are into the mapping and end with dwarf_index_close(). */
struct dwarf_index {
	struct file_map map;
	const char *strings;
	size_t strings_len;
	const struct dwarf_function *functions;
	size_t n_functions;
	const struct dwarf_copy *copies;
	size_t n_copies;
	const uint32_t *by_pc;
	size_t n_by_pc;
	const struct dwarf_variable *variables;
	size_t n_variables;
	const struct dwarf_type *types;
	size_t n_types;
};

/*
 * Was the kept index of that build-id made from the file at PATH, unchanged since? Then that needs
 * not be opened to know that it is the right one.
 */
bool dwarf_index_is_from(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
			 const char *cache_dir);
/*
 * The kept index of the debug information at PATH; false when the cache has no good one, or what it
 * lacks is there by now.
 */
bool dwarf_index_open_kept(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
			   const char *cache_dir, struct dwarf_index *ret);
/*
 * Scans PATH, keeps the index in CACHE_DIR, which is created, and opens it. IS_PROGRAM: names of
 * files are absolute, and types are listed; else they are relative to the folder that the unit was
 * compiled in. On failure nothing is kept and *ret is untouched. RET NULL: it is not opened, and
 * made in this process, which a damaged file may bring down.
 */
struct error *dwarf_index_make(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
			       const char *cache_dir, bool is_program,
			       struct dwarf_index *ret) ERROR_MUST_CHECK;
/* One that was never opened must be all zero. */
void dwarf_index_close(struct dwarf_index *ix);
/* In the child: scan PATH and write the file OUT. */
struct error *dwarf_index_build(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
				bool is_program, const char *out) ERROR_MUST_CHECK;

/* The file that it lacks; "": it is whole. */
const char *dwarf_index_missing(const struct dwarf_index *ix);
/* The build-id that it shall have, in hexadecimal; "": that is not known. */
const char *dwarf_index_missing_id(const struct dwarf_index *ix);
/* Text at OFF of the strings; "" when that is outside. */
const char *dwarf_index_string(const struct dwarf_index *ix, uint32_t off);
/* The first function whose name is not before NAME; n_functions when all are. */
size_t dwarf_index_lower_bound(const struct dwarf_index *ix, const char *name);
/* The same of variables; n_variables when all are. */
size_t dwarf_index_lower_variable(const struct dwarf_index *ix, const char *name);
/* The function whose code begins at PC, or holds it; NULL. */
const struct dwarf_function *dwarf_index_at(const struct dwarf_index *ix, uint64_t pc);

#endif
