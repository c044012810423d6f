/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables: which there are where a probe stands (a scope), and the fetch program for a path that
 * starts from one ($file->f_flags), from a global (@var), an operand (@cast) or @errno.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_VARIABLES_H
#define SPILE_TARGET_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "diag/diag.h"
#include "ir/fetch.h"

struct arena;
struct target;
struct target_function;
struct target_object;
struct target_syscall;
struct target_tracepoint;
/* A type (handle): target/types.h. */
struct target_type;
/* An object and a pc whose variables can be named. */
struct target_scope;

/*
 * Scopes: where a probe stands, which decides what variables exist and how they are reached. Making
 * one opens no file and cannot fail; never NULL. F, TP and CALL are copied. This one is of a probe
 * at a function's entry, at an inlined instance, or at a place in either.
 */
const struct target_scope *target_scope_entry(struct target *t, const struct target_function *f);
/* At a function's return: the only variable is $return; of Go, each result by its name too. */
const struct target_scope *target_scope_return(struct target *t, const struct target_function *f);
/* Is NAME a named result in the scope of a return, as functions in Go have? Not of "return". */
bool target_scope_has_result(const struct target_scope *scope, const char *name);
/* At a tracepoint: the variables are its arguments. */
const struct target_scope *target_scope_tracepoint(struct target *t,
						   const struct target_tracepoint *tp);
/* The same with its arguments named arg1, arg2 and so on. */
const struct target_scope *target_scope_tracepoint_by_number(struct target *t,
							     const struct target_tracepoint *tp);
/* Where a system call begins: its parameters. CALL is copied. */
const struct target_scope *target_scope_syscall(struct target *t,
						const struct target_syscall *call);
/*
 * Where it is over: $return, and with HAS_ENTRY the parameters too, for the caller's registers
 * still have them.
 */
const struct target_scope *
target_scope_syscall_return(struct target *t, const struct target_syscall *call, bool has_entry);
const struct target_scope *target_scope_none(struct target *t); /* @cast, @var, @enum only */
/*
 * The same about OBJECT, a file, whose types and globals come before the kernel's. IS_HERE: what
 * hits the probe is in it, which tells where a process has it; else the process runs it.
 */
const struct target_scope *target_scope_file(const struct target_object *object, bool is_here);
/* The module or file that the scope is in, and IS_HERE as above; NULL: the kernel. */
const struct target_object *target_scope_object(const struct target_scope *scope, bool *is_here);

/* A variable of a scope, for lists; values come from target_resolve(). */
struct target_variable {
	const char *name;  /* without $ */
	const char *ctype; /* as -L prints it: "struct file*", "char const*", "long int" */
	bool is_param;
	bool readable; /* false: optimised out here */
	const struct target_type *type;
};
/* A list in the target's arena. */
struct target_variables {
	struct target_variable *data;
	size_t n, cap;
};
/* In declaration order: parameters, then locals; for a return scope only "return" (nothing when
 * void). */
struct error *target_variables(struct target *t, const struct target_scope *scope,
			       struct target_variables *ret) ERROR_MUST_CHECK;
/*
 * The same in ARENA, of those that can be read there. For lists of many scopes; nothing is kept of
 * SCOPE.
 */
struct error *target_variable_names(const struct target_scope *scope, struct arena *arena,
				    struct target_variables *ret) ERROR_MUST_CHECK;

/* One step of a path: ->member, [subscript], or to a member that has no name. */
struct target_access {
	const char *member; /* NULL: subscript, or a member by its number */
	int operand;        /* subscript: FETCH_OPERAND number, or -1 */
	int64_t literal;    /* subscript with operand -1 */
	/* 1 + its number in target_type_members(): 0: none is meant */
	unsigned number;
};
/*
 * What a path starts from: a variable of the scope, a global by @var, an operand by @cast, or
 * @errno.
 */
enum target_base { TARGET_LOCAL, TARGET_GLOBAL /* @var */, TARGET_CAST, TARGET_ERRNO };
/* One question to target_resolve(). Borrowed for the call. */
struct target_query {
	enum target_base base;
	/*
	 * LOCAL: "x", "return"; GLOBAL: "x" ; CAST: type text "task_struct", "struct foo", "char*"
	 */
	const char *name;
	const char *file;   /* GLOBAL: CU path suffix, or NULL */
	const char *module; /* GLOBAL, CAST: "kernel", module, or NULL: the scope's */
	/*
	 * ERRNO: the file with the thread-local int of that name; the probe is in it, or about
	 * processes that run it
	 */
	const struct target_object *object;
	bool is_here, is_run;
	const struct target_type *type;   /* CAST with a known type (autocast): name is NULL */
	const struct target_access *path; /* CAST: operand 0 is the pointer (or value) being cast */
	size_t n_path;
	bool address_of; /* & */
};
/*
 * How a resolution ended. Each but TARGET_OK comes with the row of diag/messages.def that says
 * more.
 */
enum target_status {
	TARGET_OK,
	TARGET_NO_VARIABLE,
	TARGET_NO_MEMBER,
	TARGET_NO_TYPE,
	TARGET_BAD_ACCESS, /* a struct as a value, subscript of a non-array, ... */
	TARGET_UNREADABLE, /* optimised out, or several candidates */
	TARGET_NO_RETURN,
};
/*
 * The answer. Unless status is TARGET_OK only status, message, hint and perhaps type mean
 * something.
 */
struct target_value {
	enum target_status status;
	enum diag_tag tag;   /* status != OK: the row that says why */
	const char *message; /* status != OK: its text */
	const char *hint;    /* which package would help, or NULL */
	const char *lost;    /* UNREADABLE: the variable that has no location here, or NULL */
	/* UNREADABLE: a pointer of TYPE without a value, but what it points to is known */
	bool is_implicit;
	/* value: scalar sign- or zero-extended to 64 bits; address for & */
	struct fetch_program load;
	struct fetch_program address;   /* n == 0 when it has none (register) */
	const struct target_type *type; /* of the value */
	uint8_t size;                   /* of the scalar */
	/*
	 * bits != 0: a store changes so many, from bit `at` on, of SIZE bytes at address, or of the
	 * register
	 */
	struct fetch_part field;
	bool is_signed;
	bool full_regs; /* fetch_needs_full_regs(load) */
};
/*
 * The value, or the address, of what Q names. ret->message is never NULL when status is not
 * TARGET_OK; a struct error is for broken files only, and leaves *ret untouched.
 */
struct error *target_resolve(struct target *t, const struct target_scope *scope,
			     const struct target_query *q,
			     struct target_value *ret) ERROR_MUST_CHECK;

/*
 * The line nearest to where SCOPE stands at which its variable NAME can be read, as "f@file:line";
 * NULL: there is none, or no debug information. For messages: it looks at all lines of the
 * function.
 */
const char *target_readable_at(const struct target_scope *scope, const char *name);

/*
 * A register of the kernel's machine, by its DWARF number, to which a probe in SCOPE stores: when
 * nothing reads it before it is overwritten, what it is called there, and in *ADDR where the probe
 * is; NULL: something does, or that is not known. Asked of a scope that target_resolve() has
 * answered for.
 */
const char *target_store_is_lost(const struct target_scope *scope, unsigned reg, uint64_t *addr);

#endif
