/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions and statements as text (dump_code.h): one function per kind whose form is more than a
 * name and its operands.
 */
#include <inttypes.h>

#include "base/strbuf.h"
#include "ir/dump_code.h"
#include "ir/ir.h"
#include "ir/names.h"

/* NULL elements are wildcards. */
static void dump_list(const struct ir_exprs *list, struct strbuf *out)
{
	for (size_t i = 0; i < list->n; i++) {
		strbuf_adds(out, i ? ", " : "");
		if (list->data[i])
			ir_dump_expr(list->data[i], out);
		else
			strbuf_addc(out, '*');
	}
}

/* With escapes, so that it stays on one line and in ASCII. */
static void dump_quoted(const struct istr *s, struct strbuf *out)
{
	strbuf_addc(out, '"');
	for (uint32_t i = 0; i < s->len; i++) {
		unsigned char c = s->text[i];

		if (c == '"' || c == '\\')
			strbuf_addf(out, "\\%c", c);
		else if (c == '\n')
			strbuf_adds(out, "\\n");
		else if (c == '\t')
			strbuf_adds(out, "\\t");
		else if (c < 32 || c >= 127)
			strbuf_addf(out, "\\%03o", c);
		else
			strbuf_addc(out, c);
	}
	strbuf_addc(out, '"');
}

/* A value that each point gets in its own way has no program here. */
static void dump_fetch(const struct ir_expr *e, struct strbuf *out)
{
	if (e->fetch.varying && e->fetch.varying->differs) {
		strbuf_addf(out, "fetch<by point %u>", e->fetch.varying->index);
		return;
	}
	strbuf_adds(out, "fetch<");
	fetch_text(&e->fetch.load, NULL, out);
	strbuf_addc(out, '>');
	if (e->fetch.operands.n) {
		strbuf_addc(out, '(');
		dump_list(&e->fetch.operands, out);
		strbuf_addc(out, ')');
	}
}

/* Parenthesised, so that precedence need not be known. */
static void dump_pair(const struct ir_expr *left, const char *op, const struct ir_expr *right,
		      struct strbuf *out)
{
	strbuf_addc(out, '(');
	ir_dump_expr(left, out);
	strbuf_addf(out, " %s ", op);
	ir_dump_expr(right, out);
	strbuf_addc(out, ')');
}

/* NAME(arguments). */
static void dump_call(const char *name, const struct ir_exprs *args, struct strbuf *out)
{
	strbuf_addf(out, "%s(", name);
	dump_list(args, out);
	strbuf_addc(out, ')');
}

/* The same with one operand. */
static void dump_operand(const char *name, const struct ir_expr *operand, struct strbuf *out)
{
	strbuf_addf(out, "%s(", name);
	ir_dump_expr(operand, out);
	strbuf_addc(out, ')');
}

/* A plain assignment has no operator: "=". */
static void dump_assign(const struct ir_expr *e, struct strbuf *out)
{
	ir_dump_expr(e->assign.lvalue, out);
	strbuf_addf(out, " %s= ", ir_op_text(e->assign.op));
	ir_dump_expr(e->assign.value, out);
}

static void dump_incdec(const struct ir_expr *e, struct strbuf *out)
{
	const char *op = e->incdec.delta > 0 ? "++" : "--";

	strbuf_adds(out, e->incdec.prefix ? op : "");
	ir_dump_expr(e->incdec.lvalue, out);
	strbuf_adds(out, e->incdec.prefix ? "" : op);
}

/* The pattern as in the script, between its quotes. */
static void dump_match(const struct ir_expr *e, struct strbuf *out)
{
	strbuf_addc(out, '(');
	ir_dump_expr(e->match.subject, out);
	strbuf_addf(out, " %s \"%s\")", e->match.negated ? "!~" : "=~", e->match.regex->text->text);
}

static void dump_ternary(const struct ir_expr *e, struct strbuf *out)
{
	strbuf_addc(out, '(');
	ir_dump_expr(e->ternary.cond, out);
	strbuf_adds(out, " ? ");
	ir_dump_expr(e->ternary.yes, out);
	strbuf_adds(out, " : ");
	ir_dump_expr(e->ternary.no, out);
	strbuf_addc(out, ')');
}

/* No default: a new kind needs its spelling. */
void ir_dump_expr(const struct ir_expr *e, struct strbuf *out)
{
	switch (e->kind) {
	case IR_NUMBER:
		strbuf_addf(out, "%" PRId64, e->number);
		break;
	case IR_STRING_LITERAL:
		dump_quoted(e->string, out);
		break;
	case IR_LOCAL:
		strbuf_adds(out, e->local->name->text);
		break;
	case IR_GLOBAL:
		strbuf_adds(out, e->global->name->text);
		break;
	case IR_ELEMENT:
		strbuf_addf(out, "%s[", e->element.array->name->text);
		dump_list(&e->element.keys, out);
		strbuf_addc(out, ']');
		break;
	case IR_UNARY:
		dump_operand(ir_op_text(e->unary.op), e->unary.operand, out);
		break;
	case IR_BINARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
		dump_pair(e->binary.left, ir_op_text(e->binary.op), e->binary.right, out);
		break;
	case IR_MATCH:
		dump_match(e, out);
		break;
	case IR_TERNARY:
		dump_ternary(e, out);
		break;
	case IR_ASSIGN:
		dump_assign(e, out);
		break;
	case IR_FEED:
		ir_dump_expr(e->feed.stat, out);
		strbuf_adds(out, " <<< ");
		ir_dump_expr(e->feed.value, out);
		break;
	case IR_INCDEC:
		dump_incdec(e, out);
		break;
	case IR_IN:
		strbuf_addc(out, '[');
		dump_list(&e->in.keys, out);
		strbuf_addf(out, "] in %s", e->in.array->name->text);
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		dump_call(e->call.callee->name->text, &e->call.args, out);
		break;
	case IR_POINT_TEXT:
		strbuf_addf(out, "text<by point %u>", e->point_text.text);
		break;
	case IR_FETCH:
		dump_fetch(e, out);
		break;
	case IR_SAVED:
		strbuf_addf(out, "saved%u", e->saved.index);
		break;
	case IR_DEREF:
		strbuf_addf(out, "@%cderef", e->deref.user ? 'u' : 'k');
		dump_pair(e->deref.size, ",", e->deref.address, out);
		break;
	case IR_REGISTER:
		dump_operand(e->reg.user ? "@uregister" : "@kregister", e->reg.number, out);
		break;
	case IR_EXTRACT:
		strbuf_addc(out, '@');
		dump_operand(e->extract.fed ? "sum_fed" : ir_stat_name(e->extract.op),
			     e->extract.stat, out);
		break;
	case IR_HIST_BUCKET:
		dump_operand("@hist", e->bucket.stat, out);
		strbuf_addc(out, '[');
		ir_dump_expr(e->bucket.index, out);
		strbuf_addc(out, ']');
		break;
	case IR_PRINT:
		strbuf_adds(out, e->print.to_string ? "sprintf" : "printf");
		if (e->print.format != UINT32_MAX) /* step formats has been here */
			strbuf_addf(out, "#%u", e->print.format);
		strbuf_addc(out, '(');
		dump_list(&e->print.args, out);
		strbuf_addc(out, ')');
		if (e->print.otherwise) {
			strbuf_adds(out, " catch ");
			ir_dump_expr(e->print.otherwise, out);
		}
		break;
	case IR_PRINT_HIST:
		dump_operand(e->print_hist.to_string ? "sprint_hist" : "print_hist",
			     e->print_hist.stat, out);
		break;
	case IR_ENUMNAME:
		strbuf_addf(out, "@enumname#%u(", e->enumname.table);
		ir_dump_expr(e->enumname.value, out);
		strbuf_addc(out, ')');
		break;
	case IR_EMBEDDED:
		strbuf_addf(out, "%%{%s%%}", e->code->text->text);
		break;
	}
}

static void indent_by(int indent, struct strbuf *out)
{
	for (int i = 0; i < indent; i++)
		strbuf_adds(out, "  ");
}

/* A line of a word and, when there is one, an expression. */
static void dump_head(int indent, const char *word, const struct ir_expr *expr, struct strbuf *out)
{
	indent_by(indent, out);
	strbuf_adds(out, word);
	if (expr) {
		strbuf_addc(out, ' ');
		ir_dump_expr(expr, out);
	}
	strbuf_addc(out, '\n');
}

/* Loop variables, the array with its slice, the order and the limit, then the body. */
static void dump_foreach(const struct ir_foreach *f, int indent, struct strbuf *out)
{
	indent_by(indent, out);
	strbuf_adds(out, "foreach (");
	if (f->value) {
		ir_dump_expr(f->value, out);
		strbuf_adds(out, " = ");
	}
	strbuf_addc(out, '[');
	for (unsigned i = 0; i < f->array->n_keys; i++) {
		strbuf_adds(out, i ? ", " : "");
		ir_dump_expr(f->keys[i], out);
	}
	strbuf_addf(out, "] in %s", f->array->name->text);
	if (f->slice.n) {
		strbuf_addc(out, '[');
		dump_list(&f->slice, out);
		strbuf_addc(out, ']');
	}
	if (f->dir)
		strbuf_addf(out, " by %d%c", f->by, f->dir > 0 ? '+' : '-');
	if (f->extractor)
		strbuf_addf(out, " @%s", ir_stat_name(f->extractor));
	if (f->limit) {
		strbuf_adds(out, " limit ");
		ir_dump_expr(f->limit, out);
	}
	strbuf_adds(out, ")\n");
	ir_dump_stmt(f->body, indent + 1, out);
}

/* while loops are for loops without init and step. */
static void dump_loop(const struct ir_stmt *s, int indent, struct strbuf *out)
{
	indent_by(indent, out);
	strbuf_adds(out, "for (");
	if (s->loop.init)
		ir_dump_expr(s->loop.init, out);
	strbuf_adds(out, "; ");
	if (s->loop.cond)
		ir_dump_expr(s->loop.cond, out);
	strbuf_adds(out, "; ");
	if (s->loop.step)
		ir_dump_expr(s->loop.step, out);
	strbuf_adds(out, ")\n");
	ir_dump_stmt(s->loop.body, indent + 1, out);
}

/* An element, a variable, or an array with wildcard keys. */
static void dump_delete(const struct ir_stmt *s, int indent, struct strbuf *out)
{
	if (s->del.target) {
		dump_head(indent, "delete", s->del.target, out);
		return;
	}
	indent_by(indent, out);
	strbuf_addf(out, "delete %s", s->del.array->name->text);
	if (s->del.wild_keys.n) {
		strbuf_addc(out, '[');
		dump_list(&s->del.wild_keys, out);
		strbuf_addc(out, ']');
	}
	strbuf_addc(out, '\n');
}

/* The same for statements. */
void ir_dump_stmt(const struct ir_stmt *s, int indent, struct strbuf *out)
{
	switch (s->kind) {
	case IR_STMT_BLOCK:
		dump_head(indent, "{", NULL, out);
		for (size_t i = 0; i < s->block.n; i++)
			ir_dump_stmt(s->block.data[i], indent + 1, out);
		dump_head(indent, "}", NULL, out);
		break;
	case IR_STMT_EXPR:
		indent_by(indent, out);
		ir_dump_expr(s->expr, out);
		strbuf_addc(out, '\n');
		break;
	case IR_STMT_IF:
		dump_head(indent, "if", s->cond.cond, out);
		ir_dump_stmt(s->cond.yes, indent + 1, out);
		if (s->cond.no) {
			dump_head(indent, "else", NULL, out);
			ir_dump_stmt(s->cond.no, indent + 1, out);
		}
		break;
	case IR_STMT_LOOP:
		dump_loop(s, indent, out);
		break;
	case IR_STMT_FOREACH:
		dump_foreach(&s->foreach, indent, out);
		break;
	case IR_STMT_FOREACH_HIST:
		dump_head(indent, "foreach", s->foreach_hist.var, out);
		dump_head(indent + 1, "in @hist", s->foreach_hist.stat, out);
		if (s->foreach_hist.limit)
			dump_head(indent + 1, "limit", s->foreach_hist.limit, out);
		ir_dump_stmt(s->foreach_hist.body, indent + 1, out);
		break;
	case IR_STMT_BREAK:
		dump_head(indent, "break", NULL, out);
		break;
	case IR_STMT_CONTINUE:
		dump_head(indent, "continue", NULL, out);
		break;
	case IR_STMT_RETURN:
		dump_head(indent, "return", s->expr, out);
		break;
	case IR_STMT_NEXT:
		dump_head(indent, "next", NULL, out);
		break;
	case IR_STMT_DELETE:
		dump_delete(s, indent, out);
		break;
	case IR_STMT_TRY:
		dump_head(indent, "try", NULL, out);
		ir_dump_stmt(s->try_.body, indent + 1, out);
		dump_head(indent, "catch", s->try_.var, out);
		if (s->try_.handler)
			ir_dump_stmt(s->try_.handler, indent + 1, out);
		break;
	}
}
