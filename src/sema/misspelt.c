/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point that no alias and no family stands for. When its first components begin names of aliases,
 * what is wrong is told of the component where they part, with the names that could stand there.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/similar.h"
#include "library/library.h"
#include "sema/points.h"

#define NEAR 5        /* near names that are told */
#define SHORT_LIST 12 /* names that are told when none is near */

/* Words that could stand somewhere. */
struct names {
	const char **data;
	size_t n, cap;
};

/*
 * Component K of a point, which may be behind its last one, and the words that could stand there.
 */
struct misspelling {
	const struct ast_point *point;
	size_t k;
	struct names names; /* of aliases; behind them, those that this kernel has not */
	size_t n_known;     /* of aliases */
	unsigned n_more;    /* components that the shortest of them have from K on */
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of all aliases, the script's own too, in the order of their texts. */
static size_t alias_names(struct sema *s, const char *const **ret)
{
	const char *const *library = NULL;
	struct names all = { 0 };
	size_t n = s->input->library ? library_alias_names(s->input->library, &library) : 0;

	for (size_t i = 0; i < s->input->n_files; i++)
		vec_foreach(a, &s->input->files[i]->aliases)
			vec_push(s->arena, &all, sema_point_text(s->arena, (*a)->name, 0));
	*ret = library;
	if (!all.n)
		return n;
	for (size_t i = 0; i < n; i++)
		vec_push(s->arena, &all, library[i]);
	qsort(all.data, all.n, sizeof(*all.data), by_text);
	*ret = all.data;
	return all.n;
}

/* Does the component, which may be a wildcard, mean the first LEN characters of NAME? */
static bool means(struct sema *s, const struct ast_component *c, const char *name, size_t len)
{
	const char *text = c->name->text;

	if (is_glob(text))
		return !fnmatch(text, arena_strndup(s->arena, name, len), 0);
	return c->name->len == len && !memcmp(text, name, len);
}

/*
 * How many components of the dotted NAME the point begins with. *rest: NAME behind them, "" when
 * that is all of it.
 */
static size_t agree(struct sema *s, const struct ast_point *point, const char *name,
		    const char **rest)
{
	size_t i = 0;

	while (*name && i < point->parts.n) {
		const struct ast_component *c = &point->parts.data[i];
		size_t len = strcspn(name, ".");

		if (c->param || !means(s, c, name, len))
			break;
		name += len + (name[len] == '.');
		i++;
	}
	*rest = name;
	return i;
}

static bool has_word(const struct misspelling *m, const char *word)
{
	for (size_t i = m->names.n; i; i--)
		if (!strcmp(m->names.data[i - 1], word))
			return true;
	return false;
}

/* What follows the first components in NAMES, in their order. */
static void add_words(struct sema *s, struct misspelling *m, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *rest, *word;
		unsigned n_more = 1;

		if (agree(s, m->point, names[i], &rest) != m->k || !*rest)
			continue;
		word = arena_strndup(s->arena, rest, strcspn(rest, "."));
		if (!has_word(m, word))
			vec_push(s->arena, &m->names, word);
		for (const char *p = rest; (p = strchr(p, '.')); p++)
			n_more++;
		m->n_more = m->n_more && m->n_more < n_more ? m->n_more : n_more;
	}
}

/* "syscall" of syscall.openat(1) for K == 1 */
static const char *head_text(struct sema *s, const struct ast_point *point, size_t k)
{
	const char *text = "";

	for (size_t i = 0; i < k; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? "." : "",
				    point->parts.data[i].name->text);
	return text;
}

/* The point ends where names of aliases go on. */
static void report_short(struct sema *s, const struct misspelling *m)
{
	const struct ast_component *last = &m->point->parts.data[m->k - 1];
	const char *all = head_text(s, m->point, m->k);
	size_t n = m->n_known < SHORT_LIST ? m->n_known : SHORT_LIST;
	struct diagnostic *d = diag_report(s->sink, DIAG_PROBE_TRUNCATED, last->span,
					   similar_join(s->arena, m->names.data, n));

	sema_identifier(s, d, last->name);
	for (unsigned i = 0; i < m->n_more; i++)
		all = arena_printf(s->arena, "%s.*", all);
	diag_set_hint(s->sink, d, "%s stands for all of them", all);
}

static bool is_known(const struct misspelling *m, const char *word)
{
	for (size_t i = 0; i < m->n_known; i++)
		if (!strcmp(m->names.data[i], word))
			return true;
	return false;
}

/* What the point would be with WORD instead: an alias, or a name that this kernel lacks. */
static void hint_at(struct sema *s, const struct misspelling *m, const char *word,
		    struct diagnostic *d)
{
	const char *name = arena_printf(s->arena, "%s.%s", head_text(s, m->point, m->k), word);
	const char *why;

	if (is_known(m, word)) {
		diag_set_hint(s->sink, d, "did you mean %s?", name);
		return;
	}
	why = library_why_gone(s->input->library, name, true);
	diag_set_hint(s->sink, d, "%s is not in this kernel: %s", name, why ? why : "");
}

/*
 * The component is none of the words. NEAR_ONLY: nothing is told when none is near, or it is one
 * but for a parameter, and it returns false.
 */
static bool report_component(struct sema *s, const struct misspelling *m, bool near_only)
{
	const struct ast_component *bad = &m->point->parts.data[m->k];
	const char *near[NEAR];
	size_t n = sema_may_suggest(s)
			   ? similar_names(bad->name->text, m->names.data, m->names.n, near, NEAR)
			   : 0,
	       n_all = m->n_known < SHORT_LIST ? m->n_known : SHORT_LIST;
	struct diagnostic *d;

	/* with a parameter that an alias has not, the word is what families know */
	if (near_only && (!n || !strcmp(near[0], bad->name->text)))
		return false;
	if (bad->param && is_known(m, bad->name->text)) {
		sema_identifier(s,
				diag_report(s->sink, DIAG_PROBE_PARAMETER, bad->span,
					    head_text(s, m->point, m->k + 1), "no parameter"),
				bad->name);
		return true;
	}
	d = diag_report(s->sink, DIAG_ALIAS_SIMILAR, bad->span,
			n ? similar_join(s->arena, near, n)
			  : similar_join(s->arena, m->names.data, n_all));
	sema_identifier(s, d, bad->name);
	if (n)
		hint_at(s, m, near[0], d);
	return true;
}

/* No alias has the first component: whole names are told. */
static bool report_whole(struct sema *s, const struct ast_point *point, const char *const *names,
			 size_t n)
{
	const struct ast_component *c = &point->parts.data[0];
	struct diagnostic *d;
	const char *near[NEAR];

	if (sema_may_suggest(s))
		n = similar_names(sema_point_text(s->arena, point, 0), names, n, near, NEAR);
	else
		n = 0;
	if (!n)
		return false;
	d = diag_report(s->sink, DIAG_ALIAS_SIMILAR, c->span, similar_join(s->arena, near, n));
	sema_identifier(s, d, c->name);
	diag_set_hint(s->sink, d, "did you mean %s?", near[0]);
	return true;
}

bool sema_report_misspelt(struct sema *s, const struct ast_point *point)
{
	size_t native = s->input->catalog->agreeing(s->input->catalog, point), n;
	const char *const *names, *const *gone, *rest;
	struct misspelling m = { .point = point };

	if (native == point->parts.n)
		return false;
	n = alias_names(s, &names);
	for (size_t i = 0; i < n; i++) {
		size_t same = agree(s, point, names[i], &rest);

		m.k = same > m.k ? same : m.k;
	}
	if (!m.k)
		return !native && report_whole(s, point, names, n);
	/*
	 * a family has more to say of what it knows better, and of what it knows as well when
	 * nothing is near
	 */
	if (m.k < native || (m.k < point->parts.n && is_glob(point->parts.data[m.k].name->text)))
		return false;
	add_words(s, &m, names, n);
	m.n_known = m.names.n;
	if (m.k == point->parts.n) {
		report_short(s, &m);
		return true;
	}
	if (s->input->library) {
		n = library_gone_names(s->input->library, &gone);
		add_words(s, &m, gone, n);
	}
	return report_component(s, &m, m.k == native);
}
