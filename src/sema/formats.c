/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step formats: every print operator becomes a format of the program, equal texts shared. Requires
 * final types; ensures that print nodes and histograms index program.formats and program.hists.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/walk.h"
#include "sema/bind.h"

/* The walk over all print nodes, and the formats made so far. */
struct formats {
	struct ir_walker walker;
	struct sema *s;
	struct map by_text; /* istr -> (index + 1) */
};

/* Text that is no conversion: % is doubled. */
static void add_literal(struct strbuf *b, const struct istr *text)
{
	for (uint32_t i = 0; i < text->len; i++) {
		if (text->text[i] == '%')
			strbuf_addc(b, '%');
		strbuf_addc(b, text->text[i]);
	}
}

/*
 * %p, or %WIDTHp, as it was below language level 1.3: with zeros up to the width, that of an
 * address when none is given.
 */
static bool add_wide_pointer(struct strbuf *b, const struct istr *conversion)
{
	const char *digits = conversion->text + 1;
	size_t n = strspn(digits, "0123456789");
	unsigned long width = n ? strtoul(digits, NULL, 10) : 2 + 2 * sizeof(int64_t);

	if (strcmp(digits + n, "p") || digits[0] == '0')
		return false;
	strbuf_addf(b, "%%#.%lux", width > 2 ? width - 2 : 0);
	return true;
}

/*
 * printf: the format of the script, with a bit for each argument that is a string or an address
 * to dump. A literal for a plain %s becomes text, whole: values are cut to MAXSTRINGLEN, output is
 * not.
 */
static void from_conversions(struct sema *s, const struct ast_expr *ast, struct ir_expr *e,
			     struct ir_format *f, struct strbuf *b)
{
	struct ir_exprs left = { 0 };
	struct ir_expr **arg = e->print.args.data;

	vec_foreach(c, &ast->print.format) {
		if (c->kind == AST_CONV_TEXT) {
			add_literal(b, c->text);
			continue;
		}
		if ((*arg)->kind == IR_STRING_LITERAL && !strcmp(c->text->text, "%s")) {
			add_literal(b, (*arg++)->string);
			continue;
		}
		if (!s->input->options.wide_pointers || !add_wide_pointer(b, c->text))
			strbuf_add(b, c->text->text, c->text->len);
		for (unsigned i = c->width_arg + c->prec_arg; i; i--)
			vec_push(s->arena, &left, *arg++);
		if (c->kind == AST_CONV_STRING)
			f->strings |= 1ull << left.n;
		if (c->kind == AST_CONV_MEMORY)
			f->memory |= 1ull << left.n;
		vec_push(s->arena, &left, *arg++);
	}
	e->print.args = left;
	f->n_args = (uint32_t)left.n;
}

/* Literals become text of the format; what is left are the arguments. */
static void from_arguments(struct sema *s, const struct ast_expr *ast, struct ir_expr *e,
			   struct ir_format *f, struct strbuf *b)
{
	struct ir_exprs left = { 0 };

	for (size_t i = 0; i < e->print.args.n; i++) {
		struct ir_expr *arg = e->print.args.data[i];

		if (i && ast->print.has_delim)
			add_literal(b, ast->print.delim);
		if (arg->kind == IR_STRING_LITERAL) {
			add_literal(b, arg->string);
			continue;
		}
		strbuf_adds(b, arg->type == IR_STRING ? "%s" : "%d");
		f->strings |= (uint64_t)(arg->type == IR_STRING) << left.n;
		vec_push(s->arena, &left, arg);
	}
	if (ast->print.newline)
		strbuf_addc(b, '\n');
	e->print.args = left;
	f->n_args = (uint32_t)left.n;
}

/* Texts made by the compiler have one conversion per argument. */
static void from_text(const char *text, const struct ir_expr *e, struct ir_format *f,
		      struct strbuf *b)
{
	strbuf_adds(b, text);
	for (size_t i = 0; i < e->print.args.n; i++)
		f->strings |= (uint64_t)(e->print.args.data[i]->type == IR_STRING) << i;
}

/*
 * Makes the text, finds or adds it, and stores its number. Equal texts have equal flags, which
 * follow from the conversions.
 */
static void set_format(struct formats *fm, struct ir_expr *e)
{
	struct sema *s = fm->s;
	const struct sema_print *print = map_get(&s->prints, e);
	struct ir_format f = { .n_args = (uint32_t)e->print.args.n };
	struct strbuf b;
	uintptr_t index;

	strbuf_init(&b);
	if (!print->ast)
		from_text(print->text, e, &f, &b);
	else if (print->ast->print.has_format)
		from_conversions(s, print->ast, e, &f, &b);
	else
		from_arguments(s, print->ast, e, &f, &b);
	f.text = intern_n(s->in, strbuf_cstr(&b), b.len);
	strbuf_deinit(&b);
	index = (uintptr_t)map_get(&fm->by_text, f.text);
	if (!index) {
		vec_push(s->arena, &s->program->formats, f);
		index = s->program->formats.n;
		map_put(&fm->by_text, f.text, (void *)index);
	}
	e->print.format = (uint32_t)index - 1;
}

/* Shapes are few: they are compared one by one. */
static void set_hist(struct formats *fm, struct ir_expr *e)
{
	const struct ir_expr *stat = e->print_hist.stat;
	const struct ir_hist *h =
		stat->kind == IR_GLOBAL ? &stat->global->hist : &stat->element.array->hist;
	size_t i;

	for (i = 0; i < fm->s->program->hists.n; i++) {
		const struct ir_hist *old = &fm->s->program->hists.data[i];

		if (old->kind == h->kind && old->low == h->low && old->high == h->high &&
		    old->step == h->step)
			break;
	}
	if (i == fm->s->program->hists.n)
		vec_push(fm->s->arena, &fm->s->program->hists, *h);
	e->print_hist.hist = (uint32_t)i;
}

static void visit_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct formats *fm = (struct formats *)w;

	if ((*ref)->kind == IR_PRINT)
		set_format(fm, *ref);
	if ((*ref)->kind == IR_PRINT_HIST)
		set_hist(fm, *ref);
	ir_expr_children(w, *ref);
}

void sema_formats(struct sema *s)
{
	struct formats fm = { .walker = { .expr = visit_expr }, .s = s };

	map_init(&fm.by_text, s->arena);
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&fm.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&fm.walker, *p);
}
