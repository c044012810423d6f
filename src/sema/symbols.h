/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of pass 2: globals, locals and functions of the IR, each the first member of a record
 * with what only analysis needs; which of them a name means; and declaring them (close.c).
 *
 * Records live in the compilation arena. Private to this folder.
 */
#ifndef SPILE_SEMA_SYMBOLS_H
#define SPILE_SEMA_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "diag/diag.h"
#include "ir/symbol.h"

struct ast_file;
struct ast_function;
struct ast_global;
struct sema;
struct sema_context;
struct target_type;

/* Where a type or an arity was first decided: the second location of a conflict. */
struct sema_origin {
	struct span span;
	const char *token;
};

/* Step bind: the pointers stored to a variable up to here. type is NULL when two of them differ. */
struct sema_so_far {
	bool any;
	const struct target_type *type;
};

/*
 * A global of a script or of a library file that was taken in. The fields behind ir belong to
 * steps bind to display.
 */
struct sema_global {
	struct ir_global ir; /* first: sema_global() casts */
	const struct ast_global *ast;
	const struct ast_file *file;
	bool arity_set, wrap_refused;
	struct sema_origin arity, type, keys[IR_MAX_KEYS];
	struct sema_origin hist_at,
		shift_at; /* where its histogram and its bit shift were last asked for */
	bool pointer_conflict, crossed; /* crossed: the library's use was warned of */
	struct sema_so_far so_far;
	uint32_t first_write; /* source offset + 1 of the first store; 0 never (step display) */
	bool filled, deleted; /* sema_uses(): stored to by more than deletes; deleted from */
};

/* A local or parameter; ir.assigned and read tell a name that is only misspelt. */
struct sema_local {
	struct ir_local ir;
	struct sema_origin type;
	bool read, pointer_conflict;
	struct sema_so_far so_far;
};

/* What a function needs to know of the probe that it is called from, itself or by calls. */
enum sema_context_use {
	SEMA_CONTEXT_UNKNOWN = -1,
	SEMA_CONTEXT_NONE,
	SEMA_CONTEXT_TYPES,     /* in which object types, globals and enumerators are looked for */
	SEMA_CONTEXT_VARIABLES, /* its variables, too */
};

/*
 * A declared function; several when it is specialised per probe. ir.body is filled when a call
 * reaches it (step bind), and ir enters the program then.
 */
struct sema_function {
	struct ir_function ir;
	const struct ast_function *ast;
	const struct ast_file *file;
	struct sema_origin type;
	uint32_t order; /* of declaration */
	int64_t priority;
	bool bound, queued, guru, returns_value, pointer_conflict, unreached_warned;
	enum sema_context_use context;
	const struct sema_context *specialised; /* the context it was cloned for, or NULL */
};

/* A growing list of functions; the array is in the compilation arena. */
struct sema_functions {
	struct sema_function **data;
	size_t n, cap;
};

/* A name's public and private functions, all arities, in order of declaration. */
struct sema_name {
	struct sema_functions list;
	bool searched; /* the library was asked */
};

/*
 * The records around symbols of the IR. The symbol must be one that pass 2 made: it is the first
 * member of its record.
 */
static inline struct sema_global *sema_global(struct ir_global *g)
{
	return (struct sema_global *)g;
}

static inline struct sema_local *sema_local(struct ir_local *l)
{
	return (struct sema_local *)l;
}

static inline struct sema_function *sema_function(struct ir_function *f)
{
	return (struct sema_function *)f;
}

/* ---- close.c: symbols ---- */
/* Declares the globals and functions of FILE, once. Its probes are left aside. */
void sema_add_file(struct sema *s, const struct ast_file *file);
/* Declares one global; a second one of the name in its scope is reported and dropped. */
void sema_add_global(struct sema *s, const struct ast_file *file, const struct ast_global *ast);

/*
 * The global a name means in a file, or NULL: then it is a local. Of several library files that
 * have one of the name the first is meant.
 */
struct sema_global *sema_find_global(struct sema *s, const struct ast_file *file,
				     const struct istr *name);
/*
 * First of the overloads with that many arguments, chained by next_overload. NULL when there is
 * none: then *any is a function of the name with other arguments, or NULL. Asks the library
 * unless one of the script's before the library's ends the call.
 */
struct sema_function *sema_find_function(struct sema *s, const struct ast_file *file,
					 const struct istr *name, size_t n_args,
					 const struct sema_function **any);
/*
 * A record for a declaration, entered nowhere. Library functions come behind the user's unless
 * a priority is given.
 */
struct sema_function *sema_new_function(struct sema *s, const struct ast_file *file,
					const struct ast_function *ast);

/* ---- specialise.c ---- */
/* Answers UNKNOWN never. */
enum sema_context_use sema_uses_context(struct sema *s, struct sema_function *f);
/*
 * The chain to be called in context CX: FIRST itself when it needs nothing of it or CX is NULL,
 * else a copy that all calls in this context share, or all calls from probes of one object.
 */
struct sema_function *sema_specialise(struct sema *s, struct sema_function *first,
				      struct sema_context *cx);
/* Has F copies for objects, which are called instead of it? */
bool sema_has_copies(const struct sema *s, const struct sema_function *f);

/* ---- close.c: names ---- */
/*
 * Near names of functions and print operators, "a, b", in the arena; NULL when there are none. No
 * library file is parsed.
 */
const char *sema_similar_functions(struct sema *s, const char *name);
/*
 * Reports with TAG that NAME at SPAN is no global; a hint names the script's global that is near.
 * Returns the diagnostic.
 */
struct diagnostic *sema_report_no_global(struct sema *s, enum diag_tag tag, struct span span,
					 const struct istr *name);
/* Does the script or the library declare a function of that name? */
bool sema_has_function(struct sema *s, const struct istr *name);

/* ---- implicit_globals.c ---- */
/*
 * A name that one handler fills as an array and another reads, without a declaration: becomes a
 * global of FILE, with a warning.
 */
void sema_implicit_globals(struct sema *s, const struct ast_file *file);

#endif
