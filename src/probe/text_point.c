/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a function or place of target/ to a row of the program: a symbol's address and an offset. An
 * inlined instance is an offset into the function it was inlined into.
 */
#include "base/error.h"
#include "probe/text_point.h"

#include <string.h>

#include "base/similar.h"
#include "probe/point.h"
#include "probe/text_pattern.h"
#include "target/functions.h"
#include "target/objects.h"
#include "target/target.h"
#include "target/variables.h"

/* Levels of .callees(DEPTH): what so many calls deep is called is most of the kernel. */
#define MAX_DEPTH 16

const char *text_point_head(struct probe_env *env, const struct target_function *f)
{
	return f->module ? arena_concat(env->arena, "module(\"", f->module, "\")", NULL) : "kernel";
}

/* ":450", written to the end of TEXT; "" of no line. */
static const char *line_text(unsigned line, char text[12])
{
	char *p = text + 11;

	*p = '\0';
	if (!line)
		return p;
	for (; line; line /= 10)
		*--p = (char)('0' + line % 10);
	*--p = ':';
	return p;
}

const char *text_point_name(struct probe_env *env, const struct target_function *f)
{
	char text[12];

	if (!f->file)
		return f->name;
	return arena_concat(env->arena, f->scope ? f->scope : "", f->base_name, "@", f->file,
			    line_text(f->line, text), NULL);
}

/*
 * Where the kernel attaches it: the address of a place, an inlined copy or an entry, in this order,
 * said as an offset from the symbol that holds it, so that it holds wherever the kernel was loaded.
 */
static void attach(const struct target_function *f, struct ir_attach *ret)
{
	uint64_t at = f->pc ? f->pc : f->inline_addr ? f->inline_addr : f->addr;
	struct target_address symbol = target_address_in(f->object, at - f->holder_offset);

	ret->kernel.symbol = f->holder ? f->holder : f->name;
	ret->kernel.section = symbol.section;
	ret->kernel.addr = symbol.offset;
	ret->kernel.offset = f->holder_offset;
}

struct probe_point *text_point_add(struct probe_env *env, struct probe_points *ret,
				   const struct ast_point *point, const struct ir_probe_kind *kind,
				   const struct target_function *f, const char *pp, bool wildcard)
{
	struct probe_point *p = point_add(env, ret, point, f->holder ? &ir_kind_kprobe : kind, pp);

	p->named_by_point = true;
	p->row.function = f->base_name;
	p->row.module = f->module;
	p->row.optional = wildcard || point->optional;
	p->row.wild = wildcard;
	p->renamed = f->renamed;
	if (env->names_only)
		return p;
	attach(f, &p->row.attach);
	p->callers = f->callers;
	p->entry_scope = target_scope_entry(env->target, f);
	p->scope =
		p->kind == &ir_kind_return ? target_scope_return(env->target, f) : p->entry_scope;
	return p;
}

bool text_point_callees(struct probe_env *env, const struct ast_point *point,
			const struct target_function_query *q, struct target_functions *ret,
			struct error **err)
{
	const struct ast_component *callee = point_find(point, "callee"),
				   *callees = point_find(point, "callees");
	struct target_function_query called = { .name = "*" };
	long long depth = 1;

	if (callees && callees->param &&
	    !point_number(env, point, "callees", 1, MAX_DEPTH, 1, &depth))
		return false;
	if (callee && !text_pattern_parse(env, callee, &called))
		return false;
	*err = target_find_callees(env->target, q, &called, (unsigned)depth, ret);
	return true;
}

const char *text_point_callee(struct probe_env *env, const struct target_function *f,
			      const char *variant)
{
	return arena_printf(env->arena, ".callee(\"%s\")%s", text_point_name(env, f), variant);
}

/* The files of functions, each once, as "a.c, b.c"; NULL: none says its file. */
static const char *files_of(struct probe_env *env, const struct target_functions *found)
{
	const char *names[4];
	size_t n = 0;

	vec_foreach(f, found) {
		size_t i = 0;

		while (i < n && f->file && strcmp(names[i], f->file))
			i++;
		if (f->file && i == n && n < sizeof(names) / sizeof(*names))
			names[n++] = f->file;
	}
	return n ? similar_join(env->arena, names, n) : NULL;
}

/* Functions of the query's name, in FILE, or wherever they are when it is NULL. */
static struct target_functions named(struct probe_env *env, const struct target_function_query *q,
				     const char *file)
{
	struct target_function_query by_name = { .name = q->name,
						 .file = file,
						 .module = q->module,
						 .inlines = true,
						 .one_copy = true };
	struct target_functions found = { 0 };

	error_destroy(target_find_functions(env->target, &by_name, &found));
	return found;
}

/* Which other condition of the query than the name functions do not meet; NULL: none has it. */
static const char *explain_conditions(struct probe_env *env, const struct target_function_query *q)
{
	struct target_functions found = named(env, q, NULL);
	const char *files;

	if (!found.n)
		return NULL;
	files = files_of(env, &found);
	if (q->file && !named(env, q, q->file).n && files)
		return arena_printf(env->arena, " (%s is in %s)", q->name, files);
	if (q->file && !files)
		return arena_printf(env->arena, " (debug information has no file of %s)", q->name);
	if (q->lines.kind != TARGET_LINES_NONE)
		return arena_printf(env->arena, " (%s, declared at %s:%u, has no code there)",
				    q->name, found.data[0].file, found.data[0].line);
	return q->exported ? arena_printf(env->arena, " (%s is not exported to modules)", q->name)
			   : NULL;
}

const char *text_point_explain(struct probe_env *env, const struct target_function_query *q)
{
	const char *why = point_explain_module(env, q->module), *otherwise = NULL;
	bool has_dwarf = !why && target_has_dwarf(env->target, q->module);

	if (why)
		return why;
	if (q->file && !has_dwarf)
		return arena_printf(env->arena, " (@%s needs debuginfo: package %s)", q->file,
				    target_debuginfo_package(env->target));
	if (!q->name && !q->file)
		return arena_printf(env->arena,
				    " (a number is an address, and no function holds 0x%llx)",
				    (unsigned long long)q->addr);
	if (!q->name)
		return NULL;
	why = point_explain_braces(q->name);
	if (!why && !is_glob(q->name))
		why = explain_conditions(env, q);
	if (!has_dwarf && !is_glob(q->name))
		otherwise = arena_printf(
			env->arena,
			"if all calls of it are inlined, only debuginfo has it: package %s",
			target_debuginfo_package(env->target));
	return why ? why : point_explain_name(env, q->module, q->name, otherwise);
}

const char *text_point_explain_part(struct probe_env *env, const char *name)
{
	return arena_printf(env->arena,
			    " (%s is a part of another function, which is jumped to: it has no "
			    "return of its own)",
			    name);
}

bool text_point_has_return(const struct probe_env *env, const struct target_function *f)
{
	return !target_name_is_of_part(f->name) && (env->guru || !target_may_be_label(f));
}

const char *text_point_explain_no_return(struct probe_env *env, const struct target_function *f)
{
	if (target_name_is_of_part(f->name))
		return text_point_explain_part(env, f->name);
	return arena_printf(env->arena,
			    " (nothing says that %s is called and returns: it is no function that "
			    "ftrace or types know; -g lets its return be probed)",
			    f->name);
}

const char *text_point_hint(struct probe_env *env, const struct ast_point *point)
{
	const struct ast_component *in = point_find(point, "module");
	const char *module = NULL;

	if (in && in->param && !is_glob(component_string(in)))
		module = component_string(in);
	if (!env->target || target_has_dwarf(env->target, module))
		return NULL;
	if (target_debuginfo_refused(env->target, module))
		return target_debuginfo_refused(env->target, module);
	if (!point_has(point, "inline"))
		return NULL;
	return arena_printf(env->arena, "this needs debuginfo: package %s",
			    target_debuginfo_package(env->target));
}
