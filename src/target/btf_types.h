/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF as a source of types: of vmlinux, of a module or of compiled header files; and types by the
 * names that scripts give them. Everything is the target's.
 */
#ifndef SPILE_TARGET_BTF_TYPES_H
#define SPILE_TARGET_BTF_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/btf.h"
#include "target/type.h"

struct btf_name;
struct target;
struct target_scope;
struct target_type_result;

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
	/* enumerators by the hash of their name, with their types; NULL: not asked for yet */
	struct btf_name *enumerators;
	size_t n_enumerators;
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
bool btf_types_enumerator(struct btf_types *types, const char *name, int64_t *value);

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
/*
 * The kernel's types by name: of its BTF, else of its headers, which declare what scripts and the
 * library use most. NULL: neither can be had.
 */
struct btf_types *kernel_named_types(struct target *t);
/*
 * Types with a function __traceiter_NAME(void *, ...) of each tracepoint of SYSTEM, which has the
 * parameters of the tracepoint: from the header that declares them. NULL: none is known.
 */
struct btf_types *headers_tracepoints(struct target *t, const char *system);
/* Closes their objects. */
void headers_close(struct target *t);

/* target_find_type() when the target is loaded. */
void type_find(const struct target_scope *scope, const char *text, const char *module,
	       struct target_type_result *ret);

#endif
