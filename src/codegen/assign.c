/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores: into locals and globals; =, op=, ++ and -- of anything that is not an array element.
 * A global, memory or a register is stored to only when no error is pending: cg_check() stands
 * before the line. A local may take the 0 of a failed operation, because the body is left
 * before it is read, unless a try block goes on.
 */
#include <assert.h>

#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/sharing.h"
#include "codegen/value.h"

static void store_local(struct cg *cg, const struct ir_local *local, struct value v)
{
	/* a failed assignment in a try block leaves the variable alone */
	if (cg->body->n_tries && (cg_errors_open(cg) || v.state >= V_FAILS)) {
		v = cg_evaluate(cg, v, local->type);
		cg_check(cg);
	}
	if (local->type == IR_STRING)
		cg_string_store_local(cg, local, v);
	else
		cg_line(cg, "%s = %s;", cg_local(cg, local)->c_name, v.text);
	cg_consume(cg, v);
}

/*
 * Counters kept per CPU are set through a function, which sees to the shares of the other CPUs.
 */
static void store_global(struct cg *cg, const struct ir_global *g, struct value v)
{
	const char *name = cg_global(cg, g);

	v = cg_evaluate(cg, v, g->type);
	cg_check(cg);
	if (g->type == IR_STRING)
		cg_line(cg, "stp_string_set(c, &%s, %s);", name, v.text);
	else if (sharing_storage(g) == STORE_COUNTER)
		cg_line(cg, "stp_counter_set(c, %s, %s);", cg_counter(cg, g), v.text);
	else
		cg_line(cg, "%s = %s;", name, v.text);
	cg_consume(cg, v);
}

/* Checks what must be checked before the kind of variable may change. */
void cg_store(struct cg *cg, const struct ir_expr *lvalue, struct value v)
{
	if (lvalue->kind == IR_LOCAL)
		store_local(cg, lvalue->local, v);
	else
		store_global(cg, lvalue->global, v);
}

/* The C spelling of op= where C's means the same. */
static const char *compound(enum ir_op op)
{
	switch (op) {
	case IR_OP_ADD:
		return "+=";
	case IR_OP_SUB:
		return "-=";
	case IR_OP_MUL:
		return "*=";
	case IR_OP_AND:
		return "&=";
	case IR_OP_OR:
		return "|=";
	case IR_OP_XOR:
		return "^=";
	default: /* by cg_arith() and a store */
		break;
	}
	return NULL;
}

/* Counters kept per CPU are no C variables: their lvalue is an element of c->counters. */
static bool is_counter(const struct ir_expr *lvalue)
{
	return lvalue->kind == IR_GLOBAL && sharing_storage(lvalue->global) == STORE_COUNTER;
}

/* x op= v as one C statement, where there is one. */
static bool compound_assign(struct cg *cg, const struct ir_expr *lvalue, enum ir_op op,
			    struct value v)
{
	const char *c_op = compound(op), *target;

	if (!c_op || (is_counter(lvalue) && op != IR_OP_ADD && op != IR_OP_SUB))
		return false;
	if (lvalue->kind == IR_GLOBAL || cg->body->n_tries) {
		v = cg_evaluate(cg, v, IR_LONG);
		cg_check(cg);
	}
	if (is_counter(lvalue))
		target = cg_printf(cg, "c->counters[%s]", cg_counter(cg, lvalue->global));
	else
		target = cg_lower(cg, lvalue).text;
	cg_line(cg, "%s %s %s;", target, c_op, v.text);
	cg_consume(cg, v);
	return true;
}

/*
 * Subscripts and value are lowered as one list, so that they are evaluated left to right. The
 * value of the expression is what was stored, even if the target is narrower.
 */
static struct value assign_fetch(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_expr *lvalue = e->assign.lvalue;
	size_t n = lvalue->fetch.operands.n;
	struct ir_exprs list = { .data = arena_new_array(cg->arena, struct ir_expr *, n + 1),
				 .n = n + 1 };
	struct value *v = arena_new_array(cg->arena, struct value, n + 1);

	for (size_t i = 0; i < n; i++)
		list.data[i] = lvalue->fetch.operands.data[i];
	list.data[n] = e->assign.value;
	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	if (v[n].state != V_FREE)
		v[n] = cg_temp(cg, v[n], IR_LONG);
	cg_fetch_store(cg, lvalue, v, v[n]);
	return v[n];
}

/* As assign_fetch(); the size is checked at run time unless it is a valid constant. */
static struct value assign_deref(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_expr *lvalue = e->assign.lvalue;
	struct ir_expr *data[] = { lvalue->deref.size, lvalue->deref.address, e->assign.value };
	struct ir_exprs list = { .data = data, .n = 3 };
	struct value v[3];

	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	if (v[2].state != V_FREE)
		v[2] = cg_temp(cg, v[2], IR_LONG);
	v[0] = cg_evaluate(cg, cg_deref_size(cg, lvalue, v[0]), IR_LONG);
	cg_check(cg);
	cg_position(cg, lvalue);
	cg_line(cg, "stp_write_%s(c, %s, %s, %s);", lvalue->deref.user ? "user" : "kernel",
		v[1].text, v[0].text, v[2].text);
	cg_may_fail(cg);
	return v[2];
}

/*
 * The value of an assignment is the variable read again; of a plain store to a per-CPU counter
 * it is what was stored, because other CPUs may have changed the sum since.
 */
static struct value assign_scalar(struct cg *cg, const struct ir_expr *e, bool wanted)
{
	const struct ir_expr *lvalue = e->assign.lvalue;
	struct value v = cg_lower(cg, e->assign.value);

	if (e->assign.op != IR_OP_NONE && !compound_assign(cg, lvalue, e->assign.op, v)) {
		v = cg_hold(cg, v, lvalue->type, v.effect ? IR_READS : 0);
		if (e->assign.op == IR_OP_CONCAT)
			v = cg_concat_values(cg, cg_lower(cg, lvalue), v);
		else
			v = cg_arith(cg, e, e->assign.op, cg_lower(cg, lvalue), v);
		cg_store(cg, lvalue, v);
	} else if (e->assign.op == IR_OP_NONE) {
		if (wanted && is_counter(lvalue) && !v.constant)
			v = cg_temp(cg, v, IR_LONG);
		cg_store(cg, lvalue, v);
		if (is_counter(lvalue))
			return v;
	}
	return wanted ? cg_lower(cg, lvalue) : v;
}

/* By the kind of lvalue; a fetch or deref takes = only, as pass 2 has made sure. */
struct value cg_assign(struct cg *cg, const struct ir_expr *e, bool wanted)
{
	switch (e->assign.lvalue->kind) {
	case IR_ELEMENT:
		return cg_element_assign(cg, e, wanted);
	case IR_FETCH:
		return assign_fetch(cg, e);
	case IR_DEREF:
		return assign_deref(cg, e);
	default: /* a variable */
		break;
	}
	return assign_scalar(cg, e, wanted);
}

/* The result of the postfix form is a temporary with the value from before. */
struct value cg_incdec(struct cg *cg, const struct ir_expr *e, bool wanted)
{
	const struct ir_expr *lvalue = e->incdec.lvalue;
	const char *op = e->incdec.delta > 0 ? "++" : "--", *target, *temp;
	bool postfix = wanted && !e->incdec.prefix;

	if (lvalue->kind == IR_ELEMENT)
		return cg_element_incdec(cg, e, wanted);
	if (lvalue->kind == IR_GLOBAL)
		cg_check(cg);
	if (is_counter(lvalue)) {
		struct value old = cg_lower(cg, lvalue);

		if (postfix)
			old = cg_temp(cg, old, IR_LONG);
		cg_line(cg, "c->counters[%s]%s;", cg_counter(cg, lvalue->global), op);
		return old;
	}
	target = cg_lower(cg, lvalue).text;
	if (!postfix) {
		cg_line(cg, "%s%s;", target, op);
		return cg_value(target, PREC_PRIMARY, V_READS);
	}
	temp = cg_temp_name(cg);
	cg_line(cg, "stp_long %s = %s%s;", temp, target, op);
	return cg_value(temp, PREC_PRIMARY, V_FREE);
}
