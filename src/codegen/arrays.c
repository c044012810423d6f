/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Array elements: reading, writing, membership, delete. Keys are passed to the runtime as an
 * array of union stp_val, in a compound literal that lives until its block ends. Operations
 * with effects evaluate their operands and check for errors first, so that a failed subscript
 * changes no element.
 */
#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "runtime/uapi/arrays.h"

_Static_assert(IR_MAX_KEYS == STP_MAX_KEYS, "the runtime takes what the IR allows");

const char *cg_val(struct cg *cg, struct value v, enum ir_type type)
{
	return cg_printf(cg, type == IR_STRING ? "{ .s = %s }" : "{ .l = %s }", v.text);
}

/* "{ .l = x }, { .s = y }"; missing keys are 0, with their bit in *wild. */
const char *cg_key_list(struct cg *cg, const struct ir_exprs *keys, const struct value *v)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	for (size_t i = 0; i < keys->n; i++) {
		strbuf_adds(&b, i ? ", " : "");
		if (keys->data[i])
			strbuf_adds(&b, cg_val(cg, v[i], keys->data[i]->type));
		else
			strbuf_adds(&b, "{ .l = 0 }");
	}
	text = arena_strdup(cg->arena, strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

const char *cg_with_keys(struct cg *cg, const char *call, const struct ir_exprs *keys,
			 const struct value *v)
{
	return cg_printf(cg, "STP_VALS(%s, %s)", call, cg_key_list(cg, keys, v));
}

uint32_t cg_wild(const struct ir_exprs *keys)
{
	uint32_t wild = 0;

	for (size_t i = 0; i < keys->n; i++)
		if (!keys->data[i])
			wild |= 1u << i;
	return wild;
}

/* Keys for more than one use. */
static const char *key_variable(struct cg *cg, const struct ir_exprs *keys, const struct value *v)
{
	const char *name = cg_temp_name(cg);

	cg_line(cg, "union stp_val %s[] = { %s };", name, cg_key_list(cg, keys, v));
	for (size_t i = 0; i < keys->n; i++)
		cg_consume(cg, v[i]);
	return name;
}

/* TEXT, with the keys still pending in it. */
static struct value around_keys(const char *text, const struct ir_exprs *keys,
				const struct value *v)
{
	struct value ret = cg_value(text, PREC_PRIMARY, V_READS);

	for (size_t i = 0; i < keys->n; i++)
		if (keys->data[i])
			ret = cg_combine(text, PREC_PRIMARY, ret, v[i]);
	return ret;
}

/* C text that reads the element of KEYS, which is C text, too. */
static const char *get_text(struct cg *cg, const struct ir_global *array, const char *keys)
{
	return cg_printf(cg, "stp_map_get%s(c, &%s, %s)", array->type == IR_STRING ? "_str" : "",
			 cg_global(cg, array), keys);
}

/* A string value is a copy in scratch, which may not suffice: soft. */
static struct value got(struct cg *cg, const struct ir_global *array, struct value v)
{
	if (array->type != IR_STRING)
		return v;
	cg_use_scratch(cg);
	return cg_at_least(v, V_SOFT);
}

/* By keys in a variable. */
static struct value get(struct cg *cg, const struct ir_global *array, const char *keys)
{
	return got(cg, array, cg_value(get_text(cg, array, keys), PREC_PRIMARY, V_READS));
}

/* Reading changes nothing, so the keys may stay pending in the call. */
struct value cg_element(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_exprs *keys = &e->element.keys;
	struct value *v = arena_new_array(cg->arena, struct value, keys->n + 1);
	const char *text;

	cg_lower_list(cg, keys, v);
	text = cg_with_keys(cg, get_text(cg, e->element.array, "vals"), keys, v);
	return got(cg, e->element.array, around_keys(text, keys, v));
}

/* Keys and, behind them, the value: lowered left to right and evaluated, errors looked at. */
static struct value *element_operands(struct cg *cg, const struct ir_expr *element,
				      struct ir_expr *value)
{
	const struct ir_exprs *keys = &element->element.keys;
	struct ir_exprs list = { .data = arena_new_array(cg->arena, struct ir_expr *, keys->n + 1),
				 .n = keys->n };
	struct value *v = arena_new_array(cg->arena, struct value, keys->n + 1);

	for (size_t i = 0; i < keys->n; i++)
		list.data[i] = keys->data[i];
	if (value)
		list.data[list.n++] = value;
	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	cg_check(cg);
	return v;
}

/* The operands went into a line that may set c->error, such as a store into a full array. */
static void written(struct cg *cg, const struct value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cg_consume(cg, v[i]);
	cg_may_fail(cg);
}

/* A wanted value that could change by the store itself is held before it. */
static struct value set(struct cg *cg, const struct ir_expr *e, struct value *v, bool wanted)
{
	const struct ir_expr *lvalue = e->assign.lvalue;
	const struct ir_exprs *keys = &lvalue->element.keys;
	struct value *value = &v[keys->n];
	const char *call;

	if (wanted)
		*value = cg_hold(cg, *value, e->type, IR_WRITES);
	cg_position(cg, lvalue);
	call = cg_printf(cg, "stp_map_set%s(c, &%s, vals, %s)", e->type == IR_STRING ? "_str" : "",
			 cg_global(cg, lvalue->element.array), value->text);
	cg_line(cg, "%s;", cg_with_keys(cg, call, keys, v));
	written(cg, v, keys->n + 1);
	return *value;
}

/* += and -= : one call, whose result is the new value. */
static struct value add(struct cg *cg, const struct ir_expr *lvalue, struct value *v, bool negative,
			bool wanted)
{
	const struct ir_exprs *keys = &lvalue->element.keys;
	struct value d = v[keys->n], sum;
	const char *text = d.text;

	if (negative && d.constant)
		text = cg_number(cg, (int64_t)(0 - (uint64_t)d.number)).text;
	else if (negative)
		text = cg_printf(cg, "-%s",
				 d.prec == PREC_PRIMARY ? text : cg_printf(cg, "(%s)", text));
	cg_position(cg, lvalue);
	text = cg_printf(cg, "stp_map_add(c, &%s, vals, %s)", cg_global(cg, lvalue->element.array),
			 text);
	sum = cg_value(cg_with_keys(cg, text, keys, v), PREC_PRIMARY, V_FAILS);
	sum.effect = true;
	if (!wanted) {
		cg_line(cg, "%s;", sum.text);
		written(cg, v, keys->n + 1);
	}
	return sum;
}

/* .=: the keys are used twice when the value is wanted. */
static struct value append(struct cg *cg, const struct ir_expr *lvalue, struct value *v,
			   bool wanted)
{
	const struct ir_exprs *keys = &lvalue->element.keys;
	const char *k = wanted ? key_variable(cg, keys, v) : "vals", *call;

	cg_position(cg, lvalue);
	call = cg_printf(cg, "stp_map_append_str(c, &%s, %s, %s)",
			 cg_global(cg, lvalue->element.array), k, v[keys->n].text);
	cg_line(cg, "%s;", wanted ? call : cg_with_keys(cg, call, keys, v));
	if (!wanted) {
		written(cg, v, keys->n + 1);
		return v[keys->n];
	}
	written(cg, &v[keys->n], 1);
	return get(cg, lvalue->element.array, k);
}

/*
 * Addition and concatenation are one call each; other operators read, compute and store with
 * the same keys.
 */
struct value cg_element_assign(struct cg *cg, const struct ir_expr *e, bool wanted)
{
	const struct ir_expr *lvalue = e->assign.lvalue;
	const struct ir_exprs *keys = &lvalue->element.keys;
	struct value *v = element_operands(cg, lvalue, e->assign.value), old;
	const char *k;

	switch (e->assign.op) {
	case IR_OP_NONE:
		return set(cg, e, v, wanted);
	case IR_OP_ADD:
	case IR_OP_SUB:
		return add(cg, lvalue, v, e->assign.op == IR_OP_SUB, wanted);
	case IR_OP_CONCAT:
		return append(cg, lvalue, v, wanted);
	default: /* no function of the runtime: read, compute, set */
		break;
	}
	k = key_variable(cg, keys, v);
	old = cg_arith(cg, e, e->assign.op, get(cg, lvalue->element.array, k), v[keys->n]);
	if (wanted || old.state >= V_FAILS)
		old = cg_temp(cg, old, IR_LONG);
	cg_check(cg);
	cg_position(cg, lvalue);
	cg_line(cg, "stp_map_set(c, &%s, %s, %s);", cg_global(cg, lvalue->element.array), k,
		old.text);
	cg_may_fail(cg);
	return old;
}

/* An addition of 1 or -1; the postfix value is the new one less the change. */
struct value cg_element_incdec(struct cg *cg, const struct ir_expr *e, bool wanted)
{
	const struct ir_expr *lvalue = e->incdec.lvalue;
	struct value *v = element_operands(cg, lvalue, NULL), sum;

	v[lvalue->element.keys.n] = cg_number(cg, e->incdec.delta);
	sum = add(cg, lvalue, v, false, wanted);
	if (!wanted || e->incdec.prefix)
		return sum;
	return cg_around(cg_printf(cg, "%s %c 1", sum.text, e->incdec.delta > 0 ? '-' : '+'),
			 PREC_ADD, sum);
}

struct value cg_in(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_exprs *keys = &e->in.keys;
	struct value *v = arena_new_array(cg->arena, struct value, keys->n + 1), ret;
	uint32_t wild = cg_wild(keys);
	const char *call;

	cg_lower_list(cg, keys, v);
	if (wild)
		cg_position(cg, e); /* a walk may use up MAXACTION */
	call = cg_printf(cg, "stp_map_has(c, &%s, vals, 0x%x)", cg_global(cg, e->in.array), wild);
	ret = around_keys(cg_with_keys(cg, call, keys, v), keys, v);
	ret.narrow = true;
	return wild ? cg_at_least(ret, V_FAILS) : ret;
}

/* The runtime charges to MAXACTION what S does; an error names the statement. */
static void may_use_up(struct cg *cg, const struct ir_stmt *s)
{
	cg_want_position(cg, cg_position_at(cg, s->span, "keyword"));
}

/* Missing keys are wildcards: then the runtime walks the array. */
static void delete_elements(struct cg *cg, const struct ir_stmt *s, const struct ir_global *array,
			    const struct ir_exprs *keys)
{
	struct value *v = arena_new_array(cg->arena, struct value, keys->n + 1);
	uint32_t wild = cg_wild(keys);
	const char *call;

	cg_lower_list(cg, keys, v);
	cg_evaluate_list(cg, keys, v);
	cg_check(cg);
	if (wild)
		may_use_up(cg, s);
	call = cg_printf(cg, "stp_map_delete(c, &%s, vals, 0x%x)", cg_global(cg, array), wild);
	cg_line(cg, "%s;", cg_with_keys(cg, call, keys, v));
	if (wild)
		cg_may_fail(cg);
	for (size_t i = 0; i < keys->n; i++)
		if (keys->data[i])
			cg_consume(cg, v[i]);
}

static void clear(struct cg *cg, const struct ir_stmt *s, const struct ir_global *array)
{
	may_use_up(cg, s);
	cg_line(cg, "stp_map_clear(c, &%s);", cg_global(cg, array));
	cg_may_fail(cg);
}

/* A scalar is set to 0 or "", a statistic emptied. */
static void delete_whole(struct cg *cg, const struct ir_stmt *s, const struct ir_expr *target)
{
	const struct ir_global *g = target->kind == IR_GLOBAL ? target->global : NULL;

	if (g && g->is_array)
		clear(cg, s, g);
	else if (g && g->type == IR_STATS)
		cg_line(cg, "stp_stat_clear(c, &%s);", cg_global(cg, g));
	else if (target->type == IR_STRING)
		cg_store(cg, target, cg_string("STP_S(\"\")", V_FREE, BYTES_LITERAL));
	else
		cg_store(cg, target, cg_number(cg, 0));
}

/* An effect: errors are looked at first. */
void cg_delete(struct cg *cg, const struct ir_stmt *s)
{
	const struct ir_expr *target = s->del.target;

	cg_check(cg);
	if (target && target->kind == IR_ELEMENT)
		delete_elements(cg, s, target->element.array, &target->element.keys);
	else if (target)
		delete_whole(cg, s, target);
	else if (s->del.wild_keys.n)
		delete_elements(cg, s, s->del.array, &s->del.wild_keys);
	else
		clear(cg, s, s->del.array);
}
