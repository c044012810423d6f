/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects of expressions (effects.h): those of each node itself, joined over the operands by a
 * walk. What is not known to be harmless counts as having all effects.
 */
#include "ir/effects.h"

#include "ir/builtins.h"
#include "ir/walk.h"

#define ALL (IR_READS | IR_FAILS | IR_WRITES)

/*
 * An impure function may do anything, and so may what the overload does that takes its call over. A
 * pure one still reads and may raise an error, unless the row of a builtin says more exactly.
 */
unsigned ir_call_effects(const struct ir_function *f)
{
	if (!f->pure || (f->uses_next && f->next_overload))
		return ALL;
	return f->builtin ? f->builtin->effects : IR_READS | IR_FAILS;
}

/* A walk over code, from the outside in, which ends at the first write. */
struct effects {
	struct ir_walker walker;
	const struct ir_program *program;
	/* of a whole function: a store to its locals is nothing that others see */
	bool of_function;
	unsigned effects;
};

/* Of a store to LVALUE, which may also be read and computed with. */
static unsigned store_effects(const struct effects *x, const struct ir_expr *lvalue)
{
	return lvalue->kind == IR_LOCAL && x->of_function ? IR_READS | IR_FAILS : ALL;
}

/* When points differ their programs are not looked at: one of them may fail. */
static unsigned fetch_effects(const struct ir_expr *e)
{
	if (e->fetch.varying && e->fetch.varying->differs)
		return IR_READS | IR_FAILS;
	return IR_READS | (fetch_can_fail(&e->fetch.load) ? IR_FAILS : 0);
}

/* Division fails by 0 and, for the lowest number, by -1. */
static unsigned binary_effects(const struct ir_expr *e)
{
	const struct ir_expr *right = e->binary.right;

	if (e->binary.op != IR_OP_DIV && e->binary.op != IR_OP_MOD)
		return 0;
	return right->kind == IR_NUMBER && right->number && right->number != -1 ? 0 : IR_FAILS;
}

/* %m and %M read memory; before step formats nothing is known of the format. */
static unsigned print_effects(const struct ir_program *program, const struct ir_expr *e)
{
	unsigned fx = IR_READS | (e->print.to_string ? 0 : IR_WRITES);
	uint32_t format = e->print.format;

	if (format < program->formats.n && !program->formats.data[format].memory)
		return fx;
	return fx | IR_FAILS;
}

/* Of what text is made of: values, words put together of them, calls with such arguments. */
static bool part_may_fail(const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
		return false;
	case IR_FETCH:
		return e->fetch.varying || fetch_can_fail(&e->fetch.load);
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return ir_text_may_fail(&e->call.args);
	case IR_BINARY:
		return binary_effects(e) & IR_FAILS || part_may_fail(e->binary.left) ||
		       part_may_fail(e->binary.right);
	case IR_STRING_LITERAL:
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_ELEMENT:
	case IR_UNARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
	case IR_MATCH:
	case IR_TERNARY:
	case IR_ASSIGN:
	case IR_FEED:
	case IR_INCDEC:
	case IR_IN:
	case IR_POINT_TEXT:
	case IR_SAVED:
	case IR_DEREF:
	case IR_REGISTER:
	case IR_EXTRACT:
	case IR_HIST_BUCKET:
	case IR_PRINT:
	case IR_PRINT_HIST:
	case IR_ENUMNAME:
	case IR_EMBEDDED:
		break;
	}
	return true; /* as far as is known */
}

bool ir_text_may_fail(const struct ir_exprs *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (part_may_fail(args->data[i]))
			return true;
	return false;
}

bool ir_extract_fails(const struct ir_expr *e)
{
	return e->extract.fed || (e->extract.op != IR_STAT_COUNT && e->extract.op != IR_STAT_SUM);
}

/*
 * Of the node itself. Both operands of a logical operator count, though the second may not be
 * evaluated. No default: a new kind must be classified.
 */
static unsigned own_effects(const struct effects *x, const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
	case IR_STRING_LITERAL:
	case IR_UNARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_TERNARY:
		return 0;
	case IR_BINARY:
		return binary_effects(e);
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_SAVED:
	case IR_ELEMENT:
	case IR_CONCAT:
	case IR_IN:
	case IR_ENUMNAME:
		return IR_READS;
	case IR_MATCH:
		return IR_READS | (e->match.regex->kept && !e->match.negated ? IR_WRITES : 0);
	case IR_ASSIGN:
		return store_effects(x, e->assign.lvalue);
	case IR_INCDEC:
		return store_effects(x, e->incdec.lvalue);
	case IR_FEED:
		return ALL;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return ir_call_effects(e->call.callee);
	case IR_POINT_TEXT:
		return e->point_text.literal ? 0 : IR_READS | IR_FAILS;
	case IR_FETCH:
		return fetch_effects(e);
	case IR_DEREF:
	case IR_REGISTER:
	case IR_HIST_BUCKET:
		return IR_READS | IR_FAILS;
	case IR_EXTRACT:
		return IR_READS | (ir_extract_fails(e) ? IR_FAILS : 0);
	case IR_PRINT:
		return print_effects(x->program, e);
	case IR_PRINT_HIST:
		return IR_READS | IR_FAILS | (e->print_hist.to_string ? 0 : IR_WRITES);
	case IR_EMBEDDED:
		return e->code->effects;
	}
	return ALL;
}

static void join_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct effects *x = (struct effects *)w;

	x->effects |= own_effects(x, *ref);
	if (x->effects != ALL)
		ir_expr_children(w, *ref);
}

unsigned ir_effects(const struct ir_program *program, const struct ir_expr *e)
{
	struct effects x = { .walker = { .expr = join_expr }, .program = program };
	struct ir_expr *ref = (struct ir_expr *)e;

	ir_walk_expr(&x.walker, &ref);
	return x.effects;
}

/* ---- purity of functions ---- */

/* Sorting changes the array; the variables of a loop are stored to. */
static unsigned foreach_effects(const struct effects *x, const struct ir_foreach *f)
{
	unsigned fx = f->dir ? ALL : IR_READS;

	for (unsigned i = 0; i < f->array->n_keys; i++)
		fx |= store_effects(x, f->keys[i]);
	return fx | (f->value ? store_effects(x, f->value) : 0);
}

/*
 * Of the statement itself. `next` is an effect, because another body runs then. No default: a new
 * kind must be classified.
 */
static unsigned stmt_effects(const struct effects *x, const struct ir_stmt *s)
{
	switch (s->kind) {
	case IR_STMT_NEXT:
		return ALL;
	case IR_STMT_DELETE:
		return s->del.target ? store_effects(x, s->del.target) : ALL;
	case IR_STMT_FOREACH:
		return foreach_effects(x, &s->foreach);
	case IR_STMT_FOREACH_HIST:
		return store_effects(x, s->foreach_hist.var);
	case IR_STMT_TRY:
		return s->try_.var ? store_effects(x, s->try_.var) : 0;
	case IR_STMT_BLOCK:
	case IR_STMT_EXPR:
	case IR_STMT_IF:
	case IR_STMT_LOOP:
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_RETURN:
		return 0; /* what its expressions do, and nothing else */
	}
	return ALL;
}

static void join_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct effects *x = (struct effects *)w;

	x->effects |= stmt_effects(x, *ref);
	if (x->effects != ALL)
		ir_stmt_children(w, *ref);
}

static bool writes(const struct ir_program *program, struct ir_function *f)
{
	struct effects x = { .walker = { join_expr, join_stmt },
			     .program = program,
			     .of_function = true };

	ir_walk_stmt(&x.walker, &f->body);
	return x.effects & IR_WRITES;
}

/* From the best assumption down, so that recursion alone makes nothing impure. */
void ir_find_pure(struct ir_program *program)
{
	bool changed;

	vec_foreach(f, &program->functions)
		if ((*f)->body)
			(*f)->pure = true;
	do {
		changed = false;
		vec_foreach(f, &program->functions) {
			if (!(*f)->body || !(*f)->pure || !writes(program, *f))
				continue;
			(*f)->pure = false;
			changed = true;
		}
	} while (changed);
}
