/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the families share (point.h): components of a probe point, its text, and the diagnostics
 * that are the same for all of them.
 */
#include "base/error.h"
#include "probe/point.h"

#include <string.h>

#include "ast/tree.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "target/functions.h"

/* Names in a pattern are told apart, so the first is the only one. */
const struct ast_component *point_find(const struct ast_point *point, const char *name)
{
	vec_foreach(c, &point->parts)
		if (!strcmp(c->name->text, name))
			return c;
	return NULL;
}

bool point_has(const struct ast_point *point, const char *name)
{
	return point_find(point, name) != NULL;
}

const char *component_string(const struct ast_component *c)
{
	return c->param->string.value->text;
}

int64_t component_number(const struct ast_component *c)
{
	return c->param->number.value;
}

bool point_check_maxactive(struct probe_env *env, const struct ast_point *point)
{
	const struct ast_component *maxactive = point_find(point, "maxactive");

	if (!maxactive ||
	    (component_number(maxactive) >= 0 && component_number(maxactive) <= 65535))
		return true;
	diag_report(env->sink, DIAG_MAXACTIVE_RANGE, maxactive->param->span);
	return false;
}

bool point_number(struct probe_env *env, const struct ast_point *point, const char *name,
		  long long low, long long high, long long absent, long long *ret)
{
	const struct ast_component *c = point_find(point, name);

	*ret = c ? component_number(c) : absent;
	if (!c || (*ret >= low && *ret <= high))
		return true;
	diag_report(env->sink, DIAG_PROBE_NUMBER, c->param->span, name, low, high);
	return false;
}

/*
 * Marks and condition are left out: they are the script's, not the point's. The text is the
 * arena's.
 */
const char *point_text(struct probe_env *env, const struct ast_point *point)
{
	struct ast_point bare = *point;
	struct strbuf b;
	const char *text;

	bare.optional = bare.sufficient = false;
	bare.condition = NULL;
	strbuf_init(&b);
	ast_print_point(&bare, &b);
	text = arena_strdup(env->arena, strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

bool point_need_target(struct probe_env *env, const struct ast_point *point)
{
	struct diagnostic *d;

	if (env->target)
		return true;
	d = diag_report(env->sink, DIAG_PROBE_NO_KERNEL, point->span, env->no_target_reason);
	if (env->no_target_hint)
		diag_set_hint(env->sink, d, "%s", env->no_target_hint);
	return false;
}

bool point_world_failed(struct probe_env *env, const struct ast_point *point, struct error *err)
{
	struct diagnostic *d =
		diag_report(env->sink, DIAG_PROBE_UNRESOLVED, point->span, err->text);

	if (err->hint)
		diag_set_hint(env->sink, d, "%s", err->hint);
	error_destroy(err);
	return false;
}

bool point_is_optional(const struct ast_point *point)
{
	return point->optional || point->sufficient;
}

/* What is known of a name that is no pattern: a text, or NULL. */
static const char *explain_exact(struct probe_env *env, const char *module, const char *name)
{
	const char *text = module ? NULL : target_function_successor(env->target, name), *in;

	if (!text)
		text = target_function_forbidden(env->target, module, name);
	in = text || module ? NULL : target_function_in_module(env->target, name);
	return in ? arena_printf(env->arena, "it is in module(\"%s\")", in) : text;
}

/*
 * Tried in this order: the kernel has renamed it; it is there, but not to be probed; it is in a
 * module; names that are near. The answer is in parentheses and follows "no match".
 */
const char *point_explain_name(struct probe_env *env, const char *module, const char *name,
			       const char *otherwise)
{
	const char *exact = is_glob(name) ? NULL : explain_exact(env, module, name);
	const char *near[5];
	size_t n;

	if (exact)
		return arena_printf(env->arena, " (%s)", exact);
	n = target_similar_functions(env->target, module, name, near, 5);
	if (!n)
		return otherwise ? arena_printf(env->arena, " (%s)", otherwise) : NULL;
	return arena_printf(env->arena, " (similar function%s: %s%s%s)", n > 1 ? "s" : "",
			    similar_join(env->arena, near, n), otherwise ? "; or " : "",
			    otherwise ? otherwise : "");
}

const char *point_explain_braces(const char *pattern)
{
	const char *open = strchr(pattern, '{'), *comma = open ? strchr(open, ',') : NULL;

	return comma && strchr(comma, '}')
		       ? " (braces within a string have no meaning; outside they give several "
			 "points: kernel.{function(\"a\"),function(\"b\")})"
		       : NULL;
}

const char *point_similar(struct probe_env *env, const char *what, const char *const *near,
			  size_t n)
{
	return n ? arena_printf(env->arena, " (similar %s%s: %s)", what, n > 1 ? "s" : "",
				similar_join(env->arena, near, n))
		 : NULL;
}

const char *point_explain_module(struct probe_env *env, const char *module)
{
	const char *text = module && (*module == '/' || !is_glob(module))
				   ? target_module_absent(env->target, module)
				   : NULL;

	return text ? arena_printf(env->arena, " (%s)", text) : NULL;
}

/*
 * Valid until the next one is added, as the vector may move; everything the family does not set is
 * zero.
 */
struct probe_point *point_add(struct probe_env *env, struct probe_points *ret,
			      const struct ast_point *point, const struct ir_probe_kind *kind,
			      const char *pp)
{
	struct probe_point fresh = { .kind = kind, .origin = point };

	fresh.row.pp = pp;
	fresh.row.attach.tag = kind->attach;
	vec_push(env->arena, ret, fresh);
	return &ret->data[ret->n - 1];
}
