/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Typed expressions. Every name is a pointer to its symbol, target variables are fetch programs.
 *
 * Ownership: the compilation arena.
 */
#ifndef SPILE_IR_EXPR_H
#define SPILE_IR_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/fetch.h"
#include "ir/symbol.h"

struct ir_expr;
struct ir_probe;
struct ir_regex;
struct ir_varying;

/*
 * Lists in evaluation order. A NULL element stands for a wildcard key, where the list may have
 * such.
 */
struct ir_exprs {
	struct ir_expr **data;
	size_t n, cap;
};
/*
 * Kinds of expression. Each has one arm of the union in struct ir_expr, named in that union or
 * after the kind; IR_BINARY, LOGICAL, COMPARE and CONCAT share `binary`, IR_CALL and
 * IR_BUILTIN_CALL share `call`.
 */
enum ir_expr_kind {
	IR_NUMBER,
	IR_STRING_LITERAL,
	IR_LOCAL,
	IR_GLOBAL,  /* scalars */
	IR_ELEMENT, /* global array element */
	IR_UNARY,
	IR_BINARY,  /* arithmetic and bitwise on longs */
	IR_LOGICAL, /* && || short-circuit */
	IR_COMPARE, /* of longs or strings (left->type) */
	IR_CONCAT,
	IR_MATCH, /* =~ !~ */
	IR_TERNARY,
	IR_ASSIGN, /* = ; op != IR_OP_NONE for op= ; lvalue LOCAL GLOBAL ELEMENT FETCH(guru) */
	IR_FEED,   /* <<< : global stats scalar or element */
	IR_INCDEC,
	IR_IN,           /* membership; NULL key: wildcard */
	IR_CALL,         /* script or C function */
	IR_BUILTIN_CALL, /* function that the back end serves: a row of builtins.h */
	IR_FETCH,        /* target variable read */
	IR_POINT_TEXT,   /* text number `text` of the point that was hit */
	IR_SAVED,        /* return probe: value number `index` stored at entry */
	IR_DEREF,        /* @kderef @uderef */
	IR_REGISTER,
	IR_EXTRACT, /* @count(s) .. */
	IR_HIST_BUCKET,
	IR_PRINT,      /* every print/sprint operator: format id, arguments */
	IR_PRINT_HIST, /* print/println/sprint of a histogram */
	IR_ENUMNAME,   /* the enumerator with that value, as text */
	IR_EMBEDDED,   /* C expression */
};

/* Operators of all kinds of expression; ir_op_text() spells them. */
enum ir_op {
	IR_OP_NONE,
	IR_OP_ADD,
	IR_OP_SUB,
	IR_OP_MUL,
	IR_OP_DIV,
	IR_OP_MOD,
	IR_OP_SHL,
	IR_OP_SHR,
	IR_OP_USHR,
	IR_OP_AND,
	IR_OP_OR,
	IR_OP_XOR,
	IR_OP_CONCAT,
	IR_OP_LOGAND,
	IR_OP_LOGOR,
	IR_OP_LT,
	IR_OP_GT,
	IR_OP_LE,
	IR_OP_GE,
	IR_OP_EQ,
	IR_OP_NE,
	IR_OP_PLUS, /* the sign: its operand is a number */
	IR_OP_NEG,
	IR_OP_NOT,
	IR_OP_BITNOT,
};

/*
 * An expression. Pointers to symbols are shared, children are not: each expression has one parent.
 */
struct ir_expr {
	enum ir_expr_kind kind;
	enum ir_type type;
	struct span span;
	const char *token; /* for run-time error text: "identifier 'user_string'", "operator '/'" */
	const struct target_type *ttype; /* typed pointer or value, or NULL */
	union {
		int64_t number;
		const struct istr *string;
		struct ir_local *local;
		struct ir_global *global;
		struct {
			struct ir_global *array;
			struct ir_exprs keys;
		} element;
		struct {
			enum ir_op op;
			struct ir_expr *operand;
		} unary;
		struct {
			enum ir_op op;
			struct ir_expr *left, *right;
		} binary; /* BINARY LOGICAL COMPARE CONCAT */
		struct {
			bool negated;
			struct ir_expr *subject;
			struct ir_regex *regex;
		} match;
		struct {
			struct ir_expr *cond, *yes, *no;
		} ternary;
		struct {
			enum ir_op op;
			struct ir_expr *lvalue, *value;
		} assign;
		struct {
			struct ir_expr *stat, *value;
		} feed; /* stat: IR_GLOBAL or IR_ELEMENT */
		struct {
			bool prefix;
			int delta;
			struct ir_expr *lvalue;
		} incdec;
		struct {
			struct ir_global *array;
			struct ir_exprs keys;
		} in;
		struct {
			struct ir_function *callee;
			struct ir_exprs args;
		} call; /* CALL, BUILTIN_CALL */
		struct {
			struct fetch_program load;
			struct fetch_program address; /* for stores (guru); n == 0: none */
			struct ir_exprs operands;
			uint8_t size;
			struct fetch_part field; /* of stores */
			bool is_signed;
			const struct target_type *type; /* of the value, or NULL */
			struct ir_varying *varying;     /* the points' own programs, or NULL */
			/* step entries: program.entry_values if it is read; else NULL */
			struct ir_global *entry_values;
		} fetch;
		struct {
			uint32_t text;
			bool literal;                   /* of every point: it is the text itself */
			struct ir_global *entry_values; /* as of fetch */
		} point_text;
		struct {
			const struct ir_probe *probe;
			uint32_t index;
		} saved; /* also in functions of one probe */
		struct {
			bool user;
			struct ir_expr *size, *address;
		} deref;
		struct {
			bool user;
			struct ir_expr *number;
		} reg;
		struct {
			struct ir_expr *value;
			uint32_t table;
		} enumname; /* table: in program.enumerations */
		struct {
			enum ir_stat op;
			bool fed; /* of SUM: an error where nothing was fed */
			struct ir_expr *stat;
		} extract;
		struct {
			struct ir_expr *stat, *index;
		} bucket;
		struct {
			bool to_string;
			uint32_t format; /* index into program.formats */
			/* one per value the format takes, '*' widths included */
			struct ir_exprs args;
			/*
			 * to_string: the text when an argument cannot be read, whose error is
			 * caught; NULL: the error stays
			 */
			struct ir_expr *otherwise;
		} print;
		struct {
			struct ir_expr *stat;
			bool to_string;
			uint32_t hist;
		} print_hist; /* hist: index into program.hists */
		/* EMBEDDED; the locals that its text names, each once: LOCAL */
		struct {
			const struct ir_code *code;
			struct ir_exprs named;
		};
	};
};

#endif
