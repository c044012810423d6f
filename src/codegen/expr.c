/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions: lowering by kind, operand lists, and the expression statement, whose value
 * nobody takes. Kinds with more than a line to say have files of their own.
 */
#include <assert.h>
#include <string.h>

#include "base/intern.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/sharing.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "ir/effects.h"

void cg_lower_list(struct cg *cg, const struct ir_exprs *list, struct value *v)
{
	for (size_t i = 0; i < list->n; i++) {
		unsigned later = 0;

		if (!list->data[i])
			continue;
		for (size_t j = i + 1; j < list->n; j++)
			later |= list->data[j] ? ir_effects(cg->program, list->data[j]) : 0;
		v[i] = cg_hold(cg, cg_lower(cg, list->data[i]), list->data[i]->type, later);
	}
}

/* A string local is a view of its buffer: later stores disturb it. */
static struct value lower_local(struct cg *cg, const struct ir_local *local)
{
	const char *name = cg_local(cg, local)->c_name;

	return cg_string(name, V_READS, local->type == IR_STRING ? BYTES_LOCAL : BYTES_SCRATCH);
}

/* Under the handler's lock, or without one where storage needs none. */
static struct value lower_global(struct cg *cg, const struct ir_global *g)
{
	const char *name = cg_global(cg, g);

	if (g->type == IR_STRING)
		return cg_string(cg_printf(cg, "stp_string_view(&%s)", name), V_READS,
				 BYTES_GLOBAL);
	if (sharing_storage(g) == STORE_COUNTER)
		return cg_value(cg_printf(cg, "stp_counter_read(c, %s)", cg_counter(cg, g)),
				PREC_PRIMARY, V_READS);
	return cg_value(name, PREC_PRIMARY, V_READS);
}

/*
 * Embedded C may fail without a position of its own, so it is soft. Strings that it names are
 * copied to scratch.
 */
static struct value lower_embedded(struct cg *cg, const struct ir_expr *e)
{
	struct value *named = arena_new_array(cg->arena, struct value, e->named.n + 1), v;
	const char *text = cg_printf(cg, "%s(c", cg_embedded_name(cg, e));

	cg_lower_list(cg, &e->named, named);
	for (size_t i = 0; i < e->named.n; i++) {
		text = cg_printf(cg, "%s, %s", text, named[i].text);
		if (e->named.data[i]->type == IR_STRING)
			cg_use_scratch(cg);
	}
	if (e->type == IR_STRING)
		cg_use_scratch(cg);
	v = cg_value(cg_printf(cg, "%s)", text), PREC_PRIMARY, V_SOFT);
	v.effect = ir_effects(cg->program, e) & IR_WRITES;
	return v;
}

struct value cg_lower(struct cg *cg, const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
		return cg_number(cg, e->number);
	case IR_STRING_LITERAL:
		return cg_string_literal(cg, e->string);
	case IR_LOCAL:
		return lower_local(cg, e->local);
	case IR_GLOBAL:
		return lower_global(cg, e->global);
	case IR_ELEMENT:
		return cg_element(cg, e);
	case IR_UNARY:
		return cg_unary(cg, e);
	case IR_BINARY:
		return cg_binary(cg, e);
	case IR_LOGICAL:
		return cg_logical(cg, e);
	case IR_COMPARE:
		return cg_compare(cg, e);
	case IR_CONCAT:
		return cg_concat(cg, e);
	case IR_MATCH:
		return cg_match(cg, e);
	case IR_TERNARY:
		return cg_ternary(cg, e);
	case IR_ASSIGN:
		return cg_assign(cg, e, true);
	case IR_FEED:
		cg_feed(cg, e);
		return cg_number(cg, 0);
	case IR_INCDEC:
		return cg_incdec(cg, e, true);
	case IR_IN:
		return cg_in(cg, e);
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return cg_call(cg, e);
	case IR_FETCH:
		return cg_fetch(cg, e);
	case IR_POINT_TEXT:
		return cg_point_text(cg, e);
	case IR_SAVED:
		return cg_saved(cg, e);
	case IR_DEREF:
		return cg_deref(cg, e);
	case IR_REGISTER:
		return cg_register(cg, e);
	case IR_EXTRACT:
		return cg_extract(cg, e);
	case IR_HIST_BUCKET:
		return cg_bucket(cg, e);
	case IR_PRINT:
		return cg_print(cg, e);
	case IR_PRINT_HIST:
		return cg_print_hist(cg, e);
	case IR_ENUMNAME:
		return cg_enumname(cg, e);
	case IR_EMBEDDED:
		return lower_embedded(cg, e);
	}
	assert(!"expression kind");
	return cg_number(cg, 0);
}

/* Both arms as statements: a value would only be a variable that nobody reads. */
static void branch_effect(struct cg *cg, const struct ir_expr *cond, const struct ir_expr *yes,
			  const struct ir_expr *no)
{
	struct ir_stmt yes_stmt = { .kind = IR_STMT_EXPR, .expr = (struct ir_expr *)yes };
	struct ir_stmt no_stmt = { .kind = IR_STMT_EXPR, .expr = (struct ir_expr *)no };
	struct ir_stmt s = { .kind = IR_STMT_IF };

	s.cond.cond = (struct ir_expr *)cond;
	s.cond.yes = &yes_stmt;
	s.cond.no = no ? &no_stmt : NULL;
	cg_stmt(cg, &s);
}

/* a && b as "if (a) b", a || b as "if (!a) b". */
static void logical_effect(struct cg *cg, const struct ir_expr *e)
{
	struct ir_expr not = { .kind = IR_UNARY, .type = IR_LONG, .span = e->span };

	not .unary.op = IR_OP_NOT;
	not .unary.operand = e->binary.left;
	branch_effect(cg, e->binary.op == IR_OP_LOGAND ? e->binary.left : &not, e->binary.right,
		      NULL);
}

/*
 * What has neither effects nor failures is not written at all when it is a constant; other pure
 * text is cast to void, so that the compiler does not warn.
 */
void cg_effect(struct cg *cg, const struct ir_expr *e)
{
	struct value v;

	switch (e->kind) {
	case IR_ASSIGN:
		cg_assign(cg, e, false);
		return;
	case IR_INCDEC:
		cg_incdec(cg, e, false);
		return;
	case IR_FEED:
		cg_feed(cg, e);
		return;
	case IR_TERNARY:
		branch_effect(cg, e->ternary.cond, e->ternary.yes, e->ternary.no);
		return;
	case IR_LOGICAL:
		logical_effect(cg, e);
		return;
	default: /* as a value that is not used */
		break;
	}
	v = cg_lower(cg, e);
	if (!v.text || v.constant || v.bytes == BYTES_LITERAL)
		return;
	if (v.prec == PREC_PRIMARY && cg_is_active(v))
		cg_line(cg, "%s;", v.text);
	else
		cg_line(cg, "(void)%s;", cg_operand(cg, v, PREC_UNARY));
	cg_consume(cg, v);
}
