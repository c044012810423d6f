/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.function and module().function: entries, returns and inlined instances of functions found
 * by name, file and lines, or by address, and labels in them. Out-of-line entries attach at the
 * symbol; an inlined instance is an address inside the function it was inlined into.
 */
#include "probe/families.h"
#include "probe/point.h"
#include "probe/text_pattern.h"
#include "probe/text_point.h"

#define FUNCTION_CALL 1u   /* out-of-line instances only */
#define FUNCTION_INLINE 2u /* inlined instances only */
#define FUNCTION_RETURN 4u
#define FUNCTION_EXPORTED 8u
#define FUNCTION_LABEL 16u

/* As the script wrote it: a plain function("f") stays so. */
static const char *suffix(struct probe_env *env, const struct ast_point *point, unsigned flags,
			  const struct target_function *f)
{
	const struct ast_component *maxactive = point_find(point, "maxactive");

	if (maxactive)
		return arena_printf(env->arena, ".return.maxactive(%lld)",
				    (long long)component_number(maxactive));
	if (flags & FUNCTION_LABEL)
		return arena_printf(env->arena, ".label(\"%s\")", f->label);
	return flags & FUNCTION_RETURN     ? ".return"
	       : flags & FUNCTION_INLINE   ? ".inline"
	       : flags & FUNCTION_CALL     ? ".call"
	       : flags & FUNCTION_EXPORTED ? ".exported"
					   : "";
}

/* Appends the point of one function, inlined instance or label F. */
static void add_function(struct probe_env *env, const struct ast_point *point, unsigned flags,
			 bool wildcard, const struct target_function *f, struct probe_points *ret)
{
	const struct ast_component *maxactive = point_find(point, "maxactive");
	const char *pp = arena_printf(env->arena, "%s.function(\"%s\")%s", text_point_head(env, f),
				      text_point_name(env, f), suffix(env, point, flags, f));
	struct probe_point *p = text_point_add(
		env, ret, point, flags & FUNCTION_RETURN ? &ir_kind_return : &ir_kind_entry, f, pp,
		wildcard);

	if (maxactive)
		p->row.attach.text.max_active = (uint32_t)component_number(maxactive);
}

/* false, with a diagnostic: maxactive is 65535 at most. */
static bool check_maxactive(struct probe_env *env, const struct ast_point *point)
{
	const struct ast_component *maxactive = point_find(point, "maxactive");

	if (!maxactive ||
	    (component_number(maxactive) >= 0 && component_number(maxactive) <= 65535))
		return true;
	diag_report(env->sink, DIAG_MAXACTIVE_RANGE, maxactive->param->span);
	return false;
}

/* Labels are in debug information and nowhere else. */
static const char *explain_label(struct probe_env *env, const struct target_function_query *q,
				 const char *label)
{
	if (!target_has_dwarf(env->target, q->module))
		return arena_printf(env->arena, " (labels need debuginfo: package %s)",
				    target_debuginfo_package(env->target));
	return arena_printf(env->arena, " (no function of that name has a label '%s')", label);
}

/* Functions that were asked for out of line, or at their return, and exist only as inlined copies. */
static const char *explain_inlined(struct probe_env *env, const struct target_function_query *query)
{
	struct target_function_query q = *query;
	struct target_functions found = { 0 };

	q.inlines = true;
	q.exported = false;
	error_destroy(target_find_functions(env->target, &q, &found));
	if (!found.n || !found.data[0].inline_addr)
		return NULL;
	return arena_printf(env->arena,
			    " (%s is inlined wherever it is called: %zu places, .inline)",
			    found.data[0].base_name, found.n);
}

/* Why functions were not found; NULL: nothing to add. */
static const char *explain_nothing(struct probe_env *env, const struct target_function_query *q)
{
	const char *inlined = q->inlines ? NULL : explain_inlined(env, q);

	return inlined ? inlined : text_point_explain(env, q);
}

/* Resolves a number as an address, a string by text_pattern_parse(). */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *head = &point->parts.data[0], *function = &point->parts.data[1];
	const struct ast_component *label = point_find(point, "label");
	struct target_function_query q = {
		.inlines =
			!(pattern->flags & (FUNCTION_CALL | FUNCTION_RETURN | FUNCTION_EXPORTED)),
		.exported = pattern->flags & FUNCTION_EXPORTED,
		.one_copy = env->names_only,
	};
	struct target_functions found = { 0 };
	struct error *err;
	size_t before = ret->n;

	if (!point_need_target(env, point) || !check_maxactive(env, point))
		return false;
	if (head->param)
		q.module = component_string(head);
	if (function->param->kind == AST_EXPR_NUMBER)
		q.addr = component_number(function);
	else if (!text_pattern_parse(env, function, &q))
		return false;
	err = label ? target_find_labels(env->target, &q, component_string(label), &found)
		    : target_find_functions(env->target, &q, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(f, &found)
		if (!(pattern->flags & FUNCTION_INLINE) || f->inline_addr)
			add_function(env, point, pattern->flags,
				     found.n > 1 || (q.name && is_glob(q.name)), f, ret);
	if (ret->n == before)
		*why = label ? explain_label(env, &q, component_string(label))
			     : explain_nothing(env, &q);
	return true;
}

/* The variants below one head. The same derive() serves all; flags say which instances it keeps. */
#define FORMS(head)                                                                                \
	{ head ".function(string)", derive }, { head ".function(number)", derive },                \
		{ head ".function(string).call", derive, .flags = FUNCTION_CALL },                 \
		{ head ".function(number).call", derive, .flags = FUNCTION_CALL },                 \
		{ head ".function(string).exported", derive, .flags = FUNCTION_EXPORTED },         \
		{ head ".function(string).inline", derive, .flags = FUNCTION_INLINE },             \
		{ head ".function(string).label(string)", derive, .flags = FUNCTION_LABEL },       \
		{ head ".function(string).return", derive, .flags = FUNCTION_RETURN },             \
		{ head ".function(number).return", derive, .flags = FUNCTION_RETURN },             \
	{                                                                                          \
		head ".function(string).return.maxactive(number)", derive,                         \
			.flags = FUNCTION_RETURN                                                   \
	}

static const struct probe_pattern patterns[] = { FORMS("kernel"), FORMS("module(string)"), { 0 } };

const struct probe_family probe_family_function = { "function", patterns };
