/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operators. Generated C is compiled with -fno-strict-overflow, so + - * wrap. A value of C
 * type int (struct value.narrow) is widened before arithmetic; constants are folded, which also
 * keeps gcc from warning about them.
 */
#include <assert.h>
#include <string.h>

#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "ir/effects.h"
#include "ir/fold.h"

/* Whether the C text can only be 0 or 1. */
static bool is_truth(struct value v)
{
	return v.prec == PREC_EQUAL || v.prec == PREC_RELATION || v.prec == PREC_LOGAND ||
	       v.prec == PREC_LOGOR || v.text[0] == '!';
}

/* A cast does not hide from gcc that a value is a truth (-Wbool-compare, -Wbool-operation). */
static struct value widen(struct cg *cg, struct value v)
{
	if (!v.narrow)
		return v;
	if (is_truth(v))
		return cg_around(cg_printf(cg, "(%s ? 1LL : 0LL)", cg_operand(cg, v, PREC_COND)),
				 PREC_PRIMARY, v);
	return cg_around(cg_printf(cg, "(stp_long)%s", cg_operand(cg, v, PREC_UNARY)), PREC_UNARY,
			 v);
}

/*
 * A plain C operator when the divisor is a constant that cannot trap; else a call that fails on
 * 0 and knows the least number by -1.
 */
static struct value divide(struct cg *cg, const struct ir_expr *e, enum ir_op op, struct value a,
			   struct value b)
{
	if (b.constant && b.number && b.number != -1) {
		a = widen(cg, a);
		return cg_around(
			cg_printf(cg, "%s %c %s",
				  a.prec == PREC_MUL ? a.text : cg_operand(cg, a, PREC_MUL),
				  op == IR_OP_DIV ? '/' : '%', cg_operand(cg, b, PREC_MUL)),
			PREC_MUL, a);
	}
	a = cg_evaluate(cg, a, IR_LONG);
	b = cg_evaluate(cg, b, IR_LONG);
	cg_position(cg, e);
	return cg_value(
		cg_printf(cg, "stp_%s(c, %s, %s)", op == IR_OP_DIV ? "div" : "mod", a.text, b.text),
		PREC_PRIMARY, V_FAILS);
}

/*
 * C leaves counts of 64 and more undefined, and left shifts of negative numbers: the count is
 * masked, and constants are shifted unsigned.
 */
static struct value shift(struct cg *cg, enum ir_op op, struct value a, struct value b)
{
	const char *left, *count;

	if (b.constant)
		count = cg_printf(cg, "%d", (int)(b.number & 63));
	else
		count = cg_printf(cg, "(%s & 63)", cg_operand(cg, b, PREC_AND));
	if (op == IR_OP_USHR || (op == IR_OP_SHL && a.constant)) {
		left = cg_printf(cg, "(stp_u64)%s", cg_operand(cg, a, PREC_UNARY));
		return cg_combine(cg_printf(cg, "(stp_long)(%s %s %s)", left,
					    op == IR_OP_SHL ? "<<" : ">>", count),
				  PREC_UNARY, a, b);
	}
	left = cg_operand(cg, widen(cg, a), PREC_SHIFT);
	return cg_combine(cg_printf(cg, "%s %s %s", left, op == IR_OP_SHL ? "<<" : ">>", count),
			  PREC_SHIFT, a, b);
}

/*
 * A constant left operand keeps its type int when the right one makes the operation wide; two
 * ints would be computed as int, so the left is widened.
 */
struct value cg_arith(struct cg *cg, const struct ir_expr *e, enum ir_op op, struct value a,
		      struct value b)
{
	static const struct {
		const char *text;
		enum precedence prec;
	} ops[] = {
		[IR_OP_ADD] = { "+", PREC_ADD }, [IR_OP_SUB] = { "-", PREC_ADD },
		[IR_OP_MUL] = { "*", PREC_MUL }, [IR_OP_AND] = { "&", PREC_AND },
		[IR_OP_OR] = { "|", PREC_OR },   [IR_OP_XOR] = { "^", PREC_XOR },
	};
	bool divides = op == IR_OP_DIV || op == IR_OP_MOD;
	enum precedence prec;
	const char *left;
	int64_t number;

	if (a.constant && b.constant && ir_fold_numbers(op, a.number, b.number, &number))
		return cg_number(cg, number);
	if (divides)
		return divide(cg, e, op, a, b);
	if (op == IR_OP_SHL || op == IR_OP_SHR || op == IR_OP_USHR)
		return shift(cg, op, a, b);
	if (a.narrow && (b.narrow || !a.constant))
		a = widen(cg, a);
	prec = ops[op].prec;
	left = a.prec == prec && prec >= PREC_ADD ? a.text : cg_operand(cg, a, prec);
	return cg_combine(cg_printf(cg, "%s %s %s", left, ops[op].text, cg_operand(cg, b, prec)),
			  prec, a, b);
}

struct value cg_binary(struct cg *cg, const struct ir_expr *e)
{
	struct ir_expr *data[] = { e->binary.left, e->binary.right };
	struct ir_exprs list = { .data = data, .n = 2 };
	struct value v[2];

	cg_lower_list(cg, &list, v);
	v[0] = cg_bound(cg, v[0], e->binary.left->type);
	return cg_arith(cg, e, e->binary.op, v[0], v[1]);
}

/* A sign in front of the same sign would read as ++ or --: parentheses. */
struct value cg_unary(struct cg *cg, const struct ir_expr *e)
{
	struct value v = cg_lower(cg, e->unary.operand);
	char op = e->unary.op == IR_OP_NEG ? '-' : e->unary.op == IR_OP_NOT ? '!' : '~';
	struct value ret;
	const char *text;

	if (e->unary.op == IR_OP_PLUS)
		return v;
	if (v.constant)
		return cg_number(cg, op == '-'   ? (int64_t)(0 - (uint64_t)v.number)
				     : op == '!' ? !v.number
						 : ~v.number);
	if (op != '!')
		v = widen(cg, v);
	text = cg_operand(cg, v, PREC_UNARY);
	ret = cg_around(cg_printf(cg, text[0] == op ? "%c(%s)" : "%c%s", op, text), PREC_UNARY, v);
	ret.narrow = op == '!';
	return ret;
}

static bool compare_numbers(enum ir_op op, int64_t a, int64_t b)
{
	switch (op) {
	case IR_OP_LT:
		return a < b;
	case IR_OP_GT:
		return a > b;
	case IR_OP_LE:
		return a <= b;
	case IR_OP_GE:
		return a >= b;
	case IR_OP_EQ:
		return a == b;
	case IR_OP_NE:
		return a != b;
	default: /* these are all that IR_COMPARE has */
		assert(!"comparison");
		return false;
	}
}

static const char *compare_text(enum ir_op op)
{
	switch (op) {
	case IR_OP_LT:
		return "<";
	case IR_OP_GT:
		return ">";
	case IR_OP_LE:
		return "<=";
	case IR_OP_GE:
		return ">=";
	case IR_OP_EQ:
		return "==";
	case IR_OP_NE:
		return "!=";
	default: /* as above; what is written then is no C */
		assert(!"comparison");
		return "";
	}
}

/* Strings by stp_str_cmp(), which never fails. */
static struct value compare_strings(struct cg *cg, enum ir_op op, enum precedence prec,
				    struct value a, struct value b)
{
	return cg_at_least(cg_combine(cg_printf(cg, "stp_str_cmp(%s, %s) %s 0", a.text, b.text,
						compare_text(op)),
				      prec, a, b),
			   V_READS);
}

/* A constant operand stays as it is; the other is widened, and folded with its own text. */
static struct value compare_longs(struct cg *cg, enum ir_op op, enum precedence prec,
				  struct value a, struct value b)
{
	if (a.constant && b.constant)
		return cg_number(cg, compare_numbers(op, a.number, b.number));
	/* -Wtautological-compare */
	if (!cg_is_active(a) && !cg_is_active(b) && !strcmp(a.text, b.text))
		return cg_number(cg, compare_numbers(op, 0, 0));
	a = a.constant ? a : widen(cg, a);
	b = b.constant ? b : widen(cg, b);
	return cg_combine(cg_printf(cg, "%s %s %s", cg_operand(cg, a, prec), compare_text(op),
				    cg_operand(cg, b, prec)),
			  prec, a, b);
}

struct value cg_compare(struct cg *cg, const struct ir_expr *e)
{
	struct ir_expr *data[] = { e->binary.left, e->binary.right };
	struct ir_exprs list = { .data = data, .n = 2 };
	enum ir_op op = e->binary.op;
	enum precedence prec = op == IR_OP_EQ || op == IR_OP_NE ? PREC_EQUAL : PREC_RELATION;
	struct value v[2], ret;

	cg_lower_list(cg, &list, v);
	ret = e->binary.left->type == IR_STRING ? compare_strings(cg, op, prec, v[0], v[1])
						: compare_longs(cg, op, prec, v[0], v[1]);
	ret.narrow = true;
	return ret;
}

/* As 0 or 1. */
static const char *truth(struct cg *cg, struct value v)
{
	return is_truth(v) ? v.text : cg_printf(cg, "%s != 0", cg_operand(cg, v, PREC_EQUAL));
}

/* The right operand needs statements of its own: they go into a branch. */
static struct value logical_branch(struct cg *cg, const struct ir_expr *e, struct value left)
{
	const char *name = cg_temp_name(cg);
	bool and = e->binary.op == IR_OP_LOGAND;
	struct emit_saved saved;
	struct emit_text text;
	struct value right;

	cg_line(cg, "stp_long %s = %s;", name, truth(cg, left));
	cg_consume(cg, left);
	cg_check(cg);
	cg->w.depth++;
	emit_capture(&cg->w, &saved);
	right = cg_lower(cg, e->binary.right);
	cg_line(cg, "%s = %s;", name, truth(cg, right));
	cg_consume(cg, right);
	cg_end_branch(cg);
	text = emit_captured(&cg->w, &saved);
	cg->w.depth--;
	emit_block(&cg->w, cg_printf(cg, and? "if (%s)" : "if (!%s)", name), text);
	cg_forget_position(cg);
	return cg_value(name, PREC_PRIMARY, V_FREE);
}

/*
 * A product is compared with 0 in plain sight: gcc warns about it as a truth
 * (-Wint-in-bool-context).
 */
struct value cg_logical(struct cg *cg, const struct ir_expr *e)
{
	bool and = e->binary.op == IR_OP_LOGAND;
	enum precedence prec = and? PREC_LOGAND : PREC_LOGOR;
	struct value a = cg_lower(cg, e->binary.left), b, ret;
	const char *left, *right;

	a = cg_bound(cg, a, e->binary.left->type);
	if (ir_effects(cg->program, e->binary.right) & (IR_FAILS | IR_WRITES))
		return logical_branch(cg, e, a);
	b = cg_lower(cg, e->binary.right);
	left = a.prec == prec ? a.text : cg_operand(cg, a, prec);
	if (a.prec == PREC_MUL)
		left = cg_printf(cg, "%s != 0", left);
	right = cg_operand(cg, b, prec);
	if (b.prec == PREC_MUL)
		right = cg_printf(cg, "%s != 0", right);
	ret = cg_combine(cg_printf(cg, "%s %s %s", left, and? "&&" : "||", right), prec, a, b);
	ret.narrow = true;
	return ret;
}

/*
 * One arm as the statements of a branch, which assign to NAME. *literal stays true when its
 * value is a literal, too.
 */
static struct emit_text arm(struct cg *cg, const struct ir_expr *e, const char *name, bool *literal,
			    struct join *join)
{
	struct emit_saved saved;
	struct emit_text text;
	struct value v;

	cg_branch_begin(cg, join);
	cg->w.depth++;
	emit_capture(&cg->w, &saved);
	v = cg_lower(cg, e);
	cg_line(cg, "%s = %s;", name, v.text);
	cg_consume(cg, v);
	cg_branch_end(cg, join);
	*literal = *literal && v.bytes == BYTES_LITERAL;
	text = emit_captured(&cg->w, &saved);
	cg->w.depth--;
	return text;
}

/*
 * Both arms begin with the state that the condition left; behind them an error may be open when
 * either left one so, and the position is not known.
 */
static struct value ternary_branch(struct cg *cg, const struct ir_expr *e, struct value cond)
{
	const char *name = cg_temp_name(cg);
	const char *heads[] = { NULL, "else" };
	struct emit_text arms[2];
	bool literal = e->type == IR_STRING;
	struct join join;

	cond = cg_evaluate(cg, cond, IR_LONG);
	cg_check(cg);
	cg_line(cg, "%s%s;", cg_type(e->type), name);
	cg_fork(cg, &join);
	arms[0] = arm(cg, e->ternary.yes, name, &literal, &join);
	arms[1] = arm(cg, e->ternary.no, name, &literal, &join);
	cg_join(cg, &join);
	cg_consume(cg, cond);
	heads[0] = cg_printf(cg, "if (%s)", cg_condition(cg, cond));
	emit_chain(&cg->w, heads, arms, 2);
	return cg_string(name, V_FREE,
			 literal                ? BYTES_LITERAL
			 : e->type == IR_STRING ? BYTES_LOCAL
						: BYTES_SCRATCH);
}

/*
 * As a C conditional when neither arm can fail or has effects; else as branches that assign to
 * a temporary.
 */
struct value cg_ternary(struct cg *cg, const struct ir_expr *e)
{
	struct value cond = cg_lower(cg, e->ternary.cond), yes, no, ret;

	if ((ir_effects(cg->program, e->ternary.yes) | ir_effects(cg->program, e->ternary.no)) &
	    (IR_FAILS | IR_WRITES))
		return ternary_branch(cg, e, cond);
	yes = cg_lower(cg, e->ternary.yes);
	no = cg_lower(cg, e->ternary.no);
	ret = cg_combine(cg_printf(cg, "%s ? %s : %s", cg_operand(cg, cond, PREC_COND),
				   cg_operand(cg, yes, PREC_COND), cg_operand(cg, no, PREC_COND)),
			 PREC_COND, cg_combine(NULL, PREC_COND, cond, yes), no);
	ret.bytes = yes.bytes > no.bytes ? yes.bytes : no.bytes;
	ret.narrow = yes.narrow && no.narrow;
	return cg_at_least(ret, V_READS);
}
