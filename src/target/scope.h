/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of a scope: where a handler stands, and its variables, which are found when they are
 * first asked for.
 */
#ifndef SPILE_TARGET_SCOPE_H
#define SPILE_TARGET_SCOPE_H

#include <stdbool.h>

#include "base/error.h"
#include "target/convention.h"
#include "target/functions.h"
#include "target/syscalls.h"

struct arena;
struct btf_types;
struct target;
struct target_object;

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
	bool names_only; /* for lists: where a variable is does not matter, only that it is known */
	enum scope_kind kind;
	const char *where; /* the function or tracepoint, for messages */
	struct target_function function;
	struct target_syscall syscall;
	/* TRACEPOINT: as struct target_tracepoint has them, and what is known of its names */
	const char *event_system, *event_format;
	bool by_number; /* TRACEPOINT: its parameters are named arg1, arg2, ... */
	struct event_names *event_names;
	bool is_elsewhere; /* NONE: of a file in which the probe is not */
	bool has_entry;    /* SYSCALL_RETURN: parameters are where they were at the entry */
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

#endif
