/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sema/context.h"

#include <string.h>

static const struct target_scope *scope_of(struct sema *s, const struct sema_context *cx,
					   bool entry)
{
	const struct target_scope *scope = cx ? entry ? cx->entry_scope : cx->scope : NULL;

	return scope ? scope : target_scope_none(s->input->env->target);
}

const struct target_scope *context_scope(struct sema *s, const struct sema_context *cx)
{
	if (!s->input->env || !s->input->env->target)
		return NULL;
	return scope_of(s, cx, !cx || !cx->scope);
}

static struct target_value failed(enum target_status status, const char *message, const char *hint)
{
	return (struct target_value){ .status = status, .message = message, .hint = hint };
}

static struct target_value ask(struct sema *s, const struct target_scope *scope,
			       const struct target_query *q)
{
	struct target_value v = { .status = TARGET_OK };
	struct error *err = target_resolve(s->input->env->target, scope, q, &v);

	if (err) {
		v = failed(TARGET_UNREADABLE, arena_strdup(s->arena, err->text),
			   err->hint ? arena_strdup(s->arena, err->hint) : NULL);
		error_destroy(err);
	}
	return v;
}

/* Does the answer depend on where the probe stands? */
static bool depends_on_point(const struct target_query *q)
{
	return q->base == TARGET_LOCAL || (!q->module && !q->type);
}

struct target_value context_resolve(struct sema *s, struct sema_context *cx,
				    const struct target_query *q, bool entry)
{
	const struct probe_env *env = s->input->env;
	struct sema_query kept = { .kind = QUERY_RESOLVE, .entry = entry, .query = *q };

	if (!env || !env->target)
		return failed(TARGET_NO_VARIABLE,
			      arena_printf(s->arena, "this needs a kernel to look into: %s",
					   env && env->no_target_reason ? env->no_target_reason
									: "none was found"),
			      env ? env->no_target_hint : NULL);
	kept.value = ask(s, scope_of(s, cx, entry), q);
	if (cx && depends_on_point(q))
		vec_push(s->arena, &cx->queries, kept);
	return kept.value;
}

static struct target_variables variables_of(struct sema *s, const struct target_scope *scope)
{
	struct target_variables v = { 0 };
	struct error *err;

	if (!scope || !s->input->env->target)
		return v;
	err = target_variables(s->input->env->target, scope, &v);
	error_destroy(err);
	return v;
}

struct target_variables context_variables(struct sema *s, struct sema_context *cx, bool entry)
{
	struct sema_query kept = { .kind = QUERY_VARIABLES, .entry = entry };

	if (!cx)
		return kept.variables;
	kept.variables = variables_of(s, entry ? cx->entry_scope : cx->scope);
	vec_push(s->arena, &cx->queries, kept);
	return kept.variables;
}

void context_one_point(struct sema *s, struct sema_context *cx)
{
	struct sema_query kept = { .kind = QUERY_FUNCTION };

	vec_push(s->arena, &cx->queries, kept);
}

bool context_has_variables(const struct sema_context *cx)
{
	return cx && (cx->scope || cx->entry_scope);
}

void context_by_type(struct sema_context *cx)
{
	if (cx && cx->queries.n)
		cx->queries.data[cx->queries.n - 1].by_type = true;
}

static bool same_type(const struct target_type *a, const struct target_type *b)
{
	return a == b || (a && b && target_type_same(a, b));
}

/* Without autocast and pretty printing a pointer is a pointer: only the display of globals asks
 * which values are. */
static bool same_value(const struct target_value *a, const struct target_value *b, bool by_type)
{
	return a->status == b->status && a->size == b->size && a->is_signed == b->is_signed &&
	       a->full_regs == b->full_regs && fetch_equal(&a->load, &b->load) &&
	       fetch_equal(&a->address, &b->address) &&
	       (by_type ? same_type(a->type, b->type)
			: !context_pointer(a->type) == !context_pointer(b->type));
}

static bool same_path(const struct target_query *a, const struct target_query *b)
{
	for (size_t i = 0; i < a->n_path; i++)
		if (a->path[i].member != b->path[i].member ||
		    a->path[i].operand != b->path[i].operand ||
		    a->path[i].literal != b->path[i].literal)
			return false;
	return true;
}

/* Names are interned or belong to one tree node: equal pointers for the same question. */
static bool same_query(const struct sema_query *a, const struct sema_query *b)
{
	const struct target_query *x = &a->query, *y = &b->query;

	return a->entry == b->entry && x->base == y->base && x->name == y->name &&
	       x->file == y->file && x->module == y->module && x->type == y->type &&
	       x->n_path == y->n_path && x->address_of == y->address_of && same_path(x, y);
}

static const struct target_value *answer(struct sema *s, struct context_answers *there,
					 const struct sema_query *q)
{
	const struct sema_context cx = { .scope = there->point->scope,
					 .entry_scope = there->point->entry_scope };
	struct sema_query kept = *q;

	vec_foreach(old, &there->answers)
		if (same_query(old, q))
			return &old->value;
	kept.value = ask(s, scope_of(s, &cx, q->entry), &q->query);
	vec_push(s->arena, &there->answers, kept);
	return &there->answers.data[there->answers.n - 1].value;
}

static bool same_variables(const struct target_variables *a, const struct target_variables *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->data[i].name, b->data[i].name) ||
		    a->data[i].is_param != b->data[i].is_param ||
		    a->data[i].readable != b->data[i].readable ||
		    !same_type(a->data[i].type, b->data[i].type))
			return false;
	return true;
}

bool context_matches(struct sema *s, const struct sema_context *cx, struct context_answers *there)
{
	const struct probe_point *point = there->point;

	vec_foreach(q, &cx->queries) {
		struct target_variables variables;

		switch (q->kind) {
		case QUERY_FUNCTION:
			return false;
		case QUERY_RESOLVE:
			if (!same_value(&q->value, answer(s, there, q), q->by_type || cx->typed))
				return false;
			break;
		case QUERY_VARIABLES:
			variables = variables_of(s, q->entry ? point->entry_scope : point->scope);
			if (!same_variables(&q->variables, &variables))
				return false;
			break;
		}
	}
	return true;
}

const struct target_type *context_pointer(const struct target_type *type)
{
	return type && target_type_kind(type) == TARGET_TYPE_POINTER ? type : NULL;
}
