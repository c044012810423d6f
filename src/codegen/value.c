/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: parentheses, temporaries, and what must be evaluated before what. The lines they end up
 * in are written by flow.c.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/internal.h"

#define TEXT_MAX 2000 /* bytes of one expression in C before cg_bound() cuts it */

struct value cg_value(const char *text, enum precedence prec, unsigned flags)
{
	return (struct value){ .text = text, .prec = prec, .flags = flags };
}

/*
 * The least number has no literal of its own in C. Large positive numbers are written in
 * hexadecimal.
 */
struct value cg_number(struct cg *cg, int64_t n)
{
	struct value v = { .prec = n < 0 ? PREC_UNARY : PREC_PRIMARY,
			   .flags = V_NUMBER,
			   .number = n };

	if (n == INT64_MIN) {
		v.text = "(-9223372036854775807LL - 1)";
		v.prec = PREC_PRIMARY;
	} else if (n > -(1 << 30) && n < 1 << 30) {
		v.text = cg_printf(cg, "%" PRId64, n);
		v.flags |= V_INT;
	} else {
		v.text = cg_printf(cg, n < 0 ? "%" PRId64 "LL" : "0x%" PRIx64 "LL", n);
	}
	return v;
}

/* Operand positions that need no parentheses and in which gcc asks for none (-Wparentheses). */
static bool binds(enum precedence child, enum precedence parent)
{
	if (child >= PREC_UNARY)
		return true;
	switch (parent) {
	case PREC_ADD:
	case PREC_RELATION:
	case PREC_EQUAL:
		return child == PREC_MUL || (child == PREC_ADD && parent != PREC_ADD);
	case PREC_LOGAND:
	case PREC_LOGOR:
		return child == PREC_EQUAL || child == PREC_RELATION || child == PREC_ADD ||
		       child == PREC_MUL;
	case PREC_COND:
		return child > PREC_COND;
	default: /* parentheses, for gcc asks for them */
		break;
	}
	return false;
}

const char *cg_operand(struct cg *cg, struct value v, enum precedence prec)
{
	return binds(v.prec, prec) ? v.text : cg_printf(cg, "(%s)", v.text);
}

/* Products, shifts and conditionals are compared with 0: gcc warns about them as conditions. */
const char *cg_condition(struct cg *cg, struct value v)
{
	/* -Wint-in-bool-context */
	if (v.prec == PREC_MUL || v.prec == PREC_SHIFT || v.prec == PREC_COND)
		return cg_printf(cg, "(%s) != 0", v.text);
	return v.text;
}

/* With a space behind it, so that a name can follow. */
const char *cg_type(enum ir_type type)
{
	return type == IR_STRING ? "struct stp_str " : type == IR_UNKNOWN ? "void " : "stp_long ";
}

/* Soft errors only have to be checked before the statement ends. */
void cg_consume(struct cg *cg, struct value v)
{
	if (v.flags & V_CALL)
		cg_called(cg);
	else if (v.flags & (V_FAILS | V_SOFT))
		cg_may_fail(cg);
	if (v.flags & V_EFFECT)
		cg_forget_position(cg); /* who has effects may set positions of his own */
}

/*
 * The flags that stay say where a string's bytes are; a number in a temporary is disturbed by
 * nothing.
 */
struct value cg_temp(struct cg *cg, struct value v, enum ir_type type)
{
	const char *name = cg_temp_name(cg);

	cg_line(cg, "%s%s = %s;", cg_type(type), name, v.text);
	cg_consume(cg, v);
	return cg_value(name, PREC_PRIMARY, v.flags & (V_LITERAL | V_VIEW | V_GLOBAL));
}

struct value cg_bound(struct cg *cg, struct value v, enum ir_type type)
{
	return strlen(v.text) > TEXT_MAX ? cg_temp(cg, v, type) : v;
}

struct value cg_evaluate(struct cg *cg, struct value v, enum ir_type type)
{
	return v.flags & (V_FAILS | V_EFFECT) ? cg_temp(cg, v, type) : v;
}

void cg_evaluate_list(struct cg *cg, const struct ir_exprs *list, struct value *v)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->data[i])
			v[i] = cg_evaluate(cg, v[i], list->data[i]->type);
}

/*
 * LATER is what evaluating the operands behind it does (enum ir_effects). An effect must come
 * before any of it; what can fail, before other failures and effects; a read, before effects. A
 * view is copied, because a temporary of it would still see its bytes change.
 */
struct value cg_hold(struct cg *cg, struct value v, enum ir_type type, unsigned later)
{
	bool hold = false;

	if (v.flags & V_EFFECT)
		hold = later != 0;
	else if (v.flags & V_FAILS)
		hold = later & (IR_FAILS | IR_WRITES);
	else if (v.flags & (V_VAR | V_VIEW | V_SOFT))
		hold = later & IR_WRITES;
	if (!hold)
		return v;
	if (v.flags & V_VIEW)
		v = cg_string_copy(cg, v);
	return cg_temp(cg, v, type);
}
