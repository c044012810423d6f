/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print operators. print, println and printd need the types of their arguments to become formats,
 * so the format of every node is made by step formats; until then sema.prints tells where it comes
 * from.
 */
#include "sema/bind.h"

/* A print node without format, and its entry in sema.prints. */
static struct ir_expr *new_print(struct bind *b, const struct ast_expr *ast, bool to_string)
{
	struct ir_expr *e = bind_new(b, IR_PRINT, to_string ? IR_STRING : IR_LONG, ast);
	struct sema_print *print = arena_new(b->s->arena, struct sema_print);

	e->print.to_string = to_string;
	e->print.format = UINT32_MAX;
	map_put(&b->s->prints, e, print);
	return e;
}

/* How many values a format takes, widths and precisions given by * included. */
static size_t values_of(const struct ast_expr *ast)
{
	size_t n = 0;

	vec_foreach(c, &ast->print.format)
		n += c->kind == AST_CONV_TEXT ? 0 : 1u + c->width_arg + c->prec_arg;
	return n;
}

/* The text of a histogram ends its own lines: println adds none. */
static struct ir_expr *print_hist(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e =
		bind_new(b, IR_PRINT_HIST, ast->print.to_string ? IR_STRING : IR_LONG, ast);

	e->print_hist.to_string = ast->print.to_string;
	e->print_hist.stat = bind_hist_stat(b, ast->print.args.data[0]);
	return e;
}

/* Formats were checked by the parser; here it is only whether the number of values fits. */
struct ir_expr *bind_print(struct bind *b, const struct ast_expr *ast)
{
	const struct ast_exprs *args = &ast->print.args;
	struct sema_print *print;
	struct ir_expr *e;

	if (args->n == 1 && args->data[0]->kind == AST_EXPR_HIST && !ast->print.has_format &&
	    !ast->print.has_delim)
		return print_hist(b, ast);
	if (ast->print.has_format && values_of(ast) != args->n) {
		sema_token(b->s,
			   diag_report(b->s->sink, DIAG_PRINT_ARG_COUNT, ast->span, args->n,
				       values_of(ast)),
			   sema_expr_token(b->s, ast));
		return bind_poison(b, ast);
	}
	e = new_print(b, ast, ast->print.to_string);
	print = map_get(&b->s->prints, e);
	print->ast = ast;
	bind_exprs(b, args, &e->print.args);
	return e;
}

/* The format is finished; AST gives span and token only. */
struct ir_expr *bind_sprint(struct bind *b, const char *text, const struct ir_exprs *args,
			    const struct ast_expr *ast)
{
	struct ir_expr *e = new_print(b, ast, true);
	struct sema_print *print = map_get(&b->s->prints, e);

	print->text = text;
	e->print.args = *args;
	return e;
}
