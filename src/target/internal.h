/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of target/ share; nobody else includes it. All of it lives in the target's arena,
 * or is part of struct target; only indexes, images and debug files hold something else, which
 * objects_close() and dwarf_close() give back.
 */
#ifndef SPILE_TARGET_INTERNAL_H
#define SPILE_TARGET_INTERNAL_H

#include "machine/machine.h"
#include "target/functions.h"
#include "target/index.h"
#include "target/location.h"
#include "target/syscalls.h"
#include "target/type.h"
#include "target/types.h"

struct decoder;

/*
 * BTF with its names, as a source of types. base: vmlinux, for a module; else NULL. names are the
 * index's or the arena's.
 */
struct btf_types {
	struct btf btf;
	const struct btf_name *names;
	size_t n_names;
	struct type_source source;
	struct btf_types *base;
};
/* Makes TYPES a type_source; btf and names are filled by the caller, before the first question. */
void btf_types_init(struct btf_types *types, struct target *t);
/*
 * At most MAX ids of types named NAME whose kind is in KINDS (1 << BTF_KIND_x), of TYPES or, when
 * that has none, of its base; returns how many.
 */
size_t btf_types_find_ids(const struct btf_types *types, const char *name, uint32_t kinds,
			  uint32_t *ret, size_t max);
/* The first of them as a handle; NULL: there is none. */
const struct target_type *btf_types_find(struct btf_types *types, const char *name, uint32_t kinds);
/*
 * The type of a function in *ret, NULL when there is none; false, with *ret untouched, when BTF
 * holds several that differ.
 */
bool btf_types_function(struct btf_types *types, const char *name, const struct target_type **ret);
/*
 * The value of an enumerator of TYPES itself (not of its base), of any enumeration; false: none has
 * that name.
 */
bool btf_types_enumerator(const struct btf_types *types, const char *name, int64_t *value);

/*
 * A type written in C: "struct file *", "size_t", "const char __user *", or a bare tag
 * "task_struct", of C++ also "class ns::shape" and "vec<int>"; NULL: not found.
 */
const struct target_type *type_parse(struct type_source *src, const char *text);

/*
 * The types of header files, compiled when they are first asked for: "<sys/un.h>", "<a.h><b.h>",
 * "kernel<linux/fs.h>". NULL: message and hint of *PROBLEM say why not. Objects of such types are
 * in memory of processes, or in the kernel's. (headers.c)
 */
struct btf_types *headers_types(struct target *t, const char *text,
				struct target_type_result *problem);
/* Closes their objects. */
void headers_close(struct target *t);

/* target_find_type() when the target is loaded. */
void type_find(const struct target_scope *scope, const char *text, const char *module,
	       struct target_type_result *ret);

/* A variable and where its value is at one pc. name: "" for a parameter without one. */
struct variable {
	const char *name;
	const struct target_type *type;
	struct location location;
	bool is_param;
	bool is_unlisted; /* there for who asks for it by name */
};
/* A list in the target's arena. */
struct variables {
	struct variable *data;
	size_t n, cap;
};

/* Values in values that the conventions follow: more is not what a compiler made. */
#define CONVENTION_DEPTH_MAX 64
/*
 * The calling convention: sets the location of each of PARAMS, in the order of the declaration, at
 * the entry of a function with this result. Types must be known; nothing else of PARAMS is read.
 */
void convention_locate_parameters(const struct machine *machine, struct arena *arena,
				  const struct target_type *result, struct variable *params,
				  size_t n);
/* Is it left in memory whose address the caller gives? */
bool convention_result_in_memory(const struct machine *machine, const struct target_type *result);
/* Where a result that is not void is at the return; NONE when no register leads to it any more. */
struct location convention_locate_result(const struct machine *machine, struct arena *arena,
					 const struct target_type *result);

/* The same of a Rust function; NONE where no convention is certain. (rust_convention.c) */
void convention_locate_rust(const struct machine *machine, struct arena *arena,
			    const struct target_type *result, struct variables *params);
struct location convention_locate_rust_result(const struct machine *machine, struct arena *arena,
					      const struct target_type *result);

/*
 * The same of a Go function by the convention of registers: parameters at its entry, behind the
 * look at the stack too, and results where it is left. (go_convention.c)
 */
void convention_locate_go(struct target *t, struct arena *arena, struct variables *params,
			  struct variables *results);

/* System calls of the image, by struct syscall_metadata. */
struct syscall_parameter {
	const char *name, *type;
};
/*
 * FUNCTION: "__x64_sys_openat". -1: no wrapper, or unknown; else how many (at most 6), and *calls
 * says in which registers of the caller they are.
 */
int syscall_parameters(struct target *t, const char *function, struct syscall_parameter ret[6],
		       const struct machine_syscalls **calls);
/*
 * Appends the parameters to the scope's variables, those of the first N of them that have names by
 * their names, and all six words as $arg1 to $arg6, unlisted: of 32-bit callers a number in two
 * words counts as one, so that $argN means the same as in the machine's own call. at_wrapper: the
 * probe is at the entry of a wrapper; else at the system call itself, where registers are the
 * caller's.
 */
void syscall_add_variables(struct target_scope *s, const struct machine_syscalls *calls,
			   const struct syscall_parameter *params, int n, bool at_wrapper);
/* Appends $return, as the caller gets it, when a system call is over. */
void syscall_add_result(struct target_scope *s, const struct machine_syscalls *calls);

/* A description of an entry in the image: struct syscall_metadata. */
struct syscall_metadata {
	const char *name; /* "sys_openat" */
	uint64_t addr;
};

/* vmlinux and files have link-time addresses, a module those of image.h's layout. */
enum object_kind { OBJECT_KERNEL, OBJECT_MODULE, OBJECT_FILE };

/*
 * Something with code that can be probed: vmlinux, one module, or a file that processes run.
 * Everything that is known of it is opened when it is first asked for and lives as long as the
 * target. Addresses in it are link-time ones for vmlinux and files, and those of image.h's layout
 * for a module; target_address_in() tells section and offset.
 */
struct target_object {
	struct target *target;
	enum object_kind kind;
	const char *name; /* "kernel"; a module's as the kernel has it, with '_'; a file's path */
	const char *path; /* its file; NULL: the running kernel, by what it tells (live.h) */
	bool is_loaded;
	const char *broken; /* loading failed: why */
	unsigned char build_id[BUILD_ID_SIZE];
	bool has_build_id;
	struct image image; /* vmlinux from a file, and files */
	struct index index;
	struct ir_object row;         /* when loaded: for the tables of scripts */
	struct ir_section **sections; /* rows of index.sections, made when first asked for */
	/* of a file: what all its addresses are in, for probes in it, and for others */
	struct ir_section place, mapped;
	uint64_t identity;             /* of a file: changes when it does */
	const struct machine *machine; /* of a loaded file; see object_machine() */
	struct btf_types types;        /* its own; see object_types() */
	bool has_types;
	struct dwarf *dwarf;
	bool has_sought_dwarf;
	const char *debug_file; /* with its debug information, or NULL */
	bool has_sought_debug_file;
	bool is_one_of_many;       /* chosen by a pattern: servers are not asked for it */
	bool is_go;                /* of a file */
	struct extents *extents;   /* exits.c */
	const char *dwarf_problem; /* debug information is there but cannot be used: why */
};

/* Opens what the object's functions and types are known from: index and BTF. */
struct error *object_load(struct target_object *o) ERROR_MUST_CHECK;
/* The same for answers that cannot fail: false means that nothing is known of it. */
bool object_try_load(struct target_object *o);
/* BTF of the object; of vmlinux when it has none; NULL when that has none either. Loads both. */
struct btf_types *object_types(struct target_object *o);
/* Why the types of a loaded module's own BTF are missing though it has some; NULL: they are not. */
const char *object_types_problem(const struct target_object *o);
/* The module of that name ('-' and '_' alike), or in the file of that path; NULL: there is none. */
struct target_object *object_module(struct target *t, const char *name);
/* By the text of module("..."): "kernel" is vmlinux. NULL: a pattern, or not there. */
struct target_object *object_named(struct target *t, const char *module);
/*
 * All modules of the release, sorted by name, with those added by path behind them; returns how
 * many. No file is opened.
 */
size_t object_modules(struct target *t, struct target_object *const **ret);
/* Makes o->row of what is known of a loaded object. */
void object_fill_row(struct target_object *o);
/* The file of a module, which may be packed. */
struct error *module_image_open(const char *path, struct image *ret) ERROR_MUST_CHECK;
/* module.c: what object_load() does for a module. */
struct error *module_load(struct target_object *o) ERROR_MUST_CHECK;
/*
 * Loads those of N modules that can be: many at once cost less than one by one, and are made on all
 * CPUs. What goes wrong is told by object_load() of each.
 */
void modules_load(struct target *t, struct target_object *const *modules, size_t n);
/* CACHE/modules, which may not be there yet. In the target's arena. */
const char *modules_cache_directory(struct target *t);
/* Closes their indexes. */
void modules_close(struct target *t);
/* Some of them, in the target's arena. */
struct target_objects {
	struct target_object **data;
	size_t n, cap;
};
/*
 * Those that the text of module("...") means: a pattern chooses among all, where '-' is '_' as in
 * their names; a plain name, or a path, names one.
 */
struct target_objects modules_meant(struct target *t, const char *module);
/*
 * Those of them that have tracepoints, in the same order; opens them when the cache does not say.
 */
size_t tracepoint_modules(struct target *t, struct target_object *const **ret);
/*
 * How much of a symbol's name is the function's: what compilers add to copies is not, but dots are
 * part of Go's names.
 */
size_t object_base_length(const struct target_object *o, const char *name);
/* file.c: how calls of Go's function NAME in O are told apart. */
enum ir_go file_go_kind(const struct target_object *o, const char *name);
/*
 * linking.c: where the dynamic section of a file is linked, and what uapi/dynamic_sum.h makes of
 * it; both stay 0 when it has none.
 */
void file_dynamic_sum(const struct target_object *o, uint64_t *addr, uint64_t *sum);
/* file.c: what object_load() does for a file. */
struct error *file_load(struct target_object *o) ERROR_MUST_CHECK;
/*
 * target_open_file() of a path as scripts write it in @cast and @var: relative ones are below the
 * current directory, links are followed.
 */
struct error *target_open_program(struct target *t, const char *path,
				  const struct target_object **ret) ERROR_MUST_CHECK;
/*
 * exits.c: the target's, for the code of O, which is loaded; an error: there is none for its
 * machine.
 */
struct error *object_decoder(const struct target_object *o, struct decoder **ret) ERROR_MUST_CHECK;
/* vmlinux, as opposed to a module or a file. */
bool object_is_kernel(const struct target_object *o);
/* Closes what all objects of the target hold but their DWARF, which goes first. */
void objects_close(struct target *t);

/* What is known where a handler stands: at an entry its registers, at a return the result alone. */
enum scope_kind {
	SCOPE_NONE,
	SCOPE_ENTRY,
	SCOPE_RETURN,
	SCOPE_TRACEPOINT,
	SCOPE_SYSCALL,
	SCOPE_SYSCALL_RETURN
};
/*
 * A scope. Its variables are found on first use, so a const scope changes inside scope_variables().
 */
struct target_scope {
	struct target_object *object;
	struct target *target;
	struct arena *arena; /* of its variables */
	bool names_only;     /* they have no locations: for lists */
	enum scope_kind kind;
	const char *where; /* the function or tracepoint, for messages */
	struct target_function function;
	struct target_syscall syscall;
	bool has_entry; /* SYSCALL_RETURN: parameters are where they were at the entry */
	struct btf_types *types;
	bool ready, has_locals;
	struct variables variables;
	const char *problem; /* why there are none */
	const char *hint;
};
/*
 * The scope's variables, made on first use: parameters as far as BTF knows them; with LOCALS, all,
 * by DWARF. Never NULL; empty when the kernel cannot be loaded, and s->problem may say why it is
 * empty. Its content changes with the first call with LOCALS.
 */
const struct variables *scope_variables(const struct target_scope *scope, bool locals);

/* Loads what the scope is in; an error of the kernel says which one it was. */
struct error *scope_load(const struct target_scope *scope) ERROR_MUST_CHECK;

struct dwarf_function;

/* target_function.priv: what is learnt of a function after it was found. */
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
bool target_function_place(struct target_function *f, uint64_t addr);
/*
 * Appends what Q asks for of O, which is loaded, in any order: the object is given here, so q->module
 * and q->object do not count.
 */
void object_find_functions(struct target_object *o, const struct target_function_query *q,
			   struct target_functions *ret);
/* Address of the first symbol of that name, 0 when absent. */
uint64_t object_symbol(struct target_object *o, const char *name);

struct dwarf;
struct index_set;

/* The target itself. Its arena holds all strings and answers. */
struct target {
	struct arena *arena;
	const char *release, *root, *cache_dir, *debuginfo_path;
	bool ask_servers, no_dwarf;
	void (*progress)(void *arg, const char *text);
	void (*notice)(void *arg, const char *text);
	void (*warning)(void *arg, const char *text);
	struct error *(*header_command)(void *arg, struct arena *arena, const char *const **ret);
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
/* Tells the options' notice, once for each text: an answer that needs a word. */
void target_note(struct target *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* target_options.warning, the same. */
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
