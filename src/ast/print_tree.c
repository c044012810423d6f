/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements, declarations and files as script text that reads back as the same tree (-p1, and
 * golden tests).
 */
#include <inttypes.h>
#include <string.h>

#include "ast/print.h"
#include "ast/tree.h"
#include "base/strbuf.h"

/* Two blanks a level, as -p1 and --dump-after print them. */
static void add_indent(int indent, struct strbuf *out)
{
	for (int i = 0; i < indent; i++)
		strbuf_adds(out, "  ");
}

/* A statement under if, for...: a block goes on the same line. */
static void print_under(const struct ast_stmt *s, int indent, struct strbuf *out)
{
	if (s->kind == AST_STMT_BLOCK) {
		strbuf_addc(out, ' ');
		ast_print_stmt(s, -indent - 1, out);
	} else {
		strbuf_addc(out, '\n');
		ast_print_stmt(s, indent + 1, out);
	}
}

/* Braces and statements; the opening brace stands where the cursor is. */
static void print_block(const struct ast_stmt *s, int indent, struct strbuf *out)
{
	strbuf_adds(out, "{\n");
	for (size_t i = 0; i < s->block.list.n; i++)
		ast_print_stmt(s->block.list.data[i], indent + 1, out);
	add_indent(indent, out);
	strbuf_adds(out, "}\n");
}

/* Whether an "else" behind S would belong to an if inside S. */
static bool steals_else(const struct ast_stmt *s)
{
	for (;;) {
		if (s->kind == AST_STMT_IF) {
			if (!s->cond.no)
				return true;
			s = s->cond.no;
		} else if (s->kind == AST_STMT_FOR) {
			s = s->loop.body;
		} else if (s->kind == AST_STMT_FOREACH) {
			s = s->foreach.body;
		} else {
			return false;
		}
	}
}

/* An arm that would take over the else gets braces. */
static void print_if(const struct ast_stmt *s, int indent, struct strbuf *out)
{
	strbuf_adds(out, "if (");
	ast_print_expr(s->cond.cond, out);
	strbuf_addc(out, ')');
	if (s->cond.no && steals_else(s->cond.yes)) {
		strbuf_adds(out, " {\n");
		ast_print_stmt(s->cond.yes, indent + 1, out);
		add_indent(indent, out);
		strbuf_adds(out, "}\n");
	} else {
		print_under(s->cond.yes, indent, out);
	}
	if (s->cond.no) {
		add_indent(indent, out);
		strbuf_adds(out, "else");
		print_under(s->cond.no, indent, out);
	}
}

/* Without init and step it is a while. */
static void print_for(const struct ast_stmt *s, int indent, struct strbuf *out)
{
	if (s->loop.cond && !s->loop.init && !s->loop.step) {
		strbuf_adds(out, "while (");
		ast_print_expr(s->loop.cond, out);
	} else {
		strbuf_adds(out, "for (");
		if (s->loop.init)
			ast_print_expr(s->loop.init, out);
		strbuf_adds(out, "; ");
		if (s->loop.cond)
			ast_print_expr(s->loop.cond, out);
		strbuf_adds(out, "; ");
		if (s->loop.step)
			ast_print_expr(s->loop.step, out);
	}
	strbuf_addc(out, ')');
	print_under(s->loop.body, indent, out);
}

/* The sort mark of a key (0: the value), when it is the one sorted by. */
static void print_sort(const struct ast_foreach *f, int key, struct strbuf *out)
{
	if (f->sort_dir && f->sort_key == key)
		strbuf_addc(out, f->sort_dir > 0 ? '+' : '-');
}

/* Sort marks stand behind what they sort by; that of the value behind the array. */
static void print_foreach(const struct ast_foreach *f, int indent, struct strbuf *out)
{
	bool list = f->keys.n > 1;

	strbuf_adds(out, "foreach (");
	if (f->value) {
		ast_print_expr(f->value, out);
		strbuf_adds(out, " = ");
	}
	strbuf_adds(out, list ? "[" : "");
	for (size_t i = 0; i < f->keys.n; i++) {
		strbuf_adds(out, i ? ", " : "");
		ast_print_expr(f->keys.data[i], out);
		print_sort(f, (int)i + 1, out);
	}
	strbuf_adds(out, list ? "] in " : " in ");
	if (f->hist)
		ast_print_expr(f->hist, out);
	else
		strbuf_adds(out, f->array->text);
	if (f->sliced) {
		strbuf_addc(out, '[');
		ast_print_list(&f->slice, out);
		strbuf_addc(out, ']');
	}
	if (f->extractor)
		strbuf_addf(out, " @%s ", ast_extractor_name(f->extractor));
	print_sort(f, 0, out);
	if (f->limit) {
		strbuf_adds(out, " limit ");
		ast_print_expr(f->limit, out);
	}
	strbuf_addc(out, ')');
	print_under(f->body, indent, out);
}

/* Both parts are blocks. */
static void print_try(const struct ast_stmt *s, int indent, struct strbuf *out)
{
	strbuf_adds(out, "try ");
	ast_print_stmt(s->try_.body, -indent - 1, out);
	add_indent(indent, out);
	strbuf_adds(out, "catch ");
	if (s->try_.var)
		strbuf_addf(out, "(%s) ", s->try_.var->text);
	ast_print_stmt(s->try_.handler, -indent - 1, out);
}

/* A statement of a keyword and an optional expression. */
static void print_word(const char *word, const struct ast_expr *expr, struct strbuf *out)
{
	strbuf_adds(out, word);
	if (expr) {
		strbuf_addc(out, ' ');
		ast_print_expr(expr, out);
	}
	strbuf_adds(out, ";\n");
}

/* A negative INDENT prints the first line where the cursor is: -1 is column 0. */
void ast_print_stmt(const struct ast_stmt *s, int indent, struct strbuf *out)
{
	if (indent < 0)
		indent = -indent - 1;
	else
		add_indent(indent, out);
	switch (s->kind) {
	case AST_STMT_EMPTY:
		strbuf_adds(out, ";\n");
		break;
	case AST_STMT_BLOCK:
		print_block(s, indent, out);
		break;
	case AST_STMT_EXPR:
		/* the ';' keeps the next statement from being read on as part of this one */
		ast_print_expr(s->expr.expr, out);
		strbuf_adds(out, ";\n");
		break;
	case AST_STMT_IF:
		print_if(s, indent, out);
		break;
	case AST_STMT_FOR:
		print_for(s, indent, out);
		break;
	case AST_STMT_FOREACH:
		print_foreach(&s->foreach, indent, out);
		break;
	case AST_STMT_RETURN:
		print_word("return", s->expr.expr, out);
		break;
	case AST_STMT_NEXT:
		print_word("next", NULL, out);
		break;
	case AST_STMT_BREAK:
		print_word("break", NULL, out);
		break;
	case AST_STMT_CONTINUE:
		print_word("continue", NULL, out);
		break;
	case AST_STMT_DELETE:
		print_word("delete", s->expr.expr, out);
		break;
	case AST_STMT_TRY:
		print_try(s, indent, out);
		break;
	case AST_STMT_EMBEDDED:
		strbuf_addf(out, "%%{%s%%}\n", s->code.text->text);
		break;
	}
}

bool ast_takes_address(const struct ast_component *part)
{
	static const char *const names[] = { "function", "statement", "data" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(part->name->text, names[i]))
			return part->param && part->param->kind == AST_EXPR_NUMBER;
	return false;
}

void ast_print_point(const struct ast_point *point, struct strbuf *out)
{
	for (size_t i = 0; i < point->parts.n; i++) {
		const struct ast_component *part = &point->parts.data[i];

		strbuf_addf(out, "%s%s", i ? "." : "", part->name->text);
		if (part->param) {
			strbuf_addc(out, '(');
			if (ast_takes_address(part))
				strbuf_addf(out, "0x%" PRIx64, part->param->number.value);
			else
				ast_print_literal(part->param, out);
			strbuf_addc(out, ')');
		}
	}
	if (point->optional)
		strbuf_adds(out, " ?");
	if (point->sufficient)
		strbuf_adds(out, " !");
	if (point->condition) {
		strbuf_adds(out, " if (");
		ast_print_expr(point->condition, out);
		strbuf_addc(out, ')');
	}
}

static void print_points(struct ast_point *const *points, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_adds(out, i ? ", " : "");
		ast_print_point(points[i], out);
	}
}

/* The '%' of wrap stands behind the name, the size behind that. */
static void print_global(const struct ast_global *g, struct strbuf *out)
{
	strbuf_addf(out, "%s %s%s", g->is_private ? "private global" : "global", g->name->text,
		    g->wrap ? "%" : "");
	if (g->has_size)
		strbuf_addf(out, "[%" PRId64 "]", g->size);
	if (g->init) {
		strbuf_adds(out, " = ");
		ast_print_literal(g->init, out);
	}
	strbuf_addc(out, '\n');
}

static const char *type_suffix(enum ast_type type)
{
	return type == AST_TYPE_LONG ? ":long" : type == AST_TYPE_STRING ? ":string" : "";
}

static void print_function(const struct ast_function *f, struct strbuf *out)
{
	strbuf_addf(out, "%sfunction %s%s (", f->is_private ? "private " : "", f->name->text,
		    type_suffix(f->type));
	vec_foreach(param, &f->params)
		strbuf_addf(out, "%s%s%s", param == f->params.data ? "" : ", ", param->name->text,
			    type_suffix(param->type));
	strbuf_addc(out, ')');
	if (f->has_priority)
		strbuf_addf(out, " :%" PRId64, f->priority);
	strbuf_addc(out, '\n');
	ast_print_stmt(f->body, 0, out);
}

/* "=" has a prologue and "+=" an epilogue; with both the epilogue follows a comma. */
static void print_alias(const struct ast_alias *a, struct strbuf *out)
{
	strbuf_adds(out, "probe ");
	ast_print_point(a->name, out);
	strbuf_adds(out, a->prologue ? " = " : " += ");
	print_points(a->points.data, a->points.n, out);
	strbuf_addc(out, '\n');
	if (a->prologue)
		ast_print_stmt(a->prologue, 0, out);
	if (a->prologue && a->epilogue)
		strbuf_adds(out, ",\n");
	if (a->epilogue)
		ast_print_stmt(a->epilogue, 0, out);
}

static void print_probe(const struct ast_probe *p, struct strbuf *out)
{
	strbuf_adds(out, "probe ");
	print_points(p->points.data, p->points.n, out);
	strbuf_addc(out, '\n');
	ast_print_stmt(p->body, 0, out);
}

void ast_print_file(const struct ast_file *file, struct strbuf *out)
{
	strbuf_addf(out, "# file %s\n", file->name);
	vec_foreach(code, &file->embedded)
		strbuf_addf(out, "%%{%s%%}\n", (*code)->text->text);
	vec_foreach(global, &file->globals)
		print_global(*global, out);
	vec_foreach(function, &file->functions)
		print_function(*function, out);
	vec_foreach(alias, &file->aliases)
		print_alias(*alias, out);
	vec_foreach(probe, &file->probes)
		print_probe(*probe, out);
}
