/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of every kind: operators, target variables, strings, globals, arrays, statistics and
 * print operators. Each function writes the lines that its expression needs and gives its value;
 * none fails, see codegen/internal.h.
 */
#ifndef SPILE_CODEGEN_EXPR_H
#define SPILE_CODEGEN_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codegen/value.h"
#include "ir/expr.h"

struct cg;
struct ir_foreach;
struct ir_local;
struct ir_stmt;

/* ---- expressions ---- */
/* Any expression whose value is wanted; may write lines. Never fails: see the opening comment. */
struct value cg_lower(struct cg *cg, const struct ir_expr *e);
/*
 * Left to right, each held against those that follow. v has list->n elements; those of NULL
 * expressions are left alone.
 */
void cg_lower_list(struct cg *cg, const struct ir_exprs *list, struct value *v);
/* As an expression statement: its value is not wanted. */
void cg_effect(struct cg *cg, const struct ir_expr *e);
/* Store v, whose text is pending, into a lvalue without keys (local or global). */
void cg_store(struct cg *cg, const struct ir_expr *lvalue, struct value v);
/* = and op= of every kind of lvalue. When not wanted, the result means nothing. */
struct value cg_assign(struct cg *cg, const struct ir_expr *e, bool wanted);
/* ++ and -- of every kind of lvalue; when not wanted, the result means nothing. */
struct value cg_incdec(struct cg *cg, const struct ir_expr *e, bool wanted);
/* a OP b of lowered numbers, folded when both are constants; e gives the position of a division. */
struct value cg_arith(struct cg *cg, const struct ir_expr *e, enum ir_op op, struct value a,
		      struct value b);
/*
 * Operators. Division by 0 fails, nothing else traps; comparisons take strings too; &&, || and ?:
 * evaluate no operand that does not count.
 */
struct value cg_binary(struct cg *cg, const struct ir_expr *e);
struct value cg_unary(struct cg *cg, const struct ir_expr *e);
struct value cg_logical(struct cg *cg, const struct ir_expr *e);
struct value cg_compare(struct cg *cg, const struct ir_expr *e);
struct value cg_ternary(struct cg *cg, const struct ir_expr *e);
/* What a fetch program reads; 0 with the error set where it cannot. */
struct value cg_fetch(struct cg *cg, const struct ir_expr *e);
/* The same of another program with the operands of E, which is a fetch. */
struct value cg_program(struct cg *cg, const struct ir_expr *e, const struct fetch_program *p);
/* Stores v through a target variable (guru): OPERANDS are evaluated values of its subscripts. */
void cg_fetch_store(struct cg *cg, const struct ir_expr *lvalue, struct value *operands,
		    struct value v);
/* The evaluated size of an IR_DEREF as an argument; sets the position. */
struct value cg_deref_size(struct cg *cg, const struct ir_expr *e, struct value size);
/* @kderef, @uderef as values. */
struct value cg_deref(struct cg *cg, const struct ir_expr *e);
/* regexes.c */
/* =~ and !~ as a truth; one whose groups are kept for later questions is an effect. */
struct value cg_match(struct cg *cg, const struct ir_expr *e);
/* @kregister, @uregister. */
struct value cg_register(struct cg *cg, const struct ir_expr *e);
/* A call of a script function, a builtin or embedded C. */
struct value cg_call(struct cg *cg, const struct ir_expr *e);

/* ---- strings.c ---- */
/* Cut to MAXSTRINGLEN, as it would be at run time. */
struct value cg_string_literal(struct cg *cg, const struct istr *s);
/* Into the local's buffer, or by view where the bytes stay (local_facts.kept, literals). */
void cg_string_store_local(struct cg *cg, const struct ir_local *local, struct value v);
/* a . b, in scratch. */
struct value cg_concat(struct cg *cg, const struct ir_expr *e);
/* A name from such a table, or the number as text. */
struct value cg_enumname(struct cg *cg, const struct ir_expr *e);
/* The bytes moved to scratch, so that no later effect reaches them. */
struct value cg_string_copy(struct cg *cg, struct value v);
struct value cg_concat_values(struct cg *cg, struct value a, struct value b);

/* ---- globals.c, arrays.c, stats.c ---- */
/* The C name; requires cg_globals(). */
const char *cg_global(const struct cg *cg, const struct ir_global *g);
/* The enumerator that numbers a per-CPU counter; only of STORE_COUNTER. */
const char *cg_counter(struct cg *cg, const struct ir_global *g);
/* How many there are. */
unsigned cg_counter_count(const struct cg *cg);
/* The runtime's name of the kind, which is not NONE. */
const char *cg_hist_kind(enum ir_hist_kind kind);
/* Fills cg.locked; before cg_globals(). */
void cg_find_locked(struct cg *cg);
/* Of a global with a lock: the name of its struct stp_lock. */
const char *cg_lock(struct cg *cg, const struct ir_global *g);
/* "{ .l = x }, { .l = 0 }": evaluated key values; one that is missing is 0. */
const char *cg_key_list(struct cg *cg, const struct ir_exprs *keys, const struct value *v);
/* CALL, C text that names vals, with such a list as these. */
const char *cg_with_keys(struct cg *cg, const char *call, const struct ir_exprs *keys,
			 const struct value *v);
uint32_t cg_wild(const struct ir_exprs *keys); /* the bits of those that are missing */
const char *cg_val(struct cg *cg, struct value v, enum ir_type type); /* "{ .l = x }" */
/* Array elements as values; reading a missing one gives 0 or "". */
struct value cg_element(struct cg *cg, const struct ir_expr *e);
struct value cg_element_assign(struct cg *cg, const struct ir_expr *e, bool wanted);
struct value cg_element_incdec(struct cg *cg, const struct ir_expr *e, bool wanted);
/* KEYS in ARRAY; wildcards allowed. */
struct value cg_in(struct cg *cg, const struct ir_expr *e);
/* The delete statement: an element, a scalar, a whole array, or the elements that match. */
void cg_delete(struct cg *cg, const struct ir_stmt *s);
/* <<< as a statement: it has no value. */
void cg_feed(struct cg *cg, const struct ir_expr *e);
/* @count and the other extractors; @count and @sum of nothing are 0, the others fail. */
struct value cg_extract(struct cg *cg, const struct ir_expr *e);
/* What the runtime calls an extractor: "STP_STAT_COUNT". */
const char *cg_stat_name(enum ir_stat op);
/* @hist_log(s)[i]: the count of one bucket; an index out of range is an error. */
struct value cg_bucket(struct cg *cg, const struct ir_expr *e);
/* Evaluated operands of a statistic. */
struct stat_operands {
	const char *name;            /* "&g_s" */
	const struct ir_exprs *keys; /* NULL: it is no element */
	const struct value *key_values;
};
/* ALSO, which may be NULL, is lowered behind the keys, so that all are evaluated left to right. */
struct stat_operands cg_stat(struct cg *cg, const struct ir_expr *stat, struct ir_expr *also,
			     struct value *also_value);
/*
 * A call of the runtime about it: OF_MAP for an element, else OF_SCALAR, with REST behind the
 * statistic, which begins with a comma or is empty.
 */
const char *cg_stat_call(struct cg *cg, const struct stat_operands *stat, const char *of_map,
			 const char *of_scalar, const char *rest);

/*
 * Print operators. Those that print are written at once and give 0; those to a string are
 * pending.
 */
struct value cg_print(struct cg *cg, const struct ir_expr *e);
struct value cg_print_hist(struct cg *cg, const struct ir_expr *e);
/*
 * object_text.c: a print to a string as a call of a function that makes text of such an object; if
 * WHOLE, with the other text for when its members cannot be read, else that is the caller's. False:
 * E is not made so, and nothing was written.
 */
bool cg_object_text(struct cg *cg, const struct ir_expr *e, bool whole, struct value *ret);
/* These functions, those that are not written yet: before the text that calls them. */
void cg_object_texts(struct cg *cg);

#endif
