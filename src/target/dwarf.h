/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information of an object, when it is installed: lines, inlined copies, locals, the
 * parameters of clones, globals. What BTF and the calling convention answer is not asked here. The
 * index says at which DIE to look; libdw reads it.
 */
#ifndef SPILE_TARGET_DWARF_H
#define SPILE_TARGET_DWARF_H

#include <elfutils/libdw.h>

#include "base/map.h"
#include "target/convention.h"
#include "target/dwarf_file.h"
#include "target/dwarf_index.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/scope.h"

/*
 * Debug information of one object. Made by dwarf_get(), in the target's arena; what it holds open
 * is given back by dwarf_close().
 */
struct dwarf {
	struct target *target;
	struct target_object *object;
	const char *path;
	struct dwarf_index index;
	struct dwarf_file file; /* opened when the first DIE is read */
	Dwarf *dw;              /* file's */
	/*
	 * tables of frames: .debug_frame, and a file's .eh_frame, which is read from the file
	 * itself
	 */
	Dwarf_CFI *cfi, *eh_cfi;
	Elf *own;
	bool has_cfi;
	struct type_source source;
	struct map entries; /* dwarf_location.c: struct fetch_entry, by function and register */
	struct map parts;   /* dwarf_parts.c: struct parts, by unit */
};

/*
 * The file with debug information of this very object; NULL when none is installed (debug_file.c).
 */
const char *debug_file_find(struct target_object *o);
/* The same without asking servers. */
const char *debug_file_find_local(struct target_object *o);
/* As debug_file_find(), sought once. O is loaded first; NULL too where DWARF is not to be used. */
const char *dwarf_find_file(struct target_object *o);
/* The same without asking servers, who may be asked later. */
const char *dwarf_find_local_file(struct target_object *o);
/*
 * What is made of an object's debug information is kept under this: the build-id, or of one without
 * what its index was made from. O must be loaded.
 */
void dwarf_key(const struct target_object *o, unsigned char ret[BUILD_ID_SIZE]);
/* NULL when there is none, or it cannot be used: then o->dwarf_problem says why. */
struct dwarf *dwarf_get(struct target_object *o);
/*
 * dwarf_get() of an object whose index is kept already; *missing: there is debug information that
 * is to be indexed first.
 */
struct dwarf *dwarf_get_kept(struct target_object *o, bool *missing);
/* Makes and keeps the index that is missing, in this process; O's dwarf stays unknown. */
void dwarf_keep_index(struct target_object *o);
/*
 * Indexes the debug information of N modules, whose indexes are missing, in child processes,
 * announced by progress(). Failures are left to dwarf_get().
 */
void dwarf_prepare(struct target *t, struct target_object *const *modules, size_t n);
/* D is not used afterwards. The first DIE need not have been read. */
void dwarf_close(struct dwarf *d);
/*
 * Opens the file for libdw, once. false when it cannot; the object's dwarf_problem then says why.
 */
bool dwarf_open_dies(struct dwarf *d);

/* The DIE of a reference (dwarf_file_ref()), and back; the file is opened. false: there is none. */
bool dwarf_die_at(struct dwarf *d, uint64_t ref, Dwarf_Die *ret);
uint64_t dwarf_die_ref(struct dwarf *d, Dwarf_Die *die);
/*
 * The function in several parts, of that unit, one of which is around ADDR; false: there is none.
 * The file is open.
 */
bool dwarf_parted_around(struct dwarf *d, Dwarf_Die *unit, Dwarf_Addr addr, Dwarf_Die *ret);

/*
 * How the frame of the code at PC is laid out; *ret is the caller's to free. false: nothing
 * describes it.
 */
bool dwarf_frame_at(struct dwarf *d, Dwarf_Addr pc, Dwarf_Frame **ret);

/* Makes D a type_source whose references are DIE offsets. */
void dwarf_types_init(struct dwarf *d);
/* of its DW_AT_type; void when it has none */
const struct target_type *dwarf_type_of(struct dwarf *d, Dwarf_Die *die);

/* Does C++ pass and return values of this class by address, whatever their size? */
bool dwarf_passed_by_reference(Dwarf_Die *class);

/*
 * The value of an enumerator of a program, "red" or "ns::color::red"; false: no enumeration has it.
 */
bool dwarf_enumerator(struct dwarf *d, const char *text, int64_t *value);

/*
 * Where the value of a variable's DIE is at PC. entry: PC is its function's entry. LOCATION_NONE,
 * with the reason, when it is not known; addresses are DWARF's own, not yet a module's section and
 * offset. Made in ARENA.
 */
struct location dwarf_locate(struct dwarf *d, struct arena *arena, Dwarf_Die *die, Dwarf_Addr pc,
			     bool entry);

/* Does PATTERN mean FILE: as written, as a glob, or as the end of the path from a directory on? */
bool dwarf_file_matches(const char *pattern, const char *file);
/*
 * From the address of an object, which lies on the stack, to that of the virtual base class whose
 * DW_TAG_inheritance this is; NULL: it is not understood.
 */
const struct fetch_program *dwarf_virtual_base(struct dwarf *d, Dwarf_Die *inheritance);

/*
 * Calls EACH for the functions of the index that the query means by name and file; with lines, only
 * those whose body may have one of them, by where functions are declared: they, and the next
 * behind.
 */
void dwarf_each_function(struct dwarf *d, const struct target_function_query *q,
			 void (*each)(void *arg, const struct dwarf_function *f), void *arg);
/* Has the body of F, or of an inlined copy of it, code of one of these lines? */
bool dwarf_has_lines(struct dwarf *d, const struct dwarf_function *f,
		     const struct target_lines *lines);
/* target_find_statements() and target_find_labels() of one object. */
void dwarf_find_statements(struct dwarf *d, const struct target_function_query *q, bool nearest,
			   struct target_functions *ret, struct target_near_lines *near);
void dwarf_find_labels(struct dwarf *d, const struct target_function_query *q, const char *label,
		       struct target_functions *ret);
/*
 * Appends what CALLERS, which DWARF describes, call: target_find_callees() for any objects.
 * Unordered.
 */
void dwarf_find_callees(struct target *t, const struct target_functions *callers,
			const struct target_function_query *callee, unsigned depth,
			struct target_functions *ret);
/* The line of F nearest to where it is at which variable NAME can be read; 0: none. */
unsigned dwarf_readable_line(struct dwarf *d, const struct target_function *f, const char *name);
/* F as an answer: its own code. false: it has none that may be probed. */
bool dwarf_out_of_line(struct dwarf *d, const struct dwarf_function *f,
		       struct target_function *ret);
/* The same of one of its inlined copies. */
bool dwarf_copy(struct dwarf *d, const struct dwarf_function *f, const struct dwarf_copy *copy,
		struct target_function *ret);

/* Functions as target_find_functions is asked for them. */
void dwarf_find_functions(struct dwarf *d, const struct target_function_query *q,
			  struct target_functions *ret);
/* Inlined copies of functions whose name matches. */
void dwarf_find_inlines(struct dwarf *d, const struct target_function_query *q,
			struct target_functions *ret);
/* Sets file and line of a function found by symbol, when the index has its entry. */
void dwarf_annotate(struct dwarf *d, struct target_function *f);

/*
 * All variables of a scope at a function or inlined copy: parameters, then locals. false: no DIE
 * for it.
 */
bool dwarf_fill_entry(struct dwarf *d, struct target_scope *s);
/* The same at a function's return: $return, or nothing of a void function. */
bool dwarf_fill_return(struct dwarf *d, struct target_scope *s);
/*
 * For scope S the parameters of the function of that name, none of them located, in the order of
 * the declaration; one without a name is there with NULL. false: it is not known.
 */
bool dwarf_function_parameters(struct dwarf *d, const struct target_scope *s, const char *name,
			       struct variables *ret);
/*
 * A global by name; FILE: suffix of its unit's path, or NULL: any, and of several that of the unit
 * of NEAR, a function or NULL. false: none.
 */
bool dwarf_global(struct dwarf *d, const char *name, const char *file,
		  const struct target_function *near, struct variable *ret);
/* A global that the code of function F can name: its unit defines or declares it. false: none. */
bool dwarf_global_seen(struct dwarf *d, const char *name, const struct target_function *f,
		       struct variable *ret);

#endif
