/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of an object: vmlinux, a module, or a file that processes run; opening it, and the
 * list of modules. Everything is the target's.
 */
#ifndef SPILE_TARGET_OBJECT_H
#define SPILE_TARGET_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"
#include "base/error.h"
#include "ir/object.h"
#include "target/btf_types.h"
#include "target/image.h"
#include "target/index.h"

struct decoder;
struct dwarf;
struct extents;
struct stripped_clones;
struct machine;
struct target;

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
	/*
	 * of a file, which is one section: of probes in it, whose hits tell where a process has
	 * it; and of probes elsewhere, for which the process' mappings are asked
	 */
	struct ir_section as_linked, as_mapped;
	uint64_t identity;             /* of a file: changes when it does */
	const struct machine *machine; /* of a loaded file; see object_machine() */
	struct btf_types types;        /* its own; see object_types() */
	bool has_types;
	struct dwarf *dwarf;
	bool has_sought_dwarf;
	const char *debug_file; /* with its debug information, or NULL */
	bool has_sought_debug_file;
	const char *refused_file; /* the first that has the name of one and is none: why, or NULL */
	/* of its debug information, in a file that is not used: which and why, or NULL */
	const char *missing_part;
	bool is_one_of_many;             /* chosen by a pattern: servers are not asked for it */
	bool is_go;                      /* of a file */
	bool has_told_marks;             /* that some cannot be read */
	struct extents *extents;         /* extent.c */
	struct exit_search *exit_search; /* exits.c */
	struct stripped_clones *stripped_clones; /* stripped_clones.c */
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
/* The same when the cache has its index, which is not made; false: it has not. */
bool module_load_kept(struct target_object *o);
/* Is NAME ('-' and '_' alike) in the list of what is built into the kernel? */
bool module_is_built_in(struct target *t, const char *name);
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
/*
 * stripped_clones.c: what the compiler appended to the symbol of the function at ADDR of O, a file
 * whose debug file is open, when it changed it and the file was stripped of that symbol; "":
 * nothing, as far as is known.
 */
const char *object_stripped_suffix(struct target_object *o, uint64_t addr);
/*
 * extent.c: from where to where the function goes that has code of O, a file, at ADDR; false: it is
 * not known.
 */
bool object_code_extent(const struct target_object *o, uint64_t addr, uint64_t *begin,
			uint64_t *end);
/* exits.c: gives back what is kept of a file. NULL: nothing is. */
void exit_search_close(struct exit_search *f);
/* What the function at an address may choose to be called in its place. In the target's arena. */
struct object_chosen {
	uint64_t *data;
	size_t n, cap;
	bool calls; /* others, which may know of more */
};
/* chosen.c: of O, a file; empty where its code does not tell. */
void object_chosen_by(const struct target_object *o, uint64_t addr, struct object_chosen *ret);
/* vmlinux, as opposed to a module or a file. */
bool object_is_kernel(const struct target_object *o);
/* Closes what all objects of the target hold but their DWARF, which goes first. */
void objects_close(struct target *t);

#endif
