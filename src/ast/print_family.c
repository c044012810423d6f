/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ten print operators and their literal formats. A format is split
 * at its conversions when it is parsed, so that later passes check arguments and generate code
 * without reading it again.
 */
#include <ctype.h>
#include <string.h>

#include "ast/build.h"
#include "base/strbuf.h"

/* The row number is the operator's value in the grammar. */
static const struct print_operator {
	const char *name;
	bool to_string, newline, has_format, has_delim;
} operators[] = {
	{ "print", false, false, false, false },  { "println", false, true, false, false },
	{ "printd", false, false, false, true },  { "printdln", false, true, false, true },
	{ "printf", false, false, true, false },  { "sprint", true, false, false, false },
	{ "sprintln", true, true, false, false }, { "sprintd", true, false, false, true },
	{ "sprintdln", true, true, false, true }, { "sprintf", true, false, true, false },
};

/*
 * A row of the table, or -1: a function's name like any other. There are few rows, and calls are
 * not many.
 */
int ast_print_operator(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (strlen(operators[i].name) == len && !memcmp(operators[i].name, name, len))
			return (int)i;
	}
	return -1;
}

const char *ast_print_operator_name(size_t i)
{
	return i < sizeof(operators) / sizeof(operators[0]) ? operators[i].name : NULL;
}

/* A format while it is split; s is the next byte. */
struct format_reader {
	struct ast_builder *b;
	struct span span; /* of the literal */
	const char *s, *end;
	struct strbuf text; /* the plain text being gathered */
	struct ast_expr *print;
};

static void reader_add(struct format_reader *r, struct ast_conversion conv)
{
	vec_push(r->b->arena, &r->print->print.format, conv);
}

/* What was gathered becomes a part of its own, before the conversion that ends it. */
static void reader_flush_text(struct format_reader *r)
{
	struct ast_conversion conv = { .kind = AST_CONV_TEXT };

	if (!r->text.len)
		return;
	conv.text = intern_n(r->b->in, r->text.s, r->text.len);
	reader_add(r, conv);
	strbuf_reset(&r->text);
}

/* NUL at the end; the text has no others. */
static char reader_peek(const struct format_reader *r)
{
	return r->s < r->end ? *r->s : '\0';
}

/* Digits or '*'; true when it was a '*'. */
static bool reader_size(struct format_reader *r)
{
	if (reader_peek(r) == '*') {
		r->s++;
		return true;
	}
	while (isdigit((unsigned char)reader_peek(r)))
		r->s++;
	return false;
}

/* One conversion, r->s at the byte after '%'. False after reporting a bad one. */
static bool reader_conversion(struct format_reader *r)
{
	const char *start = r->s - 1, *flags_end;
	struct ast_conversion conv = { 0 };
	char *spelled;

	if (reader_peek(r) && strchr("0+- #", reader_peek(r)))
		r->s++;
	conv.width_arg = reader_size(r);
	if (reader_peek(r) == '.') {
		r->s++;
		conv.prec_arg = reader_size(r);
	}
	flags_end = r->s;
	if (reader_peek(r) == 'l')
		r->s++;
	if (r->s == r->end) {
		diag_report(r->b->sink, DIAG_PARSE_FORMAT_INCOMPLETE, r->span)->about_token = true;
		return false;
	}
	conv.conv = *r->s++;
	if (conv.conv && strchr("diuoxXpcb", conv.conv)) {
		conv.kind = AST_CONV_LONG;
	} else if (conv.conv == 's') {
		conv.kind = AST_CONV_STRING;
	} else if (conv.conv == 'm' || conv.conv == 'M') {
		conv.kind = AST_CONV_MEMORY;
	} else {
		diag_report(r->b->sink, DIAG_PARSE_FORMAT_INVALID, r->span)->about_token = true;
		return false;
	}
	spelled = arena_printf(r->b->arena, "%.*s%c", (int)(flags_end - start), start, conv.conv);
	conv.text = intern(r->b->in, spelled);
	reader_flush_text(r);
	reader_add(r, conv);
	return true;
}

/* Fills print->print.format from the literal. A bad conversion is reported, and ends it there. */
static void split_format(struct ast_builder *b, struct ast_expr *print,
			 const struct ast_expr *literal)
{
	const struct istr *value = literal->string.value;
	struct format_reader r = {
		.b = b,
		.span = literal->span,
		.s = value->text,
		.end = value->text + strlen(value->text), /* a NUL ends a string at run time */
		.print = print,
	};

	strbuf_init(&r.text);
	while (r.s < r.end) {
		char c = *r.s++;

		if (c != '%') {
			strbuf_addc(&r.text, c);
		} else if (r.s == r.end || *r.s == '%') {
			/* "%%", and a lone one at the end */
			strbuf_addc(&r.text, '%');
			r.s += r.s < r.end;
		} else if (!reader_conversion(&r)) {
			break;
		}
	}
	reader_flush_text(&r);
	strbuf_deinit(&r.text);
}

/* The list then begins behind its first element; nothing is moved. */
static void drop_first(struct ast_exprs *list)
{
	list->data++;
	list->n--;
	list->cap--;
}

/* args are those behind the format or delimiter. Histograms print alone. */
static void check_args(struct ast_builder *b, const struct print_operator *op,
		       const struct ast_expr *e, const struct ast_exprs *args)
{
	size_t least = op->has_delim ? 2 : op->newline || op->has_format ? 0 : 1;

	if (args->n < least)
		diag_report(b->sink, DIAG_PARSE_PRINT_NO_ARGS, e->span, op->name)->about_token =
			true;
	if (args->n > AST_PRINT_ARGS_MAX)
		diag_report(b->sink, DIAG_PARSE_PRINT_ARGS, e->span)->about_token = true;
	for (size_t i = 0; i < args->n; i++) {
		if (args->data[i]->kind == AST_EXPR_HIST &&
		    (args->n > 1 || op->has_format || op->has_delim))
			diag_report(b->sink, DIAG_PARSE_PRINT_HIST, args->data[i]->span)
				->about_token = true;
	}
}

/*
 * The first conversion in the text, as far as it goes; NULL: none. A blank behind the % is text:
 * "100% done".
 */
static const char *find_conversion(const char *text, size_t *len)
{
	const char *s = text;

	while ((s = strchr(s, '%'))) {
		size_t n = 1 + strspn(s + 1, "0+-#123456789*.l");

		if (s[n] && strchr("diuoxXpcbsmM", s[n])) {
			*len = n + 1;
			return s;
		}
		s += s[1] == '%' ? 2 : 1;
	}
	return NULL;
}

/* A format where none is read, with something to format behind it. */
static void check_stray_format(struct ast_builder *b, const struct print_operator *op,
			       const struct ast_exprs *args)
{
	const struct ast_expr *first = args->n > 1 ? args->data[0] : NULL;
	const char *conversion;
	struct diagnostic *d;
	size_t len;

	if (!first || first->kind != AST_EXPR_STRING || b->file->library)
		return;
	conversion = find_conversion(first->string.value->text, &len);
	if (!conversion)
		return;
	d = diag_report(b->sink, DIAG_PARSE_STRAY_FORMAT, first->span, op->name, (int)len,
			conversion);
	d->about_token = true;
	diag_set_hint(b->sink, d, "did you mean %s?", op->to_string ? "sprintf" : "printf");
}

struct ast_expr *ast_print_call(struct ast_builder *b, struct span span, int operator,
				struct ast_exprs args)
{
	const struct print_operator *op = &operators[operator];
	struct ast_expr *e = arena_new(b->arena, struct ast_expr);

	e->kind = AST_EXPR_PRINT;
	e->span = span;
	e->print.to_string = op->to_string;
	e->print.newline = op->newline;
	e->print.has_format = op->has_format;
	e->print.has_delim = op->has_delim;
	e->depth = 1;
	e->height = 1;
	for (size_t i = 0; i < args.n; i++)
		ast_expr_above(b, e, args.data[i]);
	if (op->has_format || op->has_delim) {
		if (!args.n || args.data[0]->kind != AST_EXPR_STRING) {
			struct span at = args.n ? args.data[0]->span : span;

			diag_set_hint(
				b->sink,
				diag_report(b->sink,
					    op->has_format ? DIAG_PARSE_FORMAT_LITERAL
							   : DIAG_PARSE_DELIMITER,
					    at),
				"%s",
				op->has_format
					? "the values follow the format: printf(\"%s %d\\n\", text, number)"
					: "the values follow what stands between them: printd(\", \", a, b)");
			return e;
		}
		if (op->has_format)
			split_format(b, e, args.data[0]);
		else
			e->print.delim = args.data[0]->string.value;
		drop_first(&args);
	} else {
		check_stray_format(b, op, &args);
	}
	check_args(b, op, e, &args);
	e->print.args = args;
	return e;
}
