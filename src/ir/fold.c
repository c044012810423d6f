/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folding (fold.h): of two numbers, and of nodes whose operands are numbers. */
#include "ir/fold.h"

bool ir_fold_numbers(enum ir_op op, int64_t a, int64_t b, int64_t *ret)
{
	uint64_t x = a, y = b;

	if ((op == IR_OP_DIV || op == IR_OP_MOD) && !b)
		return false;
	switch (op) {
	case IR_OP_ADD:
		return *ret = x + y, true;
	case IR_OP_SUB:
		return *ret = x - y, true;
	case IR_OP_MUL:
		return *ret = x * y, true;
	case IR_OP_DIV:
		return *ret = b == -1 ? (int64_t)(0 - x) : a / b, true;
	case IR_OP_MOD:
		return *ret = b == -1 ? 0 : a % b, true;
	case IR_OP_SHL:
		return *ret = x << (y & 63), true;
	case IR_OP_SHR:
		return *ret = a >> (y & 63), true;
	case IR_OP_USHR:
		return *ret = x >> (y & 63), true;
	case IR_OP_AND:
		return *ret = x & y, true;
	case IR_OP_OR:
		return *ret = x | y, true;
	case IR_OP_XOR:
		return *ret = x ^ y, true;
	case IR_OP_LOGAND:
		return *ret = a && b, true;
	case IR_OP_LOGOR:
		return *ret = a || b, true;
	case IR_OP_LT:
		return *ret = a < b, true;
	case IR_OP_GT:
		return *ret = a > b, true;
	case IR_OP_LE:
		return *ret = a <= b, true;
	case IR_OP_GE:
		return *ret = a >= b, true;
	case IR_OP_EQ:
		return *ret = a == b, true;
	case IR_OP_NE:
		return *ret = a != b, true;
	case IR_OP_PLUS:
		return *ret = a, true;
	case IR_OP_NEG:
		return *ret = 0 - x, true;
	case IR_OP_NOT:
		return *ret = !a, true;
	case IR_OP_BITNOT:
		return *ret = ~x, true;
	case IR_OP_NONE:
	case IR_OP_CONCAT:
		break;
	}
	return false;
}

/* One of unknown type stands for a mistake, not for a number. */
static bool is_number(const struct ir_expr *e)
{
	return e->kind == IR_NUMBER && e->type == IR_LONG;
}

/* E becomes the literal; it keeps its position. */
static struct ir_expr *as_number(struct ir_expr *e, enum ir_op op, int64_t a, int64_t b)
{
	int64_t value;

	if (!ir_fold_numbers(op, a, b, &value))
		return e;
	e->kind = IR_NUMBER;
	e->type = IR_LONG;
	e->number = value;
	return e;
}

/* The right operand is not evaluated when the left one decides. */
static struct ir_expr *fold_logical(struct ir_expr *e)
{
	const struct ir_expr *left = e->binary.left, *right = e->binary.right;
	enum ir_op op = e->binary.op;

	if (!is_number(left))
		return e;
	if (!left->number == (op == IR_OP_LOGAND))
		return as_number(e, op, left->number, left->number);
	return is_number(right) ? as_number(e, op, left->number, right->number) : e;
}

/* What a literal on one side makes of the value: whether it decides it, and which it is then. */
static bool decides(enum ir_op op, bool is_left, int64_t literal, int64_t *ret)
{
	*ret = 0;
	switch (op) {
	case IR_OP_MUL:
	case IR_OP_AND:
		return literal == 0;
	case IR_OP_SHL:
	case IR_OP_SHR:
	case IR_OP_USHR:
		return is_left && literal == 0;
	case IR_OP_MOD:
		return !is_left && literal == 1;
	case IR_OP_LOGAND:
		return literal == 0;
	case IR_OP_OR:
		*ret = -1;
		return literal == -1;
	case IR_OP_LOGOR:
		*ret = 1;
		return literal != 0;
	default: /* no operand alone decides, or one that may fault stands beside it */
		return false;
	}
}

struct ir_expr *ir_fold_absorbed(const struct ir_expr *e, int64_t *ret)
{
	if (e->kind != IR_BINARY && e->kind != IR_LOGICAL)
		return NULL;
	if (is_number(e->binary.left) && decides(e->binary.op, true, e->binary.left->number, ret))
		return e->binary.right;
	if (is_number(e->binary.right) &&
	    decides(e->binary.op, false, e->binary.right->number, ret))
		return e->binary.left;
	return NULL;
}

struct ir_expr *ir_fold(struct ir_expr *e)
{
	switch (e->kind) {
	case IR_UNARY:
		return is_number(e->unary.operand)
			       ? as_number(e, e->unary.op, e->unary.operand->number, 0)
			       : e;
	case IR_BINARY:
	case IR_COMPARE:
		return is_number(e->binary.left) && is_number(e->binary.right)
			       ? as_number(e, e->binary.op, e->binary.left->number,
					   e->binary.right->number)
			       : e;
	case IR_LOGICAL:
		return fold_logical(e);
	case IR_TERNARY:
		if (!is_number(e->ternary.cond))
			return e;
		return e->ternary.cond->number ? e->ternary.yes : e->ternary.no;
	default: /* other nodes have effects, or values that are known at run time only */
		return e;
	}
}
