/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mistakes of syntax that are made often and whose cause is known from the tokens around them, each
 * a row of a test and of what is written instead. A row must not hold where another cause is as
 * likely.
 */
#include <stdio.h>
#include <string.h>

#include "ast/foreign.h"
#include "base/similar.h"
#include "parse/keywords.h"
#include "parse/parser.h"
#include "script.tab.h"

/* The keyword that may stand at the top level and that T is nearest to, as a hint; or NULL. */
static const char *suggest_keyword(struct parser *p, const struct token *t)
{
	static const char *const keywords[] = { "probe", "global", "private", "function" };
	const char *near;

	if (t->kind != NAME || !similar_names(t->str->text, keywords, 4, &near, 1))
		return NULL;
	if (!strcmp(t->str->text, near)) /* it is none at the level of the script */
		return arena_printf(
			p->arena,
			"'%s' came with a later language level, this script is read as %s", near,
			p->env.compatible);
	return arena_printf(p->arena, "did you mean '%s'?", near);
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
		if (hint && (reach == AST_FOREIGN_NAME || at - i > reach))
			hint = NULL;
	}
	return hint;
}

/* The keyword that was misspelt at the mistake, or before the bracket that it is in, as a hint. */
static const char *suggest_word(struct parser *p, const struct token *t, const struct token *open)
{
	const struct token *opener = open && open > p->tokens.data ? open - 1 : NULL;
	const char *word = t->kind == NAME ? parser_near_keyword(t->str->text) : NULL;

	if (!word && opener && opener->kind == NAME && open->kind == '(')
		word = parser_near_keyword(opener->str->text);
	return word ? arena_printf(p->arena, "did you mean '%s'?", word) : NULL;
}

/* A token that the grammar did not take, and what a rule below looks at. */
struct mistake {
	struct parser *p;
	const char *const *names; /* of the kinds that could stand there */
	int n;
	size_t at;
	const struct token *t, *before;
	const struct token *open; /* the innermost open bracket, or NULL */
	int opener;               /* the kind of the token before it */
};

static bool due(const struct mistake *m, const char *name)
{
	return parser_expects(m->names, m->n, name);
}

static int kind_at(const struct mistake *m, size_t i)
{
	return parser_token(m->p, i)->kind;
}

static bool is_text(const struct token *t, const char *text)
{
	return t->len == strlen(text) && !memcmp(t->text, text, t->len);
}

/* Is it the comparison behind =~ or !~? */
static bool is_second_comparison(const struct mistake *m)
{
	return parser_is_second_comparison(m->t, m->names, m->n);
}

/* Where a statement may begin. */
static bool statement_due(const struct mistake *m)
{
	return due(m, "'while'");
}

/* Behind the keys of a loop, before what they are keys of. */
static bool in_due(const struct mistake *m)
{
	return due(m, "'in'") && !due(m, "comparison");
}

/* Behind a whole point, before its handler. */
static bool behind_point(const struct mistake *m)
{
	int before = m->before->kind;

	return m->p->filter.mode == FILTER_POINT && !m->p->filter.parens && due(m, "'{'") &&
	       !statement_due(m) && (before == NAME || before == ')' || before == '*');
}

static bool begins_embedded(const struct mistake *m)
{
	return parser_begins_percent(m->p, m->at) ||
	       (m->t->kind == '{' && parser_begins_percent(m->p, m->at + 1));
}

static bool is_other_language(const struct mistake *m)
{
	return due(m, "'probe'") && m->t->kind == NAME && kind_at(m, m->at + 1) == ':';
}

/* "begin {", and the like. */
static bool is_bare_point(const struct mistake *m)
{
	int next = kind_at(m, m->at + 1);

	return due(m, "'probe'") && m->t->kind == NAME &&
	       (next == '{' || next == '.' || next == ',' || next == '(');
}

static bool is_separated(const struct mistake *m)
{
	return due(m, "'probe'") && m->t->kind == ';';
}

static bool is_comment(const struct mistake *m)
{
	return due(m, "'probe'") && m->t->kind == INCDEC && m->t->text[0] == '-';
}

static bool is_comma_in_for(const struct mistake *m)
{
	return m->t->kind == ',' && m->opener == FOR;
}

/* for (k in a) */
static bool is_for_over_array(const struct mistake *m)
{
	if (m->t->kind != ')' || m->opener != FOR)
		return false;
	for (const struct token *t = m->open; t < m->t; t++)
		if (t->kind == IN)
			return true;
	return false;
}

/* for (i in 1 */
static bool is_for_over_numbers(const struct mistake *m)
{
	return m->before->kind == IN && m->t->kind == NUMBER && m->opener == FOR;
}

static bool is_list_of_keys(const struct mistake *m)
{
	return in_due(m) && m->t->kind == ',';
}

static bool is_foreach_otherwise(const struct mistake *m)
{
	return in_due(m) && (m->t->kind == ':' || (m->t->kind == NAME && m->before->kind == NAME));
}

static bool is_early_sort(const struct mistake *m)
{
	return in_due(m) && m->t->kind == NAME &&
	       (m->before->kind == '+' || m->before->kind == '-');
}

static bool is_sorted_otherwise(const struct mistake *m)
{
	return due(m, "'limit'") && due(m, "'@count'") && (m->t->kind == NAME || m->t->kind == '(');
}

static bool is_bare_limit(const struct mistake *m)
{
	return due(m, "'limit'") && m->t->kind == NUMBER;
}

static bool lacks_parentheses_if(const struct mistake *m)
{
	return m->before->kind == IF && m->t->kind != '(';
}

static bool lacks_parentheses_while(const struct mistake *m)
{
	return m->before->kind == WHILE && m->t->kind != '(';
}

static bool lacks_parentheses_for(const struct mistake *m)
{
	return m->before->kind == FOR && m->t->kind != '(';
}

static bool lacks_parentheses_foreach(const struct mistake *m)
{
	return m->before->kind == FOREACH && m->t->kind != '(';
}

static bool is_lone_else(const struct mistake *m)
{
	return m->t->kind == ELSE && statement_due(m);
}

/* "next()" */
static bool is_statement_called(const struct mistake *m)
{
	int word = m->at >= 2 ? kind_at(m, m->at - 2) : 0;

	return m->t->kind == ')' && m->before->kind == '(' &&
	       (word == NEXT || word == BREAK || word == CONTINUE || word == RETURN);
}

/* A '=' before a bracket with what other languages fill arrays with. */
static bool is_array_literal(const struct mistake *m)
{
	size_t i = m->at - 1;

	if (m->before->kind == '=' && (m->t->kind == '{' || m->t->kind == '['))
		return true;
	if (m->at >= 2 && kind_at(m, m->at - 2) == '=' && m->before->kind == '[' &&
	    m->t->kind == ']')
		return true;
	if (!in_due(m) || m->before->kind != ']')
		return false;
	while (i && kind_at(m, i) != '[')
		i--;
	return i && kind_at(m, i - 1) == '=';
}

static bool is_array_without_size(const struct mistake *m)
{
	return m->t->kind == ']' && m->before->kind == '[' && m->n == 1 && due(m, "literal number");
}

static bool is_bare_catch(const struct mistake *m)
{
	return m->before->kind == CATCH && m->t->kind == NAME;
}

static bool is_other_catch(const struct mistake *m)
{
	return m->n == 1 && due(m, "'catch'") && m->t->kind == NAME;
}

static bool is_bare_try(const struct mistake *m)
{
	return m->before->kind == TRY && m->t->kind != '{';
}

static bool is_computed_pattern(const struct mistake *m)
{
	return m->before->kind == MATCH && m->t->kind != STRING;
}

static bool is_bare_tilde(const struct mistake *m)
{
	return m->t->kind == '~' && due(m, "comparison");
}

/* "*p", where an operand is due. */
static bool is_dereference(const struct mistake *m)
{
	int next = kind_at(m, m->at + 1);

	return m->t->kind == '*' && m->before->kind != '*' && due(m, "print operator") &&
	       (next == TARGET || next == NAME || next == '(');
}

static bool is_pointless_parentheses(const struct mistake *m)
{
	return m->p->filter.mode == FILTER_POINT && m->t->kind == ')' && m->before->kind == '(';
}

static bool is_bare_parameter(const struct mistake *m)
{
	return m->p->filter.mode == FILTER_POINT && m->before->kind == '(' && m->t->kind == NAME &&
	       due(m, "literal string");
}

/* kprobe:vfs_read, syscall::open:entry */
static bool is_point_by_colons(const struct mistake *m)
{
	return m->p->filter.mode == FILTER_POINT && m->t->kind == ':' && m->before->kind == NAME;
}

static bool is_condition_otherwise(const struct mistake *m)
{
	return behind_point(m) &&
	       (m->t->kind == '/' || is_text(m->t, "when") || is_text(m->t, "where"));
}

static bool is_bare_handler(const struct mistake *m)
{
	static const int kinds[] = { NAME, LOGOR, LOGAND, '|', ';' };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (behind_point(m) && m->t->kind == kinds[i])
			return true;
	return behind_point(m) && parser_begins_item(m->t->kind);
}

/* "function f {" */
static bool lacks_parameters(const struct mistake *m)
{
	return m->t->kind == '{' && m->before->kind == NAME && m->at >= 2 &&
	       kind_at(m, m->at - 2) == FUNCTION;
}

static bool lacks_body(const struct mistake *m)
{
	return m->p->filter.mode == FILTER_HEADER && due(m, "'{'") && due(m, "'%{'") &&
	       m->t->kind == '=';
}

static bool is_type_before_parameter(const struct mistake *m)
{
	return m->p->filter.mode == FILTER_HEADER && m->t->kind == TYPE &&
	       (m->before->kind == '(' || m->before->kind == ',');
}

/* "function f(x):string" */
static bool is_type_behind_parameters(const struct mistake *m)
{
	return m->p->filter.mode == FILTER_HEADER && m->t->kind == TYPE && m->at >= 2 &&
	       m->before->kind == ':' && kind_at(m, m->at - 2) == ')';
}

/* "global x = f()", "global x = 5 + 5" */
static bool is_computed_global(const struct mistake *m)
{
	size_t i = m->at - 1;
	int kind = m->t->kind;

	if (due(m, "'probe'")) {
		if (kind != '+' && kind != '-' && kind != '*' && kind != '/' && kind != '.')
			return false;
		i--;
	} else if (!due(m, "literal string") || kind != NAME) {
		return false;
	}
	return m->at >= 3 && i >= 2 && kind_at(m, i) == '=' && kind_at(m, i - 1) == NAME &&
	       (kind_at(m, i - 2) == GLOBAL || kind_at(m, i - 2) == ',');
}

/* "string s = ...", "global s: string" */
static bool is_declared_type(const struct mistake *m)
{
	return m->t->kind == TYPE ||
	       (m->t->kind == ':' && due(m, "'probe'") && kind_at(m, m->at + 1) == TYPE);
}

static bool is_nested_item(const struct mistake *m)
{
	return m->open && m->open->kind == '{' && statement_due(m) && m->t->kind != SCRIPT_EOF &&
	       parser_begins_item(m->t->kind);
}

/* Two operands beside each other among the arguments of a call. */
static bool lacks_comma(const struct mistake *m)
{
	int before = m->before->kind;

	return m->open && m->open->kind == '(' && m->opener == NAME && due(m, "','") &&
	       (m->t->kind == NAME || m->t->kind == TARGET || m->t->kind == NUMBER ||
		m->t->kind == STRING) &&
	       !(m->t->kind == STRING && before == STRING) &&
	       (m->t->kind == NAME || before == STRING || before == NUMBER || before == ')' ||
		before == ']');
}

static bool is_stray_bracket(const struct mistake *m)
{
	return (m->t->kind == ')' || m->t->kind == ']') && statement_due(m);
}

static bool is_unquoted_text(const struct mistake *m)
{
	return lacks_comma(m) && m->t->kind == NAME && m->before->kind == NAME;
}

/*
 * What is so, and how it is written instead. The first row that holds counts; keywords that are
 * near come behind the first list, words and operators of other languages before the last one.
 */
struct rule {
	bool (*is)(const struct mistake *m);
	const char *hint;
};

/* clang-format off */
static const struct rule first_rules[] = {
	{ is_second_comparison, "=~ and !~ stand beside no other comparison" },
	{ begins_embedded, "embedded C is written %{ ... %}" },
	{ is_other_language,
	  "this is not SystemTap's language, in which a probe is written probe POINT { ... }: see stapprobes(3stap)" },
};

static const struct rule rules[] = {
	{ is_bare_point, "a probe is written probe POINT { ... }: probe begin { ... }" },
	{ is_comma_in_for, "the three parts of a for loop are separated by semicolons: for (i = 0; i < n; i++)" },
	{ is_for_over_array, "a loop over an array is written foreach (key in array)" },
	{ is_for_over_numbers, "numbers are counted through so: for (i = 1; i <= n; i++)" },
	{ is_list_of_keys, "several keys stand in brackets, the value before them: foreach (value = [k1, k2] in array)" },
	{ is_foreach_otherwise, "a loop over an array is written foreach (key in array)" },
	{ is_early_sort, "a sort mark stands behind what to sort by: foreach (i+ in array)" },
	{ is_sorted_otherwise, "marks sort a loop, + upwards and - downwards: foreach (key in array-), foreach (key+ in array)" },
	{ is_bare_limit, "the number of turns stands behind limit: foreach (key in array- limit 5)" },
	{ lacks_parentheses_if, "a condition stands in parentheses: if (...)" },
	{ lacks_parentheses_while, "a condition stands in parentheses: while (...)" },
	{ lacks_parentheses_for, "what a loop looks at stands in parentheses: for (i = 0; i < n; i++)" },
	{ lacks_parentheses_foreach, "what a loop looks at stands in parentheses: foreach (key in array)" },
	{ is_lone_else, "an else follows the one statement of its if: braces make one of several" },
	{ is_statement_called, "next, break, continue and a return without a value stand alone, without parentheses" },
	{ is_array_literal, "arrays are filled by element: global NAME, and NAME[key] = value in a handler" },
	{ is_array_without_size, "what is an array is told by its use: global NAME, or with a limit global NAME[1000]" },
	{ is_bare_catch, "the variable that gets the message stands in parentheses: catch (NAME) { ... }" },
	{ is_other_catch, "errors are caught so: try { ... } catch (text) { ... }" },
	{ is_bare_try, "what is tried stands in braces: try { ... } catch { ... }" },
	{ is_computed_pattern, "a pattern is a text in double quotes: s =~ \"[0-9]+\"" },
	{ is_pointless_parentheses, "a probe point without a parameter has no parentheses: probe begin { ... }" },
	{ is_bare_parameter, "the parameter of a probe point is a number, or a text in double quotes" },
	{ is_point_by_colons, "a probe point is written with dots: kernel.function(\"NAME\"), kernel.trace(\"NAME\"), syscall.NAME" },
	{ is_condition_otherwise, "the condition of a probe is written probe POINT if (...) { ... }" },
	{ is_bare_handler, "probe points are separated by commas, and a handler stands in braces: probe begin, end { ... }" },
	{ is_type_before_parameter, "a type stands behind the name of what has it: x:long, s:string" },
	{ is_type_behind_parameters, "the type of a result stands behind the function's name: function f:string(x)" },
	{ is_computed_global, "a global begins as a literal; what is computed is stored by a handler: probe begin { NAME = ... }" },
	{ lacks_parameters, "the parentheses of a function stay when it has no parameters: function f() { ... }" },
	{ lacks_body, "the body of a function stands in braces: function f() { return ... }" },
	{ is_nested_item, "this is declared outside of probes and functions: is a '}' missing before it?" },
	{ is_separated, "nothing stands between probes and functions" },
	{ is_comment, "comments begin with #, // or /*" },
};

static const struct rule last_rules[] = {
	{ is_bare_tilde, "a text is matched by =~" },
	{ is_dereference, "what a pointer points to is read by -> or [ ]: $p->member, $p[0], @cast(p, \"type\")->member" },
	{ is_stray_bracket, "this closes nothing: is it one too many?" },
	{ is_unquoted_text, "arguments are separated by commas, and texts stand in double quotes" },
	{ lacks_comma, "arguments are separated by commas" },
};
/* clang-format on */

static const char *find_rule(const struct rule *rule, size_t n, const struct mistake *m)
{
	for (size_t i = 0; i < n; i++)
		if (rule[i].is(m))
			return rule[i].hint;
	return NULL;
}

#define FIND_RULE(rows, m) find_rule(rows, sizeof(rows) / sizeof((rows)[0]), m)

const char *parser_hint(struct parser *p, const char *const *names, int n, const struct token *open)
{
	static const struct token nothing = { 0 };
	size_t opened = open ? (size_t)(open - p->tokens.data) : 0;
	struct mistake m = {
		.p = p,
		.names = names,
		.n = n,
		.at = p->filter.last,
		.t = parser_token(p, p->filter.last),
		.before = p->filter.last ? parser_token(p, p->filter.last - 1) : &nothing,
		.open = open,
		.opener = opened ? parser_token(p, opened - 1)->kind : 0,
	};
	const char *hint = FIND_RULE(first_rules, &m);

	if (!hint && due(&m, "'probe'"))
		hint = suggest_keyword(p, m.t);
	if (!hint)
		hint = suggest_word(p, m.t, open);
	if (!hint)
		hint = FIND_RULE(rules, &m);
	if (!hint && is_declared_type(&m))
		hint = ast_foreign("long", 4, NULL);
	if (!hint && !due(&m, "'long' or 'string'"))
		hint = foreign_hint(p);
	return hint ? hint : FIND_RULE(last_rules, &m);
}
