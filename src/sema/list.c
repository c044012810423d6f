/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -l and -L: the script-level names a probe point stands for: aliases by
 * their own name with the variables they set, everything else by the resolved point; with the
 * context variables all its points share. Nothing is translated: only steps close and expand
 * run, and for -L the body of an alias is bound and inferred in an analysis of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/names.h"
#include "sema/context.h"
#include "sema/expand.h"
#include "sema/pass.h"
#include "sema/points.h"
#include "sema/symbols.h"

/* State of one listing. */
struct listing {
	struct sema *s;
	bool with_variables;
	struct map seen; /* istr of names listed */
	VEC(const char *) lines;
};

/* ---- context variables ---- */

static bool has_variable(const struct target_variables *list, const struct target_variable *v)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->data[i].name, v->name) && !strcmp(list->data[i].ctype, v->ctype))
			return true;
	return false;
}

/* $return, then the variables of the entry, of one point. */
static void point_variables(struct listing *l, const struct probe_point *point,
			    struct target_variables *ret)
{
	struct target_variables entry;

	*ret = context_names(l->s, point, false);
	if (point->scope == point->entry_scope)
		return;
	entry = context_names(l->s, point, true);
	vec_foreach(v, &entry)
		if (!has_variable(ret, v))
			vec_push(l->s->arena, ret, *v);
}

/* Removes from ALL what OTHER has not by the same name and type. */
static void keep_common(struct target_variables *all, const struct target_variables *other)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (has_variable(other, &all->data[i]))
			all->data[n++] = all->data[i];
	all->n = n;
}

static void print_variables(const struct target_variables *v, struct strbuf *out)
{
	for (size_t i = 0; i < v->n; i++)
		strbuf_addf(out, " $%s:%s", v->data[i].name, v->data[i].ctype);
}

/* ---- lines ---- */

/* Copies TEXT, which may be a buffer. */
static void add_line(struct listing *l, const char *text)
{
	vec_push(l->s->arena, &l->lines, arena_strdup(l->s->arena, text));
}

/* Variables of the alias' body, in order of their first mention, with inferred types. */
static void print_alias_variables(struct listing *l, const struct sema_expansion *e,
				  struct strbuf *out)
{
	size_t mark = diag_count(l->s->sink);
	struct ir_probe *p;
	struct sema own; /* an analysis of its own, of a program with nothing else in it */

	sema_init(&own, l->s->input);
	sema_close(&own);
	vec_foreach(body, &e->bodies)
		sema_add_file(&own, body->file);
	p = sema_bind_first(&own, e);
	sema_autocast(&own);
	sema_infer(&own);
	vec_foreach(v, &p->locals)
		if ((*v)->assigned && (*v)->type != IR_UNKNOWN &&
		    strncmp((*v)->name->text, "__", 2))
			strbuf_addf(out, " %s:%s", (*v)->name->text, ir_type_name((*v)->type));
	diag_truncate(own.sink, mark);
}

/* One line for an alias, with what is common to all points it stands for. */
static void list_alias(struct listing *l, const char *name, const struct sema_expansions *found)
{
	struct target_variables all = { 0 }, one;
	bool first = true;
	struct strbuf b;

	strbuf_init(&b);
	strbuf_adds(&b, name);
	for (size_t i = 0; i < found->n && l->with_variables; i++) {
		if (first)
			print_alias_variables(l, found->data[i], &b);
		vec_foreach(point, &found->data[i]->resolved) {
			one = (struct target_variables){ 0 };
			point_variables(l, point, &one);
			if (first)
				all = one;
			else
				keep_common(&all, &one);
			first = false;
		}
	}
	print_variables(&all, &b);
	add_line(l, strbuf_cstr(&b));
	strbuf_deinit(&b);
}

/* An alias name with the rest of the point behind it, as if the user had spelled it out. */
static const struct ast_point *spelled_out(struct sema *s, const struct sema_alias_use *use,
					   const struct ast_point *point)
{
	struct ast_point *p = arena_new(s->arena, struct ast_point);

	p->span = point->span;
	vec_foreach(c, &use->alias->name->parts)
		vec_push(s->arena, &p->parts, *c);
	for (size_t i = use->covered; i < point->parts.n; i++)
		vec_push(s->arena, &p->parts, point->parts.data[i]);
	return p;
}

/*
 * An alias is listed once, however many definitions it has; one that resolves to nothing is
 * left out, with its errors.
 */
static void list_aliases(struct listing *l, const struct sema_alias_uses *uses,
			 const struct ast_point *point)
{
	struct sema *s = l->s;

	vec_foreach(use, uses) {
		const struct ast_point *p = spelled_out(s, use, point);
		const struct istr *name = intern(s->in, sema_point_text(s->arena, p, 0));
		struct sema_expansions found = { 0 };
		size_t mark = diag_count(s->sink);

		if (map_has(&l->seen, name))
			continue;
		map_put(&l->seen, name, (void *)name);
		sema_expand_point(s, p, NULL, use->file, &found);
		if (!found.n)
			continue;
		diag_truncate(s->sink, mark);
		list_alias(l, name->text, &found);
	}
}

/* A resolved point by its name, and the variables that all points of the name share. */
struct native {
	const char *name;
	struct target_variables variables;
};

/* What a point with wildcards means beside the aliases that match it. */
static void resolve_beside(struct sema *s, const struct ast_point *point,
			   struct sema_expansions *ret)
{
	struct sema_expansion *e = arena_new(s->arena, struct sema_expansion);
	size_t mark = diag_count(s->sink);

	s->input->catalog->resolve(s->input->catalog, s->input->env, point, &e->resolved);
	diag_truncate(s->sink, mark);
	vec_push(s->arena, ret, e);
}

/* For qsort: lines in the order of their bytes, whatever the locale. */
static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_lines(const char **lines, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(lines[i - 1], lines[i]) > 0) {
			qsort(lines, n, sizeof(*lines), by_bytes);
			return;
		}
}

/* With all that the script has to say to mean it. */
static const char *listed_name(const struct probe_point *point)
{
	return point->row.pn ? point->row.pn : point->row.pp;
}

/* The names alone, each once: all of them are sorted, which costs less than to look each up. */
static void list_names(struct listing *l, const struct sema_expansions *found)
{
	size_t first = l->lines.n, kept = first;

	vec_foreach(e, found)
		vec_foreach(point, &(*e)->resolved)
			vec_push(l->s->arena, &l->lines, listed_name(point));
	sort_lines(l->lines.data + first, l->lines.n - first);
	for (size_t i = first; i < l->lines.n; i++)
		if (i == first || strcmp(l->lines.data[i], l->lines.data[kept - 1]))
			l->lines.data[kept++] = l->lines.data[i];
	l->lines.n = kept;
}

/* The names with what all points of one name share. */
static void list_with_variables(struct listing *l, const struct sema_expansions *found)
{
	struct sema *s = l->s;
	struct target_variables one;
	VEC(struct native) all = { 0 };
	struct map index;

	map_init(&index, s->arena);
	vec_foreach(e, found)
		vec_foreach(found_point, &(*e)->resolved) {
			const struct istr *name = intern(s->in, listed_name(found_point));
			uintptr_t at = (uintptr_t)map_get(&index, name);

			one = (struct target_variables){ 0 };
			point_variables(l, found_point, &one);
			if (at) {
				keep_common(&all.data[at - 1].variables, &one);
				continue;
			}
			vec_push(s->arena, &all, ((struct native){ name->text, one }));
			map_put(&index, name, (void *)(uintptr_t)all.n);
		}
	vec_foreach(n, &all) {
		struct strbuf b;

		strbuf_init(&b);
		strbuf_adds(&b, n->name);
		print_variables(&n->variables, &b);
		add_line(l, strbuf_cstr(&b));
		strbuf_deinit(&b);
	}
}

static bool find_kept(struct listing *l, const struct ast_point *point)
{
	const struct sema_kept_lists *kept = l->s->input->kept;
	struct sema_listing found;

	if (!kept->find(kept->arg, point, sema_point_text(l->s->arena, point, 0), &found))
		return false;
	for (size_t i = 0; i < found.n; i++)
		vec_push(l->s->arena, &l->lines, found.lines[i]);
	return true;
}

static void keep(struct listing *l, const struct ast_point *point)
{
	const struct sema_kept_lists *kept = l->s->input->kept;
	const struct sema_listing list = { l->lines.data, l->lines.n };

	kept->keep(kept->arg, point, sema_point_text(l->s->arena, point, 0), &list);
}

/* BESIDE_ALIASES: the point has wildcards that match aliases, too, so errors do not count. */
static void list_native(struct listing *l, const struct ast_point *point, bool beside_aliases)
{
	struct sema *s = l->s;
	struct sema_expansions found = { 0 };
	size_t mark = diag_count(s->sink);
	bool keeps = l->with_variables && !beside_aliases && s->input->kept;

	if (keeps && find_kept(l, point))
		return;
	if (beside_aliases)
		resolve_beside(s, point, &found);
	else
		sema_expand_point(s, point, NULL,
				  s->input->files ? s->input->files[0]
						  : arena_new(s->arena, struct ast_file),
				  &found);
	if (l->with_variables)
		list_with_variables(l, &found);
	else
		list_names(l, &found);
	sort_lines(l->lines.data, l->lines.n);
	if (keeps && l->lines.n && diag_count(s->sink) == mark)
		keep(l, point);
}

bool sema_list(const struct sema_input *input, const struct ast_point *point, bool with_variables,
	       struct sema_listing *ret)
{
	struct sema_alias_uses uses = { 0 };
	struct listing l = { .with_variables = with_variables };
	size_t mark = diag_count(input->sink);
	struct sema s;

	input->env->names_only = !with_variables;
	input->env->one_copy = true;
	sema_init(&s, input);
	sema_close(&s);
	l.s = &s;
	map_init(&l.seen, s.arena);
	sema_find_aliases(&s, point, &uses);
	if (!uses.n || sema_point_has_glob(point))
		list_native(&l, point, uses.n > 0);
	if (uses.n && (!l.lines.n || uses.data[0].covered == point->parts.n))
		list_aliases(&l, &uses, point);
	if (!l.lines.n)
		return false;
	sort_lines(l.lines.data, l.lines.n);
	diag_truncate(s.sink, mark); /* what did not resolve does not matter when something did */
	ret->lines = l.lines.data;
	ret->n = l.lines.n;
	return true;
}
