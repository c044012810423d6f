/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every user of the tree needs: walk, clone, names, and printing as script text (-p1, and
 * golden tests).
 */
#ifndef SPILE_AST_TREE_H
#define SPILE_AST_TREE_H

#include "ast/ast.h"
#include "ast/expr.h"

struct strbuf;

/*
 * Walk protocol: a callback returns what to do next. Pre-order; NULL callbacks mean WALK_CONTINUE.
 */
enum walk { WALK_CONTINUE, WALK_PRUNE /* not the children */, WALK_ABORT };
/* data is handed to both callbacks, and is the caller's. */
struct ast_visitor {
	enum walk (*expr)(struct ast_expr *expr, void *data);
	enum walk (*stmt)(struct ast_stmt *stmt, void *data);
	void *data;
};
/*
 * Walk a tree in the order of evaluation; NULL trees and absent parts are passed over. Returns
 * WALK_ABORT when a callback did, else WALK_CONTINUE. Callbacks may change what a node holds, and
 * see its children as they are then. Recurses by the height of the tree (AST_HEIGHT_MAX).
 */
enum walk ast_walk_expr(struct ast_expr *expr, const struct ast_visitor *v);
enum walk ast_walk_stmt(struct ast_stmt *stmt, const struct ast_visitor *v);

/* Deep copies in ARENA; NULL gives NULL. Interned strings, spans and split formats are shared. */
struct ast_expr *ast_clone_expr(struct arena *arena, const struct ast_expr *expr);
struct ast_stmt *ast_clone_stmt(struct arena *arena, const struct ast_stmt *stmt);

/* Names for messages and dumps, static texts. */
const char *ast_expr_kind_name(enum ast_expr_kind kind);
/* As scripts spell it: "+", "<<<". */
const char *ast_op_text(enum ast_op op);

/*
 * Append script text to OUT. indent is in levels of two blanks; a negative one, -1 - LEVELS,
 * leaves out the blanks of the first line.
 */
void ast_print_expr(const struct ast_expr *expr, struct strbuf *out);
void ast_print_stmt(const struct ast_stmt *stmt, int indent, struct strbuf *out);
/* As "kernel.function("x").return ?", condition included. */
void ast_print_point(const struct ast_point *point, struct strbuf *out);
/* Is the parameter an address, which one writes in hexadecimal? */
bool ast_takes_address(const struct ast_component *part);
/* As -p1 shows a file: its name as a comment, then its declarations by kind. */
void ast_print_file(const struct ast_file *file, struct strbuf *out);

#endif
