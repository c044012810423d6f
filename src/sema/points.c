/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe points as text, and alias names against them. Components are compared by interned name,
 * or as patterns when the point has wildcards; "**" reaches over dots, so one component of the
 * point may stand for several of the alias' name.
 */
#include "library/library.h"
#include "sema/points.h"

#include <fnmatch.h>
#include <string.h>

#include "ast/tree.h"
#include "base/glob.h"
#include "base/strbuf.h"

bool sema_point_has_glob(const struct ast_point *point)
{
	vec_foreach(c, &point->parts)
		if (is_glob(c->name->text))
			return true;
	return false;
}

/* As the script would spell it: a number, or a string with quotes and backslashes escaped. */
static void add_param(struct strbuf *b, const struct ast_component *part)
{
	const struct ast_expr *param = part->param;

	if (ast_takes_address(part)) {
		strbuf_addf(b, "(0x%llx)", (unsigned long long)param->number.value);
		return;
	}
	if (param->kind == AST_EXPR_NUMBER) {
		strbuf_addf(b, "(%lld)", (long long)param->number.value);
		return;
	}
	strbuf_adds(b, "(\"");
	for (const char *p = param->string.value->text; *p; p++) {
		if (*p == '"' || *p == '\\')
			strbuf_addc(b, '\\');
		strbuf_addc(b, *p);
	}
	strbuf_adds(b, "\")");
}

const char *sema_point_text(struct arena *arena, const struct ast_point *point, size_t from)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	for (size_t i = from; i < point->parts.n; i++) {
		const struct ast_component *c = &point->parts.data[i];

		strbuf_adds(&b, i > from ? "." : "");
		strbuf_add(&b, c->name->text, c->name->len);
		if (c->param)
			add_param(&b, c);
	}
	text = arena_strndup(arena, strbuf_cstr(&b), b.len);
	strbuf_deinit(&b);
	return text;
}

/* a.b.c of components i .. i+n-1 */
static const char *join(struct arena *arena, const struct ast_point *name, size_t i, size_t n)
{
	const char *text = name->parts.data[i].name->text;

	for (size_t k = 1; k < n; k++)
		text = arena_printf(arena, "%s.%s", text, name->parts.data[i + k].name->text);
	return text;
}

/*
 * Do components i.. of the alias' name match components j.. of the point? Returns the point's
 * first one not used, or 0. Of several ways, as "**" has them, the one that leaves least is meant.
 */
static size_t match_from(struct arena *arena, const struct ast_point *name, size_t i,
			 const struct ast_point *point, size_t j)
{
	const struct ast_component *c;
	size_t best = 0;

	if (i == name->parts.n)
		return j;
	if (j == point->parts.n || point->parts.data[j].param)
		return 0;
	c = &point->parts.data[j];
	if (strstr(c->name->text, "**")) {
		for (size_t n = name->parts.n - i; n > 0 && best < point->parts.n; n--) {
			size_t end = fnmatch(c->name->text, join(arena, name, i, n), 0)
					     ? 0
					     : match_from(arena, name, i + n, point, j + 1);

			best = end > best ? end : best;
		}
		return best;
	}
	if (c->name != name->parts.data[i].name &&
	    (!is_glob(c->name->text) || fnmatch(c->name->text, name->parts.data[i].name->text, 0)))
		return 0;
	return match_from(arena, name, i + 1, point, j + 1);
}

size_t sema_alias_match(struct arena *arena, const struct ast_point *name,
			const struct ast_point *point)
{
	return match_from(arena, name, 0, point, 0);
}

struct ast_point *sema_point_through(struct arena *arena, const struct ast_point *target,
				     const struct ast_point *point, size_t covered)
{
	struct ast_point *p = arena_new(arena, struct ast_point);

	p->span = target->span;
	vec_foreach(c, &target->parts)
		vec_push(arena, &p->parts, *c);
	for (size_t i = covered; i < point->parts.n; i++)
		vec_push(arena, &p->parts, point->parts.data[i]);
	p->optional = target->optional || point->optional || point->sufficient;
	p->sufficient = target->sufficient;
	return p;
}

static void match_alias(struct sema *s, const struct ast_alias *alias, const struct ast_file *file,
			const struct ast_point *point, struct sema_alias_uses *ret)
{
	size_t covered = sema_alias_match(s->arena, alias->name, point);

	if (covered)
		vec_push(s->arena, ret, ((struct sema_alias_use){ alias, file, covered }));
}

/* All aliases of FILE whose name covers a beginning of the point. */
static void match_file(struct sema *s, const struct ast_file *file, const struct ast_point *point,
		       struct sema_alias_uses *ret)
{
	vec_foreach(a, &file->aliases)
		match_alias(s, *a, file, point, ret);
}

/* By their first component, so that a chain of aliases is not looked for in all of them. */
static void index_user_aliases(struct sema *s)
{
	s->aliases_indexed = true;
	for (size_t i = 0; i < s->input->n_files; i++) {
		const struct ast_file *file = s->input->files[i];

		vec_foreach(a, &file->aliases) {
			const struct istr *first = (*a)->name->parts.data[0].name;
			struct sema_alias_uses *list = map_get(&s->aliases, first);

			if (!list) {
				list = arena_new(s->arena, struct sema_alias_uses);
				map_put(&s->aliases, first, list);
			}
			vec_push(s->arena, list, ((struct sema_alias_use){ *a, file, 0 }));
		}
	}
}

/* As match_file(), for all files of the user, in their order. */
static void match_user_files(struct sema *s, const struct ast_point *point,
			     struct sema_alias_uses *ret)
{
	const struct istr *first = point->parts.data[0].name;
	const struct sema_alias_uses *list;

	if (is_glob(first->text)) {
		for (size_t i = 0; i < s->input->n_files; i++)
			match_file(s, s->input->files[i], point, ret);
		return;
	}
	if (!s->aliases_indexed)
		index_user_aliases(s);
	list = map_get(&s->aliases, first);
	for (size_t i = 0; list && i < list->n; i++)
		match_alias(s, list->data[i].alias, list->data[i].file, point, ret);
}

/*
 * User files first. Of several names only the longest count, which may be several definitions
 * of one.
 */
void sema_find_aliases(struct sema *s, const struct ast_point *point, struct sema_alias_uses *ret)
{
	struct sema_alias_uses all = { 0 };
	struct ast_files found = { 0 };
	size_t most = 0;

	match_user_files(s, point, &all);
	if (s->input->library)
		library_find_alias(s->input->library, point, &found);
	vec_foreach(f, &found)
		match_file(s, *f, point, &all);
	vec_foreach(use, &all)
		if (use->covered > most)
			most = use->covered;
	vec_foreach(use, &all)
		if (use->covered == most)
			vec_push(s->arena, ret, *use);
}
