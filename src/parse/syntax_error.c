/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of a token where the grammar takes none of its kind: what would be, in words, and
 * where the mistake is known a hint.
 */
#include <stdio.h>
#include <string.h>

#include "ast/foreign.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "parse/parser.h"
#include "script.tab.h"

/* Is NAME among the n names of token kinds? */
static bool has(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

/* What only goes on with an expression: never worth naming when something else would end it. */
static bool is_continuation(const char *name)
{
	static const char *const names[] = {
		"'='",  "assignment operator",
		"'+='", "'-='",
		"'?'",  "'||'",
		"'&&'", "'|'",
		"'^'",  "'&'",
		"'in'", "'+'",
		"'-'",  "'.'",
		"'*'",  "'/'",
		"'%'",  "shift",
		"'=~'", "comparison",
		"'++'", "'->'",
		"'$'",  "'['",
		"'('",  "'limit'",
		"','",
	};

	return has(names, sizeof(names) / sizeof(names[0]), name);
}

/*
 * Is the token a comparison that would go on with the expression before it, if that were not one
 * already? Only =~ and !~ are so, since they have no other comparison beside them.
 */
static bool is_second_comparison(const struct token *t, const char *const *names, int n)
{
	return (t->kind == MATCH || t->kind == COMPARE) && has(names, n, "'||'") &&
	       !has(names, n, "'=~'");
}

/* The token kinds in words: a whole construct where one begins, else what would end this one. */
static const char *expectation(struct parser *p, const char *const *names, int n)
{
	struct strbuf list;
	const char *text;
	int shown = 0, total = 0;

	if (is_second_comparison(parser_token(p, p->filter.last), names, n))
		return "parentheses around the comparison before this one";
	if (p->filter.mode == FILTER_POINT && !p->filter.parens && p->filter.last_kind != PROBE)
		return "probe point specifier";
	if (has(names, n, "'probe'"))
		return "'probe', 'global', 'private', 'function', or '%{'";
	if (has(names, n, "'while'"))
		return "statement";
	if (has(names, n, "print operator"))
		return has(names, n, "')'") ? "expression or ')'" : "expression";
	if (has(names, n, "'in'") && !has(names, n, "comparison"))
		return "'in'";
	if (has(names, n, "literal string") && has(names, n, "literal number"))
		return "literal string or number";
	for (int i = 0; i < n; i++)
		total += !is_continuation(names[i]);
	strbuf_init(&list);
	for (int i = 0; i < n; i++) {
		if (total && is_continuation(names[i]))
			continue;
		if (shown)
			strbuf_adds(&list, shown + 1 == (total ? total : n) ? " or " : ", ");
		strbuf_adds(&list, names[i]);
		shown++;
	}
	text = arena_strdup(p->arena, strbuf_cstr(&list));
	strbuf_deinit(&list);
	return text;
}

/* The keyword that may stand at the top level and that T is nearest to, as a hint; or NULL. */
static const char *suggest_keyword(struct parser *p, const struct token *t)
{
	static const char *const keywords[] = { "probe", "global", "private", "function" };
	const char *near;

	if (t->kind != NAME || !similar_names(t->str->text, keywords, 4, &near, 1))
		return NULL;
	return arena_printf(p->arena, "did you mean '%s'?", near);
}

/* The innermost bracket that is open before token number last, NULL: none. */
static const struct token *find_open_bracket(struct parser *p, size_t last)
{
	VEC(const struct token *) open = { 0 };

	for (size_t i = 0; i < last; i++) {
		const struct token *t = parser_token(p, i);

		if (t->kind == '{' || t->kind == '(' || t->kind == '[')
			vec_push(p->arena, &open, t);
		else if ((t->kind == '}' || t->kind == ')' || t->kind == ']') && open.n)
			open.n--;
	}
	return open.n ? open.data[open.n - 1] : NULL;
}

/*
 * What the operator is called that tokens I and the next make where they touch; NULL: they make
 * none that is known.
 */
static const char *foreign_operator(const struct parser *p, size_t i)
{
	const struct token *a = parser_token(p, i), *b = parser_token(p, i + 1);
	char text[8];
	int n;

	if (a->str || b->str || !b->glued)
		return NULL;
	n = snprintf(text, sizeof(text), "%.*s%.*s", (int)a->len, a->text, (int)b->len, b->text);
	return n > 0 && n < (int)sizeof(text) ? ast_foreign(text, n, NULL) : NULL;
}

/*
 * The hint of the nearest word or operator of another language, at the mistake or before it; NULL:
 * none.
 */
static const char *foreign_hint(const struct parser *p)
{
	size_t at = p->filter.last;
	const char *hint = foreign_operator(p, at);

	if (!hint && at)
		hint = foreign_operator(p, at - 1);
	for (size_t i = at; !hint && i + 1 > 0; i--) {
		const struct token *t = parser_token(p, i);
		size_t reach;

		if (i < at && parser_begins_item(t->kind))
			break;
		if (t->kind != NAME)
			continue;
		hint = ast_foreign(t->str->text, t->str->len, &reach);
		if (hint && at - i > reach)
			hint = NULL;
	}
	return hint;
}

/* Is what stands behind the name at AT what stands behind the first word of a probe point? */
static bool goes_on_as_point(const struct parser *p, size_t at)
{
	int next = parser_token(p, at + 1)->kind;

	return next == '{' || next == '.' || next == ',' || next == '(';
}

/* Mistakes that are made often and whose cause is known; NULL for others. */
static const char *hint_for(struct parser *p, const char *const *names, int n)
{
	const struct token *t = parser_token(p, p->filter.last),
			   *before = parser_token(p, p->filter.before),
			   *open = find_open_bracket(p, p->filter.last);

	if (is_second_comparison(t, names, n))
		return "=~ and !~ stand beside no other comparison";
	if (parser_begins_percent(p, p->filter.last) ||
	    (t->kind == '{' && parser_begins_percent(p, p->filter.last + 1)))
		return "embedded C is written %{ ... %}";
	if (has(names, n, "'probe'") && parser_token(p, p->filter.last + 1)->kind == ':')
		return "this is not SystemTap's language, in which a probe is written probe POINT { ... }: see stapprobes(3stap)";
	if (has(names, n, "'probe'") && suggest_keyword(p, t))
		return suggest_keyword(p, t);
	if (has(names, n, "'probe'") && t->kind == NAME && goes_on_as_point(p, p->filter.last))
		return "a probe is written probe POINT { ... }: probe begin { ... }";
	if (t->kind == ',' && open && open->kind == '(' &&
	    parser_token(p, (size_t)(open - p->tokens.data) - 1)->kind == FOR)
		return "the three parts of a for loop are separated by semicolons: for (i = 0; i < "
		       "n; i++)";
	if (t->kind == NAME && before->kind == NAME && has(names, n, "'in'") &&
	    !has(names, n, "comparison"))
		return "a loop over an array is written foreach (key in array)";
	if (t->kind == NAME && (before->kind == '+' || before->kind == '-') &&
	    has(names, n, "'in'"))
		return "a sort mark stands behind what to sort by: foreach (i+ in array)";
	return has(names, n, "'long' or 'string'") ? NULL : foreign_hint(p);
}

/*
 * The '{' that was read as the beginning of a list of probe points, "probe {a, b}.c", though it
 * stands where a whole point is due and what is in it is no list: a handler without a point. NULL:
 * there is none before the mistake.
 */
static const struct token *handler_for_point(const struct parser *p)
{
	const struct token *brace = NULL;
	int parens = 0, braces = 0;
	size_t i = p->filter.last ? p->filter.last - 1 : 0;

	if (p->filter.mode != FILTER_POINT)
		return NULL;
	while (i && parser_token(p, i)->kind != PROBE)
		i--;
	for (; i < p->filter.last; i++) {
		const struct token *t = parser_token(p, i);
		int before = i ? parser_token(p, i - 1)->kind : 0;

		if (t->kind == '{' && !braces &&
		    (before == PROBE || before == ',' || before == '=' || before == ADD_ASSIGN))
			brace = t;
		braces += t->kind == '{' ? 1 : t->kind == '}' ? -1 : 0;
		parens += t->kind == '(' ? 1 : t->kind == ')' ? -1 : 0;
		if (brace && (t->kind == ',' || (t->kind == '.' && braces <= 0)) && parens <= 0)
			brace = NULL;
	}
	return brace;
}

/* May the token stand only where every bracket is closed? */
static bool ends_brackets(const struct token *t)
{
	return t->kind == SCRIPT_EOF || t->kind == PROBE || t->kind == GLOBAL ||
	       t->kind == PRIVATE || t->kind == FUNCTION;
}

/* Is the mistake at the token handed out last one that only follows from the one before? */
static bool is_follower(const struct filter *f)
{
	return f->doubtful && f->last >= f->resumed && f->last < f->resumed + 3;
}

void parser_syntax_error(struct parser *p, const char *const *names, int n)
{
	const struct token *t = parser_token(p, p->filter.last), *handler = handler_for_point(p),
			   *open;
	const char *hint;
	struct diagnostic *d;

	if (is_follower(&p->filter)) {
		parser_filter_resume(p);
		return;
	}
	if (handler) {
		d = diag_report(p->sink, DIAG_PARSE_EXPECTED, handler->span,
				"probe point specifier");
		d->token = parser_describe(p, handler);
		diag_set_hint(p->sink, d,
			      "a probe point stands before its handler: probe begin { ... }");
		parser_filter_resume(p);
		return;
	}
	d = diag_report(p->sink, DIAG_PARSE_EXPECTED, t->span, expectation(p, names, n));
	hint = hint_for(p, names, n);
	if (t->kind == SCRIPT_EOF)
		d->at_eof = true;
	else
		d->token = parser_describe(p, t);
	if (hint)
		diag_set_hint(p->sink, d, "%s", hint);
	open = ends_brackets(t) ? find_open_bracket(p, p->filter.last) : NULL;
	if (d->at_eof && p->comment.start)
		diag_add_note(p->sink, d, p->comment, "unclosed comment");
	else if (open)
		diag_add_note(p->sink, d, open->span, "unclosed '%c'", open->kind);
	parser_filter_resume(p);
}

/* What could stand there is what goes on with a value, and no comparison. */
void parser_not_associative(struct parser *p)
{
	static const char *const names[] = { "'||'" };

	parser_syntax_error(p, names, 1);
}
