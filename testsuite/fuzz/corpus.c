/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "corpus.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define MAX_SPLICE 12 /* tokens that one mutation moves at most */

/* ---- reading ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Blanks and comments. */
static const char *skip_blank(const char *s, bool *new_line)
{
	for (;;) {
		if (*s == '#' || (s[0] == '/' && s[1] == '/')) {
			s += strcspn(s, "\n");
		} else if (s[0] == '/' && s[1] == '*') {
			const char *end = strstr(s + 2, "*/");

			s = end ? end + 2 : s + strlen(s);
		} else if (*s && isspace((unsigned char)*s)) {
			*new_line |= *s == '\n';
			s++;
		} else {
			return s;
		}
	}
}

static size_t string_length(const char *s)
{
	size_t n = 1;

	while (s[n] && s[n] != '"' && s[n] != '\n')
		n += s[n] == '\\' && s[n + 1] ? 2 : 1;
	return s[n] == '"' ? n + 1 : n;
}

static size_t operator_length(const char *s)
{
	static const char *const operators[] = { "<<<", ">>>", "<<=", ">>=", "++", "--", "->", "<<",
						 ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
						 "-=",  "*=",  "/=",  "%=",  "&=", "^=", "|=", ".=",
						 "=~",  "!~",  "%(",  "%?",  "%:", "%)" };

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (!strncmp(s, operators[i], strlen(operators[i])))
			return strlen(operators[i]);
	return 1;
}

static size_t token_length(const char *s)
{
	size_t n = *s == '$' || *s == '@';

	if (*s == '"')
		return string_length(s);
	while (is_word(s[n]))
		n++;
	return n > (*s == '$' || *s == '@') ? n : operator_length(s);
}

static void tokenize(struct arena *a, const char *s, token_list *ret)
{
	bool new_line = false;

	for (s = skip_blank(s, &new_line); *s; s = skip_blank(s, &new_line)) {
		struct token t = { s, token_length(s), new_line };

		vec_push(a, ret, t);
		s += t.len;
		new_line = false;
	}
}

static struct error *add_file(struct corpus *c, const char *path)
{
	token_list tokens = { 0 };
	struct error *err;
	char *text;
	size_t len;

	err = file_read(path, &text, &len);
	if (err)
		return err;
	if (!strstr(text, "%{"))
		tokenize(c->arena, arena_strdup(c->arena, text), &tokens);
	if (tokens.n)
		vec_push(c->arena, &c->scripts, tokens);
	free(text);
	return NULL;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_wanted(const char *name)
{
	return !fnmatch("*.stp", name, 0) && fnmatch("err.*", name, 0) &&
	       fnmatch("diag_*", name, 0);
}

struct error *corpus_add(struct corpus *c, const char *path)
{
	char *const roots[] = { (char *)path, NULL };
	FTS *fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	struct error *err = NULL;
	FTSENT *e;

	if (!fts)
		return error_create_errno(errno, "%s", path);
	while (!err && (e = fts_read(fts))) {
		if (e->fts_info == FTS_NS || e->fts_info == FTS_DNR)
			err = error_create_errno(e->fts_errno, "%s", e->fts_path);
		else if (e->fts_info == FTS_F && is_wanted(e->fts_name))
			err = add_file(c, e->fts_path);
	}
	fts_close(fts);
	return err;
}

/* ---- mutating ---- */

uint32_t random_below(struct random *r, uint32_t n)
{
	uint64_t z = r->state +=
		0x9e3779b97f4a7c15ull; /* splitmix64 (Steele, Lea and Flood 2014) */

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (uint32_t)((z ^ (z >> 31)) >> 32) % n;
}

/* A few tokens in a row of list. */
static token_list pick_run(const token_list *list, struct random *r)
{
	size_t at = random_below(r, list->n), n = 1 + random_below(r, MAX_SPLICE);

	return (token_list){ list->data + at, n < list->n - at ? n : list->n - at, 0 };
}

/* Replace the n tokens at `at` by those of with. */
static void replace(struct arena *a, token_list *list, size_t at, size_t n, const token_list *with)
{
	token_list out = { 0 };

	for (size_t i = 0; i < at; i++)
		vec_push(a, &out, list->data[i]);
	for (size_t i = 0; i < with->n; i++)
		vec_push(a, &out, with->data[i]);
	for (size_t i = at + n; i < list->n; i++)
		vec_push(a, &out, list->data[i]);
	*list = out;
}

static void swap(token_list *list, size_t i, size_t j)
{
	struct token t = list->data[i];

	list->data[i] = list->data[j];
	list->data[j] = t;
}

static void mutate_once(struct arena *a, token_list *list, const token_list *other,
			struct random *r)
{
	size_t at = random_below(r, list->n);
	token_list none = { 0 }, one = { list->data + at, 1, 0 }, run = pick_run(list, r),
		   theirs = pick_run(other, r), token = { theirs.data, 1, 0 };

	switch (random_below(r, 9)) {
	case 0:
		replace(a, list, at, 1, &none);
		break;
	case 1:
		replace(a, list, at, 0, &one);
		break;
	case 2:
		swap(list, at, at + 1 < list->n ? at + 1 : 0);
		break;
	case 3:
		swap(list, at, random_below(r, list->n));
		break;
	case 4:
		replace(a, list, at, 1, &token);
		break;
	case 5:
		one.data = &list->data[random_below(r, list->n)];
		replace(a, list, at, 1, &one);
		break;
	case 6:
		replace(a, list, at, 0, &run);
		break;
	case 7:
		replace(a, list, at, random_below(r, 3), &theirs);
		break;
	default:
		replace(a, list, run.data - list->data, run.n, &none);
		break;
	}
}

static bool needs_blank(const struct token *a, const struct token *b)
{
	/*
	 * ++ from two + would be another token than the two that were meant; strings glue on their
	 * own
	 */
	return !(a->len == 1 && strchr("([{!~.", a->text[0])) && !strchr(")],;(.", b->text[0]);
}

void corpus_mutate(const struct corpus *c, struct random *r, struct strbuf *ret)
{
	struct arena *a = arena_create();
	const token_list *script = &c->scripts.data[random_below(r, c->scripts.n)];
	token_list list = { 0 };

	replace(a, &list, 0, 0, script);
	for (uint32_t n = 1 + random_below(r, 4); n && list.n; n--)
		mutate_once(a, &list, &c->scripts.data[random_below(r, c->scripts.n)], r);
	for (size_t i = 0; i < list.n; i++) {
		const struct token *t = &list.data[i];

		if (i && t->new_line)
			strbuf_addc(ret, '\n');
		else if (i && needs_blank(t - 1, t))
			strbuf_addc(ret, ' ');
		strbuf_add(ret, t->text, t->len);
	}
	strbuf_addc(ret, '\n');
	arena_destroy(a);
}
