/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions in the script: their texts, numbered, and how an error names an expression. When the
 * generated code sets one is the business of flow.c.
 */
#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/internal.h"

static bool locate(struct cg *cg, struct span span, struct source_position *at)
{
	return cg->in->sources && span.start && source_map_locate(cg->in->sources, span.start, at);
}

const char *cg_span_text(struct cg *cg, struct span span)
{
	struct source_position at;

	if (!locate(cg, span, &at))
		return NULL;
	return cg_printf(cg, "%s:%u:%u", at.file, at.line, at.column);
}

const char *cg_probe_place(struct cg *cg, const struct ir_probe *p)
{
	const char *at = cg_span_text(cg, p->span);

	return at && p->kept_for ? cg_printf(cg, IR_KEPT_FOR "%s", at) : at;
}

/* Number 0 is taken by the empty text when the first position is made. */
static uint32_t number(struct cg *cg, const struct istr *text)
{
	uintptr_t known = (uintptr_t)map_get(&cg->positions.index, text);

	if (known)
		return known;
	if (!cg->positions.texts.n)
		vec_push(cg->arena, &cg->positions.texts, "");
	known = cg->positions.texts.n;
	vec_push(cg->arena, &cg->positions.texts, text->text);
	map_put(&cg->positions.index, text, (void *)known);
	return known;
}

/* Of TOKEN, else of the identifier NAME, at SPAN. Both may be NULL. */
static uint32_t position(struct cg *cg, struct span span, const char *token, const char *name)
{
	struct source_position at;
	struct strbuf text;
	uint32_t ret;

	if (!locate(cg, span, &at))
		return 0;
	strbuf_init(&text);
	if (token)
		strbuf_addf(&text, "%s at ", token);
	else if (name)
		strbuf_addf(&text, "identifier '%s' at ", name);
	strbuf_addf(&text, "%s:%u:%u", at.file, at.line, at.column);
	ret = number(cg, intern_n(cg->intern, text.s, text.len));
	strbuf_deinit(&text);
	return ret;
}

uint32_t cg_position_at(struct cg *cg, struct span span, const char *token)
{
	return position(cg, span, token, NULL);
}

/* An error names E by its token, by its name, or by its position only. */
uint32_t cg_position_of(struct cg *cg, const struct ir_expr *e)
{
	const char *token = e->token;
	const struct istr *name = NULL;

	switch (e->kind) {
	case IR_BINARY:
		if (!token)
			token = e->binary.op == IR_OP_DIV ? "operator '/'" : "operator '%'";
		break;
	case IR_ELEMENT:
		name = e->element.array->name;
		break;
	case IR_GLOBAL:
		name = e->global->name;
		break;
	case IR_LOCAL:
		name = e->local->name;
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		name = e->call.callee->name;
		break;
	default: /* by its position */
		break;
	}
	return position(cg, e->span, token, name ? name->text : NULL);
}
