/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.function and module().function: entries, returns and inlined instances of functions found
 * by name, file and lines, or by address, and labels in them. Out-of-line entries attach at the
 * symbol; an inlined instance is an address inside the function it was inlined into.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/text_pattern.h"
#include "probe/text_point.h"
#include "target/functions.h"
#include "target/target.h"

/*
 * What a pattern's variant means of the functions found; a pattern without one means all their
 * instances.
 */
#define FUNCTION_CALL 1u   /* out-of-line instances only */
#define FUNCTION_INLINE 2u /* inlined instances only */
#define FUNCTION_RETURN 4u
#define FUNCTION_EXPORTED 8u
#define FUNCTION_LABEL 16u
#define FUNCTION_CALLEE 32u /* what it calls */

/* The end of a resolved point, as the script wrote it: a plain function("f") has none. */
static const char *suffix(struct probe_env *env, const struct ast_point *point, unsigned flags,
			  const struct target_function *f)
{
	const struct ast_component *maxactive = point_find(point, "maxactive");

	if (maxactive)
		return arena_printf(env->arena, ".return.maxactive(%lld)",
				    (long long)component_number(maxactive));
	if (flags & FUNCTION_CALLEE)
		return text_point_callee(env, f,
					 flags & FUNCTION_RETURN ? ".return"
					 : flags & FUNCTION_CALL ? ".call"
								 : "");
	if (flags & FUNCTION_LABEL)
		return arena_printf(env->arena, ".label(\"%s\")", f->label);
	return flags & FUNCTION_RETURN     ? ".return"
	       : flags & FUNCTION_INLINE   ? ".inline"
	       : flags & FUNCTION_CALL     ? ".call"
	       : flags & FUNCTION_EXPORTED ? ".exported"
					   : "";
}

/* Appends the point of one function, inlined instance, label or callee F. */
static void add_function(struct probe_env *env, const struct ast_point *point, unsigned flags,
			 bool wildcard, const struct target_function *f, struct probe_points *ret)
{
	const struct ast_component *maxactive = point_find(point, "maxactive");
	const struct target_function *named = f->caller ? f->caller : f;
	const char *pp = arena_concat(env->arena, text_point_head(env, named), ".function(\"",
				      text_point_name(env, named), "\")",
				      suffix(env, point, flags, f), NULL);
	struct probe_point *p = text_point_add(
		env, ret, point, flags & FUNCTION_RETURN ? &ir_kind_return : &ir_kind_entry, f, pp,
		wildcard);

	if (maxactive)
		p->row.attach.kernel.max_active = (uint32_t)component_number(maxactive);
}

static int compare_name(const void *name, const void *row)
{
	return strcmp(name, *(const char *const *)row);
}

/*
 * Functions that the kernel declares __noreturn, as debug information says (DW_AT_noreturn), or for
 * want of it this list (tools/objtool has one): a probe of their return would wait for calls that
 * never end, each of which holds what is kept for one.
 */
static bool has_no_return(const struct target_function *f)
{
	/* by name */
	static const char *const names[] = {
		"__module_put_and_exit",
		"__module_put_and_kthread_exit",
		"__stack_chk_fail",
		"complete_and_exit",
		"cpu_startup_entry",
		"do_exit",
		"do_group_exit",
		"do_task_dead",
		"fortify_panic",
		"kthread_complete_and_exit",
		"kthread_exit",
		"make_task_dead",
		"panic",
		"rest_init",
		"rewind_stack_and_make_dead",
		"rewind_stack_do_exit",
		"start_kernel",
		"stop_this_cpu",
		"usercopy_abort",
	};
	return f->no_return ||
	       (!f->module && bsearch(f->base_name, names, sizeof(names) / sizeof(*names),
				      sizeof(*names), compare_name));
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

/* Calls are found in DW_TAG_call_site, which only debug information has (DWARF 5, 3.4). */
static const char *explain_callee(struct probe_env *env, const struct target_function_query *q)
{
	if (!target_has_dwarf(env->target, q->module))
		return arena_printf(env->arena, " (callees need debuginfo: package %s)",
				    target_debuginfo_package(env->target));
	return " (no function of that name has such a call, other than through a pointer or as its last "
	       "action)";
}

/*
 * Functions that were asked for out of line, or at their return, and exist only as inlined copies.
 */
static const char *explain_inlined(struct probe_env *env, const struct target_function_query *query)
{
	struct target_function_query q = *query;
	struct target_functions found = { 0 };

	q.inlines = true;
	q.exported = false;
	error_destroy(target_find_functions(env->target, &q, &found));
	if (!found.n)
		return NULL;
	vec_foreach(f, &found)
		if (!f->inline_addr)
			return NULL;
	return arena_printf(env->arena,
			    " (%s is inlined wherever it is called: %zu place%s, .inline)",
			    found.data[0].base_name, found.n, found.n > 1 ? "s" : "");
}

/* Why functions were not found; NULL: nothing to add. */
static const char *explain_nothing(struct probe_env *env, const struct target_function_query *q)
{
	const char *inlined = q->inlines ? NULL : explain_inlined(env, q);

	return inlined ? inlined : text_point_explain(env, q);
}

/* Is there no function in which the point's label or callee could be? */
static bool has_no_function(struct probe_env *env, const struct target_function_query *q)
{
	struct target_functions found = { 0 };

	error_destroy(target_find_functions(env->target, q, &found));
	return !found.n;
}

/* Why the point stands for nothing; FOUND are those that its variant does not mean. */
static const char *explain(struct probe_env *env, const struct ast_point *point,
			   const struct target_function_query *q, unsigned flags,
			   const struct target_functions *found)
{
	const struct ast_component *label = point_find(point, "label");

	if (flags & (FUNCTION_LABEL | FUNCTION_CALLEE) && has_no_function(env, q))
		return explain_nothing(env, q);
	if (label)
		return explain_label(env, q, component_string(label));
	if (found->n && flags & FUNCTION_INLINE)
		return target_has_dwarf(env->target, q->module)
			       ? arena_printf(env->arena, " (%s is inlined nowhere)",
					      found->data[0].base_name)
			       : NULL;
	if (found->n && flags & FUNCTION_RETURN && !text_point_has_return(env, &found->data[0]))
		return text_point_explain_no_return(env, &found->data[0]);
	if (found->n && flags & FUNCTION_RETURN && has_no_return(&found->data[0]))
		return arena_printf(env->arena, " (%s does not return)", found->data[0].base_name);
	return flags & FUNCTION_CALLEE ? explain_callee(env, q) : explain_nothing(env, q);
}

/* Does the variant of the point mean this one of those found? */
static bool is_meant(const struct probe_env *env, unsigned flags, const struct target_function *f)
{
	if (flags & FUNCTION_RETURN &&
	    (!text_point_has_return(env, f) || (!env->guru && has_no_return(f))))
		return false;
	if (flags & FUNCTION_INLINE)
		return f->inline_addr;
	return !(flags & FUNCTION_CALLEE && flags & (FUNCTION_CALL | FUNCTION_RETURN) &&
		 f->inline_addr);
}

/* Resolves a number as an address, a string by text_pattern_parse(). */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *head = &point->parts.data[0], *function = &point->parts.data[1];
	const struct ast_component *label = point_find(point, "label");
	bool callees = pattern->flags & FUNCTION_CALLEE;
	struct target_function_query q = {
		.inlines = callees || !(pattern->flags &
					(FUNCTION_CALL | FUNCTION_RETURN | FUNCTION_EXPORTED)),
		.exported = pattern->flags & FUNCTION_EXPORTED,
		.one_copy = env->one_copy,
		.names_only = env->names_only,
	};
	struct target_functions found = { 0 };
	struct error *err;
	size_t before = ret->n;

	if (!point_need_target(env, point) || !point_check_maxactive(env, point))
		return false;
	if (head->param)
		q.module = component_string(head);
	if (function->param->kind == AST_EXPR_NUMBER)
		q.addr = component_number(function);
	else if (!text_pattern_parse(env, function, &q))
		return false;
	if (callees && !text_point_callees(env, point, &q, &found, &err))
		return false;
	if (!callees)
		err = label ? target_find_labels(env->target, &q, component_string(label), &found)
			    : target_find_functions(env->target, &q, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_reserve(env->arena, ret, found.n);
	vec_foreach(f, &found)
		if (is_meant(env, pattern->flags, f))
			add_function(env, point, pattern->flags,
				     found.n > 1 || (q.name && is_glob(q.name)), f, ret);
	if (ret->n == before && !point_is_optional(point))
		*why = explain(env, point, &q, pattern->flags, &found);
	return true;
}

/* The variants below one head. The same derive() serves all; flags say which instances it keeps. */
#define FORMS(head)                                                                                \
	{ head ".function(string)", derive }, { head ".function(number)", derive },                \
		{ head ".function(string).call", derive, .flags = FUNCTION_CALL },                 \
		{ head ".function(number).call", derive, .flags = FUNCTION_CALL },                 \
		{ head ".function(string).exported", derive, .flags = FUNCTION_EXPORTED },         \
		{ head ".function(number).exported", derive, .flags = FUNCTION_EXPORTED },         \
		{ head ".function(string).inline", derive, .flags = FUNCTION_INLINE },             \
		{ head ".function(string).label(string)", derive, .flags = FUNCTION_LABEL },       \
		{ head ".function(string).callee(string)", derive, .flags = FUNCTION_CALLEE },     \
		{ head ".function(string).callee(string).call", derive,                            \
		  .flags = FUNCTION_CALLEE | FUNCTION_CALL },                                      \
		{ head ".function(string).callee(string).return", derive,                          \
		  .flags = FUNCTION_CALLEE | FUNCTION_RETURN },                                    \
		{ head ".function(string).callees", derive, .flags = FUNCTION_CALLEE,              \
		  .by_name = true },                                                               \
		{ head ".function(string).callees(number)", derive, .flags = FUNCTION_CALLEE },    \
		{ head ".function(string).return", derive, .flags = FUNCTION_RETURN },             \
		{ head ".function(number).return", derive, .flags = FUNCTION_RETURN },             \
		{ head ".function(string).return.maxactive(number)", derive,                       \
		  .flags = FUNCTION_RETURN },                                                      \
	{                                                                                          \
		head ".function(number).return.maxactive(number)", derive,                         \
			.flags = FUNCTION_RETURN                                                   \
	}

static const struct probe_pattern patterns[] = { FORMS("kernel"), FORMS("module(string)"), { 0 } };

const struct probe_family probe_family_function = { "function", patterns, .from_images = true,
						    .hint = text_point_hint };
