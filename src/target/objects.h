/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of a target: vmlinux, a module of the kernel, or a program or shared library that
 * processes run. Addresses in them, their rows in the tables of scripts, and what only files have:
 * the words of the dynamic linker, linkage tables, and tables that modules carry along.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_OBJECTS_H
#define SPILE_TARGET_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"
#include "base/error.h"
#include "base/vec.h"
#include "ir/object.h"

struct machine;
struct target;
/* vmlinux, one module, or a file that processes run; lives as long as the target. */
struct target_object;

/*
 * Where something is: SECTION is NULL for vmlinux, whose OFFSET is a link-time address; else a
 * section of the module, and the offset in it. A file is one section, and OFFSET again a link-time
 * address.
 */
struct target_address {
	const struct target_object *object;
	const struct ir_section *section;
	uint64_t offset;
};
/* ADDR: a link-time address of OBJECT; of a module, an address of the layout in image.h. */
struct target_address target_address_in(const struct target_object *object, uint64_t addr);
/* vmlinux as a row of a script's table; NULL when it cannot be loaded. */
const struct ir_object *target_kernel_row(struct target *t);

/*
 * The executable or shared library in the file PATH, which is absolute; the same one each time. An
 * error: it is not there, no ELF file of that kind, damaged, or for another machine than the one
 * that is probed.
 */
struct error *target_open_file(struct target *t, const char *path,
			       const struct target_object **ret) ERROR_MUST_CHECK;
/*
 * The build-id of an executable or library; false: it is none, has none, or cannot be read. Nothing
 * of the file is kept.
 */
bool target_build_id_of(const char *path, unsigned char ret[BUILD_ID_SIZE]);
/* An open file, or a loaded module, as a row of a script's table. */
const struct ir_object *target_object_row(const struct target_object *o);
/* The machine whose code is in it: of a program not always the kernel's. */
const struct machine *target_object_machine(const struct target_object *o);
/* Where in an open file the byte of that link-time address is; false: nowhere. */
bool target_file_offset(const struct target_object *o, uint64_t addr, uint64_t *ret);
/*
 * What is at that address of an open file at which the kernel takes no uprobe, with its bytes, to
 * follow "at"; NULL: nothing, as far as is known.
 */
const char *target_file_unprobable(const struct target_object *o, uint64_t addr);
/* The reverse of target_file_offset(), of code. */
bool target_file_address(const struct target_object *o, uint64_t offset, uint64_t *ret);

/* What the dynamic linker is told by an open file. */
struct target_dynamic {
	VEC(const char *) needed; /* names of libraries, in order */
	const char *path; /* directories to look in first, with colons between them; NULL: none */
	bool is_program;  /* it is no library, but what processes are started with */
};
void target_file_dynamic(const struct target_object *o, struct target_dynamic *ret);

/* Has the symbol table of an open file a thread-local variable of that name? */
bool target_file_has_thread_local(const struct target_object *o, const char *name);

/* An entry of the procedure linkage table: where the program calls a function of a library. */
struct target_plt_entry {
	const char *name; /* the function's; NULL: it has none, */
	uint64_t addr;
	uint64_t chooser; /* and the function of the file at this address chooses it (IFUNC) */
};
struct target_plt {
	struct target_plt_entry *data;
	size_t n, cap;
};
/*
 * The entries of an open file for functions that the glob NAME matches, in order of their names;
 * NULL: for those that have none, by address.
 */
void target_find_plt(const struct target_object *o, const char *name, struct target_plt *ret);

/*
 * What a module carries of an open file so that stacks through it can be walked and its addresses
 * named (runtime/uapi/user_table.h): the path of a file in the cache, made when it is not there.
 * NULL: *why says why not. Both are the target's.
 */
const char *target_user_table(const struct target_object *o, const char **why);

/*
 * Files with what a module carries of an object's debug information (runtime/uapi/line_table.h):
 * its lines, or the copies inlined into its functions. NULL: there is none, and *why says what is
 * missing, to follow a name and a colon. The path lives as long as the target.
 */
const char *target_line_table(const struct target_object *o, bool inlines, const char **why);
/* Is there a file with the object's debug information, whether or not it can be read? */
bool target_has_debug_file(const struct target_object *o);
/* Is NAME what scripts call vmlinux where a module could be named: "kernel"? */
bool target_names_kernel(const char *name);
/*
 * vmlinux (target_names_kernel()) or a module by its name, loaded; NULL: there is none of that
 * name.
 */
const struct target_object *target_find_object(struct target *t, const char *name);
/*
 * Sections of a module with code that can be found in a running kernel, and their addresses in its
 * layout.
 */
struct target_code {
	const struct ir_section *section;
	uint64_t addr;
};
struct target_codes {
	struct target_code *data;
	size_t n, cap;
};
void target_code_sections(const struct target_object *o, struct target_codes *ret);

/* Has an open file symbols or debug information, without which none of its functions is known? */
bool target_file_has_symbols(const struct target_object *o);
/*
 * Is an open file a Go program? Such a program moves its stacks as they grow and walks them by a
 * table (.gopclntab, made by cmd/link), so it crashes when a return address on one is replaced, as
 * uretprobes do. Its returns are probed at the instructions of target_function_exits() instead.
 */
bool target_file_is_go(const struct target_object *o);
/* Are its machine's instructions decoded? Of others the exits of functions are not found. */
bool target_file_is_decoded(const struct target_object *o);
/* Is an open file what the dynamic linker starts, or nobody but the kernel? The rest are libraries.
 */
bool target_file_is_program(const struct target_object *o);
/*
 * Does an open file throw or catch exceptions, of C++ or another language, or unwind for those that
 * do? One cannot be passed on through a function whose return address has been replaced: there is
 * no unwind information for the address that stands there then (Itanium C++ ABI: Exception
 * Handling, 1.3).
 */
bool target_file_throws(const struct target_object *o);
/*
 * Does an open file have a thread go on with another stack (makecontext(3))? The kernel keeps
 * return addresses that it replaced on one stack for each thread, and ends a program that meets
 * them in another order.
 */
bool target_file_switches_stacks(const struct target_object *o);
/* Has an open file debug information? The first call looks for it, and may make its index. */
bool target_file_has_dwarf(const struct target_object *o);
/*
 * What has the place of its debug file and is none: "PATH is of another build"; NULL: nothing was
 * met. After target_file_has_dwarf().
 */
const char *target_file_refused(const struct target_object *o);
/*
 * The file that has a part of its debug information and is not used, and why: "X.dwo is not there";
 * NULL: there is none. After target_file_has_dwarf().
 */
const char *target_file_missing_part(const struct target_object *o);

#endif
