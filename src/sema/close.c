/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step close: the symbol tables. User files are taken in at once, a library file when one of its
 * symbols is reached (then all of its declarations count). Requires nothing; ensures that every
 * name of the user's scripts can be found.
 */
#include <ctype.h>
#include <string.h>

#include "ast/declare.h"
#include "ast/tree.h"
#include "base/similar.h"
#include "ast/build.h"
#include "ir/builtins.h"
#include "library/library.h"
#include "sema/builtins.h"
#include "sema/context.h"
#include "sema/embedded.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* The table in which FILE declares a global of that kind; private tables are made on demand. */
static struct map *globals_of(struct sema *s, const struct ast_file *file, bool is_private)
{
	struct map *m;

	if (!is_private)
		return &s->globals;
	m = map_get(&s->privates, file);
	if (!m) {
		m = arena_new(s->arena, struct map);
		map_init(m, s->arena);
		map_put(&s->privates, file, m);
	}
	return m;
}

/* An initial value decides the type, as any use does. */
static void set_initial(struct ir_global *g, const struct ast_expr *init)
{
	g->has_init = true;
	if (init->kind == AST_EXPR_NUMBER) {
		g->init_long = init->number.value;
		g->type = IR_LONG;
	} else {
		g->init_string = init->string.value;
		g->type = IR_STRING;
	}
}

/*
 * Names of one file were compared by the parser; public ones of several files are one scope. A
 * script's takes the place of the library's.
 */
void sema_add_global(struct sema *s, const struct ast_file *file, const struct ast_global *ast)
{
	struct map *m = globals_of(s, file, ast->is_private);
	struct sema_global *old = map_get(m, ast->name), *g;

	if (old && file->library && !old->file->library)
		return;
	if (old) {
		struct diagnostic *d =
			diag_report(s->sink, DIAG_DUPLICATE_GLOBAL, ast->span, ast->name->text);

		diag_set_second(s->sink, sema_identifier(s, d, ast->name), old->ir.span,
				sema_name_token(s, ast->name));
		return;
	}
	g = arena_new(s->arena, struct sema_global);
	g->ast = ast;
	g->file = file;
	g->ir.name = ast->name;
	g->ir.file = file->name;
	g->ir.span = ast->span;
	g->ir.is_private = ast->is_private;
	g->ir.user_script = !file->library;
	g->ir.sized = ast->has_size;
	g->ir.capacity = ast->has_size ? (uint32_t)ast->size : s->input->options.max_map_entries;
	g->ir.wrap = ast->wrap;
	g->ir.is_array = ast->has_size;
	if (ast->init) {
		set_initial(&g->ir, ast->init);
		g->type.span = ast->init->span;
		g->arity_set = true;
		g->arity = (struct sema_origin){ ast->span, sema_name_token(s, ast->name) };
	}
	map_put(m, ast->name, g);
	vec_push(s->arena, &s->program->globals, &g->ir);
}

/* NAME, with a number behind it when that is taken, as by overloads. */
static const char *unique_name(struct sema *s, const struct istr *name)
{
	const struct istr *try = name;

	for (unsigned n = 2; map_has(&s->unique_names, try); n++)
		try = intern(s->in, arena_printf(s->arena, "%s_%u", name->text, n));
	map_put(&s->unique_names, try, (void *)try);
	return try->text;
}

static enum walk find_next(struct ast_stmt *stmt, void *data)
{
	if (stmt->kind == AST_STMT_NEXT) {
		*(bool *)data = true;
		return WALK_ABORT;
	}
	return WALK_CONTINUE;
}

/* Does a script function hand its call on? Then the next overload belongs to it. */
static bool uses_next(const struct ast_function *ast)
{
	bool found = false;
	struct ast_visitor v = { .stmt = find_next, .data = &found };

	ast_walk_stmt(ast->body, &v);
	return found;
}

/* Of functions of the library that have none. One of a script has at least that, or none: 0. */
#define LIBRARY_PRIORITY 1

struct sema_function *sema_new_function(struct sema *s, const struct ast_file *file,
					const struct ast_function *ast)
{
	struct sema_function *f = arena_new(s->arena, struct sema_function);

	f->ast = ast;
	f->file = file;
	f->order = ++s->n_declared;
	f->priority = ast->has_priority ? ast->priority : file->library ? LIBRARY_PRIORITY : 0;
	f->context = SEMA_CONTEXT_UNKNOWN;
	f->ir.name = ast->name;
	f->ir.span = ast->span;
	f->ir.user_script = !file->library;
	f->ir.type = (enum ir_type)ast->type;
	/* of C the use decides, when nothing is declared */
	f->returns_value =
		f->ir.type != IR_UNKNOWN || (ast->body && ast->body->kind == AST_STMT_EMBEDDED);
	f->type.span = ast->span;
	f->ir.unique_name = unique_name(s, ast->name);
	vec_foreach(p, &ast->params) {
		struct sema_local *l = arena_new(s->arena, struct sema_local);

		l->ir.name = p->name;
		l->ir.span = l->type.span = p->span;
		l->ir.type = (enum ir_type)p->type;
		l->ir.is_param = true;
		l->ir.index = (uint32_t)f->ir.params.n;
		vec_push(s->arena, &f->ir.params, &l->ir);
	}
	if (!ast->body)
		return f; /* a builtin */
	if (ast->body->kind == AST_STMT_EMBEDDED)
		sema_embedded_function(s, f);
	else
		f->ir.uses_next = uses_next(ast);
	return f;
}

/* The entry of a name, made when there is none. */
static struct sema_name *name_entry(struct sema *s, const struct istr *name)
{
	struct sema_name *n = map_get(&s->names, name);

	if (!n) {
		n = arena_new(s->arena, struct sema_name);
		map_put(&s->names, name, n);
	}
	return n;
}

void sema_add_file(struct sema *s, const struct ast_file *file)
{
	if (map_has(&s->files, file))
		return;
	map_put(&s->files, file, (void *)file);
	vec_foreach(g, &file->globals)
		sema_add_global(s, file, *g);
	vec_foreach(f, &file->functions) {
		struct sema_function *fn = sema_new_function(s, file, *f);

		vec_push(s->arena, &name_entry(s, (*f)->name)->list, fn);
	}
}

/* Implicit globals depend on the globals of all files, so it comes last. */
void sema_close(struct sema *s)
{
	for (size_t i = 0; i < s->input->n_files; i++)
		sema_add_file(s, s->input->files[i]);
	for (size_t i = 0; i < s->input->n_files; i++)
		sema_implicit_globals(s, s->input->files[i]);
}

/* ---- look-up ---- */

/* Functions of a library file decide the types of its globals, called or not. */
static void queue_functions(struct sema *s, const struct ast_file *file)
{
	if (map_has(&s->types_wanted, file))
		return;
	map_put(&s->types_wanted, file, s);
	vec_foreach(ast, &file->functions) {
		const struct sema_name *n = map_get(&s->names, (*ast)->name);

		vec_foreach(f, &n->list)
			if ((*f)->ast == *ast && !(*f)->queued &&
			    sema_uses_context(s, *f) < SEMA_CONTEXT_VARIABLES) {
				sema_before_change(s, *f, sizeof(**f));
				(*f)->queued = true;
				vec_push(s->arena, &s->queue, *f);
			}
	}
}

/* The library's index has no private names: what a file of it has is looked for in the file. */
static void add_private_global(struct sema *s, const struct ast_file *file, const struct istr *name)
{
	vec_foreach(g, &file->globals)
		if ((*g)->is_private && (*g)->name == name)
			sema_add_file(s, file);
}

static void add_private_function(struct sema *s, const struct ast_file *file,
				 const struct istr *name)
{
	vec_foreach(f, &file->functions)
		if ((*f)->is_private && (*f)->name == name)
			sema_add_file(s, file);
}

/* Own private ones hide public ones. Names that the library does not have are remembered. */
struct sema_global *sema_find_global(struct sema *s, const struct ast_file *file,
				     const struct istr *name)
{
	struct ast_files found = { 0 };
	struct sema_global *g;
	const struct map *own;

	add_private_global(s, file, name);
	own = map_get(&s->privates, file);
	g = own ? map_get(own, name) : NULL;
	if (!g)
		g = map_get(&s->globals, name);
	if (!g && s->input->library && !map_has(&s->missing, name)) {
		/* of several files with a global of that name the first is meant */
		library_find_global(s->input->library, name, &found);
		for (size_t i = 0; i < found.n && !g; i++) {
			sema_add_file(s, found.data[i]);
			g = map_get(&s->globals, name);
		}
		if (!g)
			map_put(&s->missing, name, (void *)name);
	}
	if (g && g->file != file && g->file->library)
		queue_functions(s, g->file);
	return g;
}

/* Callback of sema_builtins_find(): a function that needs no binding. */
static void add_builtin(struct sema *s, const struct ast_function *ast,
			const struct ir_builtin *row)
{
	struct sema_function *f = sema_new_function(s, &sema_builtin_file, ast);

	f->bound = true;
	f->context = SEMA_CONTEXT_NONE;
	f->guru = row->needs & IR_NEEDS_GURU;
	f->ir.builtin = row;
	f->ir.pure = !(row->effects & IR_WRITES);
	vec_push(s->arena, &name_entry(s, ast->name)->list, f);
}

/* Files first: their functions take the place of builtins. */
static void search_library(struct sema *s, struct sema_name *n, const struct istr *name)
{
	struct ast_files found = { 0 };

	if (n->searched)
		return;
	n->searched = true;
	if (s->input->library)
		library_find_function(s->input->library, name, &found);
	vec_foreach(f, &found)
		sema_add_file(s, *f);
	sema_builtins_find(s, name, add_builtin);
}

/* Lower priority numbers are tried first, then those of the library, then those declared first. */
static bool comes_before(const struct sema_function *a, const struct sema_function *b)
{
	if (a->priority != b->priority)
		return a->priority < b->priority;
	if (a->ir.user_script != b->ir.user_script)
		return b->ir.user_script;
	return a->order < b->order;
}

static void insert_by_order(struct arena *arena, struct sema_functions *list,
			    struct sema_function *f)
{
	size_t i;

	vec_push(arena, list, f);
	for (i = list->n - 1; i > 0; i--) {
		if (comes_before(list->data[i - 1], f))
			break;
		list->data[i] = list->data[i - 1];
	}
	list->data[i] = f;
}

/* Candidates with that arity; a private function hides public ones in its file. */
static void candidates(struct sema *s, const struct ast_file *file, const struct sema_name *n,
		       size_t n_args, struct sema_functions *ret)
{
	bool own = false;

	vec_foreach(f, &n->list)
		own |= (*f)->ast->is_private && (*f)->file == file && (*f)->ast->params.n == n_args;
	ret->n = 0;
	vec_foreach(f, &n->list)
		if ((*f)->ast->params.n == n_args && (*f)->ast->is_private == own &&
		    (!own || (*f)->file == file))
			insert_by_order(s->arena, ret, *f);
}

/* Said once for each function of the user's. */
static void warn_unreached(struct sema *s, struct sema_function *f)
{
	if (!f->ir.user_script || f->unreached_warned)
		return;
	sema_before_change(s, f, sizeof(*f)); /* the warning of a trial may be taken back */
	f->unreached_warned = true;
	sema_identifier(s, diag_report(s->sink, DIAG_OVERLOAD_UNREACHED, f->ir.span), f->ir.name);
}

/* Link up to the first that cannot `next`; says so when user functions follow it. */
static void chain(struct sema *s, const struct sema_functions *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct sema_function *f = list->data[i];

		f->ir.next_overload = NULL;
		if (i + 1 == list->n)
			return;
		if (f->ir.uses_next) {
			f->ir.next_overload = &list->data[i + 1]->ir;
			continue;
		}
		for (i++; i < list->n; i++)
			warn_unreached(s, list->data[i]);
	}
}

/* Can a call get to a function of the library, or is one before all of those that ends it? */
static bool reaches_library(const struct sema_functions *list)
{
	vec_foreach(f, list)
		if ((*f)->ast->is_private ||
		    ((*f)->priority < LIBRARY_PRIORITY && !(*f)->ir.uses_next))
			return false;
	return true;
}

struct sema_function *sema_find_function(struct sema *s, const struct ast_file *file,
					 const struct istr *name, size_t n_args,
					 const struct sema_function **any)
{
	struct sema_name *n = name_entry(s, name);
	struct sema_functions list = { 0 };

	add_private_function(s, file, name);
	candidates(s, file, n, n_args, &list);
	if (!n->searched && reaches_library(&list)) {
		search_library(s, n, name);
		candidates(s, file, n, n_args, &list);
	}
	chain(s, &list);
	*any = NULL;
	vec_foreach(f, &n->list)
		if (!(*f)->ast->is_private || (*f)->file == file)
			*any = *f;
	return list.n ? list.data[0] : NULL;
}

bool sema_has_function(struct sema *s, const struct istr *name)
{
	const struct sema_name *entry = map_get(&s->names, name);
	const char *const *library;
	size_t n = s->input->library ? library_function_names(s->input->library, &library) : 0;

	if ((entry && entry->list.n) || ir_builtin_find(name->text, NULL))
		return true;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(library[i], name->text))
			return true;
	return false;
}

#define SUGGESTIONS_MAX 200

bool sema_may_suggest(struct sema *s)
{
	return s->n_suggestions++ < SUGGESTIONS_MAX;
}

const char *sema_similar_functions(struct sema *s, const char *name)
{
	VEC(const char *) names = { 0 };
	const char *near[5];
	const char *const *library;
	size_t n = s->input->library ? library_function_names(s->input->library, &library) : 0;

	if (!sema_may_suggest(s))
		return NULL;
	map_foreach(e, &s->names) {
		const struct sema_name *entry = e->value;

		if (entry->list.n)
			vec_push(s->arena, &names, ((const struct istr *)e->key)->text);
	}
	for (size_t i = 0; i < n; i++)
		vec_push(s->arena, &names, library[i]);
	for (const struct ir_builtin *row = ir_builtins; row->name || row->subject; row++)
		if (row->name)
			vec_push(s->arena, &names, row->name);
	for (size_t i = 0; ast_print_operator_name(i); i++)
		vec_push(s->arena, &names, ast_print_operator_name(i));
	n = similar_names(name, names.data, names.n, near, 5);
	return n ? similar_join(s->arena, near, n) : NULL;
}

struct diagnostic *sema_report_no_global(struct sema *s, enum diag_tag tag, struct span span,
					 const struct istr *name)
{
	struct diagnostic *d = sema_identifier(s, diag_report(s->sink, tag, span), name);
	VEC(const char *) names = { 0 };
	const char *near;

	if (!sema_may_suggest(s))
		return d;
	vec_foreach(g, &s->program->globals)
		if (sema_may_offer(s, *g, span))
			vec_push(s->arena, &names, (*g)->name->text);
	if (similar_names(name->text, names.data, names.n, &near, 1))
		diag_set_hint(s->sink, d, "did you mean '%s'?", near);
	return d;
}
