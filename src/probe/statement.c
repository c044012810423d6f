/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.statement and module().statement: the code of a line, by the compiler's line tables, or an
 * address. A kprobe each.
 */
#include <string.h>

#include "base/error.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/text_pattern.h"
#include "probe/text_point.h"
#include "target/functions.h"
#include "target/target.h"

#define STATEMENT_NEAREST 1u

/* Appends the point of one place; NUMBER: the script gave its address. */
static void add_statement(struct probe_env *env, const struct ast_point *point, unsigned flags,
			  const struct ast_component *number, bool wildcard,
			  const struct target_function *f, struct probe_points *ret)
{
	const char *head = text_point_head(env, f);
	const char *nearest = flags & STATEMENT_NEAREST ? ".nearest" : "";
	const char *pp =
		number ? arena_printf(env->arena, "%s.statement(0x%llx)%s", head,
				      (unsigned long long)component_number(number), nearest)
		       : arena_concat(env->arena, head, ".statement(\"", text_point_name(env, f),
				      "\")", nearest, NULL);

	text_point_add(env, ret, point, &ir_kind_entry, f, pp, wildcard);
}

/* "12", "12 or 14"; NULL: there are none. */
static const char *near_text(struct probe_env *env, const struct target_near_lines *near)
{
	if (near->before && near->after)
		return arena_printf(env->arena, "%u or %u", near->before, near->after);
	if (near->before || near->after)
		return arena_printf(env->arena, "%u", near->before + near->after);
	return NULL;
}

/* Why no code was found, as the text behind "no match"; NULL: nothing to add. */
static const char *explain_nothing(struct probe_env *env, const struct target_function_query *q,
				   const struct target_near_lines *near)
{
	const char *lines = near_text(env, near), *absent = point_explain_module(env, q->module);

	if (absent)
		return absent;
	if (!target_has_dwarf(env->target, q->module))
		return arena_printf(env->arena, " (statements need debuginfo: package %s)",
				    target_debuginfo_package(env->target));
	if (q->addr)
		return arena_printf(
			env->arena,
			near->addr
				? " (address 0x%llx does not match the beginning of a "
				  "statement; the one before begins at 0x%llx; -g allows it)"
				: " (address 0x%llx does not match the beginning of a statement)",
			(unsigned long long)q->addr, (unsigned long long)near->addr);
	if (!lines)
		return text_point_explain(env, q);
	if (q->lines.n == 1 && q->lines.kind == TARGET_LINES_ABSOLUTE &&
	    q->lines.ranges[0].first == q->lines.ranges[0].last)
		return arena_printf(env->arena, " (no code at %s:%u; try line %s, or .nearest)",
				    near->file, q->lines.ranges[0].first, lines);
	return arena_printf(env->arena, " (no code at these lines of %s; try line %s, or .nearest)",
			    near->file, lines);
}

/* Resolves a number as an address of the object, a string by text_pattern_parse(). */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *head = &point->parts.data[0], *what = &point->parts.data[1];
	bool is_number = what->param->kind == AST_EXPR_NUMBER;
	struct target_function_query q = { .inlines = true };
	struct target_functions found = { 0 };
	struct target_near_lines near; /* where there is code, when there is none */
	struct diagnostic *d;
	struct error *err;

	if (!point_need_target(env, point))
		return false;
	if (head->param)
		q.module = component_string(head);
	q.unaligned = env->guru;
	if (is_number)
		q.addr = component_number(what);
	else if (!text_pattern_parse(env, what, &q))
		return false;
	err = target_find_statements(env->target, &q, pattern->flags & STATEMENT_NEAREST, &found,
				     &near);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(f, &found)
		add_statement(env, point, pattern->flags, is_number ? what : NULL,
			      found.n > 1 || (q.name && is_glob(q.name)), f, ret);
	if (found.n && near.addr) {
		d = diag_report(env->sink, DIAG_PROBE_UNALIGNED, what->param->span,
				(unsigned long long)q.addr);
		diag_set_hint(env->sink, d, "the statement around it begins at 0x%llx",
			      (unsigned long long)near.addr);
	}
	if (!found.n)
		*why = explain_nothing(env, &q, &near);
	return true;
}

/*
 * .absolute: an address of the running kernel as it is, not of its image; nothing is known of it,
 * and the kernel is asked whether it may be probed.
 */
static bool derive_absolute(struct probe_env *env, const struct ast_point *point,
			    const struct probe_pattern *pattern, struct probe_points *ret,
			    const char **why)
{
	const struct ast_component *what = point_find(point, "statement");
	struct probe_point *p;

	if (!env->guru) {
		diag_report(env->sink, DIAG_PROBE_ABSOLUTE, point->span);
		return false;
	}
	p = point_add(env, ret, point, &ir_kind_kprobe,
		      arena_printf(env->arena, "%s.statement(0x%llx).absolute",
				   point->parts.data[0].name->text,
				   (unsigned long long)component_number(what)));
	p->named_by_point = true;
	p->row.optional = point->optional;
	p->row.attach.kernel.addr = (uint64_t)component_number(what);
	p->row.attach.kernel.absolute = true;
	return true;
}

/* The variants below one head. */
#define FORMS(head)                                                                                \
	{ head ".statement(string)", derive }, { head ".statement(number)", derive },              \
		{ head ".statement(string).nearest", derive, .flags = STATEMENT_NEAREST },         \
	{                                                                                          \
		head ".statement(number).nearest", derive, .flags = STATEMENT_NEAREST              \
	}

static const struct probe_pattern patterns[] = {
	FORMS("kernel"),
	FORMS("module(string)"),
	{ "kernel.statement(number).absolute", derive_absolute },
	{ "kprobe.statement(number).absolute", derive_absolute },
	{ 0 }
};

const struct probe_family probe_family_statement = { "statement", patterns, .from_images = true,
						     .hint = text_point_hint };
