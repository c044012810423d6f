/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of a token where the grammar takes none of its kind: what would be, in words, and
 * where the mistake is known a hint.
 */
#include <string.h>

#include "base/strbuf.h"
#include "parse/parser.h"
#include "script.tab.h"

bool parser_expects(const char *const *names, int n, const char *name)
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

	return parser_expects(names, sizeof(names) / sizeof(names[0]), name);
}

bool parser_is_second_comparison(const struct token *t, const char *const *names, int n)
{
	return (t->kind == MATCH || t->kind == COMPARE) && parser_expects(names, n, "'||'") &&
	       !parser_expects(names, n, "'=~'");
}

/* The token kinds in words: a whole construct where one begins, else what would end this one. */
static const char *expectation(struct parser *p, const char *const *names, int n)
{
	struct strbuf list;
	const char *text;
	int shown = 0, total = 0;

	if (parser_is_second_comparison(parser_token(p, p->filter.last), names, n))
		return "parentheses around the comparison before this one";
	if (p->filter.mode == FILTER_POINT && !p->filter.parens && p->filter.last_kind != PROBE)
		return "probe point specifier";
	/* without a type, which is all that bison names here */
	if (p->filter.last >= 2 && parser_token(p, p->filter.last - 2)->kind == FUNCTION &&
	    parser_expects(names, n, "':'"))
		return "'('";
	if (parser_expects(names, n, "'probe'"))
		return "'probe', 'global', 'private', 'function', or '%{'";
	if (parser_expects(names, n, "'while'"))
		return "statement";
	if (parser_expects(names, n, "print operator"))
		return parser_expects(names, n, "')'") ? "expression or ')'" : "expression";
	if (parser_expects(names, n, "'in'") && !parser_expects(names, n, "comparison"))
		return "'in'";
	if (parser_expects(names, n, "literal string") &&
	    parser_expects(names, n, "literal number"))
		return "literal string or number";
	for (int i = 0; i < n; i++)
		total += !is_continuation(names[i]);
	/* a list that only goes on, as the arguments of @cast before the second */
	if (!total && parser_expects(names, n, "','"))
		return "','";
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

/* May the token stand only where the bracket OPEN is closed? */
static bool leaves_open(const struct token *t, const struct token *open)
{
	return parser_begins_item(t->kind) || (t->kind == '}' && open->kind != '{') ||
	       (t->kind == ')' && open->kind == '[') || (t->kind == ']' && open->kind == '(');
}

/*
 * Is the mistake at the token handed out last one that only follows from the one before? That goes
 * for what is near it, for the rest of a block in which a probe, function or global was, and for
 * what stands behind an expression of which something was said just now.
 */
static bool is_follower(struct parser *p, const char *const *names, int n)
{
	struct filter *f = &p->filter;

	if (f->in_block && parser_expects(names, n, "'probe'")) {
		f->in_block = false;
		return true;
	}
	if (diag_error_count(p->sink) > f->errors_before_previous)
		return true;
	return f->doubtful && f->last >= f->resumed && f->last < f->resumed + 3;
}

void parser_syntax_error(struct parser *p, const char *const *names, int n)
{
	const struct token *t = parser_token(p, p->filter.last), *handler = handler_for_point(p),
			   *open = find_open_bracket(p, p->filter.last);
	const char *hint;
	struct diagnostic *d;

	if (is_follower(p, names, n)) {
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
	hint = parser_hint(p, names, n, open);
	if (t->kind == SCRIPT_EOF)
		d->at_eof = true;
	else
		d->token = parser_describe(p, t);
	if (hint)
		diag_set_hint(p->sink, d, "%s", hint);
	if (d->at_eof && p->comment.start)
		diag_add_note(p->sink, d, p->comment, "unclosed comment");
	else if (open && leaves_open(t, open))
		diag_add_note(p->sink, d, open->span, "unclosed '%c'", open->kind);
	p->filter.in_block |= open && open->kind == '{' && parser_begins_item(t->kind);
	parser_filter_resume(p);
}

/* What could stand there is what goes on with a value, and no comparison. */
void parser_not_associative(struct parser *p)
{
	static const char *const names[] = { "'||'" };

	parser_syntax_error(p, names, 1);
}
