/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scanner over C that knows comments, literals and directives, and counts what nests. All
 * branches of a conditional are read; they must agree.
 */
#include "kmod/c_balance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define DEPTH_MAX 256

/* An open #if: brackets that were open there, and behind its first branch (-1: it is not over). */
struct conditional {
	const char *at;
	int outside, behind;
	bool has_else;
};

struct scan {
	const char *text, *p, *end;
	const char *open[DEPTH_MAX];
	struct conditional conditionals[DEPTH_MAX];
	int n_open, n_conditionals;
	bool unknown;
	const char *wrong; /* the first mistake, */
	const char *at;    /* and what is meant */
};

static void wrong(struct scan *s, const char *at, const char *what)
{
	if (s->wrong)
		return;
	s->wrong = what;
	s->at = at;
}

/* Behind the comment at s->p. */
static void skip_comment(struct scan *s)
{
	const char *start = s->p, *stop;

	if (start[1] == '/') {
		while (s->p < s->end && *s->p != '\n')
			s->p += *s->p == '\\' && s->p + 1 < s->end ? 2 : 1;
		return;
	}
	stop = memmem(start + 2, (size_t)(s->end - start - 2), "*/", 2);
	if (!stop)
		wrong(s, start, "this comment is not closed");
	s->p = stop ? stop + 2 : s->end;
}

/* Behind the literal at s->p, or at the end of its line: what is skipped may have apostrophes. */
static void skip_literal(struct scan *s)
{
	char quote = *s->p++;

	while (s->p < s->end && *s->p != quote && *s->p != '\n')
		s->p += *s->p == '\\' && s->p + 1 < s->end ? 2 : 1;
	if (s->p < s->end && *s->p == quote)
		s->p++;
	if (s->p > s->end)
		s->p = s->end;
}

static bool at_comment(const struct scan *s)
{
	return *s->p == '/' && s->p + 1 < s->end && (s->p[1] == '*' || s->p[1] == '/');
}

/* Behind the directive, its continuations and comments; brackets in it must match. */
static void skip_directive(struct scan *s)
{
	int depth = 0;

	while (s->p < s->end && *s->p != '\n') {
		if (at_comment(s)) {
			skip_comment(s);
		} else if (*s->p == '"' || *s->p == '\'') {
			skip_literal(s);
		} else {
			depth += (*s->p == '{' || *s->p == '(') - (*s->p == '}' || *s->p == ')');
			s->p += *s->p == '\\' && s->p + 1 < s->end ? 2 : 1;
		}
	}
	s->unknown |= depth != 0;
}

static void open_conditional(struct scan *s, const char *at)
{
	if (s->n_conditionals == DEPTH_MAX) {
		s->unknown = true;
		return;
	}
	s->conditionals[s->n_conditionals++] = (struct conditional){ at, s->n_open, -1, false };
}

/* The end of a branch. The next one, if any, begins with what was open before the #if. */
static void end_branch(struct scan *s, const char *at, bool last, const char *what)
{
	struct conditional *c;

	if (!s->n_conditionals) {
		wrong(s, at, what);
		return;
	}
	c = &s->conditionals[s->n_conditionals - 1];
	if (c->behind < 0)
		c->behind = s->n_open;
	s->unknown |= c->behind != s->n_open;
	if (!last)
		s->n_open = c->outside;
	else if (!c->has_else)
		s->unknown |= c->behind != c->outside;
	s->n_conditionals -= last;
}

/* At a '#' that begins a line. */
static void directive(struct scan *s)
{
	const char *at = s->p++, *word;
	size_t len = 0;

	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
	word = s->p;
	while (word + len < s->end && isalpha((unsigned char)word[len]))
		len++;
	if (len >= 2 && !memcmp(word, "if", 2))
		open_conditional(s, at);
	else if (len == 5 && !memcmp(word, "endif", 5))
		end_branch(s, at, true, "this #endif has no #if in the block");
	else if (len >= 4 && (!memcmp(word, "else", 4) || !memcmp(word, "elif", 4)))
		end_branch(s, at, false,
			   word[2] == 's' ? "this #else has no #if in the block"
					  : "this #elif has no #if in the block");
	if (len == 4 && !memcmp(word, "else", 4) && s->n_conditionals)
		s->conditionals[s->n_conditionals - 1].has_else = true;
	skip_directive(s);
}

static const struct {
	char open, close;
	const char *not_closed, *not_open;
} brackets[] = {
	{ '{', '}', "this '{' has no '}' in the block", "this '}' has no '{' in the block" },
	{ '(', ')', "this '(' has no ')' in the block", "this ')' has no '(' in the block" },
};

/* The row of a bracket; -1: it is something else. */
static int bracket_row(char c)
{
	for (int i = 0; i < (int)(sizeof(brackets) / sizeof(brackets[0])); i++)
		if (c == brackets[i].open || c == brackets[i].close)
			return i;
	return -1;
}

/* Takes the bracket at the scan's place, one of brackets[I]: it opens one, or closes the last. */
static void bracket(struct scan *s, int i)
{
	const char *at = s->p++, *open;

	if (*at == brackets[i].open) {
		if (s->n_open < DEPTH_MAX)
			s->open[s->n_open++] = at;
		else
			s->unknown = true;
		return;
	}
	open = s->n_open ? s->open[--s->n_open] : NULL;
	if (open && *open == brackets[i].open)
		return;
	if (s->n_conditionals)
		s->unknown = true; /* it may be in text that is skipped */
	else if (open)
		wrong(s, open, brackets[bracket_row(*open)].not_closed);
	else
		wrong(s, at, brackets[i].not_open);
}

const char *c_balance(const char *text, size_t len, size_t *at)
{
	struct scan s = { .text = text, .p = text, .end = text + len };
	bool line_start = true;
	int row;

	while (s.p < s.end && !s.unknown) {
		if (at_comment(&s)) {
			skip_comment(&s);
			continue;
		}
		if (*s.p == '#' && line_start)
			directive(&s);
		else if (*s.p == '"' || *s.p == '\'')
			skip_literal(&s);
		else if ((row = bracket_row(*s.p)) >= 0)
			bracket(&s, row);
		else
			s.p++;
		line_start = s.p > text &&
			     (s.p[-1] == '\n' || (line_start && isspace((unsigned char)s.p[-1])));
	}
	if (!s.unknown && s.n_conditionals)
		wrong(&s, s.conditionals[0].at, "this #if has no #endif in the block");
	else if (!s.unknown && s.n_open)
		wrong(&s, s.open[s.n_open - 1],
		      brackets[bracket_row(*s.open[s.n_open - 1])].not_closed);
	if (s.unknown || !s.wrong)
		return NULL;
	*at = (size_t)(s.at - text);
	return s.wrong;
}
