/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions of the syntax tree. ast/ast.h says what holds of all nodes.
 */
#ifndef SPILE_AST_EXPR_H
#define SPILE_AST_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"

struct ast_expr;

/*
 * A kind selects the arm of the union that its row's comment in kinds.def describes. Passes that
 * handle every kind switch over it without a default, so that a new row is noticed by the
 * compiler.
 */
enum ast_expr_kind {
#define AST_EXPR(kind, name) AST_EXPR_##kind,
#include "ast/kinds.def"
};

/* Operators of AST_EXPR_BINARY/UNARY/ASSIGN, one row each: name, spelling. */
enum ast_op {
#define AST_OP(op, text, level) AST_OP_##op,
#include "ast/kinds.def"
};

/* @count .. @variance, also "by" in a sorted foreach */
enum ast_extractor { AST_COUNT = 1, AST_SUM, AST_MIN, AST_MAX, AST_AVG, AST_VARIANCE };

/*
 * Lists of children, in order; the pointers are the arena's. A NULL expression is '*' where a
 * list may hold wildcards (slices, delete, membership).
 */
struct ast_exprs {
	struct ast_expr **data;
	size_t n, cap;
};
/* Where the path of a target variable begins (ast_expr.target). */
enum ast_target_base {
	AST_TARGET_VAR,   /* $name: name without the $, "return", "$vars" for $$vars */
	AST_TARGET_ATVAR, /* @var("name@file", "module") */
	AST_TARGET_ERRNO, /* @errno */
	AST_TARGET_CAST,  /* @cast(operand, "type", "module") */
	AST_TARGET_AUTO,  /* (operand)->m, f(x)->m, p[3]: type of the operand, found by sema */
};

/* One step of a target variable path: a member by name, or a subscript by any expression. */
struct ast_access {
	enum { AST_MEMBER, AST_SUBSCRIPT } kind;
	struct span span;
	const struct istr *member; /* AST_MEMBER */
	struct ast_expr *index;    /* AST_SUBSCRIPT */
};

/*
 * A literal format of a print operator, split at its conversions: plain text, or what kind of
 * argument a conversion takes.
 */
enum ast_conv { AST_CONV_TEXT, AST_CONV_LONG, AST_CONV_STRING, AST_CONV_MEMORY };
/*
 * One part of such a format, in order. width_arg and prec_arg take their arguments before that
 * of the conversion.
 */
struct ast_conversion {
	enum ast_conv kind;
	/*
	 * TEXT: bytes with %% undone; else the conversion as written, without l: "%-10d", "%*.*s"
	 */
	const struct istr *text;
	char conv;                /* d i u o x X p c s b m M; 0 for TEXT */
	bool width_arg, prec_arg; /* '*': takes a long argument first */
};

/*
 * An expression. The builders keep depth and height; a copy of a node shares its
 * children with the original unless made by ast_clone_expr().
 */
struct ast_expr {
	enum ast_expr_kind kind;
	/*
	 * Levels of the tree below, both bounded by the builder. depth is the nesting that a reader
	 * sees: a chain of binary operators (1+1+...) is one level. height is the longest way down,
	 * by which walks recurse.
	 */
	uint16_t depth, height;
	struct span span;
	union {
		/* NUMBER; negative only from 2^63 on, and in literals of declarations */
		struct {
			int64_t value;
		} number;
		/* STRING: the bytes it stands for, escapes undone */
		struct {
			const struct istr *value;
		} string;
		/* NAME: of a variable */
		struct {
			const struct istr *name;
		} name;
		/* INDEX: NAME[keys] */
		struct {
			const struct istr *name;
			struct ast_exprs keys;
		} index;
		/* CALL: of a function, script or C */
		struct {
			const struct istr *name;
			struct ast_exprs args;
		} call;
		/* UNARY */
		struct {
			enum ast_op op;
			struct ast_expr *operand;
		} unary;
		/* BINARY, comparisons and && || among them */
		struct {
			enum ast_op op;
			struct ast_expr *left, *right;
		} binary;
		/* pattern: as written, from the first quote to the last without these two */
		struct {
			bool negated;
			struct ast_expr *left;
			const struct istr *pattern;
			struct span pattern_span;
		} match;
		/* TERNARY; all three are set */
		struct {
			struct ast_expr *cond, *yes, *no;
		} ternary;
		struct {
			enum ast_op op;
			struct ast_expr *left, *right;
		} assign; /* SET, FEED, or the op of op= */
		struct {
			enum ast_op op;
			bool prefix;
			struct ast_expr *operand;
		} incdec;
		/* IN: [keys] in array */
		struct {
			struct ast_exprs keys;
			const struct istr *array;
			struct span array_span;
		} in;
		/* TARGET: base, then the path, then the suffix */
		struct {
			enum ast_target_base base;
			bool address_of;           /* leading & */
			uint8_t pretty;            /* 0, 1 for $, 2 for $$ suffix */
			const struct istr *name;   /* VAR, ATVAR; CAST: the type text */
			const struct istr *module; /* ATVAR, CAST; NULL when absent */
			struct ast_expr *operand;  /* CAST, AUTO */
			VEC(struct ast_access) path;
		} target;
		struct {
			struct ast_expr *operand;
		} defined; /* DEFINED, ENTRY, PROBEWRITE */
		struct {
			const struct istr *text;
		} text; /* PERF, CONST, ENUM, EMBEDDED (the C) */
		struct {
			struct ast_expr *value;
			const struct istr *type, *module;
		} enumname;
		/* DEREF: size bytes at address; user: of the current task */
		struct {
			bool user;
			struct ast_expr *size, *address;
		} deref;
		/* REGISTER; user: of the current task */
		struct {
			bool user;
			struct ast_expr *number;
		} reg;
		/* EXTRACT; bit_shift is of @variance, with has_shift */
		struct {
			enum ast_extractor op;
			struct ast_expr *stat;
			int64_t bit_shift;
			bool has_shift;
		} extract;
		/* HIST; low, high and step are of @hist_linear */
		struct {
			bool linear;
			struct ast_expr *stat;
			int64_t low, high, step;
		} hist;
		/* HIST_BUCKET: one bucket of a HIST */
		struct {
			struct ast_expr *hist, *index;
		} bucket;
		/*
		 * PRINT: one of ten operators, told by the flags; format and delim are not among
		 * args
		 */
		struct {
			bool to_string;  /* s... */
			bool newline;    /* ...ln */
			bool has_format; /* printf, sprintf */
			bool has_delim;  /* printd... */
			const struct istr *delim;
			VEC(struct ast_conversion) format;
			struct ast_exprs args;
		} print;
	};
};

#endif
