/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of target/ share; nobody else includes it. */
#ifndef SPILE_TARGET_INTERNAL_H
#define SPILE_TARGET_INTERNAL_H

#include "machine/machine.h"
#include "target/index.h"
#include "target/location.h"
#include "target/target.h"
#include "target/type.h"

/* BTF with its names, as a source of types. base: vmlinux, for a module. */
struct btf_types {
	struct btf btf;
	const struct btf_name *names;
	size_t n_names;
	struct type_source source;
	struct btf_types *base;
};
void btf_types_init(struct btf_types *types, struct target *t);
/* Looks in TYPES, then in its base. */
size_t btf_types_find_ids(const struct btf_types *types, const char *name, uint32_t kinds,
			  uint32_t *ret, size_t max);
const struct target_type *btf_types_find(struct btf_types *types, const char *name, uint32_t kinds);
/* The type of a function: NULL when there is none; false when BTF holds several that differ. */
bool btf_types_function(struct btf_types *types, const char *name, const struct target_type **ret);
bool btf_types_enumerator(const struct btf_types *types, const char *name, int64_t *value);

/* A type written in C: "struct file *", "size_t", "const char __user *", or a bare tag "task_struct"; NULL: not found. */
const struct target_type *type_parse(struct btf_types *types, const char *text);

/* target_find_type() when the target is loaded. */
void type_find(const struct target_scope *scope, const char *text, const char *module,
	       struct target_type_result *ret);

struct variable {
	const char *name;
	const struct target_type *type;
	struct location location;
	bool is_param;
};
struct variables {
	struct variable *data;
	size_t n, cap;
};

/* The calling convention: where each of PARAMS is at the entry of a function with this result. */
void convention_place_parameters(const struct machine *machine, struct arena *arena,
				 const struct target_type *result, struct variable *params,
				 size_t n);
/* Where the result is at the return. */
struct location convention_place_result(const struct machine *machine, struct arena *arena,
					const struct target_type *result);

/* System calls of the image, by struct syscall_metadata. */
struct syscall_parameter {
	const char *name, *type;
};
/*
 * FUNCTION: "__x64_sys_openat". -1: no wrapper, or unknown; else how many (at most 6), and *calls says in which
 * registers of the caller they are.
 */
int syscall_parameters(struct target *t, const char *function, struct syscall_parameter ret[6],
		       const struct machine_syscalls **calls);

enum scope_kind { SCOPE_NONE, SCOPE_ENTRY, SCOPE_RETURN, SCOPE_TRACEPOINT };
struct target_scope {
	struct target *target;
	enum scope_kind kind;
	const char *where; /* the function or tracepoint, for messages */
	struct target_function function;
	struct btf_types *types;
	bool ready, has_locals;
	struct variables variables;
	const char *problem; /* why there are none */
	const char *hint;
};
/* The scope's variables, made on first use: parameters as far as BTF knows them; with locals, all, by DWARF. */
const struct variables *scope_variables(const struct target_scope *scope, bool locals);

/* A kernel module's file. */
struct module {
	const char *name, *path;
	bool is_open;
	struct image image;
	struct btf_types types;
	bool has_types;
};

/* target_function.priv */
struct function_info {
	struct module *module;
	uint32_t die; /* where DWARF describes it, 0: not known yet */
};
/* The function whose entry is ADDR, or that holds it; false when none is there that may be probed. */
bool target_function_at(struct target *t, uint64_t addr, struct target_function *ret);
bool target_function_holding(struct target *t, uint64_t addr, struct target_function *ret);

struct dwarf;

struct target {
	struct arena *arena;
	const char *release, *root, *cache_dir, *debuginfo_path;
	bool no_dwarf;
	void (*progress)(void *arg, const char *text);
	void *progress_arg;
	const char *
		kernel_path; /* vmlinuz or vmlinux; NULL: the running kernel, by what it tells (live.h) */
	char *live_btf; /* then its types, on the heap */
	size_t live_btf_len;
	bool is_loaded;
	const struct machine *machine; /* when it is loaded */
	const char *broken;            /* loading failed: why */
	struct image image;
	struct index index;
	struct btf_types types;
	bool has_types;
	struct target_scope none;
	struct module *modules;
	size_t n_modules;
	bool has_modules;
	struct dwarf *dwarf;
	bool has_sought_dwarf;
	const char *dwarf_problem; /* debug information is there but cannot be used: why */
};

/* Opens image, index and BTF on first use. */
struct error *target_load(struct target *t) ERROR_MUST_CHECK;
/* The same for answers that cannot fail: false means nothing is known. */
bool target_try_load(struct target *t);
const char *target_debuginfo_hint(struct target *t);

/* Modules whose name matches a glob ('-' and '_' alike), or the one with that path. */
struct error *module_find_functions(struct target *t, const struct target_function_query *q,
				    struct target_functions *ret) ERROR_MUST_CHECK;
struct module *module_by_name(struct target *t, const char *name);
/* BTF of the module, or of vmlinux when it has none. */
struct btf_types *module_types(struct target *t, struct module *m);
void modules_close(struct target *t);

#endif
