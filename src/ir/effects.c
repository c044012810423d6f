/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Effects of expressions (effects.h), bottom-up: those of the node itself joined with those of its
 * operands. What is not known to be harmless counts as having all effects.
 */
#include "ir/effects.h"

#include "ir/builtins.h"

/*
 * An impure function may do anything. A pure one still reads and may raise an error, unless the row
 * of a builtin says more exactly.
 */
unsigned ir_call_effects(const struct ir_function *f)
{
	if (!f->pure)
		return IR_READS | IR_FAILS | IR_WRITES;
	return f->builtin ? f->builtin->effects : IR_READS | IR_FAILS;
}

/* Of all expressions of the list; wildcards have none. */
static unsigned list_effects(const struct ir_program *program, const struct ir_exprs *list)
{
	unsigned fx = 0;

	for (size_t i = 0; i < list->n; i++)
		fx |= list->data[i] ? ir_effects(program, list->data[i]) : 0;
	return fx;
}

/* When points differ their programs are not looked at: one of them may fail. */
static unsigned fetch_effects(const struct ir_expr *e)
{
	if (e->fetch.varying && e->fetch.varying->differs)
		return IR_READS | IR_FAILS;
	return IR_READS | (fetch_can_fail(&e->fetch.load) ? IR_FAILS : 0);
}

/*
 * Division fails by 0 and, for the lowest number, by -1. Both operands of a logical operator count
 * though the second may not be evaluated.
 */
static unsigned binary_effects(const struct ir_program *program, const struct ir_expr *e)
{
	unsigned fx = ir_effects(program, e->binary.left) | ir_effects(program, e->binary.right);
	const struct ir_expr *right = e->binary.right;

	if (e->kind == IR_CONCAT)
		return fx | IR_READS;
	if (e->kind != IR_BINARY || (e->binary.op != IR_OP_DIV && e->binary.op != IR_OP_MOD))
		return fx;
	if (right->kind == IR_NUMBER && right->number && right->number != -1)
		return fx;
	return fx | IR_FAILS;
}

/* Requires the format's number. %m and %M read memory. */
static unsigned print_effects(const struct ir_program *program, const struct ir_expr *e)
{
	unsigned fx = list_effects(program, &e->print.args) | IR_READS;

	if (!e->print.to_string)
		fx |= IR_WRITES;
	return program->formats.data[e->print.format].memory ? fx | IR_FAILS : fx;
}

/* No default: a new kind must be classified. */
unsigned ir_effects(const struct ir_program *program, const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
	case IR_STRING_LITERAL:
		return 0;
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_SAVED:
		return IR_READS;
	case IR_ELEMENT:
		return IR_READS | list_effects(program, &e->element.keys);
	case IR_UNARY:
		return ir_effects(program, e->unary.operand);
	case IR_BINARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
		return binary_effects(program, e);
	case IR_MATCH:
		return ir_effects(program, e->match.subject) | IR_READS |
		       (e->match.regex->kept && !e->match.negated ? IR_WRITES : 0);
	case IR_TERNARY:
		return ir_effects(program, e->ternary.cond) | ir_effects(program, e->ternary.yes) |
		       ir_effects(program, e->ternary.no);
	case IR_ASSIGN:
	case IR_FEED:
	case IR_INCDEC:
		return IR_READS | IR_FAILS | IR_WRITES;
	case IR_IN:
		return IR_READS | list_effects(program, &e->in.keys);
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return ir_call_effects(e->call.callee) | list_effects(program, &e->call.args);
	case IR_POINT_TEXT:
		return e->point_text.literal ? 0 : IR_READS | IR_FAILS;
	case IR_FETCH:
		return fetch_effects(e) | list_effects(program, &e->fetch.operands);
	case IR_DEREF:
		return IR_READS | IR_FAILS | ir_effects(program, e->deref.size) |
		       ir_effects(program, e->deref.address);
	case IR_REGISTER:
		return IR_READS | IR_FAILS | ir_effects(program, e->reg.number);
	case IR_EXTRACT:
		return IR_READS | ir_effects(program, e->extract.stat) |
		       (e->extract.op == IR_STAT_COUNT || e->extract.op == IR_STAT_SUM ? 0
										       : IR_FAILS);
	case IR_HIST_BUCKET:
		return IR_READS | IR_FAILS | ir_effects(program, e->bucket.stat) |
		       ir_effects(program, e->bucket.index);
	case IR_PRINT:
		return print_effects(program, e);
	case IR_PRINT_HIST:
		return IR_READS | IR_FAILS | (e->print_hist.to_string ? 0 : IR_WRITES) |
		       ir_effects(program, e->print_hist.stat);
	case IR_ENUMNAME:
		return IR_READS | ir_effects(program, e->enumname.value);
	case IR_EMBEDDED:
		return e->code->effects;
	}
	return IR_READS | IR_FAILS | IR_WRITES;
}
