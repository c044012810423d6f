/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of a target: the target itself, and what its files ask of each other. The public
 * headers have names in the plural (objects.h, types.h); those in the singular (object.h, scope.h,
 * syscall.h, type.h) are of this folder alone, as this one is.
 *
 * All of it lives in the target's arena, or is part of struct target; only indexes, images and
 * debug files hold something else, which objects_close() and dwarf_close() give back.
 */
#ifndef SPILE_TARGET_INTERNAL_H
#define SPILE_TARGET_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "target/functions.h"
#include "target/object.h"
#include "target/scope.h"
#include "target/type.h"

struct arena;
struct decoder;
struct dwarf_function;
struct index_set;
struct syscall_metadata;
struct target_headers;

/* What target_function.priv points to: filled in when DWARF is asked about the function. */
struct function_info {
	uint64_t die; /* where DWARF describes it (dwarf_file_ref()), 0: not known yet */
	const struct dwarf_function
		*stands_for; /* an inlined copy that does for all of this; NULL: itself */
};
/*
 * The function whose entry is ADDR; false when none is there that may be probed. O must be loaded.
 */
bool target_function_at(struct target_object *o, uint64_t addr, struct target_function *ret);
/* The function that holds ADDR; false when none does that may be probed. O must be loaded. */
bool target_function_holding(struct target_object *o, uint64_t addr, struct target_function *ret);
/*
 * Sets holder and holder_offset of F for ADDR; false when no symbol holds it that may be probed. F
 * must have its object, loaded.
 */
bool target_function_set_holder(struct target_function *f, uint64_t addr);
/*
 * Does debug information that is open tell of the function that begins at ADDR? A program may have
 * units with it beside others without.
 */
bool object_is_described(const struct target_object *o, uint64_t addr);
/*
 * Appends what Q asks for of O, which is loaded, in any order: the object is given here, so
 * q->module and q->object do not count.
 */
void object_find_functions(struct target_object *o, const struct target_function_query *q,
			   struct target_functions *ret);
/*
 * In O, a file: the instruction that begins at the query's address, or with NEAREST that holds it.
 * *NEAR is filled as for statements.
 */
void object_find_instruction(struct target_object *o, const struct target_function_query *q,
			     bool nearest, struct target_functions *ret,
			     struct target_near_lines *near);
/* Address of the first symbol of that name, 0 when absent. */
uint64_t object_symbol(struct target_object *o, const char *name);

/* The target itself. Its arena holds all strings and answers. */
struct target {
	struct arena *arena;
	const char *release, *root, *cache_dir, *debuginfo_path;
	bool ask_servers, no_dwarf;
	void (*progress)(void *arg, const char *text);
	void (*notice)(void *arg, const char *text);
	void (*warning)(void *arg, const char *text);
	struct error *(*header_command)(void *arg, struct arena *arena, const char *const **ret);
	const char *tracepoint_header; /* as in the options */
	/* headers.c: what header_command said, once it was asked */
	const char *const *header_words;
	const char *header_command_problem, *header_command_hint;
	void *progress_arg;
	char *live_btf; /* the running kernel's types, on the heap, when it has no file */
	size_t live_btf_len;
	const struct machine *machine; /* when the kernel or a file is loaded */
	struct target_object kernel;
	struct target_scope none;
	VEC(struct target_object *) modules;
	VEC(struct index_set *) index_sets;        /* module.c; the last one is the current */
	VEC(struct target_object *) trace_modules; /* tracepoint_modules() */
	VEC(const char *) notes;                   /* told already */
	bool has_modules, has_trace_modules;
	VEC(struct syscall_metadata) metadata; /* by name; syscall.c */
	bool has_metadata;
	const struct machine_call **calls;    /* the machine's, by name; NULL: not sorted yet */
	VEC(struct target_object *) files;    /* in the order in which they were asked for */
	VEC(struct target_headers *) headers; /* headers.c */
	struct type_source errno_types;       /* resolve.c */
	struct decoder *decoder;              /* NULL until it is needed; exits.c */
};

/* object_load() of the kernel, with its release and file named in the error. */
struct error *target_load(struct target *t) ERROR_MUST_CHECK;
/* object_try_load() of the kernel. */
bool target_try_load(struct target *t);
/* Hands a text to the callback target_options.notice, unless the same text was told before. */
void target_note(struct target *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with target_options.warning. */
void target_warn(struct target *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "install the package ...". */
const char *target_debuginfo_hint(struct target *t);
/* The same for any object: of a file nobody knows which package it is. */
const char *object_debuginfo_hint(struct target_object *o);
/*
 * Where the target keeps files: the option's directory, else the user's cache. It need not exist.
 */
const char *target_cache_directory(struct target *t);

/*
 * Whose registers and convention its code has: of a program not always the kernel's. It is loaded.
 */
static inline const struct machine *object_machine(const struct target_object *o)
{
	return o->machine ? o->machine : o->target->machine;
}

#endif
