/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside codegen/: one translation and the body being written. How an expression becomes C:
 *
 * Lowering an expression may write statements (temporaries, effects) and yields a struct value
 * (value.h): C text that gives the value where it is placed next. Text that is not yet written is
 * *pending*; what may happen between yielding it and writing it is ruled by its state. Operands
 * are lowered left to right; before a later operand is lowered, an earlier one that it could
 * disturb is put into a temporary (cg_lower_list). C leaves the order of operands open, so at
 * most one operand with effects is ever pending beside others that are not constant.
 *
 * Errors: an operation that can fail sets c->error and goes on with 0 or "". Its position is set by
 * a line of its own before the line it is in, so two failing operations with different positions
 * never share a line. The test of c->error is written before the next thing that must not
 * happen after an error: an effect on a global or on output, a branch, or the next statement.
 *
 * The chain of calls in an error line costs nothing as long as there is no error: where the test
 * of c->error stands behind a call of a script function, it adds the call's position on its way
 * out. So nothing else that can fail may stand between such a call and its test, or between the
 * test before it and the call.
 */
#ifndef SPILE_CODEGEN_INTERNAL_H
#define SPILE_CODEGEN_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "codegen/codegen.h"
#include "emit/writer.h"

struct flow;
struct locking;

/* What a body does with one of its locals; made by cg_locals(). */
struct local_facts {
	bool used, read;
	bool stored; /* string: takes a value that is no literal, so its bytes must be somewhere */
	bool kept;   /* string: stored once, at the top level: they stay in scratch where made */
	unsigned n_stores;
	const char *c_name;
	unsigned buffer; /* string: stored and not kept */
};

/* A way out of a body or a block; with a label, that is written behind it when the way was used. */
struct exit {
	const char *text; /* "return;", "goto out;" */
	bool used;
};

/* A part of a body whose errors are caught: see cg_try_begin(). */
struct cg_try {
	struct exit *outer, inner; /* of what is around it, and its own */
	const char *label;
};

/* The function or handler being written. */
struct body {
	const struct ir_function *function; /* NULL: handler */
	struct map locals;                  /* struct ir_local * -> struct local_facts * */
	unsigned n_buffers;
	bool counted;       /* statements are counted */
	struct exit *leave; /* next, return: out of the body */
	struct exit *error; /* after an error: the same, or to the catch block */
	bool enters;        /* functions: stp_call_enter was called, so there is one way out */
	bool needs_mark, needs_base; /* the prologue keeps c->top above, below the frame */
	bool mark_moves;             /* above locals that are kept */
	unsigned n_resets;
	const char *mark; /* C variable c->top is reset to between statements */
	const char *base; /* where a string result goes */
	bool at_end;      /* the statement being written is the last one, and a return */
	struct loop *loop;
	unsigned n_tries;    /* around the statement being written */
	bool is_object_text; /* object_text.c's, which calls none of its kind */
	unsigned n_labels;
	unsigned n_values;       /* of keys and iterators that live as long as the body */
	struct locking *locking; /* handlers: what is to be locked and is not; locking.c's */
};

struct loop { /* around the statement being written */
	struct loop *outer;
	struct exit next; /* continue; or goto the loop's step */
};

/* Positions in the script that errors name; number 0 means none and has an empty text. */
struct position_table {
	struct map index; /* istr of the text -> number */
	VEC(const char *) texts;
};

/* One translation. */
struct cg {
	const struct codegen_input *in;
	const struct ir_program *program;
	struct arena *arena;
	VEC(const struct ir_object *) objects; /* rows of the tables: objects.c */
	VEC(const struct ir_section *) sections;
	VEC(const struct ir_section *)
	mapped;                     /* files of which handlers ask where a process has them */
	struct map section_numbers; /* section -> its number */
	struct interner *intern;
	struct writer w;
	struct body *body;
	struct position_table positions;
	struct map globals;   /* struct ir_global * -> C name */
	struct map functions; /* struct ir_function * -> struct function_sizes * */
	struct map locked;    /* globals that some handler locks */
	struct map scopes;    /* istr of a key -> number: scopes.c */
	struct map rows;      /* istr of an array of rows -> its name: what points.c has written */
	unsigned n_rows;
	unsigned n_row_tables;                /* of points by columns: rows.c */
	VEC(const struct ir_expr *) embedded; /* C expressions, for guru.c */
	struct map fetch_numbers; /* istr of a fetch program's text -> index in fetches + 1 */
	VEC(struct fetch_program) fetches;  /* that rows of points name */
	struct map object_text_numbers;     /* istr of a body -> index in object_texts + 1 */
	VEC(struct emit_text) object_texts; /* functions, of which so many are written */
	size_t n_object_texts;
	struct flow *flow;                  /* flow.c's */
	uint64_t snapshots;                 /* bytes of all that loops may note: sizes.c */
	const struct ir_foreach *greediest; /* of these loops, with its bytes */
	uint64_t greediest_size;
};

/* arena_printf() into the arena of the translation. */
#define cg_printf(cg, ...) arena_printf((cg)->arena, __VA_ARGS__)

/* ---- sizes.c: locals of the body being written ---- */
/* Collect a body's locals: names, uses, buffers. */
void cg_locals(struct cg *cg, struct body *b, const struct ir_stmt *s);
/* The facts of a local of the body being written; NULL for one that the body does not mention. */
struct local_facts *cg_local(struct cg *cg, const struct ir_local *local);

/* ---- positions.c ---- */
/*
 * The number of "TOKEN at FILE:LINE:COL", the same for equal texts; 0: the span has no
 * position.
 */
uint32_t cg_position_at(struct cg *cg, struct span span, const char *token);
/* The same for E, by the token that an error in it names. */
uint32_t cg_position_of(struct cg *cg, const struct ir_expr *e);
/* "FILE:LINE:COL" of the start of SPAN; NULL when it has no position. */
const char *cg_span_text(struct cg *cg, struct span span);
/* Where the script has P; of one that keeps values of entries, for whom it does. NULL as above. */
const char *cg_probe_place(struct cg *cg, const struct ir_probe *p);

#endif
