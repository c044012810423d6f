/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements of the typed program.
 *
 * Ownership: the compilation arena.
 */
#ifndef SPILE_IR_STMT_H
#define SPILE_IR_STMT_H

#include "ir/expr.h"
#include "ir/symbol.h"

struct ir_stmt;

/* Statements in the order of execution. */
struct ir_stmts {
	struct ir_stmt **data;
	size_t n, cap;
};
/*
 * Kinds of statement, with the arms of struct ir_stmt. BREAK, CONTINUE and NEXT have none, LOOP is
 * while and for, RETURN uses `expr`.
 */
enum ir_stmt_kind {
	IR_STMT_BLOCK,
	IR_STMT_EXPR,
	IR_STMT_IF,
	IR_STMT_LOOP,
	IR_STMT_FOREACH,
	IR_STMT_FOREACH_HIST,
	IR_STMT_BREAK,
	IR_STMT_CONTINUE,
	IR_STMT_RETURN,
	IR_STMT_NEXT,
	IR_STMT_DELETE,
	IR_STMT_TRY,
};

/* A loop over a global array, which is sorted first when dir is not 0. */
struct ir_foreach {
	struct ir_global *array;
	struct span array_span;
	struct ir_expr *keys[IR_MAX_KEYS]; /* IR_LOCAL or IR_GLOBAL lvalues */
	struct ir_expr *value;             /* lvalue or NULL */
	/* 0: no order; -1: by value, n: by key n from 1; and 1 ascending, -1 descending */
	int by, dir;
	enum ir_stat extractor; /* by == -1 on a stats array */
	struct ir_expr *limit;  /* or NULL */
	struct ir_exprs slice;  /* n == 0: none; NULL element: '*' */
	struct ir_stmt *body;
};

/* A statement; children belong to it alone. */
struct ir_stmt {
	enum ir_stmt_kind kind;
	struct span span;
	union {
		struct ir_stmts block;
		struct ir_expr *expr; /* EXPR; RETURN (or NULL) */
		struct {
			struct ir_expr *cond;
			struct ir_stmt *yes, *no;
		} cond;
		struct {
			struct ir_expr *init, *cond, *step;
			struct ir_stmt *body;
		} loop;
		struct ir_foreach foreach;
		struct {
			struct ir_expr *var, *stat, *limit; /* limit may be NULL */
			struct ir_stmt *body;
		} foreach_hist;
		/* target: LOCAL GLOBAL(scalar or whole array) ELEMENT; or array + wild_keys */
		struct {
			struct ir_expr *target;
			struct ir_exprs wild_keys;
			struct ir_global *array;
		} del;
		struct {
			struct ir_stmt *body, *handler;
			struct ir_expr *var;
		} try_; /* var: string lvalue or NULL */
	};
};

#endif
