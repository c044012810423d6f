/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions in the script: their texts, numbered, and how an error names an expression. When the
 * generated code sets one is the business of flow.c.
 */
#include "base/intern.h"
#include "codegen/internal.h"

const char *cg_span_text(struct cg *cg, struct span span)
{
	struct source_position at;

	if (!cg->in->sources || !span.start || !source_map_locate(cg->in->sources, span.start, &at))
		return NULL;
	return cg_printf(cg, "%s:%u:%u", at.file, at.line, at.column);
}

/* Number 0 is taken by the empty text when the first position is made. */
uint32_t cg_position_at(struct cg *cg, struct span span, const char *token)
{
	const char *at = cg_span_text(cg, span), *text;
	const struct istr *key;
	uintptr_t known;

	if (!at)
		return 0;
	text = token ? cg_printf(cg, "%s at %s", token, at) : at;
	key = intern(cg->intern, text);
	known = (uintptr_t)map_get(&cg->positions.index, key);
	if (known)
		return known;
	if (!cg->positions.texts.n)
		vec_push(cg->arena, &cg->positions.texts, "");
	known = cg->positions.texts.n;
	vec_push(cg->arena, &cg->positions.texts, key->text);
	map_put(&cg->positions.index, key, (void *)known);
	return known;
}

/* How an error names E; NULL: by its position only. */
static const char *token_of(struct cg *cg, const struct ir_expr *e)
{
	if (e->token)
		return e->token;
	switch (e->kind) {
	case IR_BINARY:
		return e->binary.op == IR_OP_DIV ? "operator '/'" : "operator '%'";
	case IR_ELEMENT:
		return cg_printf(cg, "identifier '%s'", e->element.array->name->text);
	case IR_GLOBAL:
		return cg_printf(cg, "identifier '%s'", e->global->name->text);
	case IR_LOCAL:
		return cg_printf(cg, "identifier '%s'", e->local->name->text);
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return cg_printf(cg, "identifier '%s'", e->call.callee->name->text);
	default: /* by its position */
		break;
	}
	return NULL;
}

uint32_t cg_position_of(struct cg *cg, const struct ir_expr *e)
{
	return cg_position_at(cg, e->span, token_of(cg, e));
}
