/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What target variables mean where a handler stands: the only file of pass 2 that asks target/
 * for values. Answers that depend on the point are kept in sema_context.queries; share.c later
 * asks the same of other points.
 */
#include "sema/context.h"
#include "target/objects.h"
#include "target/types.h"

#include <string.h>

const struct target_scope *context_scope_without(struct sema *s, const struct probe_point *point)
{
	const struct sema_input *in = s->input;
	const struct target_object *program;
	bool is_here;

	if (!in->env || !in->env->target)
		return NULL;
	program = point ? in->catalog->program(in->env, point, &is_here) : NULL;
	return program ? target_scope_file(program, is_here) : target_scope_none(in->env->target);
}

/* NULL when there is no kernel to look into. */
static const struct target_scope *scope_of(struct sema *s, const struct sema_context *cx,
					   bool entry)
{
	const struct target_scope *scope = cx ? entry ? cx->entry_scope : cx->scope : NULL;

	if (scope && s->input->env && s->input->env->target)
		return scope;
	return context_scope_without(s, cx ? cx->point : NULL);
}

const struct target_scope *context_scope(struct sema *s, const struct sema_context *cx)
{
	return scope_of(s, cx, !cx || !cx->scope);
}

struct context_object context_object_of(const struct target_scope *scope)
{
	struct context_object ret = { 0 };

	if (scope)
		ret.object = target_scope_object(scope, &ret.is_here);
	return ret;
}

struct context_object context_object(struct sema *s, struct sema_context *cx)
{
	struct sema_query kept = { .kind = QUERY_OBJECT,
				   .object = context_object_of(context_scope(s, cx)) };

	if (cx)
		vec_push(s->arena, &cx->queries, kept);
	return kept.object;
}

/* An answer that is no value: the row that says why and its text, and a hint or NULL. */
static struct target_value failed(enum target_status status, enum diag_tag tag, const char *message,
				  const char *hint)
{
	return (struct target_value){
		.status = status, .tag = tag, .message = message, .hint = hint
	};
}

const struct probe_variable *context_own(const struct probe_point *point, const char *name)
{
	for (size_t i = 0; point && i < point->n_variables; i++)
		if (!strcmp(point->variables[i].name, name))
			return &point->variables[i];
	return NULL;
}

void context_note_own(struct sema *s, struct sema_context *cx, const struct probe_variable *own)
{
	struct sema_query kept = { .kind = QUERY_OWN, .own = own };

	vec_push(s->arena, &cx->queries, kept);
}

/* What a row says, as an answer. One that builtins serve has no program. */
static struct target_value own_value(const struct probe_variable *own)
{
	return (struct target_value){ .status = own->load.n ? TARGET_OK : TARGET_UNREADABLE,
				      .tag = DIAG_STORE_ONLY,
				      .message = "it has no program of its own",
				      .load = own->load,
				      .address = own->address,
				      .size = own->size,
				      .is_signed = own->is_signed,
				      .full_regs = own->full_regs };
}

/* The error's text moves into the arena, and the error is destroyed. */
static struct target_value ask_target(struct sema *s, const struct target_scope *scope,
				      const struct target_query *q)
{
	struct target_value v = { .status = TARGET_OK };
	struct error *err = target_resolve(s->input->env->target, scope, q, &v);

	if (err) {
		v = failed(TARGET_UNREADABLE, DIAG_UNREADABLE,
			   diag_text(s->arena, DIAG_UNREADABLE,
				     q->name ? q->name : target_type_name(q->type), err->text),
			   err->hint ? arena_strdup(s->arena, err->hint) : NULL);
		error_destroy(err);
	}
	return v;
}

/* Which file's it is, the point tells. */
static struct target_value ask_errno(struct sema *s, const struct probe_point *point,
				     const struct target_query *q)
{
	const char *why = ": no probe is known here", *hint = NULL;
	struct target_query of = *q;

	if (point)
		of.object = s->input->catalog->c_library(s->input->env, point, &why);
	if (of.object) {
		of.is_here = ir_attach_file(&point->row.attach) == target_object_row(of.object);
		of.is_run = !of.is_here && point->row.scope && point->row.scope->file &&
			    !strcmp(point->row.scope->file, target_object_row(of.object)->path);
		return ask_target(s, target_scope_none(s->input->env->target), &of);
	}
	if (point && !point->row.scope)
		hint = "a system call that failed has the number in retval or $return, negative: see errno_str()";
	return failed(TARGET_NO_VARIABLE, DIAG_NO_ERRNO, diag_text(s->arena, DIAG_NO_ERRNO, why),
		      hint);
}

struct target_value context_ask(struct sema *s, const struct probe_point *point,
				const struct target_scope *scope, const struct target_query *q)
{
	const struct probe_variable *own =
		q->base == TARGET_LOCAL && !q->n_path ? context_own(point, q->name) : NULL;

	if (own)
		return own_value(own);
	return q->base == TARGET_ERRNO ? ask_errno(s, point, q) : ask_target(s, scope, q);
}

/* Does the answer depend on where the probe stands? */
static bool depends_on_point(const struct target_query *q)
{
	return q->base == TARGET_LOCAL || (!q->module && !q->type);
}

/*
 * Only what a register or memory holds is read in a row's own way: a subscript is in the
 * handler.
 */
static bool may_vary(const struct sema_context *cx, const struct target_query *q)
{
	if (!cx || !cx->many || (q->base != TARGET_LOCAL && q->base != TARGET_ERRNO))
		return false;
	for (size_t i = 0; i < q->n_path; i++)
		if (!q->path[i].member && q->path[i].operand >= 0)
			return false;
	return true;
}

/*
 * One for each question, however often it is asked. Numbered by the queries, which outlast a
 * trial that is undone: what the probe has is taken from them when its points join.
 */
static struct ir_varying *varying_of(struct sema *s, const struct sema_context *cx,
				     const struct sema_query *q)
{
	struct ir_varying *v;
	uint32_t n = 0;

	vec_foreach(old, &cx->queries) {
		if (!old->varying)
			continue;
		if (context_same_question(old, q))
			return old->varying;
		if (old->varying->index == n)
			n++;
	}
	v = arena_new(s->arena, struct ir_varying);
	v->index = n;
	return v;
}

const char *context_no_target_reason(const struct sema *s)
{
	const struct probe_env *env = s->input->env;

	return env && env->no_target_reason ? env->no_target_reason : "none was found";
}

/* Answers that are the same everywhere are not kept: they say nothing about sharing. */
struct target_value context_resolve(struct sema *s, struct sema_context *cx,
				    const struct target_query *q, bool entry,
				    struct ir_varying **varying)
{
	const struct probe_env *env = s->input->env;
	struct sema_query kept = { .kind = QUERY_RESOLVE, .entry = entry, .query = *q };

	*varying = NULL;
	if ((!env || !env->target) &&
	    !(cx && q->base == TARGET_LOCAL && context_own(cx->point, q->name)))
		return failed(TARGET_NO_VARIABLE, DIAG_NEEDS_KERNEL,
			      diag_text(s->arena, DIAG_NEEDS_KERNEL, context_no_target_reason(s)),
			      env ? env->no_target_hint : NULL);
	kept.value = context_ask(s, cx ? cx->point : NULL, scope_of(s, cx, entry), q);
	if (!cx || !depends_on_point(q))
		return kept.value;
	if (kept.value.status == TARGET_OK && may_vary(cx, q))
		*varying = kept.varying = varying_of(s, cx, &kept);
	vec_push(s->arena, &cx->queries, kept);
	return kept.value;
}

/* The point's own, which no scope knows. */
static struct target_variables list_own(struct sema *s, const struct probe_point *point)
{
	struct target_variables all = { 0 };

	for (size_t i = 0; i < point->n_variables; i++) {
		const struct probe_variable *own = &point->variables[i];
		struct target_variable row = { .name = own->name,
					       .ctype = own->ctype,
					       .is_param = !own->is_local,
					       .readable = own->load.n || own->get };

		vec_push(s->arena, &all, row);
	}
	return all;
}

/* An error means that nothing is known of the scope's variables: none are listed. */
struct target_variables context_list(struct sema *s, const struct probe_point *point, bool entry)
{
	const struct target_scope *scope = entry ? point->entry_scope : point->scope;
	struct target_variables all = list_own(s, point), v = { 0 };

	if (!scope || !s->input->env->target)
		return all;
	error_destroy(target_variables(s->input->env->target, scope, &v));
	vec_foreach(one, &v)
		vec_push(s->arena, &all, *one);
	return all;
}

struct target_variables context_names(struct sema *s, const struct probe_point *point, bool entry)
{
	const struct target_scope *scope = entry ? point->entry_scope : point->scope;
	struct target_variables all = list_own(s, point), v = { 0 };
	struct arena *scratch;

	if (!scope || !s->input->env->target)
		return all;
	scratch = arena_create();
	error_destroy(target_variable_names(scope, scratch, &v));
	vec_reserve(s->arena, &all, v.n);
	vec_foreach(one, &v)
		vec_push(s->arena, &all, *one);
	arena_destroy(scratch);
	return all;
}

/* The list shapes what is made of it, so it is kept for comparison with other points. */
struct target_variables context_variables(struct sema *s, struct sema_context *cx, bool entry)
{
	struct sema_query kept = { .kind = QUERY_VARIABLES, .entry = entry };

	if (!cx)
		return kept.variables;
	if (cx->point)
		kept.variables = context_list(s, cx->point, entry);
	vec_push(s->arena, &cx->queries, kept);
	return kept.variables;
}

/* Kept, for points whose values have other names cannot share the handler. */
const struct target_names *context_event_names(struct sema *s, struct sema_context *cx,
					       const char *parameter, bool entry)
{
	struct sema_query kept = { .kind = QUERY_NAMES,
				   .entry = entry,
				   .query = { .name = parameter } };

	if (!cx)
		return NULL;
	kept.names = target_event_names(scope_of(s, cx, entry), parameter);
	vec_push(s->arena, &cx->queries, kept);
	return kept.names;
}

bool context_has_variables(const struct sema_context *cx)
{
	return cx && (cx->scope || cx->entry_scope ||
		      (cx->point && (cx->point->n_variables || cx->point->row.name)));
}

/* Must follow the question at once. */
void context_by_type(struct sema_context *cx)
{
	if (cx && cx->queries.n)
		cx->queries.data[cx->queries.n - 1].by_type = true;
}

const struct target_type *context_pointer(const struct target_type *type)
{
	return type && target_type_kind(type) == TARGET_TYPE_POINTER ? type : NULL;
}
