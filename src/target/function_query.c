/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries about functions and places in them: which objects are meant, and the answers of all of
 * them in one list; function.c and DWARF answer for one. Also single symbols of vmlinux by name.
 */
#include "target/functions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "target/drift.h"
#include "target/dwarf.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/objects.h"
#include "target/scoped_name.h"

/* The order of answers: name, module, address, inlined copies by theirs. */
static int function_cmp(const void *a, const void *b)
{
	const struct target_function *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	if (!c && x->module && y->module)
		c = strcmp(x->module, y->module);
	if (!c && x->addr != y->addr)
		c = x->addr < y->addr ? -1 : 1;
	if (!c && x->inline_addr != y->inline_addr)
		c = x->inline_addr < y->inline_addr ? -1 : 1;
	if (!c && x->pc != y->pc)
		c = x->pc < y->pc ? -1 : 1;
	if (!c && x->line != y->line)
		c = x->line < y->line ? -1 : 1;
	if (!c && x->label && y->label)
		c = strcmp(x->label, y->label);
	return c || !x->caller || !y->caller ? c : function_cmp(x->caller, y->caller);
}

/* Patterns overlap ("sys_*" and "__x64_sys_*"): sort and keep one of each. */
static void sort_unique(struct target_functions *f)
{
	size_t kept = 0;

	if (f->n)
		qsort(f->data, f->n, sizeof(*f->data), function_cmp);
	for (size_t i = 0; i < f->n; i++)
		if (!kept || function_cmp(&f->data[kept - 1], &f->data[i]))
			f->data[kept++] = f->data[i];
	f->n = kept;
}

/* Keeps those that modules may call by name. */
static void keep_exported(struct target_functions *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->data[i].exported)
			f->data[kept++] = f->data[i];
	f->n = kept;
}

/* FORMAT has a %s for the object's name and one for WHY. */
static void notice(struct target *t, const char *format, const struct target_object *o,
		   const char *why)
{
	if (t->notice)
		t->notice(t->progress_arg, arena_printf(t->arena, format, o->name, why));
}

/* A question to each of the objects that a query means; the same for functions and places. */
struct survey {
	const struct target_function_query *query;
	struct target_functions *ret;
	void (*find)(struct survey *s, struct target_object *o);
	bool nearest;                   /* statements */
	struct target_near_lines *near; /* statements */
	const char *label;              /* labels */
};

/* One module among those that a pattern chose: a broken one is no reason to answer nothing. */
static void find_in_one_of_many(struct survey *s, struct target_object *o)
{
	struct error *err = object_load(o);
	size_t before = s->ret->n;

	if (err) {
		notice(o->target, "left out module %s: %s", o, err->text);
		error_destroy(err);
		return;
	}
	s->find(s, o);
	if (object_types_problem(o) && s->ret->n > before)
		notice(o->target, "types of module %s are not known: %s", o,
		       object_types_problem(o));
	if (o->dwarf_problem)
		notice(o->target, "debug information of module %s is left out: %s", o,
		       o->dwarf_problem);
}

/* Of modules; a path is none. */
static bool is_pattern(const char *module)
{
	return *module != '/' && is_glob(module);
}

struct target_object *object_named(struct target *t, const char *module)
{
	if (target_names_kernel(module))
		return &t->kernel;
	return is_pattern(module) ? NULL : object_module(t, module);
}

struct target_objects modules_meant(struct target *t, const char *module)
{
	struct target_object *const *modules, *named;
	struct target_objects ret = { 0 };
	char *pattern;
	size_t n;

	if (!is_pattern(module)) {
		named = object_module(t, module);
		if (named)
			vec_push(t->arena, &ret, named);
		return ret;
	}
	pattern = arena_strdup(t->arena, module);
	for (char *p = pattern; *p; p++)
		if (*p == '-')
			*p = '_';
	n = object_modules(t, &modules);
	for (size_t i = 0; i < n; i++)
		if (!fnmatch(pattern, modules[i]->name, 0)) {
			modules[i]->is_one_of_many = true;
			vec_push(t->arena, &ret, modules[i]);
		}
	return ret;
}

/* Without error when none is meant: there is nothing in it. */
static struct error *find_in_modules(struct target *t, struct survey *s)
{
	struct target_objects meant = modules_meant(t, s->query->module);
	struct target_objects new = { 0 };
	struct error *err;
	bool missing;

	if (!is_pattern(s->query->module)) {
		err = meant.n ? object_load(*meant.data) : NULL;
		if (meant.n && !err)
			s->find(s, *meant.data);
		return err;
	}
	modules_load(t, meant.data, meant.n);
	vec_foreach(o, &meant) {
		dwarf_get_kept(*o, &missing);
		if (missing)
			vec_push(t->arena, &new, *o);
	}
	if (new.n > 1)
		dwarf_prepare(t, new.data, new.n);
	vec_foreach(o, &meant)
		find_in_one_of_many(s, *o);
	return NULL;
}

/* How much of their scopes is shown: as much as the pattern names. */
static void cut_scopes(struct target *t, const struct target_function_query *q,
		       struct target_functions *found)
{
	struct scoped_pattern p =
		q->name ? scoped_pattern(t->arena, q->name) : (struct scoped_pattern){ 0 };

	vec_foreach(f, found)
		if (f->scope)
			f->scope = scoped_shown(&p, f->scope);
}

/* Asks all objects that the query means, and puts the answers in order. */
static struct error *ask(struct target *t, struct survey *s)
{
	const struct target_function_query *q = s->query;
	struct target_object *file = (struct target_object *)q->object;
	struct error *err = file ? object_load(file) : target_load(t);

	if (err)
		return err;
	*s->ret = (struct target_functions){ 0 };
	if (!q->name && !q->addr)
		return NULL; /* nothing is at address 0 */
	if (file)
		s->find(s, file);
	else if (q->module)
		err = find_in_modules(t, s);
	else
		s->find(s, &t->kernel);
	if (q->exported)
		keep_exported(s->ret);
	cut_scopes(t, q, s->ret);
	if (!q->names_only)
		sort_unique(s->ret);
	return err;
}

static void find_functions(struct survey *s, struct target_object *o)
{
	object_find_functions(o, s->query, s->ret);
}

struct error *target_find_functions(struct target *t, const struct target_function_query *q,
				    struct target_functions *ret)
{
	struct survey s = { .query = q, .ret = ret, .find = find_functions };
	struct target_function_query without_lines = *q;
	struct error *err = ask(t, &s);

	if (err || ret->n || q->lines.kind == TARGET_LINES_NONE)
		return err;
	without_lines.lines = (struct target_lines){ 0 };
	s.query = &without_lines;
	return ask(t, &s);
}

/* Without lines a statement is an entry, for which the index is enough. */
static void find_statements(struct survey *s, struct target_object *o)
{
	size_t before = s->ret->n;
	struct dwarf *dwarf;

	if (!s->query->addr && s->query->lines.kind == TARGET_LINES_NONE) {
		object_find_functions(o, s->query, s->ret);
		return;
	}
	dwarf = dwarf_get(o);
	if (dwarf)
		dwarf_find_statements(dwarf, s->query, s->nearest, s->ret, s->near);
	if (s->query->addr && o->kind == OBJECT_FILE && s->ret->n == before && !s->near->addr &&
	    !(dwarf && dwarf_index_at(&dwarf->index, s->query->addr)))
		object_find_instruction(o, s->query, s->nearest, s->ret, s->near);
}

struct error *target_find_statements(struct target *t, const struct target_function_query *q,
				     bool nearest, struct target_functions *ret,
				     struct target_near_lines *near)
{
	struct survey s = {
		.query = q, .ret = ret, .find = find_statements, .nearest = nearest, .near = near
	};

	*near = (struct target_near_lines){ 0 };
	return ask(t, &s);
}

static void find_labels(struct survey *s, struct target_object *o)
{
	struct dwarf *dwarf = dwarf_get(o);

	if (dwarf)
		dwarf_find_labels(dwarf, s->query, s->label, s->ret);
}

struct error *target_find_labels(struct target *t, const struct target_function_query *q,
				 const char *label, struct target_functions *ret)
{
	struct survey s = { .query = q, .ret = ret, .find = find_labels, .label = label };

	return ask(t, &s);
}

struct error *target_find_callees(struct target *t, const struct target_function_query *q,
				  const struct target_function_query *callee, unsigned depth,
				  struct target_functions *ret)
{
	struct target_functions callers = { 0 };
	struct error *err = target_find_functions(t, q, &callers);

	*ret = (struct target_functions){ 0 };
	if (err)
		return err;
	dwarf_find_callees(t, &callers, callee, depth, ret);
	vec_foreach(f, ret)
		f->scope = NULL;
	sort_unique(ret);
	return NULL;
}

/* Is there a function of that name: a symbol, or code of it in others or under another symbol? */
static bool is_there(struct target *t, const char *name)
{
	struct target_function_query q = {
		.name = name, .inlines = true, .one_copy = true, .names_only = true
	};
	struct target_functions found = { 0 };

	if (target_symbol(t, name))
		return true;
	error_destroy(target_find_functions(t, &q, &found));
	return found.n;
}

const char *target_function_successor(struct target *t, const char *name)
{
	const struct drift *d = NULL;

	while ((d = drift_function(name, d))) {
		if (!d->path)
			return arena_printf(t->arena, "it is gone%s; %s", drift_since(t->arena, d),
					    d->instead);
		if (is_there(t, d->path))
			return arena_printf(t->arena, "%s is there in its place%s", d->path,
					    drift_since(t->arena, d));
	}
	return NULL;
}

/* The first candidate that is exported under a name no other symbol has. */
struct error *target_anchor(struct target *t, const char **symbol, uint64_t *addr)
{
	/* exported in every kernel this far, by one name or the other */
	static const char *const candidates[] = { "_printk",           "printk",
						  "kernel_read",       "register_kprobe",
						  "unregister_kprobe", "schedule" };
	struct error *err = target_load(t);

	if (err)
		return err;
	for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates); i++) {
		const struct index_symbol *s = index_find(&t->kernel.index, candidates[i]);

		if (s && s->flags & SYMBOL_TEXT && s->flags & SYMBOL_EXPORTED &&
		    !(s->flags & SYMBOL_SEVERAL)) {
			*symbol = candidates[i];
			*addr = s->addr;
			return NULL;
		}
	}
	return error_create("kernel %s exports none of the functions addresses are measured from",
			    t->release);
}

uint64_t target_symbol(struct target *t, const char *name)
{
	return object_symbol(&t->kernel, name);
}
