/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of objects by the symbol index: names, patterns, addresses, the anchor, near names. The
 * index decides what may be probed; DWARF, where it is installed, adds files, lines and inlined
 * copies.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/similar.h"
#include "target/drift.h"
#include "target/demangle.h"
#include "target/dwarf.h"
#include "target/objects.h"
#include "target/scoped_name.h"

/* One query against one object. */
struct search {
	struct target *target;
	struct target_object *object;
	const struct target_function_query *query;
	struct target_functions *ret;
	const char *pattern; /* NULL: any */
	bool is_glob;
	char *base; /* room for a base name */
	size_t base_size;
};

/* In text that stays, and not off limits to kprobes. */
static bool may_probe(const struct index_symbol *s)
{
	return s->flags & SYMBOL_TEXT && !(s->flags & SYMBOL_FORBIDDEN);
}

/* The answer for a symbol. priv is filled when DWARF is asked. */
static struct target_function make(struct target_object *o, const struct index_symbol *s)
{
	struct arena *arena = o->target->arena;
	const char *name = index_string(&o->index, s->name);
	size_t n = object_base_length(o, name);

	return (struct target_function){ .name = name,
					 .base_name =
						 name[n] ? arena_strndup(arena, name, n) : name,
					 .object = o,
					 .module = o->kind == OBJECT_MODULE ? o->name : NULL,
					 .addr = s->addr,
					 .traceable = s->flags & SYMBOL_TRACEABLE,
					 .is_unique = !(s->flags & SYMBOL_SEVERAL),
					 .exported = s->flags & SYMBOL_EXPORTED,
					 .priv = arena_new(arena, struct function_info) };
}

static void add(struct search *q, const struct index_symbol *s)
{
	vec_push(q->target->arena, q->ret, make(q->object, s));
}

/*
 * Of a stripped file debug information knows functions that no symbol stands for. false: it has
 * none there, or is not open.
 */
static bool holding_by_dwarf(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	const struct dwarf_function *f = o->dwarf ? dwarf_index_at(&o->dwarf->index, addr) : NULL;
	const struct index_symbol *s;
	const char *name;
	uint64_t end;

	if (!f)
		return false;
	s = index_at(&o->index, f->pc, &end);
	if (s && s->addr == f->pc) {
		*ret = make(o, s);
		return true;
	}
	name = dwarf_index_string(&o->dwarf->index, f->name);
	*ret = (struct target_function){ .name = name,
					 .base_name = name,
					 .object = o,
					 .addr = f->pc,
					 .is_unique = true,
					 .priv = arena_new(o->target->arena,
							   struct function_info) };
	return *name;
}

bool target_function_holding(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	uint64_t end;
	const struct index_symbol *s = index_at(&o->index, addr, &end);

	if (o->kind == OBJECT_FILE && holding_by_dwarf(o, addr, ret))
		return true;
	if (!s || !may_probe(s))
		return false;
	*ret = make(o, s);
	return true;
}

bool target_function_at(struct target_object *o, uint64_t addr, struct target_function *ret)
{
	return target_function_holding(o, addr, ret) && ret->addr == addr;
}

bool target_function_place(struct target_function *f, uint64_t addr)
{
	struct target_object *o = (struct target_object *)f->object;
	uint64_t end;
	const struct index_symbol *s = index_at(&o->index, addr, &end);

	if (o->kind == OBJECT_FILE) {
		f->holder =
			/* offsets in the file say where it is, whatever symbols there are */
			f->name;
		return true;
	}
	if (!s || !may_probe(s))
		return false;
	f->holder = index_string(&o->index, s->name);
	f->holder_offset = addr - s->addr;
	return true;
}

/*
 * The rest of a function whose beginning is known; where it is not, the rest stands for the
 * function.
 */
static bool is_split_rest(const struct search *q, const struct index_symbol *s, const char *name)
{
	const struct index_symbol *beginning;

	if (!symbol_is_split_rest(name))
		return false;
	if (q->object->dwarf && dwarf_index_at(&q->object->dwarf->index, s->addr))
		return true;
	beginning =
		index_find(&q->object->index, arena_strndup(q->target->arena, name,
							    object_base_length(q->object, name)));
	return beginning && may_probe(beginning);
}

/* Does a pattern choose this symbol? Labels of assembly code are not functions to it. */
static bool pattern_matches(struct search *q, const struct index_symbol *s, const char *name)
{
	size_t n = object_base_length(q->object, name);

	if (!(s->flags & (SYMBOL_TRACEABLE | SYMBOL_IN_BTF | SYMBOL_FUNCTION)) ||
	    s->flags & SYMBOL_ALIAS || symbol_is_hidden(name))
		return false;
	if (is_split_rest(q, s, name))
		return strstr(q->pattern, ".part") && !fnmatch(q->pattern, name, 0);
	if (!strcmp(q->pattern, "*"))
		return true;
	/* its name is what debug information says */
	if (q->object->dwarf && symbol_is_mangled(name) &&
	    dwarf_index_at(&q->object->dwarf->index, s->addr))
		return false;
	if (!fnmatch(q->pattern, name, 0))
		return true;
	if (!name[n] || n >= q->base_size)
		return false;
	memcpy(q->base, name, n);
	q->base[n] = '\0';
	return !fnmatch(q->pattern, q->base, 0);
}

/*
 * Symbols with the literal begin of the pattern stand together in the index; each is compared by
 * its own name and by that without a clone's suffix.
 */
static void find_glob(struct search *q)
{
	const struct index *ix = &q->object->index;
	size_t n = strcspn(q->pattern, "*?[\\");
	char base[512];
	char *prefix = arena_strndup(q->target->arena, q->pattern, n);

	q->base = base;
	q->base_size = sizeof(base);
	for (size_t i = index_lower_bound(ix, prefix); i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];
		const char *name = index_string(ix, s->name);

		if (strncmp(name, prefix, n))
			break;
		if (may_probe(s) && pattern_matches(q, s, name))
			add(q, s);
	}
}

/* NAME itself and, behind it in the table, its clones NAME.*; a hidden one only when it is asked
 * for as such. */
static void find_exact(struct search *q)
{
	const struct index *ix = &q->object->index;
	size_t n = strlen(q->pattern);

	for (size_t i = index_lower_bound(ix, q->pattern); i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];
		const char *name = index_string(ix, s->name);

		if (strncmp(name, q->pattern, n) ||
		    (name[n] && (name[n] != '.' || q->object->is_go)))
			break;
		if (may_probe(s) &&
		    (!name[n] || !(symbol_is_hidden(name) || is_split_rest(q, s, name))))
			add(q, s);
	}
}

/* May be called several times for one query: sort_unique() removes what was found twice. */
static void find_by_name(struct search *q, const char *pattern)
{
	q->pattern = pattern;
	if (is_glob(pattern))
		find_glob(q);
	else
		find_exact(q);
}

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

/*
 * Which of two names of one function a list shows: the one with fewer underscores in front, then
 * the shorter one.
 */
static bool is_plainer(const char *a, const char *b)
{
	size_t x = strspn(a, "_"), y = strspn(b, "_");

	if (x == y)
		x = strlen(a), y = strlen(b);
	return x == y ? strcmp(a, b) < 0 : x < y;
}

static int by_place(const void *a, const void *b)
{
	const struct target_function *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return is_plainer(x->base_name, y->base_name) ? -1 : is_plainer(y->base_name, x->base_name);
}

/* A pattern means functions, each of which may have several names in a library. */
static void drop_aliases(struct target_functions *f)
{
	size_t kept = 0;

	if (f->n)
		qsort(f->data, f->n, sizeof(*f->data), by_place);
	for (size_t i = 0; i < f->n; i++)
		if (!kept || f->data[kept - 1].addr != f->data[i].addr || !f->data[i].addr)
			f->data[kept++] = f->data[i];
	f->n = kept;
}

/*
 * A function by its older name: what drift.def has for it, or with allocation profiling the
 * function behind a macro of that name (NAME_noprof).
 */
static void find_drifted(struct search *s, const char *name)
{
	const struct drift *d = drift_function(name, NULL);
	const char *now =
		d && d->same ? d->path : arena_printf(s->target->arena, "%s_noprof", name);
	size_t before = s->ret->n;

	find_by_name(s, now);
	if (s->ret->n > before)
		target_note(s->target, "function %s is %s in this kernel", name, now);
}

/* The answer for a symbol whose source name, as demangled, is NAME. */
static struct target_function make_demangled(struct target_object *o, const struct index_symbol *s,
					     const char *name)
{
	struct target_function f = make(o, s);

	f.name = name;
	f.base_name = scoped_pattern(o->target->arena, name).name;
	return f;
}

/*
 * Without debug information the names of C++ and Rust are in the symbols, encoded. All of them are
 * decoded, so this is for patterns that mean them: with a scope, or that no symbol matches as it
 * stands.
 */
static void find_demangled(struct search *q, const char *text)
{
	struct arena *arena = q->target->arena;
	const struct index *ix = &q->object->index;
	struct scoped_pattern p = scoped_pattern(arena, text);

	for (size_t i = index_lower_bound(ix, "_R"); i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];
		const char *symbol = index_string(ix, s->name), *name, *last;

		if (strncmp(symbol, "_", 1))
			break;
		if (!may_probe(s) || !(s->flags & SYMBOL_FUNCTION) || symbol_is_hidden(symbol) ||
		    is_split_rest(q, s, symbol))
			continue;
		name = demangle(arena, symbol);
		last = name ? scoped_pattern(arena, name).name : NULL;
		if (name && (!strcmp(p.name, last) || !fnmatch(p.name, last, 0)) &&
		    scoped_matches(&p, arena_strndup(arena, name, last - name)))
			vec_push(arena, q->ret, make_demangled(q->object, s, name));
	}
}

/*
 * For "sys_foo", and "SyS_foo" of kernels before 4.17, also the machine's own wrapper, which is
 * "__x64_sys_foo" on x86-64.
 */
static void find_by_query_name(struct search *s)
{
	const char *name = s->query->name;
	size_t before = s->ret->n;

	find_by_name(s, name);
	if (object_is_kernel(s->object) && (!strncmp(name, "sys_", 4) || !strncmp(name, "SyS_", 4)))
		find_by_name(s, arena_printf(s->target->arena, "%ssys_%s",
					     s->target->machine->syscalls[0].prefix, name + 4));
	if (s->object->kind == OBJECT_FILE && !s->object->dwarf && strcmp(name, "*") &&
	    (s->ret->n == before || strstr(name, "::")))
		find_demangled(s, name);
	if (s->object->kind != OBJECT_FILE && s->ret->n == before && !strpbrk(name, "*?["))
		find_drifted(s, name);
}

const char *target_function_successor(struct target *t, const char *name)
{
	const struct drift *d = NULL;

	while ((d = drift_function(name, d)))
		if (target_symbol(t, d->path))
			return arena_printf(t->arena, "%s is there in its place", d->path);
	return NULL;
}

/* The function that holds the address, not only one that begins there. */
static void find_at_address(struct search *s)
{
	struct dwarf *dwarf = dwarf_get(s->object);
	struct target_function f;

	if (!target_function_holding(s->object, s->query->addr, &f))
		return;
	if (dwarf)
		dwarf_annotate(dwarf, &f);
	vec_push(s->target->arena, s->ret, f);
}

/* Files, lines and inlined copies are DWARF's to know. */
static void find_in_object(struct target_object *o, const struct target_function_query *q,
			   struct target_functions *ret)
{
	struct search s = { .target = o->target, .object = o, .query = q, .ret = ret };
	struct dwarf *dwarf;
	size_t before = ret->n;

	if (q->addr) {
		find_at_address(&s);
		return;
	}
	dwarf = dwarf_get(o);
	/* of modules each has few, and all of them come into one list */
	if (object_is_kernel(o) && !q->file && q->name && !strcmp(q->name, "*"))
		vec_reserve(o->target->arena, ret,
			    o->index.n_symbols +
				    (dwarf && q->one_copy ? dwarf->index.n_functions : 0));
	if (q->file || q->lines.kind != TARGET_LINES_NONE) {
		if (dwarf)
			dwarf_find_functions(dwarf, q, ret);
	} else if (q->name) {
		find_by_query_name(&s);
		if (dwarf && o->kind == OBJECT_FILE)
			dwarf_find_functions(dwarf, q, ret);
	}
	if (o->kind == OBJECT_FILE && q->name && strpbrk(q->name, "*?["))
		drop_aliases(ret);
	for (size_t i = before; dwarf && i < ret->n; i++)
		dwarf_annotate(dwarf, &ret->data[i]);
	if (dwarf && q->inlines)
		dwarf_find_inlines(dwarf, q, ret);
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
	if (file)
		s->find(s, file);
	else if (q->module && !target_names_kernel(q->module))
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
	find_in_object(o, s->query, s->ret);
}

struct error *target_find_functions(struct target *t, const struct target_function_query *q,
				    struct target_functions *ret)
{
	struct survey s = { .query = q, .ret = ret, .find = find_functions };

	return ask(t, &s);
}

/* Without lines a statement is an entry, for which the index is enough. */
static void find_statements(struct survey *s, struct target_object *o)
{
	struct dwarf *dwarf;

	if (!s->query->addr && s->query->lines.kind == TARGET_LINES_NONE) {
		find_in_object(o, s->query, s->ret);
		return;
	}
	dwarf = dwarf_get(o);
	if (dwarf)
		dwarf_find_statements(dwarf, s->query, s->nearest, s->ret, s->near);
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
				  const char *callee, unsigned depth, struct target_functions *ret)
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

size_t target_similar_data(struct target *t, const char *name, const char **ret, size_t max)
{
	const struct index *ix = &t->kernel.index;
	uint64_t init = target_symbol(t, "__init_begin"), init_end = target_symbol(t, "__init_end");
	const char **names;
	size_t n = 0;

	if (!object_try_load(&t->kernel))
		return 0;
	names = arena_new_array(t->arena, const char *, ix->n_symbols + 1);
	for (size_t i = 0; i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];

		if (!(s->flags & (SYMBOL_TEXT | SYMBOL_IN_BTF)) &&
		    (s->addr < init || s->addr >= init_end))
			names[n++] = index_string(ix, s->name);
	}
	return similar_names(name, names, n, ret, max);
}

/* Names to choose similar ones from. */
struct name_list {
	const char **data;
	size_t n, cap;
};

/* NAME without the arguments of templates and generics; NAME itself when it has none. */
static const char *without_arguments(struct arena *arena, const char *name)
{
	unsigned depth = 0;
	char *ret, *to;

	if (!strchr(name, '<') || strstr(name, "operator"))
		return name;
	to = ret = arena_strdup(arena, name);
	for (; *name; name++) {
		depth += *name == '<';
		if (!depth)
			*to++ = *name;
		depth -= *name == '>' && depth;
	}
	*to = '\0';
	return ret;
}

/*
 * Names near one that has no arguments of templates: they are not compared, but belong to what is
 * told, and where nothing else differs, only those are. As similar_names() otherwise.
 */
static size_t similar_without_arguments(struct arena *arena, const char *name,
					const struct name_list *names, const char **ret, size_t max)
{
	const char **plain = arena_new_array(arena, const char *, names->n + 1);
	const char *near[8];
	size_t n_near, n = 0;

	for (size_t i = 0; i < names->n; i++)
		plain[i] = without_arguments(arena, names->data[i]);
	n_near = similar_names(name, plain, names->n, near, max < 8 ? max : 8);
	if (n_near && !strcmp(near[0], name))
		n_near = 1;
	for (size_t k = 0; k < n_near; k++) {
		size_t first = n;

		for (size_t i = 0; i < names->n && n < max; i++) {
			bool told = strcmp(plain[i], near[k]) != 0;

			for (size_t j = first; j < n && !told; j++)
				told = !strcmp(ret[j], names->data[i]);
			if (!told)
				ret[n++] = names->data[i];
		}
	}
	return n;
}

/*
 * Functions of C++ and Rust as the source names them, with the innermost of their scopes, as many
 * as the pattern has.
 */
static void push_source_names(struct target_object *o, const struct scoped_pattern *p,
			      struct name_list *ret)
{
	struct arena *arena = o->target->arena;
	const struct dwarf_index *ix = o->dwarf ? &o->dwarf->index : NULL;

	for (size_t i = 0; ix && i < ix->n_functions; i++) {
		const char *scope = dwarf_index_string(ix, ix->functions[i].scope);
		const char *name = dwarf_index_string(ix, ix->functions[i].name);

		scope = scoped_shown(p, scope);
		vec_push(arena, ret, *scope ? arena_printf(arena, "%s%s", scope, name) : name);
	}
	for (size_t i = ix ? o->index.n_symbols : index_lower_bound(&o->index, "_R");
	     i < o->index.n_symbols; i++) {
		const struct index_symbol *s = &o->index.symbols[i];
		const char *name = index_string(&o->index, s->name), *last;

		if (*name != '_')
			break;
		name = s->flags & SYMBOL_FUNCTION && may_probe(s) ? demangle(arena, name) : NULL;
		if (!name)
			continue;
		last = scoped_pattern(arena, name).name;
		vec_push(arena, ret,
			 arena_printf(arena, "%s%s",
				      scoped_shown(p, arena_strndup(arena, name, last - name)),
				      last));
	}
}

/*
 * Only functions: symbols that ftrace or BTF, or in a file the ELF type, know as such, without
 * clones.
 */
static size_t similar_in(struct target_object *o, const char *name, const char **ret, size_t max)
{
	bool is_file = o->kind == OBJECT_FILE;
	uint32_t known = is_file ? SYMBOL_FUNCTION : SYMBOL_TRACEABLE | SYMBOL_IN_BTF;
	struct scoped_pattern p = scoped_pattern(o->target->arena, name);
	struct name_list names = { 0 };

	for (size_t i = 0; i < o->index.n_symbols; i++) {
		const struct index_symbol *s = &o->index.symbols[i];
		const char *text = index_string(&o->index, s->name);

		if (may_probe(s) && s->flags & known && !text[symbol_base_length(text)] &&
		    (!names.n || strcmp(names.data[names.n - 1], text)))
			vec_push(o->target->arena, &names, text);
	}
	if (is_file)
		push_source_names(o, &p, &names);
	if (is_file && !strchr(name, '<'))
		return similar_without_arguments(o->target->arena, name, &names, ret, max);
	return similar_names(name, names.data, names.n, ret, max);
}

size_t target_similar_functions(struct target *t, const char *module, const char *name,
				const char **ret, size_t max)
{
	struct target_object *o = module ? object_named(t, module) : &t->kernel;

	return o && object_try_load(o) ? similar_in(o, name, ret, max) : 0;
}

size_t target_similar_in_file(const struct target_object *file, const char *name, const char **ret,
			      size_t max)
{
	return similar_in((struct target_object *)file, name, ret, max);
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
