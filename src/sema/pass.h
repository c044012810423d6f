/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State shared by the steps of pass 2, private to this folder, and the steps. Symbols are the IR's,
 * each inside a larger record that holds what only analysis needs (symbols.h); everything lives in
 * the compilation arena. A step reports mistakes and goes on; sema.c stops between steps once an
 * error exists.
 */
#ifndef SPILE_SEMA_PASS_H
#define SPILE_SEMA_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "diag/diag.h"
#include "ir/ir.h"
#include "sema/sema.h"
#include "sema/symbols.h"

struct ast_expr;
struct ast_file;
struct sema_expansion;
struct sema_expansions;
struct sema_mistake;
struct target_names;
struct target_scope;
struct target_type;

/* A handler of optional points that has a mistake. */
struct sema_left_out {
	struct span span; /* of the script's probe point */
	struct diagnostic *why;
};

/* p->m where the type of p is not known yet: resolved by step autocast. */
struct sema_pending {
	/* IR_FETCH; operand 0 is the pointer. Pretty printed: IR_PRINT, whose argument 0 it is */
	struct ir_expr *expr;
	const struct ast_expr *ast;
	const struct ast_file *file;
	const struct target_scope *scope;
	struct ir_probe *probe; /* whose full_regs may change, or NULL */
	bool write;
};

/* An object as it was before a trial changed it. */
struct sema_change {
	void *object, *before;
	size_t size;
};

/* What a table of program.enumerations was made of, one of the two. */
struct sema_names {
	const struct target_type *type;
	const struct target_names *names;
};

/*
 * All state of one analysis; made by sema_init(), nothing to release. Maps are keyed by
 * pointers: names are interned.
 */
struct sema {
	const struct sema_input *input;
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct ir_program *program;
	struct map names;    /* istr -> struct sema_name: functions */
	struct map globals;  /* istr -> struct sema_global, public */
	struct map privates; /* ast_file -> struct map of istr -> sema_global */
	struct map files;    /* ast_file -> itself: taken in */
	struct map missing;  /* istr: no library global has that name */
	struct map aliases;  /* istr of the first component -> aliases of the user (points.c) */
	bool aliases_indexed;
	struct map unique_names; /* istr in use, of functions */
	/* ir_expr of a print operator without a format yet -> struct sema_print (bind.h) */
	struct map prints;
	/* ast_file of the library: its functions are bound for their types */
	struct map types_wanted;
	struct map elided;                         /* offset + 1: elision said */
	struct map regexes;                        /* istr of the text -> struct ir_regex */
	VEC(struct sema_names) named;              /* by the index in program.enumerations */
	struct sema_functions queue;               /* called, body not bound yet */
	VEC(struct sema_context *) types_contexts; /* of objects in which handlers stand */
	VEC(struct sema_pending) pending;
	struct map captured; /* ir_global of the script, said to be assigned by an alias */
	struct map mistakes; /* ir_expr -> struct diagnostic, listed and held */
	VEC(struct sema_left_out) left_out;
	uint32_t n_declared;
	const struct ast_point *unmatched; /* the first optional point that is nowhere, or NULL */
	const struct ir_probe *display;    /* made by step display, or NULL */
	unsigned n_trials;                 /* of binding, one within the other */
	unsigned n_suggestions; /* names that near ones were looked for: sema_may_suggest() */
	VEC(struct sema_change) changes; /* of objects that are older than the outermost trial */
};

/* The builtin that @perf calls. */
#define SEMA_PERF_COUNTER "_stp_perf_counter"

/*
 * Must be called before SIZE bytes of an object are changed that a running trial (trial.h) may have
 * found there: they are copied, so that undoing the trial brings them back.
 */
void sema_before_change(struct sema *s, void *object, size_t size);

/* Step close. */
void sema_close(struct sema *s);
/* ---- context.c, bind*.c ---- */
/* Step bind: handlers into program.probes, the functions they reach into program.functions. */
void sema_bind(struct sema *s, const struct sema_expansions *expansions);
/* Only the handler at the expansion's first point; for listing. */
struct ir_probe *sema_bind_first(struct sema *s, const struct sema_expansion *e);
/* Step autocast; reports the accesses whose pointer stayed without a type. */
void sema_autocast(struct sema *s);

/* ---- the other steps ---- */
/*
 * Each step is described at the head of its file. They run in the order of sema.h; a step may
 * rely on all before it.
 */
void sema_elide(struct sema *s);
void sema_infer(struct sema *s);
void sema_check(struct sema *s);
void sema_display(struct sema *s);
void sema_optimise(struct sema *s);
void sema_unresolved(struct sema *s);
void sema_formats(struct sema *s);
void sema_merge(struct sema *s);
/* The first part of step merge (merge_functions.c). */
void sema_merge_functions(struct sema *s);
void sema_varying(struct sema *s);
void sema_entries(struct sema *s);
void sema_counters(struct sema *s);
void sema_words(struct sema *s);
void sema_finish(struct sema *s);
void sema_regexes(struct sema *s);

/* An empty analysis of INPUT, with no symbols yet. */
void sema_init(struct sema *s, const struct sema_input *input);

/* ---- regex.c: patterns ---- */
/* The pattern of a =~; NULL when a mistake in it was reported. */
struct ir_regex *sema_regex(struct sema *s, const struct ast_expr *match);

/* ---- uses.c: reads and writes of globals ---- */
/*
 * Sets read and written of all symbols anew from the program as it is, and first_write of
 * globals; no step keeps them up to date otherwise.
 */
void sema_uses(struct sema *s);
/*
 * The same for globals alone, of what may run: neither an arm that a literal condition never takes,
 * nor what stands behind next, return, break or continue, nor functions that only those call.
 */
void sema_uses_reached(struct sema *s);

/* ---- elide.c: code without effect ---- */
/*
 * One round over all code; true when something was removed, so another round may find more. TYPED:
 * types are known, and branches that a literal condition never takes go too.
 */
bool sema_elide_round(struct sema *s, bool typed);
/* No statement, or a block of none. */
bool sema_is_nothing(const struct ir_stmt *s);
/*
 * Warns with TAG that code about NAME at SPAN was elided, when it is the user's code. At one token
 * it warns once, since elision often comes back to what is left of a statement. The warning, to add
 * a hint to; NULL: there is none.
 */
struct diagnostic *sema_say_elided(struct sema *s, struct span span, enum diag_tag tag,
				   const char *name);

/* ---- saved.c: values saved at the entry of a call ---- */
/* Drops saved values that no code reads any more, and renumbers the others and their readers. */
void sema_drop_saved(struct sema *s);
/*
 * Has an expression that P saves at the entry effects? Then P must stay though its body is empty.
 * Requires ir_function.pure.
 */
bool sema_saves_effects(const struct sema *s, const struct ir_probe *p);

/* ---- diagnostics with a token ---- */
/*
 * May names that are near another one be looked for? That reads all names there are, so a script of
 * mistakes without number gets them for the first ones only.
 */
bool sema_may_suggest(struct sema *s);
/* Quotes TOKEN, unless it is NULL, in the message D, which is returned. */
struct diagnostic *sema_token(struct sema *s, struct diagnostic *d, const char *token);
/* The same with "identifier 'NAME'". */
struct diagnostic *sema_identifier(struct sema *s, struct diagnostic *d, const struct istr *name);
const char *sema_name_token(struct sema *s, const struct istr *name); /* "identifier 'x'" */
const char *sema_place(struct sema *s, struct span span);             /* "FILE:LINE:COLUMN" */
bool sema_is_user(const struct sema *s, struct span span);            /* stands in user text */
/* May a message about FROM offer the global? It is the script's, and not private elsewhere. */
bool sema_may_offer(const struct sema *s, const struct ir_global *g, struct span from);

#endif
