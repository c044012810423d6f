/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.function and module().function: entries, returns and inlined instances of functions found
 * by name, file and line, or by address. Out-of-line entries attach at the
 * symbol; an inlined instance is an address inside the function it was inlined into.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "probe/families.h"
#include "probe/point.h"

#define FUNCTION_CALL 1u   /* out-of-line instances only */
#define FUNCTION_INLINE 2u /* inlined instances only */
#define FUNCTION_RETURN 4u

/* FUNC[@FILE[:LINE]] */
static bool parse_pattern(struct probe_env *env, const struct ast_component *c,
			  struct target_function_query *q)
{
	char *text = arena_strdup(env->arena, component_string(c));
	char *file = strchr(text, '@'), *line = file ? strrchr(file, ':') : NULL;

	if (line) {
		char *end;

		*line++ = '\0';
		if (!strcmp(line, "*")) {
			line = NULL;
		} else {
			q->line = strtoul(line, &end, 10);
			if (!isdigit((unsigned char)*line) || *end) {
				diag_report(env->sink, DIAG_PROBE_NOT_BUILT, c->param->span,
					    "function(\"...@file:RANGE\")");
				return false;
			}
		}
	}
	if (file)
		*file++ = '\0';
	q->name = text;
	q->file = file;
	return true;
}

/* "vfs_read@fs/read_write.c:450", or the bare name without debuginfo */
static const char *resolved_name(struct probe_env *env, const struct target_function *f)
{
	if (!f->file)
		return f->name;
	return arena_printf(env->arena, "%s@%s:%u", f->base_name, f->file, f->line);
}

/*
 * Where the kernel plants it: a symbol's address and an offset. An inlined instance is an offset
 * into the function it was inlined into.
 */
static void attach(const struct target_function *f, struct ir_attach *ret)
{
	struct target_address entry = target_address_in(
		f->object, f->inline_addr ? f->inline_addr - f->inline_offset : f->addr);

	ret->text.symbol = f->inline_addr ? f->inline_in : f->name;
	ret->text.section = entry.section;
	ret->text.addr = entry.offset;
	ret->text.offset = f->inline_offset;
}

/*
 * Appends the point of one function or inlined instance F. WILDCARD: it is one of several that the
 * point stands for, so failing to attach it is no error.
 */
static void add_function(struct probe_env *env, const struct ast_point *point, unsigned flags,
			 bool wildcard, const struct target_function *f, struct probe_points *ret)
{
	const char *head =
		f->module ? arena_printf(env->arena, "module(\"%s\")", f->module) : "kernel";
	const char *stem =
		arena_printf(env->arena, "%s.function(\"%s\")", head, resolved_name(env, f));
	const struct ast_component *maxactive = point_find(point, "maxactive");
	/* as the script wrote it: a plain function("f") stays so */
	const char *suffix = flags & FUNCTION_RETURN   ? ".return"
			     : flags & FUNCTION_INLINE ? ".inline"
			     : flags & FUNCTION_CALL   ? ".call"
						       : "";
	const struct ir_probe_kind *kind = flags & FUNCTION_RETURN ? &ir_kind_return
					   : f->inline_addr        ? &ir_kind_kprobe
								   : &ir_kind_entry;
	struct probe_point *p =
		point_add(env, ret, point, kind, arena_printf(env->arena, "%s%s", stem, suffix));

	if (maxactive)
		p->row.pp = arena_printf(env->arena, "%s.maxactive(%lld)", p->row.pp,
					 (long long)component_number(maxactive));
	p->named_by_point = true;
	p->row.function = f->base_name;
	p->row.module = f->module;
	p->row.optional = wildcard || point->optional;
	p->row.wild = wildcard;
	attach(f, &p->row.attach);
	if (maxactive)
		p->row.attach.text.max_active = (uint32_t)component_number(maxactive);
	p->entry_scope = target_scope_entry(env->target, f);
	p->scope = flags & FUNCTION_RETURN ? target_scope_return(env->target, f) : p->entry_scope;
}

/* Why the query found nothing, as the text behind "no match"; NULL: nothing to add. */
static const char *explain_nothing(struct probe_env *env, const struct target_function_query *q)
{
	if (q->file && !target_has_dwarf(env->target, q->module))
		return arena_printf(env->arena, " (@%s needs debuginfo: package %s)", q->file,
				    target_debuginfo_package(env->target));
	if (!q->name && !q->file)
		return arena_printf(env->arena,
				    " (a number is an address, and no function holds 0x%llx)",
				    (unsigned long long)q->addr);
	return q->name ? point_explain_name(env, q->module, q->name) : NULL;
}

/* Resolves a number as an address, a string by parse_pattern(). maxactive is 65535 at most. */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *head = &point->parts.data[0], *function = &point->parts.data[1];
	const struct ast_component *maxactive = point_find(point, "maxactive");
	struct target_function_query q = { .inlines = !(pattern->flags &
							(FUNCTION_CALL | FUNCTION_RETURN)) };
	struct target_functions found = { 0 };
	struct error *err;
	size_t before = ret->n;

	if (!point_need_target(env, point))
		return false;
	if (maxactive && (component_number(maxactive) < 0 || component_number(maxactive) > 65535)) {
		diag_report(env->sink, DIAG_MAXACTIVE_RANGE, maxactive->param->span);
		return false;
	}
	if (head->param)
		q.module = component_string(head);
	if (function->param->kind == AST_EXPR_NUMBER)
		q.addr = component_number(function);
	else if (!parse_pattern(env, function, &q))
		return false;
	err = target_find_functions(env->target, &q, &found);
	if (err)
		return point_world_failed(env, point, err);
	vec_foreach(f, &found)
		if (!(pattern->flags & FUNCTION_INLINE) || f->inline_addr)
			add_function(env, point, pattern->flags,
				     found.n > 1 || (q.name && is_glob(q.name)), f, ret);
	if (ret->n == before)
		*why = explain_nothing(env, &q);
	return true;
}

/* The variants below one head. The same derive() serves all; flags say which instances it keeps. */
#define FORMS(head)                                                                                \
	{ head ".function(string)", derive }, { head ".function(number)", derive },                \
		{ head ".function(string).call", derive, .flags = FUNCTION_CALL },                 \
		{ head ".function(number).call", derive, .flags = FUNCTION_CALL },                 \
		{ head ".function(string).inline", derive, .flags = FUNCTION_INLINE },             \
		{ head ".function(string).return", derive, .flags = FUNCTION_RETURN },             \
		{ head ".function(number).return", derive, .flags = FUNCTION_RETURN },             \
	{                                                                                          \
		head ".function(string).return.maxactive(number)", derive,                         \
			.flags = FUNCTION_RETURN                                                   \
	}

static const struct probe_pattern patterns[] = { FORMS("kernel"), FORMS("module(string)"), { 0 } };

const struct probe_family probe_family_function = { "function", patterns };
