/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values and the lines they end up in: parentheses, temporaries, positions, error checks. What can
 * fail is written by cg_line(), which keeps the order of position, call and check that internal.h
 * states.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
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

/* A call that was written sets positions of its own, so it is checked before the next is set. */
void cg_flush_position(struct cg *cg)
{
	if (cg->position_wanted && cg->called)
		cg_check(cg);
	if (cg->position_wanted && cg->position_wanted != cg->position_set)
		emit_line(&cg->w, "c->position = %u;", cg->position_wanted);
	if (cg->position_wanted)
		cg->position_set = cg->position_wanted;
	cg->position_wanted = 0;
}

void cg_forget_position(struct cg *cg)
{
	cg->position_set = 0;
}

/* The wanted position, and with it perhaps the check of a call, goes in front. */
void cg_line(struct cg *cg, const char *fmt, ...)
{
	va_list ap;

	cg_flush_position(cg);
	va_start(ap, fmt);
	emit_line(&cg->w, "%s", arena_vprintf(cg->arena, fmt, ap));
	va_end(ap);
}

/* Soft errors only have to be checked before the statement ends; both kinds set unchecked. */
void cg_consume(struct cg *cg, struct value v)
{
	if (v.flags & (V_FAILS | V_SOFT))
		cg->unchecked = true;
	if (v.flags & V_CALL)
		cg->called = cg->call_position;
	if (v.flags & (V_EFFECT | V_CALL))
		cg->position_set = 0; /* callees have positions of their own */
}

const char *cg_temp_name(struct cg *cg)
{
	return cg_printf(cg, "t%u", ++cg->n_temps);
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

void cg_exit(struct cg *cg, struct exit *exit)
{
	cg_line(cg, "%s", exit->text);
	exit->used = true;
}

/*
 * The error exit is written bare, without cg_exit(): no position may be set between the test and
 * the jump.
 */
void cg_check(struct cg *cg)
{
	if (!cg->unchecked)
		return;
	cg->unchecked = false;
	if (cg->called) {
		emit_open(&cg->w, "if (stp_unlikely(c->error))");
		emit_line(&cg->w, "stp_called(c, %u);", cg->called);
		emit_line(&cg->w, "%s", cg->body->error->text);
		emit_close(&cg->w, "");
	} else {
		emit_line(&cg->w, "if (stp_unlikely(c->error))");
		cg->w.depth++;
		emit_line(&cg->w, "%s", cg->body->error->text);
		cg->w.depth--;
	}
	cg->called = 0;
	cg->body->error->used = true;
}

/* The body ends here and leaves anyway; only the chain of calls is noted. */
void cg_check_call(struct cg *cg)
{
	if (!cg->called)
		return;
	emit_line(&cg->w, "if (stp_unlikely(c->error))");
	cg->w.depth++;
	emit_line(&cg->w, "stp_called(c, %u);", cg->called);
	cg->w.depth--;
	cg->called = 0;
	cg->unchecked = false;
}

void cg_end_branch(struct cg *cg)
{
	if (cg->called)
		cg_check(cg);
}

/* Scratch is given back by moving c->top down to the mark of the body or loop. */
void cg_tidy(struct cg *cg)
{
	cg_check(cg);
	if (!cg->dirty)
		return;
	cg->dirty = false;
	cg->body->needs_mark = true;
	cg->body->n_resets++;
	emit_line(&cg->w, "c->top = %s;", cg->body->mark);
}

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

/* An expression without a span leaves the position that is wanted as it is. */
void cg_position(struct cg *cg, const struct ir_expr *e)
{
	uint32_t position = cg_position_of(cg, e);

	if (position)
		cg->position_wanted = position;
}

void cg_position_soft(struct cg *cg, const struct ir_expr *e)
{
	if (!cg->position_wanted)
		cg_position(cg, e);
}
