/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax tree of scripts and tapset files, as parsed: names are interned strings, nothing is
 * resolved. The parser builds it through build.h, library/ and sema/ read it, sema/expand clones
 * from it. Nodes live in the session arena and are never freed; a node is never changed after
 * parsing except where its field's comment names the pass.
 *
 * Every node starts with a kind and a span (the token that stands for it in messages: the operator
 * of an expression, the name of a call). Expressions are in expr.h; here are statements and
 * declarations.
 */
#ifndef SPILE_AST_AST_H
#define SPILE_AST_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/expr.h"
#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"

struct ast_stmt;

/* Types as they are written in declarations; UNKNOWN: none was. No declaration gives STATS. */
enum ast_type { AST_TYPE_UNKNOWN, AST_TYPE_LONG, AST_TYPE_STRING };

/* Kinds of statements, one row of kinds.def each. */
enum ast_stmt_kind {
#define AST_STMT(kind, name) AST_STMT_##kind,
#include "ast/kinds.def"
};

struct ast_stmts {
	struct ast_stmt **data;
	size_t n, cap;
};

/* ---- statements ---- */
/*
 * The head and body of a foreach. Exactly one of array and hist is set by the parser; sort_key
 * counts keys from 1.
 */
struct ast_foreach {
	struct ast_exprs keys;    /* NAME expressions */
	struct ast_expr *value;   /* NAME or NULL */
	const struct istr *array; /* NULL when hist is set */
	struct span array_span;
	struct ast_expr *hist; /* foreach (b in @hist_log(s)) */
	bool sliced;
	struct ast_exprs slice;       /* NULL element: '*' */
	int sort_dir;                 /* 0 none, 1 ascending, -1 descending */
	int sort_key;                 /* 0: by value, n: nth key */
	enum ast_extractor extractor; /* 0: none */
	struct ast_expr *limit;       /* or NULL */
	struct ast_stmt *body;
};

/*
 * A statement. body, handler and the arms of a condition are single statements, a block where the
 * script has braces.
 */
struct ast_stmt {
	enum ast_stmt_kind kind;
	struct span span;
	union {
		/* BLOCK */
		struct {
			struct ast_stmts list;
		} block;
		struct {
			struct ast_expr *expr;
		} expr; /* EXPR; RETURN (may be NULL); DELETE */
		struct {
			struct ast_expr *cond;
			struct ast_stmt *yes, *no;
		} cond;
		struct {
			struct ast_expr *init, *cond, *step;
			struct ast_stmt *body;
		} loop; /* parts may be NULL */
		struct ast_foreach foreach;
		/* TRY; var is NULL without one, or the variable that gets the message */
		struct {
			struct ast_stmt *body, *handler;
			const struct istr *var;
			struct span var_span;
		} try_;
		struct {
			const struct istr *text;
		} code; /* EMBEDDED */
	};
};

/* ---- declarations ---- */
/* A global as declared. size is the [N] of an array, valid with has_size; wrap is its '%'. */
struct ast_global {
	const struct istr *name;
	struct span span;
	bool is_private, has_size, wrap;
	int64_t size;
	struct ast_expr *init; /* NUMBER (sign applied) or STRING; or NULL */
};

/* A parameter; type UNKNOWN when the declaration has none. */
struct ast_param {
	const struct istr *name;
	struct span span;
	enum ast_type type;
};

/*
 * A function, in the script language or in embedded C. priority is that of overloads and is valid
 * with has_priority; lower is tried first.
 */
struct ast_function {
	const struct istr *name;
	struct span span;
	bool is_private, has_priority;
	int64_t priority;
	enum ast_type type; /* declared return type or UNKNOWN */
	VEC(struct ast_param) params;
	struct ast_stmt *body; /* AST_STMT_EMBEDDED for C functions */
};

/*
 * One component of a probe point: name or wildcard, optional literal parameter. Braces are expanded
 * by the parser.
 */
struct ast_component {
	const struct istr *name;
	struct span span;
	struct ast_expr *param; /* NUMBER, STRING or NULL */
};

/*
 * A probe point after brace expansion: its components in order, marks and condition. Points made
 * of one brace list share the parameters and the condition.
 */
struct ast_point {
	struct span span;
	VEC(struct ast_component) parts;
	bool optional;              /* ? */
	bool sufficient;            /* ! */
	struct ast_expr *condition; /* if (...), or NULL */
};

/* A probe: one handler for all its points. Points and body belong to the probe alone. */
struct ast_probe {
	struct span span; /* of the keyword */
	VEC(struct ast_point *) points;
	struct ast_stmt *body;
};

/*
 * NAME = points { prologue } or NAME += points { epilogue }, or both with a comma. Several names
 * of one definition give several aliases, which share points and bodies.
 */
struct ast_alias {
	struct span span;
	struct ast_point *name; /* components without parameters */
	VEC(struct ast_point *) points;
	struct ast_stmt *prologue; /* or NULL */
	struct ast_stmt *epilogue; /* or NULL */
};

/* C text at file scope, in the order of the file. */
struct ast_embedded {
	struct span span;
	const struct istr *text;
};

/*
 * One parsed text, in the order of declarations of each kind. Its name and all nodes are in the
 * session's arena.
 */
struct ast_file {
	const char *name; /* path or <input> */
	uint32_t start;   /* source map offset */
	bool library;     /* tapset: trusted, its probes are left aside */
	VEC(struct ast_global *) globals;
	VEC(struct ast_function *) functions;
	VEC(struct ast_probe *) probes;
	VEC(struct ast_alias *) aliases;
	VEC(struct ast_embedded *) embedded;
	const struct map *macros; /* istr: that it defines; NULL: not known */
};

#endif
