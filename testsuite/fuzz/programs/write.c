/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a program. Parentheses stand only where the levels of language.md ask for them, and
 * here and there where they do not, so that precedence and associativity are tested too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "program.h"

enum {
	LEVEL_ASSIGN = 1,
	LEVEL_COND,
	LEVEL_OR,
	LEVEL_IN = 8,
	LEVEL_COMPARE,
	LEVEL_SHIFT,
	LEVEL_UNARY = 14,
	LEVEL_STEP,
	LEVEL_PRIMARY = 17
};

static const struct {
	const char *text;
	unsigned level;
} operators[N_OPERATORS] = {
	[OP_ASSIGN] = { "=", 1 },  [OP_ADD_TO] = { "+=", 1 },  [OP_SUB_FROM] = { "-=", 1 },
	[OP_MUL_BY] = { "*=", 1 }, [OP_SHL_BY] = { "<<=", 1 }, [OP_SHR_BY] = { ">>=", 1 },
	[OP_AND_BY] = { "&=", 1 }, [OP_XOR_BY] = { "^=", 1 },  [OP_OR_BY] = { "|=", 1 },
	[OP_APPEND] = { ".=", 1 }, [OP_COND] = { "?", 2 },     [OP_LOR] = { "||", 3 },
	[OP_LAND] = { "&&", 4 },   [OP_OR] = { "|", 5 },       [OP_XOR] = { "^", 6 },
	[OP_AND] = { "&", 7 },     [OP_IN] = { "in", 8 },      [OP_LT] = { "<", 9 },
	[OP_GT] = { ">", 9 },      [OP_LE] = { "<=", 9 },      [OP_GE] = { ">=", 9 },
	[OP_EQ] = { "==", 9 },     [OP_NE] = { "!=", 9 },      [OP_SHL] = { "<<", 10 },
	[OP_SHR] = { ">>", 10 },   [OP_USHR] = { ">>>", 10 },  [OP_CONCAT] = { ".", 11 },
	[OP_ADD] = { "+", 12 },    [OP_SUB] = { "-", 12 },     [OP_MUL] = { "*", 13 },
	[OP_DIV] = { "/", 13 },    [OP_MOD] = { "%", 13 },     [OP_PLUS] = { "+", 14 },
	[OP_MINUS] = { "-", 14 },  [OP_NOT] = { "!", 14 },     [OP_COMPLEMENT] = { "~", 14 },
	[OP_INC] = { "++", 15 },   [OP_DEC] = { "--", 15 },
};

static const char *const forms[] = { "print", "println", "printd", "printdln", "printf" };
static const char *const figures[N_FIGURES] = { "@count", "@sum", "@min",
						"@max",   "@avg", "@variance" };

struct writer {
	struct strbuf *out;
	unsigned line, column, depth, dice;
};

static void put(struct writer *w, const char *s)
{
	strbuf_adds(w->out, s);
	for (; *s; s++) {
		w->column++;
		if (*s == '\n') {
			w->line++;
			w->column = 1;
		}
	}
}

static void put_number(struct writer *w, const char *fmt, uint64_t n)
{
	char text[40];

	snprintf(text, sizeof(text), fmt, n);
	put(w, text);
}

/* Once in N, by a sequence that depends on nothing but the text before. */
static bool chance(struct writer *w, unsigned n)
{
	w->dice = w->dice * 1103515245 + 12345 + w->column;
	return (w->dice >> 16) % n == 0;
}

static void new_line(struct writer *w)
{
	put(w, "\n");
	for (unsigned i = 0; i < w->depth; i++)
		put(w, "\t");
}

static void mark(struct writer *w, struct node *n)
{
	n->line = w->line;
	n->column = w->column;
}

static void put_string(struct writer *w, const char *s)
{
	put(w, "\"");
	for (; *s; s++) {
		char text[8] = { *s };

		if (*s == '"' || *s == '\\')
			snprintf(text, sizeof(text), "\\%c", *s);
		else if (*s == '\n')
			strcpy(text, chance(w, 2) ? "\\n" : "\\012");
		else if ((unsigned char)*s < ' ' || (unsigned char)*s > '~')
			snprintf(text, sizeof(text), "\\%03o", (unsigned char)*s);
		put(w, text);
	}
	put(w, "\"");
}

static void put_literal(struct writer *w, const struct node *n)
{
	if (n->type == TYPE_STRING)
		put_string(w, n->text);
	else if (n->number < 0)
		put_number(w, chance(w, 2) ? "%" PRIu64 : "0x%" PRIx64, n->number);
	else
		put_number(w,
			   chance(w, 6)   ? "0x%" PRIx64
			   : chance(w, 8) ? "0%" PRIo64
					  : "%" PRIu64,
			   n->number);
}

static unsigned level_of(const struct node *n)
{
	switch (n->kind) {
	case E_ASSIGN:
		return LEVEL_ASSIGN;
	case E_COND:
		return LEVEL_COND;
	case E_IN:
		return LEVEL_IN;
	case E_MATCH:
		return LEVEL_COMPARE;
	case E_STEP:
		return LEVEL_STEP;
	case E_UNARY:
	case E_BINARY:
		return operators[n->op].level;
	default:
		return LEVEL_PRIMARY;
	}
}

static void put_expression(struct writer *w, struct node *n, unsigned level);

static void put_list(struct writer *w, struct node *n)
{
	for (; n; n = n->next) {
		put_expression(w, n, LEVEL_ASSIGN);
		if (n->next)
			put(w, chance(w, 2) ? ", " : ",");
	}
}

static void put_variable(struct writer *w, struct node *n)
{
	mark(w, n);
	put(w, n->var->name);
	if (n->args) {
		put(w, "[");
		put_list(w, n->args);
		put(w, "]");
	}
}

static void put_in(struct writer *w, struct node *n)
{
	if (n->args->next || n->args->kind == E_ANY || chance(w, 3)) {
		put(w, "[");
		put_list(w, n->args);
		put(w, "]");
	} else {
		put_expression(w, n->args, LEVEL_COMPARE);
	}
	put(w, " in ");
	put(w, n->var->name);
}

static void put_binary(struct writer *w, struct node *n)
{
	unsigned level = operators[n->op].level;
	bool unchained = level == LEVEL_COMPARE && n->kid[0]->kind == E_MATCH;

	put_expression(w, n->kid[0], level + unchained);
	put(w, " ");
	mark(w, n);
	put(w, operators[n->op].text);
	put(w, " ");
	put_expression(w, n->kid[1], level + 1);
}

static void put_print(struct writer *w, struct node *n)
{
	if (n->type == TYPE_STRING)
		put(w, "s");
	put(w, forms[n->op]);
	put(w, "(");
	if (n->text) {
		put_string(w, n->text);
		if (n->args)
			put(w, ", ");
	}
	put_list(w, n->args);
	put(w, ")");
}

static void put_figure(struct writer *w, struct node *n)
{
	const struct variable *v = n->var;

	mark(w, n);
	if (n->kind == E_FIGURE)
		put(w, figures[n->op]);
	else
		put(w, v->step ? "@hist_linear" : "@hist_log");
	put(w, "(");
	put(w, v->name);
	if (n->args) {
		put(w, "[");
		put_list(w, n->args);
		put(w, "]");
	}
	if (n->kind == E_FIGURE && n->op == FIG_VARIANCE && v->shift)
		put_number(w, ", %" PRIu64, v->shift);
	if (n->kind == E_BUCKET && v->step) {
		char text[80];

		snprintf(text, sizeof(text), ", %" PRId64 ", %" PRId64 ", %" PRId64, v->low,
			 v->high, v->step);
		put(w, text);
	}
	put(w, ")");
	if (n->kind == E_BUCKET) {
		put(w, "[");
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
		put(w, "]");
	}
}

static void put_unary(struct writer *w, struct node *n)
{
	put(w, operators[n->op].text);
	if (n->kid[0]->kind == E_UNARY || n->kid[0]->kind == E_STEP)
		put(w, " ");
	put_expression(w, n->kid[0], LEVEL_UNARY);
}

static void put_bare(struct writer *w, struct node *n)
{
	switch (n->kind) {
	case E_LITERAL:
		put_literal(w, n);
		break;
	case E_ANY:
		put(w, "*");
		break;
	case E_VARIABLE:
		put_variable(w, n);
		break;
	case E_UNARY:
		put_unary(w, n);
		break;
	case E_BINARY:
	case E_ASSIGN:
		if (n->kind == E_BINARY) {
			put_binary(w, n);
			break;
		}
		put_variable(w, n->kid[0]);
		put(w, " ");
		put(w, operators[n->op].text);
		put(w, " ");
		put_expression(w, n->kid[1], LEVEL_ASSIGN);
		break;
	case E_MATCH:
		put_expression(w, n->kid[0], LEVEL_SHIFT);
		put(w, n->flag ? " !~ " : " =~ ");
		put_string(w, n->text);
		break;
	case E_MATCHED:
		put(w, "matched(0)");
		break;
	case E_IN:
		put_in(w, n);
		break;
	case E_COND:
		put_expression(w, n->kid[0], LEVEL_OR);
		put(w, " ? ");
		put_expression(w, n->kid[1], LEVEL_ASSIGN);
		put(w, " : ");
		put_expression(w, n->kid[2], LEVEL_COND);
		break;
	case E_STEP:
		if (n->flag)
			put(w, operators[n->op].text);
		put_variable(w, n->kid[0]);
		if (!n->flag)
			put(w, operators[n->op].text);
		break;
	case E_CALL:
		mark(w, n);
		put(w, n->function->name);
		put(w, "(");
		put_list(w, n->args);
		put(w, ")");
		break;
	case E_PRINT:
		put_print(w, n);
		break;
	case E_STRLEN:
		put(w, "strlen(");
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
		put(w, ")");
		break;
	default:
		put_figure(w, n);
		break;
	}
}

/* In parentheses where an operator of less than LEVEL must not stand. */
static void put_expression(struct writer *w, struct node *n, unsigned level)
{
	bool wrapped = level_of(n) < level || (n->kind != E_ANY && chance(w, 16));

	if (wrapped)
		put(w, "(");
	put_bare(w, n);
	if (wrapped)
		put(w, ")");
}

static void put_statements(struct writer *w, struct node *n);

static void put_block(struct writer *w, struct node *list)
{
	put(w, "{");
	w->depth++;
	put_statements(w, list);
	w->depth--;
	new_line(w);
	put(w, "}");
}

static void put_sort_mark(struct writer *w, const struct node *n, int64_t key)
{
	if (n->number == key)
		put(w, n->flag ? "-" : "+");
}

static void put_keys(struct writer *w, struct node *n)
{
	struct node *key = n->kid[3];
	bool bracketed = key->next || chance(w, 4);

	if (bracketed)
		put(w, "[");
	for (int i = 1; key; key = key->next, i++) {
		put(w, key->var->name);
		put_sort_mark(w, n, i);
		if (key->next)
			put(w, ", ");
	}
	if (bracketed)
		put(w, "]");
}

static void put_foreach(struct writer *w, struct node *n)
{
	bool by_name = n->kid[2] && chance(w, 2);

	put(w, "foreach (");
	if (n->kid[2]) {
		put(w, n->kid[2]->var->name);
		if (by_name)
			put_sort_mark(w, n, -1);
		put(w, " = ");
	}
	put_keys(w, n);
	put(w, " in ");
	put(w, n->var->name);
	if (n->args) {
		put(w, "[");
		put_list(w, n->args);
		put(w, "]");
	}
	if (n->number == -1 && n->var->type == TYPE_STATS && (n->op != FIG_COUNT || chance(w, 2))) {
		put(w, " ");
		put(w, figures[n->op]);
		put(w, " ");
	}
	if (!by_name)
		put_sort_mark(w, n, -1);
	if (n->kid[0]) {
		put(w, " limit ");
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
	}
	put(w, ") ");
	put_block(w, n->kid[1]);
}

static void put_for(struct writer *w, struct node *n)
{
	put(w, "for (");
	for (int i = 0; i < 3; i++) {
		if (n->kid[i])
			put_expression(w, n->kid[i], LEVEL_ASSIGN);
		if (i < 2)
			put(w, "; ");
	}
	put(w, ") ");
	put_block(w, n->kid[3]);
}

static void put_try(struct writer *w, struct node *n)
{
	put(w, "try ");
	put_block(w, n->kid[0]);
	put(w, " catch ");
	if (n->kid[2]) {
		put(w, "(");
		put(w, n->kid[2]->var->name);
		put(w, ") ");
	}
	put_block(w, n->kid[1]);
}

static void put_word(struct writer *w, const char *word, struct node *n)
{
	put(w, word);
	if (n) {
		put(w, " ");
		put_expression(w, n, LEVEL_ASSIGN);
	}
	put(w, ";");
}

static void put_statement(struct writer *w, struct node *n)
{
	switch (n->kind) {
	case S_FEED:
		put_variable(w, n->kid[0]);
		put(w, " <<< ");
		put_expression(w, n->kid[1], LEVEL_ASSIGN);
		put(w, ";");
		break;
	case S_IF:
		put(w, "if (");
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
		put(w, ") ");
		put_block(w, n->kid[1]);
		if (n->kid[2]) {
			put(w, " else ");
			put_block(w, n->kid[2]);
		}
		break;
	case S_WHILE:
		put(w, "while (");
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
		put(w, ") ");
		put_block(w, n->kid[1]);
		break;
	case S_FOR:
		put_for(w, n);
		break;
	case S_FOREACH:
		put_foreach(w, n);
		break;
	case S_BREAK:
		put(w, "break");
		break;
	case S_CONTINUE:
		put(w, "continue;");
		break;
	case S_NEXT:
		put(w, "next");
		break;
	case S_RETURN:
		put_word(w, "return", n->kid[0]);
		break;
	case S_DELETE:
		put(w, "delete ");
		put_variable(w, n);
		put(w, ";");
		break;
	case S_TRY:
		put_try(w, n);
		break;
	case S_BLOCK:
		put_block(w, n->kid[0]);
		break;
	case S_ERROR:
		mark(w, n);
		put(w, "error(");
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
		put(w, ");");
		break;
	case S_EXIT:
		put(w, "exit();");
		break;
	default:
		put_expression(w, n->kid[0], LEVEL_ASSIGN);
		put(w, ";");
		break;
	}
}

static void put_statements(struct writer *w, struct node *n)
{
	for (; n; n = n->next) {
		new_line(w);
		put_statement(w, n);
	}
}

static void put_global(struct writer *w, const struct variable *v)
{
	put(w, v->is_private ? "private " : "");
	put(w, v->is_private && chance(w, 2) ? "" : "global ");
	put(w, v->name);
	if (v->wraps)
		put(w, "%");
	if (v->size)
		put_number(w, "[%" PRIu64 "]", v->size);
	if (v->init) {
		put(w, " = ");
		if (v->init->type == TYPE_LONG && v->init->number < 0 &&
		    v->init->number != INT64_MIN)
			put_number(w, "-%" PRIu64, -v->init->number);
		else
			put_literal(w, v->init);
	}
	put(w, "\n");
}

static const char *type_name(enum type type)
{
	return type == TYPE_LONG ? ":long" : ":string";
}

static void put_body(struct writer *w, const struct function *f, const struct body *body)
{
	put(w, f->is_private ? "private function " : "function ");
	put(w, f->name);
	if (f->annotated && f->type != TYPE_NONE)
		put(w, type_name(f->type));
	put(w, "(");
	for (unsigned i = 0; i < f->n_args; i++) {
		put(w, i ? ", " : "");
		put(w, body->args[i]->name);
		if (f->annotated)
			put(w, type_name(body->args[i]->type));
	}
	put(w, ") ");
	put_block(w, body->list);
	put(w, "\n");
}

static void put_point(struct writer *w, const struct probe *p)
{
	static const char *const formats[] = { "begin(%" PRIu64 ")", "timer.s(%" PRIu64 ")",
					       "end(%" PRIu64 ")", "error(%" PRIu64 ")" };

	put_number(w, formats[p->event], p->number);
}

static void put_probe(struct writer *w, struct probe *p)
{
	put(w, "probe ");
	if (p->alias) {
		put(w, p->alias);
		put(w, " = ");
		put_point(w, p);
		put(w, " ");
		put_block(w, p->prologue);
		put(w, ", ");
		put_block(w, p->epilogue);
		put(w, "\nprobe ");
		put(w, p->alias);
	} else {
		put_point(w, p);
	}
	if (p->condition) {
		put(w, " if (");
		put_expression(w, p->condition, LEVEL_ASSIGN);
		put(w, ")");
	}
	put(w, " ");
	put_block(w, p->list);
	put(w, "\n");
}

void program_write(struct program *p, struct strbuf *ret)
{
	struct writer w = { .out = ret, .line = 1, .column = 1 };

	for (unsigned i = 0; i < p->n_globals; i++)
		put_global(&w, p->globals[i]);
	for (unsigned i = 0; i < p->n_functions; i++)
		for (unsigned b = 0; b < p->functions[i].n_bodies; b++)
			put_body(&w, &p->functions[i], &p->functions[i].bodies[b]);
	for (unsigned i = 0; i < p->n_probes; i++)
		put_probe(&w, &p->probes[i]);
}
