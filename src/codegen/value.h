/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: C text in the arena that gives a number or a string where it is written, and what may
 * happen before it is (value.c). codegen/internal.h tells how expressions are made of them.
 */
#ifndef SPILE_CODEGEN_VALUE_H
#define SPILE_CODEGEN_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/expr.h"

struct cg;

/* Of the text of a value: its outermost operator. */
enum precedence {
	PREC_COND,
	PREC_LOGOR,
	PREC_LOGAND,
	PREC_OR,
	PREC_XOR,
	PREC_AND,
	PREC_EQUAL,
	PREC_RELATION,
	PREC_SHIFT,
	PREC_ADD,
	PREC_MUL,
	PREC_UNARY,
	PREC_PRIMARY,
};

/*
 * What the pending text of a value allows, and what becomes of it. A state has all of the
 * restrictions of those before it, so text made of several values is in the last of their states.
 *
 *	state    cg_hold() before  cg_evaluate()  cg_consume(): it is written
 *	V_FREE   -                 -              -
 *	V_READS  effects           -              -
 *	V_SOFT   effects           -              errors: cg_may_fail()
 *	V_FAILS  effects, errors   temporary      errors: cg_may_fail()
 *	V_CALLS  effects, errors   temporary      errors: cg_called()
 *	effect   anything          temporary      no position is known
 *
 * Where cg_hold() acts it makes a temporary, too, which is V_FREE. The last row is struct
 * value.effect, which any state can have but V_FREE. Text that can fail or has effects is
 * written once; cg_consume() asserts it.
 */
enum value_state {
	V_FREE,  /* the same wherever it is written: constants, temporaries */
	V_READS, /* reads variables, maps or memory */
	/* can fail, but later operations may go first: checked at the end of the statement */
	V_SOFT,
	V_FAILS, /* can fail, its position is set */
	V_CALLS, /* V_FAILS by a call of a script function, see cg_pending_call() */
};

/* Where the bytes of a string are, by how much may happen to them. */
enum value_bytes {
	BYTES_LITERAL, /* they never move */
	BYTES_SCRATCH, /* until the statement ends */
	BYTES_LOCAL,   /* in a local's buffer: stores to it disturb them */
	BYTES_GLOBAL,  /* in a global, which callees may change, too */
};

/* Text in the arena, and what it may be written behind. */
struct value {
	const char *text;
	int64_t number; /* of a constant */
	enum precedence prec : 8;
	enum value_state state : 8;
	enum value_bytes bytes : 8; /* string */
	bool effect : 1;            /* has effects when written */
	bool narrow : 1;   /* number: the C type is int, with a value far from its limits */
	bool constant : 1; /* number: known, V_FREE */
};

/*
 * A constant; its text is of type int (narrow) when it is far from the limits of int, else of
 * type long long.
 */
struct value cg_number(struct cg *cg, int64_t n);
/*
 * A number of C type long long, or a string in scratch. TEXT is kept by reference and must live in
 * the arena or be static.
 */
struct value cg_value(const char *text, enum precedence prec, enum value_state state);
/* A string whose bytes are elsewhere. */
struct value cg_string(const char *text, enum value_state state, enum value_bytes bytes);
/*
 * Text that V is a part of, and is written with: cg_value() in V's state, with its effect. V itself
 * must not be written any more.
 */
struct value cg_around(const char *text, enum precedence prec, struct value v);
/* The same with two parts. */
struct value cg_combine(const char *text, enum precedence prec, struct value a, struct value b);
/* V in a state that is STATE or comes after it. */
struct value cg_at_least(struct value v, enum value_state state);
/* Whether writing V leaves something behind: errors to check, or effects. */
bool cg_is_active(struct value v);
/* Whether later effects can change the bytes that the string V views. */
bool cg_is_view(struct value v);
/* The text as an operand of an operator of precedence PREC. */
const char *cg_operand(struct cg *cg, struct value v, enum precedence prec);
/* The text as a condition of if, while, &&. */
const char *cg_condition(struct cg *cg, struct value v);
const char *cg_type(enum ir_type type); /* "stp_long ", "struct stp_str " */
/* Note that the text of v is being written now: the last step of a pending value. */
void cg_consume(struct cg *cg, struct value v);
/*
 * Writes v into a new C variable; the result is its name. A string temporary views the same
 * bytes.
 */
struct value cg_temp(struct cg *cg, struct value v, enum ir_type type);
/*
 * The left side of an operator, in a temporary when its text has become long: a chain of
 * operators does not nest without end in C, nor is its text copied again for each of them.
 */
struct value cg_bound(struct cg *cg, struct value v, enum ir_type type);
/*
 * Ready for an operation with a position of its own: failing and effectful text goes into a
 * temporary.
 */
struct value cg_evaluate(struct cg *cg, struct value v, enum ir_type type);
/* cg_evaluate() for every operand; NULL elements stay as they are. */
void cg_evaluate_list(struct cg *cg, const struct ir_exprs *list, struct value *v);
/* Safe against the effects of expressions that come later. */
struct value cg_hold(struct cg *cg, struct value v, enum ir_type type, unsigned later);

#endif
