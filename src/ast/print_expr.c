/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions as script text. Operators that hold operators get parentheses, so the text reads back
 * as the same tree without the reader knowing the precedences.
 */
#include <ctype.h>
#include <inttypes.h>

#include "ast/print.h"
#include "ast/tree.h"
#include "base/strbuf.h"

/* Operators of a chain that are printed each in its own parentheses. */
#define CHAIN_IN_PARENTHESES 500

static const char *const expr_names[] = {
#define AST_EXPR(kind, name) [AST_EXPR_##kind] = name,
#include "ast/kinds.def"
};

static const char *const op_spellings[] = {
#define AST_OP(op, text, level) [AST_OP_##op] = text,
#include "ast/kinds.def"
};

const char *ast_expr_kind_name(enum ast_expr_kind kind)
{
	return expr_names[kind];
}

const char *ast_op_text(enum ast_op op)
{
	return op_spellings[op];
}

const char *ast_extractor_name(enum ast_extractor op)
{
	static const char *const names[] = {
		[AST_COUNT] = "count", [AST_SUM] = "sum", [AST_MIN] = "min",
		[AST_MAX] = "max",     [AST_AVG] = "avg", [AST_VARIANCE] = "variance",
	};

	return names[op];
}

/* format: inside of a literal format, where '%' is doubled. */
static void print_escaped(const struct istr *s, bool format, struct strbuf *out)
{
	for (uint32_t i = 0; i < s->len; i++) {
		unsigned char c = (unsigned char)s->text[i];

		if (c == '"' || c == '\\')
			strbuf_addf(out, "\\%c", c);
		else if (c == '\n')
			strbuf_adds(out, "\\n");
		else if (c == '\t')
			strbuf_adds(out, "\\t");
		else if (c < 0x20 || c >= 0x7f)
			strbuf_addf(out, "\\%03o", c);
		else if (c == '%' && format)
			strbuf_adds(out, "%%");
		else
			strbuf_addc(out, (char)c);
	}
}

void ast_print_string(const struct istr *s, struct strbuf *out)
{
	strbuf_addc(out, '"');
	print_escaped(s, false, out);
	strbuf_addc(out, '"');
}

/* A number as sema knows it, signed; ast_print_expr() has to write what reads back. */
void ast_print_literal(const struct ast_expr *e, struct strbuf *out)
{
	if (e->kind == AST_EXPR_NUMBER)
		strbuf_addf(out, "%" PRId64, e->number.value);
	else
		ast_print_expr(e, out);
}

/* Whether an operand needs no parentheses beside an operator. */
static bool is_atom(const struct ast_expr *e)
{
	switch (e->kind) {
	case AST_EXPR_UNARY:
	case AST_EXPR_BINARY:
	case AST_EXPR_MATCH:
	case AST_EXPR_TERNARY:
	case AST_EXPR_ASSIGN:
	case AST_EXPR_INCDEC:
	case AST_EXPR_IN:
		return false;
	case AST_EXPR_TARGET:
		return !e->target.address_of;
	case AST_EXPR_NUMBER:
	case AST_EXPR_STRING:
	case AST_EXPR_NAME:
	case AST_EXPR_INDEX:
	case AST_EXPR_CALL:
	case AST_EXPR_DEFINED:
	case AST_EXPR_ENTRY:
	case AST_EXPR_PERF:
	case AST_EXPR_PROBEWRITE:
	case AST_EXPR_CONST:
	case AST_EXPR_ENUM:
	case AST_EXPR_ENUMNAME:
	case AST_EXPR_DEREF:
	case AST_EXPR_REGISTER:
	case AST_EXPR_EXTRACT:
	case AST_EXPR_HIST:
	case AST_EXPR_HIST_BUCKET:
	case AST_EXPR_PRINT:
	case AST_EXPR_EMBEDDED:
		break;
	}
	return true;
}

/* In parentheses unless it needs none wherever it stands. */
static void print_operand(const struct ast_expr *e, struct strbuf *out)
{
	if (is_atom(e)) {
		ast_print_expr(e, out);
		return;
	}
	strbuf_addc(out, '(');
	ast_print_expr(e, out);
	strbuf_addc(out, ')');
}

/* Separated by commas; NULL is the wildcard of a slice. */
void ast_print_list(const struct ast_exprs *list, struct strbuf *out)
{
	for (size_t i = 0; i < list->n; i++) {
		if (i)
			strbuf_adds(out, ", ");
		if (list->data[i])
			ast_print_expr(list->data[i], out);
		else
			strbuf_addc(out, '*');
	}
}

static const unsigned char op_levels[] = {
#define AST_OP(op, text, level) [AST_OP_##op] = level,
#include "ast/kinds.def"
};

/*
 * Is E the left end of a chain (a + b - c + ...) whose parentheses would be more than the parser
 * takes? It reads back as the same tree without them.
 */
static bool is_long_chain(const struct ast_expr *e, enum ast_op above)
{
	return e->kind == AST_EXPR_BINARY && e->height > CHAIN_IN_PARENTHESES &&
	       (e->binary.op == above ||
		(op_levels[above] && op_levels[e->binary.op] == op_levels[above]));
}

static void print_binary(const struct ast_expr *e, struct strbuf *out)
{
	if (is_long_chain(e->binary.left, e->binary.op))
		ast_print_expr(e->binary.left, out);
	else
		print_operand(e->binary.left, out);
	strbuf_addf(out, " %s ", ast_op_text(e->binary.op));
	print_operand(e->binary.right, out);
}

/* The optional last argument of @var, @cast and @enumname. */
static void print_module(const struct istr *module, struct strbuf *out)
{
	if (!module)
		return;
	strbuf_adds(out, ", ");
	ast_print_string(module, out);
}

/* What stands before the path and the suffix. */
static void print_target_base(const struct ast_expr *e, struct strbuf *out)
{
	switch (e->target.base) {
	case AST_TARGET_VAR:
		strbuf_addf(out, "$%s", e->target.name->text);
		break;
	case AST_TARGET_ATVAR:
		strbuf_adds(out, "@var(");
		ast_print_string(e->target.name, out);
		print_module(e->target.module, out);
		strbuf_addc(out, ')');
		break;
	case AST_TARGET_ERRNO:
		strbuf_adds(out, "@errno");
		break;
	case AST_TARGET_CAST:
		strbuf_adds(out, "@cast(");
		ast_print_expr(e->target.operand, out);
		strbuf_adds(out, ", ");
		ast_print_string(e->target.name, out);
		print_module(e->target.module, out);
		strbuf_addc(out, ')');
		break;
	case AST_TARGET_AUTO:
		strbuf_addc(out, '(');
		ast_print_expr(e->target.operand, out);
		strbuf_addc(out, ')');
		break;
	}
}

/*
 * The address mark, what the chain begins with, its steps, and the suffix for pretty-printing, in
 * this order. A $ at once behind @errno would be of the name.
 */
static void print_target(const struct ast_expr *e, struct strbuf *out)
{

	if (e->target.address_of)
		strbuf_addc(out, '&');
	print_target_base(e, out);
	vec_foreach(step, &e->target.path) {
		if (step->kind == AST_MEMBER) {
			strbuf_addf(out, "->%s", step->member->text);
		} else {
			strbuf_addc(out, '[');
			ast_print_expr(step->index, out);
			strbuf_addc(out, ']');
		}
	}
	if (e->target.pretty && e->target.base == AST_TARGET_ERRNO && !e->target.path.n)
		strbuf_addc(out, ' ');
	if (e->target.pretty)
		strbuf_adds(out, e->target.pretty == 1 ? "$" : "$$");
}

/* The literal format of the split one. 'l' before a conversion is gone; it means nothing. */
static void print_format(const struct ast_expr *e, struct strbuf *out)
{
	strbuf_addc(out, '"');
	vec_foreach(conv, &e->print.format) {
		if (conv->kind == AST_CONV_TEXT)
			print_escaped(conv->text, true, out);
		else
			strbuf_add(out, conv->text->text, conv->text->len);
	}
	strbuf_addc(out, '"');
}

/* The operator's name is put together from its properties; see the table in print_family.c. */
static void print_print(const struct ast_expr *e, struct strbuf *out)
{
	bool first = e->print.has_format || e->print.has_delim;

	strbuf_addf(out, "%sprint%s%s%s(", e->print.to_string ? "s" : "",
		    e->print.has_format ? "f" : "", e->print.has_delim ? "d" : "",
		    e->print.newline ? "ln" : "");
	if (e->print.has_format)
		print_format(e, out);
	else if (e->print.has_delim && e->print.delim)
		ast_print_string(e->print.delim, out);
	if (first && e->print.args.n)
		strbuf_adds(out, ", ");
	ast_print_list(&e->print.args, out);
	strbuf_addc(out, ')');
}

/* One key goes without brackets, unless it is '*'. */
static void print_in(const struct ast_expr *e, struct strbuf *out)
{
	if (e->in.keys.n == 1 && e->in.keys.data[0]) {
		print_operand(e->in.keys.data[0], out);
	} else {
		strbuf_addc(out, '[');
		ast_print_list(&e->in.keys, out);
		strbuf_addc(out, ']');
	}
	strbuf_addf(out, " in %s", e->in.array->text);
}

/* @NAME(a, b) with one or two operands */
static void print_at(const char *name, const struct ast_expr *a, const struct ast_expr *b,
		     struct strbuf *out)
{
	strbuf_addf(out, "@%s(", name);
	ast_print_expr(a, out);
	if (b) {
		strbuf_adds(out, ", ");
		ast_print_expr(b, out);
	}
	strbuf_addc(out, ')');
}

static void print_text(const char *name, const struct istr *text, struct strbuf *out)
{
	strbuf_addf(out, "@%s(", name);
	ast_print_string(text, out);
	strbuf_addc(out, ')');
}

static void print_enumname(const struct ast_expr *e, struct strbuf *out)
{
	strbuf_adds(out, "@enumname(");
	ast_print_expr(e->enumname.value, out);
	print_module(e->enumname.type, out);
	print_module(e->enumname.module, out);
	strbuf_addc(out, ')');
}

static void print_extract(const struct ast_expr *e, struct strbuf *out)
{
	strbuf_addf(out, "@%s(", ast_extractor_name(e->extract.op));
	ast_print_expr(e->extract.stat, out);
	if (e->extract.has_shift)
		strbuf_addf(out, ", %" PRId64, e->extract.bit_shift);
	strbuf_addc(out, ')');
}

static void print_hist(const struct ast_expr *e, struct strbuf *out)
{
	strbuf_adds(out, e->hist.linear ? "@hist_linear(" : "@hist_log(");
	ast_print_expr(e->hist.stat, out);
	if (e->hist.linear)
		strbuf_addf(out, ", %" PRId64 ", %" PRId64 ", %" PRId64, e->hist.low, e->hist.high,
			    e->hist.step);
	strbuf_addc(out, ')');
}

static void print_unary(const struct ast_expr *e, struct strbuf *out)
{
	strbuf_adds(out, ast_op_text(e->unary.op));
	print_operand(e->unary.operand, out);
}

static void print_incdec(const struct ast_expr *e, struct strbuf *out)
{
	if (e->incdec.prefix)
		strbuf_adds(out, ast_op_text(e->incdec.op));
	print_operand(e->incdec.operand, out);
	if (!e->incdec.prefix)
		strbuf_adds(out, ast_op_text(e->incdec.op));
}

/* Its parts are operands, so a conditional inside of one has parentheses. */
static void print_ternary(const struct ast_expr *e, struct strbuf *out)
{
	print_operand(e->ternary.cond, out);
	strbuf_adds(out, " ? ");
	print_operand(e->ternary.yes, out);
	strbuf_adds(out, " : ");
	print_operand(e->ternary.no, out);
}

/* SET and FEED are spelled in full, others get their "=" here. */
static void print_assign(const struct ast_expr *e, struct strbuf *out)
{
	bool plain = e->assign.op == AST_OP_SET || e->assign.op == AST_OP_FEED;

	print_operand(e->assign.left, out);
	strbuf_addf(out, " %s%s ", ast_op_text(e->assign.op), plain ? "" : "=");
	print_operand(e->assign.right, out);
}

/*
 * A new kind must be added here, in clone.c and in walk.c; the compiler warns of the missing case.
 */
void ast_print_expr(const struct ast_expr *e, struct strbuf *out)
{
	switch (e->kind) {
	case AST_EXPR_NUMBER:
		/* there are no negative literals: a value that looks so was written above 2^63 */
		strbuf_addf(out, e->number.value < 0 ? "0x%" PRIx64 : "%" PRId64, e->number.value);
		break;
	case AST_EXPR_STRING:
		ast_print_string(e->string.value, out);
		break;
	case AST_EXPR_NAME:
		strbuf_adds(out, e->name.name->text);
		break;
	case AST_EXPR_INDEX:
		strbuf_addf(out, "%s[", e->index.name->text);
		ast_print_list(&e->index.keys, out);
		strbuf_addc(out, ']');
		break;
	case AST_EXPR_CALL:
		strbuf_addf(out, "%s(", e->call.name->text);
		ast_print_list(&e->call.args, out);
		strbuf_addc(out, ')');
		break;
	case AST_EXPR_UNARY:
		print_unary(e, out);
		break;
	case AST_EXPR_BINARY:
		print_binary(e, out);
		break;
	case AST_EXPR_MATCH:
		print_operand(e->match.left, out);
		strbuf_adds(out, e->match.negated ? " !~ \"" : " =~ \"");
		strbuf_add(out, e->match.pattern->text, e->match.pattern->len);
		strbuf_addc(out, '"');
		break;
	case AST_EXPR_TERNARY:
		print_ternary(e, out);
		break;
	case AST_EXPR_ASSIGN:
		print_assign(e, out);
		break;
	case AST_EXPR_INCDEC:
		print_incdec(e, out);
		break;
	case AST_EXPR_IN:
		print_in(e, out);
		break;
	case AST_EXPR_TARGET:
		print_target(e, out);
		break;
	case AST_EXPR_DEFINED:
	case AST_EXPR_ENTRY:
	case AST_EXPR_PROBEWRITE:
		print_at(ast_expr_kind_name(e->kind) + 1, e->defined.operand, NULL, out);
		break;
	case AST_EXPR_PERF:
	case AST_EXPR_CONST:
	case AST_EXPR_ENUM:
		print_text(ast_expr_kind_name(e->kind) + 1, e->text.text, out);
		break;
	case AST_EXPR_ENUMNAME:
		print_enumname(e, out);
		break;
	case AST_EXPR_DEREF:
		print_at(e->deref.user ? "uderef" : "kderef", e->deref.size, e->deref.address, out);
		break;
	case AST_EXPR_REGISTER:
		print_at(e->reg.user ? "uregister" : "kregister", e->reg.number, NULL, out);
		break;
	case AST_EXPR_EXTRACT:
		print_extract(e, out);
		break;
	case AST_EXPR_HIST:
		print_hist(e, out);
		break;
	case AST_EXPR_HIST_BUCKET:
		print_hist(e->bucket.hist, out);
		strbuf_addc(out, '[');
		ast_print_expr(e->bucket.index, out);
		strbuf_addc(out, ']');
		break;
	case AST_EXPR_PRINT:
		print_print(e, out);
		break;
	case AST_EXPR_EMBEDDED:
		strbuf_addf(out, "%%{%s%%}", e->text.text->text);
		break;
	}
}
