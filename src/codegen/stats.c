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

/*
 * ALSO, which may be NULL, is lowered behind the keys, so that all are evaluated left to right.
 */
const char *cg_stat(struct cg *cg, const struct ir_expr *stat, struct ir_expr *also,
		    struct value *also_value, bool *map)
{
	const struct ir_exprs none = { 0 },
			      *keys = stat->kind == IR_ELEMENT ? &stat->element.keys : &none;
	struct ir_exprs list = { .data = arena_new_array(cg->arena, struct ir_expr *, keys->n + 1),
				 .n = keys->n };
	struct value *v = arena_new_array(cg->arena, struct value, keys->n + 1);

	*map = stat->kind == IR_ELEMENT;
	for (size_t i = 0; i < keys->n; i++)
		list.data[i] = keys->data[i];
	if (also)
		list.data[list.n++] = also;
	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	if (also)
		*also_value = v[keys->n];
	if (!*map)
		return cg_printf(cg, "&%s", cg_global(cg, stat->global));
	return cg_printf(cg, "&%s, %s", cg_global(cg, stat->element.array),
			 cg_keys(cg, keys, v, NULL));
}

/* A new element may not fit into the array; adding to a scalar cannot fail. */
void cg_feed(struct cg *cg, const struct ir_expr *e)
{
	struct value v;
	bool map;
	const char *stat = cg_stat(cg, e->feed.stat, e->feed.value, &v, &map);

	cg_check(cg);
	if (map)
		cg_position(cg, e->feed.stat);
	cg_line(cg, "stp_%sstat_add(c, %s, %s);", map ? "map_" : "", stat, v.text);
	cg_consume(cg, v);
	if (map)
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
	bool fails = ir_extract_fails(e), map;
	const char *stat = cg_stat(cg, e->extract.stat, NULL, NULL, &map);

	if (fails)
		cg_position(cg, e);
	return cg_value(
		cg_printf(cg, "stp_%sstat_get(c, %s, %s)", map ? "map_" : "", stat,
			  e->extract.fed ? "STP_STAT_SUM_FED" : cg_stat_name(e->extract.op)),
		PREC_PRIMARY, fails ? V_FAILS : V_SOFT);
}

/* Fails when the index is out of range. */
struct value cg_bucket(struct cg *cg, const struct ir_expr *e)
{
	struct value index;
	bool map;
	const char *stat = cg_stat(cg, e->bucket.stat, e->bucket.index, &index, &map);

	cg_position(cg, e);
	return cg_value(
		cg_printf(cg, "stp_%sstat_bucket(c, %s, %s)", map ? "map_" : "", stat, index.text),
		PREC_PRIMARY, V_FAILS);
}
