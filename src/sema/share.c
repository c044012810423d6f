/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which points of one wildcard share a handler, and what the row of each then holds. A handler is
 * made for the types of the variables that it reads, not for where their values are: fetch programs
 * that differ between points go into the rows, and so does $$parms, whose list of names may differ.
 */
#include <string.h>

#include "base/strbuf.h"
#include "sema/context.h"
#include "target/types.h"

/* Either may be NULL: of unknown type. */
static bool same_type(const struct target_type *a, const struct target_type *b)
{
	return a == b || (a && b && target_type_same(a, b));
}

/* Are value and address fetched in the same way? */
static bool same_programs(const struct target_value *a, const struct target_value *b)
{
	return fetch_equal(&a->load, &b->load) && fetch_equal(&a->address, &b->address);
}

/*
 * Whether B, at another point, is as good as what the handler was made for. Programs may differ
 * where rows hold them. Without autocast and pretty printing a pointer is a pointer: only the
 * display of globals asks which values are.
 */
static bool same_value(const struct sema_query *q, const struct target_value *b, bool by_type)
{
	const struct target_value *a = &q->value;

	return a->status == b->status && a->size == b->size && a->is_signed == b->is_signed &&
	       ((q->varying && !q->varying->fixed) || same_programs(a, b)) &&
	       (by_type ? same_type(a->type, b->type)
			: !context_pointer(a->type) == !context_pointer(b->type));
}

/* The paths are of equal length. */
static bool same_path(const struct target_query *a, const struct target_query *b)
{
	for (size_t i = 0; i < a->n_path; i++)
		if (a->path[i].member != b->path[i].member ||
		    a->path[i].number != b->path[i].number ||
		    a->path[i].operand != b->path[i].operand ||
		    a->path[i].literal != b->path[i].literal)
			return false;
	return true;
}

/* Names are interned or belong to one tree node: equal pointers for the same question. */
bool context_same_question(const struct sema_query *a, const struct sema_query *b)
{
	const struct target_query *x = &a->query, *y = &b->query;

	return a->entry == b->entry && x->base == y->base && x->name == y->name &&
	       x->file == y->file && x->module == y->module && x->type == y->type &&
	       x->n_path == y->n_path && x->address_of == y->address_of && same_path(x, y);
}

/* As scope_of() of context.c, for a point that is only compared. */
static const struct target_scope *scope_at(struct sema *s, const struct probe_point *point,
					   bool entry)
{
	const struct target_scope *scope = entry ? point->entry_scope : point->scope;

	return scope && s->input->env->target ? scope : context_scope_without(s, point);
}

/*
 * Asked once per point, however many handlers it is compared with. The result is valid until the
 * next call.
 */
static const struct target_value *answer(struct sema *s, struct context_answers *there,
					 const struct sema_query *q)
{
	struct sema_query kept = *q;

	vec_foreach(old, &there->answers)
		if (context_same_question(old, q))
			return &old->value;
	kept.value = context_ask(s, there->point, scope_at(s, there->point, q->entry), &q->query);
	vec_push(s->arena, &there->answers, kept);
	return &there->answers.data[there->answers.n - 1].value;
}

/* All variables of the point, or of the entry of its function; listed once per point. */
static const struct target_variables *variables_there(struct sema *s, struct context_answers *there,
						      bool entry)
{
	if (!there->has_variables[entry])
		there->variables[entry] = context_list(s, there->point, entry);
	there->has_variables[entry] = true;
	return &there->variables[entry];
}

/* The lists that $$vars and the like were made of, in their order. */
static bool same_variables(const struct target_variables *a, const struct target_variables *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->data[i].name, b->data[i].name) ||
		    strcmp(a->data[i].ctype, b->data[i].ctype) ||
		    a->data[i].is_param != b->data[i].is_param ||
		    a->data[i].readable != b->data[i].readable ||
		    !same_type(a->data[i].type, b->data[i].type))
			return false;
	return true;
}

/* Either may be NULL: served by no builtin. */
static bool same_builtin(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/*
 * B may be NULL: the point has no such variable. Programs are compared as answers, by what uses
 * them.
 */
static bool same_own(const struct probe_variable *a, const struct probe_variable *b)
{
	return b && a->type == b->type && !strcmp(a->ctype, b->ctype) && !a->load.n == !b->load.n &&
	       same_builtin(a->get, b->get) && same_builtin(a->set, b->set) &&
	       same_builtin(a->append, b->append);
}

static bool same_object(struct context_object a, struct context_object b)
{
	return a.object == b.object && (!a.object || a.is_here == b.is_here);
}

/* Asks as long as the answers agree; a handler without questions fits any point. */
bool context_matches(struct sema *s, const struct sema_context *cx, struct context_answers *there)
{
	const struct probe_point *point = there->point;

	vec_foreach(q, &cx->queries) {
		switch (q->kind) {
		case QUERY_RESOLVE:
			if (!same_value(q, answer(s, there, q), q->by_type || cx->typed))
				return false;
			break;
		case QUERY_VARIABLES:
			if (!same_variables(&q->variables, variables_there(s, there, q->entry)))
				return false;
			break;
		case QUERY_TEXT:
			if ((q->text == SEMA_NAME && !point->row.name) ||
			    (q->text == SEMA_SYSTEM && !point->row.system))
				return false;
			break;
		case QUERY_NAMES:
			if (!target_names_same(
				    target_event_names(scope_at(s, point, q->entry), q->query.name),
				    q->names))
				return false;
			break;
		case QUERY_OBJECT:
			if (!same_object(q->object,
					 context_object_of(scope_at(s, point, !point->scope))))
				return false;
			break;
		case QUERY_OWN:
			if (!same_own(q->own, context_own(point, q->own->name)))
				return false;
			break;
		}
	}
	return true;
}

/* ---- texts ---- */

bool context_text_shows(const struct probe_point *point, const struct target_variable *v)
{
	enum target_type_kind kind = v->type ? target_type_kind(v->type) : TARGET_TYPE_VOID;

	return context_own(point, v->name) || kind == TARGET_TYPE_INT || kind == TARGET_TYPE_BOOL ||
	       kind == TARGET_TYPE_CHAR || kind == TARGET_TYPE_ENUM || kind == TARGET_TYPE_POINTER;
}

const char *context_text_instead(const struct target_variable *v)
{
	switch (v->readable && v->type ? target_type_kind(v->type) : TARGET_TYPE_VOID) {
	case TARGET_TYPE_STRUCT:
	case TARGET_TYPE_UNION:
		return "{...}";
	case TARGET_TYPE_ARRAY:
		return "[...]";
	default:
		return "?";
	}
}

void context_text_name(const char *name, struct strbuf *text)
{
	strbuf_addf(text, "%s%s=", text->len ? " " : "", name);
}

/* A row in the making. */
struct row {
	struct sema *s;
	const struct probe_point *point;
	struct ir_probe *probe;
};

/* "x=%#x" with the program of $x, or what stands for it */
static void add_variable(struct row *r, const struct target_variable *v, struct strbuf *text,
			 struct ir_point_text *ret)
{
	struct target_query q = { .base = TARGET_LOCAL, .name = v->name };
	struct target_value value = { .status = TARGET_UNREADABLE };

	context_text_name(v->name, text);
	if (v->readable && context_text_shows(r->point, v))
		value = context_ask(r->s, r->point, scope_at(r->s, r->point, true), &q);
	if (value.status != TARGET_OK) {
		strbuf_adds(text, context_text_instead(v));
		return;
	}
	strbuf_adds(text, "%#x");
	r->probe->full_regs |= value.full_regs;
	vec_push(r->s->arena, &ret->values, value.load);
}

/* The text of $$parms and the like at R's point; the programs of its values go to ret->values. */
static const char *variables_text(struct row *r, enum sema_text what, struct ir_point_text *ret)
{
	struct target_variables variables = context_list(r->s, r->point, true);
	struct strbuf text;
	const char *copy;

	strbuf_init(&text);
	for (size_t i = 0; i < variables.n && ret->values.n < IR_POINT_TEXT_MAX; i++)
		if (what == SEMA_VARS || (what == SEMA_PARMS) == variables.data[i].is_param)
			add_variable(r, &variables.data[i], &text, ret);
	copy = arena_strndup(r->s->arena, strbuf_cstr(&text), text.len);
	strbuf_deinit(&text);
	return copy;
}

/* Names come from the point's row, lists of variables from its scope. */
static void make_text(struct row *r, enum sema_text what, struct ir_point_text *ret)
{
	switch (what) {
	case SEMA_NAME:
		ret->text = r->point->row.name;
		break;
	case SEMA_SYSTEM:
		ret->text = r->point->row.system;
		break;
	case SEMA_PARMS:
	case SEMA_LOCALS:
	case SEMA_VARS:
		ret->text = variables_text(r, what, ret);
		break;
	}
}

/* Each kind of text has one number per handler, by the queries: see varying_of(). */
uint32_t context_text(struct sema *s, struct sema_context *cx, enum sema_text text)
{
	struct sema_query kept = { .kind = QUERY_TEXT, .text = text };

	vec_foreach(old, &cx->queries) {
		if (old->kind != QUERY_TEXT)
			continue;
		if (old->text == text)
			return old->index;
		kept.index++;
	}
	vec_push(s->arena, &cx->queries, kept);
	return kept.index;
}

/* ---- rows ---- */

/* What each row of the handler has to hold: all that was asked, in trials too. */
static void number_values(struct sema *s, const struct sema_context *cx)
{
	struct ir_probe *p = cx->probe;

	p->n_texts = 0;
	vec_foreach(q, &cx->queries) {
		p->n_texts += q->kind == QUERY_TEXT;
		if (q->varying && q->varying->index == p->varying.n)
			vec_push(s->arena, &p->varying, q->varying);
	}
	p->n_values = (uint32_t)p->varying.n;
}

/*
 * Must follow context_matches(), or be for the point that the handler was bound for: the
 * answers are taken as they are.
 */
void context_join(struct sema *s, const struct sema_context *cx, struct context_answers *there)
{
	struct row r = { s, there->point, cx->probe };
	struct ir_point point = there->point->row;

	if (!cx->probe->named_by_point)
		point.pn = NULL;
	number_values(s, cx);
	point.values = arena_new_array(s->arena, struct fetch_program, cx->probe->varying.n + 1);
	point.texts = arena_new_array(s->arena, struct ir_point_text, cx->probe->n_texts + 1);
	vec_foreach(q, &cx->queries) {
		if (q->kind == QUERY_TEXT)
			make_text(&r, q->text, &point.texts[q->index]);
		if (q->kind != QUERY_RESOLVE || !q->varying)
			continue;
		const struct target_value *value = answer(s, there, q);

		point.values[q->varying->index] = value->load;
		cx->probe->full_regs |= value->full_regs;
	}
	vec_push(s->arena, &cx->probe->points, point);
}
