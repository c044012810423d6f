/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builders: one function per construct of the grammar, which calls nothing else. They check what
 * is syntax but awkward to say in a grammar (lvalues, formats, sort marks) and report to the
 * sink; a bad construct still yields a node, so the parse goes on, and the caller drops the file
 * when anything was reported. Those of declarations are in declare.h.
 *
 * No builder returns NULL. Nodes are made in b->arena; lists and interned strings are taken over,
 * never copied, and must be of the same lifetime. Spans are those of the token that stands for
 * the node.
 */
#ifndef SPILE_AST_BUILD_H
#define SPILE_AST_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ast/ast.h"

/* Deepest nesting of expressions accepted. */
#define AST_DEPTH_MAX 1000
/*
 * Longest way down an expression tree: what one chain of operators may have, and one of else ifs.
 * Passes recurse by it and need at most AST_LEVEL_STACK bytes of stack a level, sanitizers
 * included; the default is safe with 8 MB.
 */
#define AST_HEIGHT_MAX 10000
#define AST_HEIGHT_DEFAULT 2000
#define AST_LEVEL_STACK 4096
/* Most probe points that one brace expansion may give. */
#define AST_POINTS_MAX 4096
/* Most arguments one print operator may have, beside its format or delimiter. */
#define AST_PRINT_ARGS_MAX 32

/* What builders need. Set by the parser for each file; file receives the declarations. */
struct ast_builder {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	/* embedded C and its operators are allowed: guru mode, or a library file */
	bool privileged;
	struct ast_file *file;
	bool too_many_points; /* said once per file */
	bool no_autocast;     /* language level below 2.6, in files of the user */
	bool loose_ternary;   /* language level below 4.0: the last arm of ?: is any expression */
	unsigned max_height;  /* AST_HEIGHT_MAX at most; 0: AST_HEIGHT_DEFAULT */
};

/*
 * Account for a child (NULL is none) in the depth and height of e, and complain where a limit is
 * crossed.
 */
void ast_expr_above(struct ast_builder *b, struct ast_expr *e, const struct ast_expr *child);

/* ---- lists ---- */
/* Append; NULL stands for '*'. */
void ast_exprs_add(struct ast_builder *b, struct ast_exprs *list, struct ast_expr *expr);
/* Empty statements add nothing. */
void ast_stmts_add(struct ast_builder *b, struct ast_stmts *list, struct ast_stmt *stmt);

/* ---- expressions; the span is the token that stands for the node ---- */
struct ast_expr *ast_number(struct ast_builder *b, struct span span, int64_t value);
struct ast_expr *ast_string(struct ast_builder *b, struct span span, const struct istr *value);
struct ast_expr *ast_name(struct ast_builder *b, struct span span, const struct istr *name);
/*
 * The same where a value stands. The name of a print operator is reported: its parentheses are
 * missing.
 */
struct ast_expr *ast_variable(struct ast_builder *b, struct span span, const struct istr *name);
/* NAME[keys]; a NULL key is '*', which only some uses of the node allow: sema checks. */
struct ast_expr *ast_index(struct ast_builder *b, struct span span, const struct istr *name,
			   struct ast_exprs keys);
struct ast_expr *ast_call(struct ast_builder *b, struct span span, const struct istr *name,
			  struct ast_exprs args);
struct ast_expr *ast_unary(struct ast_builder *b, struct span span, enum ast_op op,
			   struct ast_expr *operand);
struct ast_expr *ast_binary(struct ast_builder *b, struct span span, enum ast_op op,
			    struct ast_expr *left, struct ast_expr *right);
/* LEFT =~ PATTERN, or !~ when negated. pattern is kept as written (see ast_expr.match). */
struct ast_expr *ast_match(struct ast_builder *b, struct span span, bool negated,
			   struct ast_expr *left, const struct istr *pattern,
			   struct span pattern_span);
struct ast_expr *ast_ternary(struct ast_builder *b, struct span span, struct ast_expr *cond,
			     struct ast_expr *yes, struct ast_expr *no);
/*
 * op: AST_OP_SET, AST_OP_FEED (<<<), or the operator of op=. A left side that cannot be assigned
 * to is reported.
 */
struct ast_expr *ast_assign(struct ast_builder *b, struct span span, enum ast_op op,
			    struct ast_expr *left, struct ast_expr *right);
/* op: AST_OP_INC or AST_OP_DEC, reported like an assignment. */
struct ast_expr *ast_incdec(struct ast_builder *b, struct span span, enum ast_op op, bool prefix,
			    struct ast_expr *operand);
/* (KEYS) in ARRAY; a NULL key is '*'. */
struct ast_expr *ast_in(struct ast_builder *b, struct span span, struct ast_exprs keys,
			const struct istr *array, struct span array_span);
/* $NAME as written, $ and suffix included */
struct ast_expr *ast_target(struct ast_builder *b, struct span span, const struct istr *text);
struct ast_expr *ast_errno(struct ast_builder *b, struct span span);
/* @var and @cast; module is NULL when the operator has none. */
struct ast_expr *ast_atvar(struct ast_builder *b, struct span span, const struct istr *name,
			   const struct istr *module);
struct ast_expr *ast_cast(struct ast_builder *b, struct span span, struct ast_expr *operand,
			  const struct istr *type, const struct istr *module);
/*
 * BASE->NAME, BASE[INDEX], a $ or $$ suffix: BASE itself is extended and returned when it is a
 * target variable without & and suffix; anything else becomes the operand of an autocast. NAME
 * may carry a suffix.
 */
struct ast_expr *ast_member(struct ast_builder *b, struct span span, struct ast_expr *base,
			    const struct istr *name);
struct ast_expr *ast_subscript(struct ast_builder *b, struct span span, struct ast_expr *base,
			       struct ast_expr *index);
struct ast_expr *ast_pretty(struct ast_builder *b, struct span span, struct ast_expr *base,
			    const struct istr *suffix);
/* Marks BASE, a target variable, as &BASE; anything else is reported and returned unchanged. */
struct ast_expr *ast_address(struct ast_builder *b, struct span span, struct ast_expr *base);
/* DEFINED, ENTRY, PROBEWRITE */
struct ast_expr *ast_operand(struct ast_builder *b, struct span span, enum ast_expr_kind kind,
			     struct ast_expr *operand);
/* PERF, CONST, ENUM */
struct ast_expr *ast_text(struct ast_builder *b, struct span span, enum ast_expr_kind kind,
			  const struct istr *text);
/* type and module may be NULL. */
struct ast_expr *ast_enumname(struct ast_builder *b, struct span span, struct ast_expr *value,
			      const struct istr *type, const struct istr *module);
/*
 * Raw memory and registers; reported without privilege (ast_builder.privileged). user: of the
 * current task rather than the kernel.
 */
struct ast_expr *ast_deref(struct ast_builder *b, struct span span, bool user,
			   struct ast_expr *size, struct ast_expr *address);
struct ast_expr *ast_register(struct ast_builder *b, struct span span, bool user,
			      struct ast_expr *number);
/*
 * @count and its kin over a statistic; ast_variance is @variance with a bit shift, of which 0 to
 * 62 are good.
 */
struct ast_expr *ast_extract(struct ast_builder *b, struct span span, enum ast_extractor op,
			     struct ast_expr *stat);
struct ast_expr *ast_variance(struct ast_builder *b, struct span span, struct ast_expr *stat,
			      int64_t shift, struct span shift_span);
/*
 * Histograms of a statistic; whether they may stand where they do is for sema and the print
 * operators.
 */
struct ast_expr *ast_hist_log(struct ast_builder *b, struct span span, struct ast_expr *stat);
struct ast_expr *ast_hist_linear(struct ast_builder *b, struct span span, struct ast_expr *stat,
				 int64_t low, int64_t high, int64_t step);
/* HIST[INDEX], one bucket. */
struct ast_expr *ast_bucket(struct ast_builder *b, struct span span, struct ast_expr *hist,
			    struct ast_expr *index);
/* INDEX in HIST: whether anything was counted in that bucket. */
struct ast_expr *ast_in_hist(struct ast_builder *b, struct span span, struct ast_expr *index,
			     struct ast_expr *hist);
/* %{ C %} as an expression; text is what is between, reported without privilege. */
struct ast_expr *ast_embedded(struct ast_builder *b, struct span span, const struct istr *text);

/*
 * The print family; an operator is a row number of the table in print_family.c. -1: NAME is none
 * of it.
 */
int ast_print_operator(const char *name, size_t len);
/* The name of the Ith of them, NULL behind the last. */
const char *ast_print_operator_name(size_t i);
/*
 * A call of OPERATOR. A literal format is split into conversions and the delimiter taken out of
 * args; bad formats and counts of arguments are reported.
 */
struct ast_expr *ast_print_call(struct ast_builder *b, struct span span, int operator,
				struct ast_exprs args);

/* ---- statements ---- */
/* Kinds without parts: EMPTY, NEXT, BREAK, CONTINUE. */
struct ast_stmt *ast_stmt_simple(struct ast_builder *b, struct span span, enum ast_stmt_kind kind);
struct ast_stmt *ast_stmt_block(struct ast_builder *b, struct span span, struct ast_stmts list);
/* EXPR, RETURN, DELETE */
struct ast_stmt *ast_stmt_expr(struct ast_builder *b, struct span span, enum ast_stmt_kind kind,
			       struct ast_expr *expr);
/*
 * An if with all its else ifs: the innermost is added to, so a long chain is no deep tree for the
 * grammar. After ast_chain() and ast_chain_if() the last has no arm yet.
 */
struct ast_chain {
	struct ast_stmt *first, *last;
	unsigned
		n; /* else ifs; those beyond the height of a tree are reported, once, and left out */
};
struct ast_chain ast_chain(struct ast_builder *b, struct span span, struct ast_expr *cond);
void ast_chain_arm(struct ast_chain *chain, struct ast_stmt *yes);
void ast_chain_if(struct ast_builder *b, struct ast_chain *chain, struct span span,
		  struct ast_expr *cond);
/* Ends the chain. */
void ast_chain_else(struct ast_chain *chain, struct ast_stmt *no);
/* for and while; init, cond and step may be NULL. */
struct ast_stmt *ast_stmt_for(struct ast_builder *b, struct span span, struct ast_expr *init,
			      struct ast_expr *cond, struct ast_expr *step, struct ast_stmt *body);
/* var is NULL when the catch names no variable. */
struct ast_stmt *ast_stmt_try(struct ast_builder *b, struct span span, struct ast_stmt *body,
			      const struct istr *var, struct span var_span,
			      struct ast_stmt *handler);
/* %{ C %} as a statement, or as the body of a C function; reported without privilege. */
struct ast_stmt *ast_stmt_code(struct ast_builder *b, struct span span, const struct istr *text);
/* head was filled by the functions below; it is copied. */
struct ast_stmt *ast_stmt_foreach(struct ast_builder *b, struct span span, struct ast_foreach *head,
				  struct ast_stmt *body);

/* The head of a foreach, empty; filled from left to right. */
struct ast_foreach *ast_foreach_create(struct ast_builder *b);
/*
 * Notes a sort mark. dir 0 is no mark; key 0 sorts by value. A second mark is reported, and the
 * first one stays.
 */
void ast_foreach_sort(struct ast_builder *b, struct ast_foreach *head, int dir, int key,
		      struct span span);
/* Adds a key variable with its sort mark. */
void ast_foreach_key(struct ast_builder *b, struct ast_foreach *head, struct ast_expr *name,
		     int dir, struct span dir_span);
/* ARRAY [SLICE] @op DIR; slice NULL when absent, extractor 0 when absent */
void ast_foreach_source(struct ast_builder *b, struct ast_foreach *head, struct ast_expr *array,
			const struct ast_exprs *slice, enum ast_extractor extractor,
			struct span extractor_span, int dir, struct span dir_span);

#endif
