/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 2: from parsed files to the typed program. One file per step, named in order in sema.c:
 *   close       symbol tables; library files the script reaches are taken in as names ask for them
 *   expand      aliases, wildcards over aliases, ? and !: script probes -> resolved points with
 *               whole bodies
 *   bind        names -> locals, globals, functions, overloads; with step context: target variables
 *               -> fetch programs, @defined decided, dead arms dropped; points whose answers have
 *               the same types share a handler
 *   autocast    typed pointers through locals and functions; accesses that waited for them
 *   elide       code without effect goes, with the mistakes in it and what was saved for it (not with -u)
 *   infer       types to a fixpoint; then every mismatch is reported
 *   check       extractors, foreach rules, conditions, never-assigned variables
 *   display     the end probe that prints globals nobody reads
 *   optimise    unused functions, variables, statements, probes (off with -u); `Probe 'X' has been
 *               elided`
 *   unresolved  types that stayed unknown in what is left
 *   formats     print operators -> formats
 *   merge       functions that are the same but for their names become one (not with -u), and handlers of a
 *               wildcard: over aliases, that are the same but for what rows can hold; over functions, that are equal
 *   varying     what the points of one handler get in ways of their own -> their rows; texts for what cannot be
 *               read, where that cannot happen, are dropped
 *   entries     values of a call's entry that are asked for later in it -> probes there that keep them
 *   counters    semaphores of marks -> all points at their places
 *   words       how many arguments of its event each handler reads
 *   finish      indexes, embedded C in use, the anchor of addresses
 *   regexes     patterns in use -> tables
 *   facts       what holds of the whole: uses of globals, calls that nest or go round (ir/facts.h)
 */
#ifndef SPILE_SEMA_SEMA_H
#define SPILE_SEMA_SEMA_H

#include "ast/ast.h"
#include "ir/ir.h"
#include "probe/family.h"

struct library;

/* Options of the command line that change the meaning of scripts; strings are the caller's. */
struct sema_options {
	bool guru;
	bool unoptimised; /* -u */
	bool skip_badvars;
	bool sum_must_be_fed; /* below 1.5: @sum of nothing is an error */
	bool wide_pointers;   /* below 1.3: %p has all digits of an address */
	bool no_global_display;
	uint32_t max_map_entries;       /* MAXMAPENTRIES */
	const char *const *set_globals; /* -G NAME=VALUE, n_set */
	size_t n_set;
	int verbose;
};

/*
 * All that pass 2 reads. Everything in it outlives the analysis; trees and library are not
 * changed. What is made of them is in the arena, the diagnostics are in the sink, and nothing
 * has to be released.
 */
struct sema_input {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct library *library;       /* may be NULL in tests */
	struct ast_file *const *files; /* user scripts: -e/file first, then -E */
	size_t n_files;
	const struct probe_catalog *catalog;
	struct probe_env *env;
	struct sema_options options;
	/* Called with the program after each step from bind on; NULL: not wanted. */
	void (*after_step)(void *arg, const char *step, const struct ir_program *program);
	void *after_arg;
	const struct sema_kept_lists *kept; /* NULL: none are */
};

/* The steps after which there is a program, in order; NULL at the end. */
const char *sema_step_name(size_t i);

/*
 * The program, in the arena of the input and verified (ir_verify) after every step; NULL when
 * errors were reported to the sink. A program that breaks an invariant is a bug of a step and
 * aborts.
 */
struct ir_program *sema_analyse(const struct sema_input *input);

/* -l / -L: one line per distinct script-level name, sorted. */
struct sema_listing {
	const char **lines;
	size_t n;
};
/*
 * Lists with variables from earlier runs. TEXT is POINT's, which no alias has a part in. The lines,
 * in the arena of the input, are in the order of their bytes.
 */
struct sema_kept_lists {
	bool (*find)(void *arg, const struct ast_point *point, const char *text,
		     struct sema_listing *ret);
	/* that it was made without any diagnostic */
	void (*keep)(void *arg, const struct ast_point *point, const char *text,
		     const struct sema_listing *list);
	void *arg;
};
/*
 * Lists what POINT matches; the lines are in the arena. False when nothing did: then the
 * diagnostics say why, else only those from before the call are left.
 */
bool sema_list(const struct sema_input *input, const struct ast_point *point, bool with_variables,
	       struct sema_listing *ret);

#endif
