/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes programs: the state of it, and expressions (make_expressions.c), of which make.c makes
 * statements, functions and probes. Every node is new, and belongs to the arena of the program.
 */
#ifndef SPILE_FUZZ_MAKER_H
#define SPILE_FUZZ_MAKER_H

#include "program.h"

struct maker {
	struct program *p;
	uint64_t random;
	struct scope *scope;
	const struct function *function; /* whose body it is, or NULL */
	struct variable *fuel;           /* of a recursive function */
	const struct variable *never;
	unsigned n_functions; /* that may be called */
	unsigned locked;      /* bit i: array i must not be changed here */
	unsigned nesting, loops, tries;
	bool pure, may_fail, can_next, no_locals, typed_all;
	unsigned typed_globals; /* bit i: some statement tells its type for certain */
	uint64_t typed_locals;
};

/* From 0 to N - 1; N is not 0. */
unsigned below(struct maker *m, unsigned n);
/* Once in N. */
bool chance(struct maker *m, unsigned n);

/* ---- nodes ---- */
struct node *make(struct maker *m, enum node_kind kind, enum type type);
struct node *literal(struct maker *m, int64_t number);
struct node *text_literal(struct maker *m, const char *text);
struct node *binary(struct maker *m, unsigned op, struct node *a, struct node *b);
struct node *use(struct maker *m, struct variable *v);
struct node *assignment(struct maker *m, unsigned op, struct node *left, struct node *right);
struct node *figure_of(struct maker *m, struct variable *v, unsigned figure, struct node *keys);
/* The same keys once more; they have no effects. */
struct node *copy_keys(struct maker *m, const struct node *keys);

/* ---- variables ---- */
struct variable *new_local(struct maker *m, enum type type, bool steady);
/* NULL: there is none of that kind. One to be assigned is neither steady, a counter nor locked. */
struct variable *pick_global(struct maker *m, enum type type, bool array, bool to_assign);
struct variable *pick_scalar(struct maker *m, enum type type, bool to_assign);

/* ---- expressions: DEPTH is how far they may branch ---- */
struct node *make_long(struct maker *m, unsigned depth);
struct node *make_string(struct maker *m, unsigned depth);
struct node *make_typed(struct maker *m, enum type type, unsigned depth);
struct node *make_number(struct maker *m);
struct node *make_text(struct maker *m);
/* The keys of V; some may be * where the language has it. */
struct node *make_keys(struct maker *m, const struct variable *v, bool wild);
struct node *make_element(struct maker *m, struct variable *v);
struct node *make_step(struct maker *m);
struct node *make_assignment(struct maker *m, enum type type, unsigned depth);
/* NULL: there is none of that type that may be called here. */
struct node *make_call(struct maker *m, enum type type, unsigned depth);
/* A print, or the sprint of the same form for TYPE_STRING. */
struct node *make_print(struct maker *m, enum type type, unsigned depth);

#endif
