/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: parentheses, temporaries, and what must be evaluated before what. The lines they end up
 * in are written by flow.c.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "ir/effects.h"

#define TEXT_MAX 2000 /* bytes of one expression in C before cg_bound() cuts it */

struct value cg_value(const char *text, enum precedence prec, enum value_state state)
{
	return (struct value){ .text = text, .prec = prec, .state = state, .bytes = BYTES_SCRATCH };
}

struct value cg_string(const char *text, enum value_state state, enum value_bytes bytes)
{
	struct value v = cg_value(text, PREC_PRIMARY, state);

	v.bytes = bytes;
	return v;
}

struct value cg_combine(const char *text, enum precedence prec, struct value a, struct value b)
{
	struct value v = cg_value(text, prec, a.state > b.state ? a.state : b.state);

	v.effect = a.effect || b.effect;
	return v;
}

struct value cg_around(const char *text, enum precedence prec, struct value v)
{
	return cg_combine(text, prec, v, v);
}

struct value cg_at_least(struct value v, enum value_state state)
{
	if (v.state < state)
		v.state = state;
	return v;
}

bool cg_is_active(struct value v)
{
	return v.state >= V_SOFT || v.effect;
}

bool cg_is_view(struct value v)
{
	return v.bytes >= BYTES_LOCAL;
}

/*
 * The least number has no literal of its own in C. Large positive numbers are written in
 * hexadecimal.
 */
struct value cg_number(struct cg *cg, int64_t n)
{
	struct value v = { .prec = n < 0 ? PREC_UNARY : PREC_PRIMARY,
			   .constant = true,
			   .number = n };

	if (n == INT64_MIN) {
		v.text = "(-9223372036854775807LL - 1)";
		v.prec = PREC_PRIMARY;
	} else if (n > -(1 << 30) && n < 1 << 30) {
		v.text = cg_printf(cg, "%" PRId64, n);
		v.narrow = true;
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

/* The states' rows of the table in value.h. */
static const struct {
	unsigned hold; /* enum ir_effects that it must not come behind */
	bool evaluate;
	void (*written)(struct cg *cg);
} states[] = {
	[V_FREE] = { 0 },
	[V_READS] = { IR_WRITES },
	[V_SOFT] = { IR_WRITES, false, cg_may_fail },
	[V_FAILS] = { IR_WRITES | IR_FAILS, true, cg_may_fail },
	[V_CALLS] = { IR_WRITES | IR_FAILS, true, cg_called },
};

static void assert_valid(struct value v)
{
	assert(v.text);
	assert(!v.constant || v.state == V_FREE);
	assert(!v.effect || v.state != V_FREE);
}

void cg_consume(struct cg *cg, struct value v)
{
	assert_valid(v);
	assert(!cg_is_active(v) || cg_first_written(cg, v.text));
	if (states[v.state].written)
		states[v.state].written(cg);
	if (v.effect)
		cg_forget_position(cg); /* who has effects may set positions of his own */
}

/* A number in a temporary is disturbed by nothing; a string's bytes stay where they are. */
struct value cg_temp(struct cg *cg, struct value v, enum ir_type type)
{
	const char *name = cg_temp_name(cg);

	cg_line(cg, "%s%s = %s;", cg_type(type), name, v.text);
	cg_consume(cg, v);
	return cg_string(name, V_FREE, v.bytes);
}

struct value cg_bound(struct cg *cg, struct value v, enum ir_type type)
{
	return strlen(v.text) > TEXT_MAX ? cg_temp(cg, v, type) : v;
}

struct value cg_evaluate(struct cg *cg, struct value v, enum ir_type type)
{
	return states[v.state].evaluate || v.effect ? cg_temp(cg, v, type) : v;
}

void cg_evaluate_list(struct cg *cg, const struct ir_exprs *list, struct value *v)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->data[i])
			v[i] = cg_evaluate(cg, v[i], list->data[i]->type);
}

/*
 * LATER is what evaluating the operands behind it does (enum ir_effects). A view is copied, because
 * a temporary of it would still see its bytes change.
 */
struct value cg_hold(struct cg *cg, struct value v, enum ir_type type, unsigned later)
{
	unsigned before = states[v.state].hold;

	assert_valid(v);
	if (cg_is_view(v))
		before |= IR_WRITES;
	if (!(v.effect ? later : later & before))
		return v;
	if (cg_is_view(v))
		v = cg_string_copy(cg, v);
	return cg_temp(cg, v, type);
}
