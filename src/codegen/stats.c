/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics: <<<, extractors, histogram buckets. Operands are evaluated, since every operation
 * but <<< on a scalar has a position. Aggregates in arrays use functions of their own
 * (stp_map_stat_*), which take keys.
 */
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "ir/effects.h"

struct stat_operands cg_stat(struct cg *cg, const struct ir_expr *stat, struct ir_expr *also,
			     struct value *also_value)
{
	bool map = stat->kind == IR_ELEMENT;
	const struct ir_exprs none = { 0 },
			      *keys = stat->kind == IR_ELEMENT ? &stat->element.keys : &none;
	struct ir_exprs list = { .data = arena_new_array(cg->arena, struct ir_expr *, keys->n + 1),
				 .n = keys->n };
	struct value *v = arena_new_array(cg->arena, struct value, keys->n + 1);

	for (size_t i = 0; i < keys->n; i++)
		list.data[i] = keys->data[i];
	if (also)
		list.data[list.n++] = also;
	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	if (also)
		*also_value = v[keys->n];
	return (struct stat_operands){
		cg_printf(cg, "&%s", cg_global(cg, map ? stat->element.array : stat->global)),
		map ? keys : NULL,
		v,
	};
}

const char *cg_stat_call(struct cg *cg, const struct stat_operands *stat, const char *of_map,
			 const char *of_scalar, const char *rest)
{
	if (!stat->keys)
		return cg_printf(cg, "stp_%s(c, %s%s)", of_scalar, stat->name, rest);
	return cg_with_keys(cg, cg_printf(cg, "stp_%s(c, %s, vals%s)", of_map, stat->name, rest),
			    stat->keys, stat->key_values);
}

/* A new element may not fit into the array; adding to a scalar cannot fail. */
void cg_feed(struct cg *cg, const struct ir_expr *e)
{
	struct value v;
	struct stat_operands stat = cg_stat(cg, e->feed.stat, e->feed.value, &v);

	cg_check(cg);
	if (stat.keys)
		cg_position(cg, e->feed.stat);
	cg_line(cg, "%s;",
		cg_stat_call(cg, &stat, "map_stat_add", "stat_add", cg_printf(cg, ", %s", v.text)));
	cg_consume(cg, v);
	if (stat.keys)
		cg_may_fail(cg);
}

const char *cg_stat_name(enum ir_stat op)
{
	switch (op) {
	case IR_STAT_COUNT:
		return "STP_STAT_COUNT";
	case IR_STAT_SUM:
		return "STP_STAT_SUM";
	case IR_STAT_MIN:
		return "STP_STAT_MIN";
	case IR_STAT_MAX:
		return "STP_STAT_MAX";
	case IR_STAT_AVG:
		return "STP_STAT_AVG";
	case IR_STAT_VARIANCE:
		return "STP_STAT_VARIANCE";
	}
	return "0";
}

struct value cg_extract(struct cg *cg, const struct ir_expr *e)
{
	bool fails = ir_extract_fails(e);
	struct stat_operands stat = cg_stat(cg, e->extract.stat, NULL, NULL);
	const char *which = e->extract.fed ? "STP_STAT_SUM_FED" : cg_stat_name(e->extract.op);

	if (fails)
		cg_position(cg, e);
	return cg_value(
		cg_stat_call(cg, &stat, "map_stat_get", "stat_get", cg_printf(cg, ", %s", which)),
		PREC_PRIMARY, fails ? V_FAILS : V_SOFT);
}

/* Fails when the index is out of range. */
struct value cg_bucket(struct cg *cg, const struct ir_expr *e)
{
	struct value index;
	struct stat_operands stat = cg_stat(cg, e->bucket.stat, e->bucket.index, &index);

	cg_position(cg, e);
	return cg_value(cg_stat_call(cg, &stat, "map_stat_bucket", "stat_bucket",
				     cg_printf(cg, ", %s", index.text)),
			PREC_PRIMARY, V_FAILS);
}
