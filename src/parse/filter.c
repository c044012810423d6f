/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the token list and the grammar: what one token of lookahead cannot tell. Names of probe
 * point components are put together, braces in probe points are told from handlers, adjacent
 * strings are glued, and words that are keywords only in places are decided (parse/parser.h lists
 * the modes, grammar/script.y the kinds made here).
 */
#include <ctype.h>
#include <string.h>

#include "ast/foreign.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "parse/parser.h"
#include "parse/keywords.h"
#include "script.tab.h"

/* What the grammar calls for each token. */
int script_yylex(union SCRIPT_YYSTYPE *value, struct span *span, struct parser *p);

const struct token *parser_token(const struct parser *p, size_t i)
{
	return &p->tokens.data[i < p->tokens.n ? i : p->tokens.n - 1];
}

const char *parser_describe(struct parser *p, const struct token *t)
{
	return diag_describe_text(p->sink, t->text, t->len);
}

void parser_filter_start(struct parser *p)
{
	p->filter = (struct filter){ .mode = FILTER_BODY, .errors = diag_error_count(p->sink) };
}

bool parser_begins_item(int kind)
{
	return kind == PROBE || kind == GLOBAL || kind == PRIVATE || kind == FUNCTION ||
	       kind == SCRIPT_EOF;
}

/* Is token I the first of a line of the script? */
static bool begins_line(const struct parser *p, size_t i)
{
	struct span gap = { i ? parser_token(p, i - 1)->span.end : 0,
			    parser_token(p, i)->span.start };
	const char *text;
	size_t len;

	if (!i || gap.start >= gap.end)
		return false;
	text = source_map_text(diag_sink_map(p->sink), gap, &len);
	return memchr(text, '\n', len) != NULL;
}

/* Behind a variable it changes that. */
static bool is_assignment(int kind)
{
	return kind == '=' || kind == ASSIGN || kind == ADD_ASSIGN || kind == SUB_ASSIGN ||
	       kind == INCDEC;
}

/* Could a statement begin with token I, from the look of it and the one behind it? */
static bool looks_like_statement(const struct parser *p, size_t i)
{
	int next = parser_token(p, i + 1)->kind;

	switch (parser_token(p, i)->kind) {
	case IF:
	case FOR:
	case FOREACH:
	case WHILE:
	case TRY:
	case DELETE:
	case RETURN:
	case NEXT:
	case BREAK:
	case CONTINUE:
		return true;
	case NAME:
		return next == '(' || next == '[' || is_assignment(next);
	default:
		return false;
	}
}

/* How many ( and [ of the statement are open before token I. */
static int open_brackets(const struct parser *p, size_t i)
{
	int n = 0, lowest = 0;

	while (i-- > p->filter.resumed) {
		int kind = parser_token(p, i)->kind;

		if (kind == '{' || kind == '}')
			break;
		n += kind == '(' || kind == '[' ? 1 : kind == ')' || kind == ']' ? -1 : 0;
		lowest = n < lowest ? n : lowest;
	}
	return n - lowest > 0 ? n - lowest : 0;
}

bool parser_begins_percent(const struct parser *p, size_t i)
{
	return i && parser_token(p, i)->kind == '%' && parser_token(p, i)->glued &&
	       parser_token(p, i - 1)->kind == '{';
}

/* "%}", where "{%" was written for "%{": what is between is no script. */
static bool ends_percent(const struct parser *p, size_t i)
{
	return i && parser_token(p, i)->kind == '}' && parser_token(p, i)->glued &&
	       parser_token(p, i - 1)->kind == '%';
}

/* Behind the '}' of the '{' at token AT, which stands for a value; AT: there is none. */
static size_t behind_braces(const struct parser *p, size_t at)
{
	int depth = 0;

	for (size_t i = at; parser_token(p, i)->kind != SCRIPT_EOF; i++) {
		int kind = parser_token(p, i)->kind;

		depth += kind == '{' ? 1 : kind == '}' ? -1 : 0;
		if (!depth)
			return i + 1;
	}
	return at;
}

/*
 * Where the next statement of the block begins, after a mistake at token AT: at a brace, behind a
 * semicolon or an else, or with a line. While a bracket is open lines go on, but for one that looks
 * like a statement.
 */
static size_t next_statement(struct parser *p, size_t at)
{
	int open = open_brackets(p, at);

	if (parser_token(p, at)->kind == ELSE)
		return at + 1;
	if (parser_begins_percent(p, at)) {
		while (parser_token(p, at)->kind != SCRIPT_EOF && !ends_percent(p, at))
			at++;
		return at;
	}
	if (at && parser_token(p, at)->kind == '{' && is_assignment(parser_token(p, at - 1)->kind))
		at = behind_braces(p, at);
	for (size_t i = at;; i++) {
		int kind = parser_token(p, i)->kind;

		if (kind == '{' || kind == '}' || parser_begins_item(kind))
			return i;
		p->filter.doubtful = open > 0;
		if ((i > at || i > p->filter.resumed) && begins_line(p, i) &&
		    (open <= 0 || looks_like_statement(p, i)))
			return i;
		if (kind == ';' && open <= 0)
			return i + 1;
		open += kind == '(' || kind == '[' ? 1 : kind == ')' || kind == ']' ? -1 : 0;
	}
}

/* Go on at the next top-level construct, the one at the mistake not being one. */
static void resume_item(struct parser *p)
{
	size_t at = p->filter.last;

	/* "private function": the second word does not begin another one */
	while (!parser_begins_item(parser_token(p, at)->kind) ||
	       (at && at != p->filter.last && parser_token(p, at - 1)->kind == PRIVATE))
		at++;
	p->filter.cursor = at;
	p->filter.mode = FILTER_BODY;
	p->filter.parens = p->filter.braces = p->filter.depth = 0;
	p->filter.restart = parser_token(p, at)->kind != SCRIPT_EOF;
	p->filter.ending = true;
}

#define MISTAKES_MAX 10

void parser_filter_resume(struct parser *p)
{
	struct filter *f = &p->filter;

	f->last_kind = 0;
	f->errors_before_last = f->errors_before_previous = diag_error_count(p->sink);
	if (diag_error_count(p->sink) - f->errors >= MISTAKES_MAX) {
		f->last = p->tokens.n - 1;
	} else if (f->mode == FILTER_BODY && f->depth > 0) {
		f->cursor = f->resumed = next_statement(p, f->last);
		if (!parser_begins_item(parser_token(p, f->cursor)->kind))
			return;
		f->last = f->cursor;
	}
	resume_item(p);
}

void parser_run_grammar(struct parser *p)
{
	struct filter *f = &p->filter;

	do {
		f->restart = f->ending = false;
		if (script_yyparse(p) && !f->ending) { /* where no statement can begin */
			f->last = f->cursor;
			resume_item(p);
		}
	} while (f->restart);
}

/* Whether a probe point component comes next, given what was handed out. */
static bool expects_component(const struct filter *f)
{
	switch (f->last_kind) {
	case PROBE:
	case ',':
	case '.':
	case '=':
	case ADD_ASSIGN:
	case BRACE_LIST:
		return true;
	default:
		return false;
	}
}

/* Words: they have letters of their own; a keyword is one in places where it means nothing. */
static bool is_word(const struct token *t)
{
	return t->kind == NAME ||
	       (t->str && t->kind != STRING && t->kind != EMBEDDED && t->kind != TARGET &&
		t->kind != AT_WORD && t->kind != PRETTY && t->kind != JUNK);
}

/* What a component may be made of when the tokens touch: "sys_*", "2foo". */
static bool is_component_token(const struct token *t)
{
	return t->kind == '*' || t->kind == NUMBER || is_word(t);
}

/* The component beginning at token I: all tokens that touch. */
static int take_component(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value,
			  struct span *span)
{
	struct strbuf name;
	size_t n = 1;

	strbuf_init(&name);
	strbuf_add(&name, parser_token(p, i)->text, parser_token(p, i)->len);
	for (; is_component_token(parser_token(p, i + n)) && parser_token(p, i + n)->glued; n++) {
		strbuf_add(&name, parser_token(p, i + n)->text, parser_token(p, i + n)->len);
		if (parser_token(p, i + n)->span.end > span->end)
			span->end = parser_token(p, i + n)->span.end;
	}
	value->COMPONENT = intern_n(p->in, name.s, name.len);
	strbuf_deinit(&name);
	p->filter.cursor = i + n;
	return COMPONENT;
}

/* Braces, names and parentheses of a probe point. 0: the token means what it means elsewhere. */
static int filter_point(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value, struct span *span)
{
	struct filter *f = &p->filter;
	const struct token *t = parser_token(p, i);

	if (t->kind == '(' || t->kind == ')') {
		f->parens += t->kind == '(' ? 1 : -1;
		return t->kind;
	}
	if (f->parens > 0)
		return 0;
	if (t->kind == '{' && expects_component(f)) {
		f->braces++;
		return BRACE_LIST;
	}
	if (t->kind == '}' && f->braces > 0) {
		f->braces--;
		return '}';
	}
	if (t->kind == '{') {
		f->mode = FILTER_BODY;
		f->depth = 1;
		return '{';
	}
	if (parser_begins_item(t->kind) && !expects_component(f))
		return 0;
	if (t->kind == IF && !expects_component(f))
		return 0;
	if (t->kind == '*' || is_word(t))
		return take_component(p, i, value, span);
	return 0;
}

/*
 * Reports a mistake that has been reached, and has the grammar start over at the next top-level
 * construct. NULL: it has been reported.
 */
static int junk(struct parser *p, struct diagnostic *bad)
{
	if (bad)
		diag_add(p->sink, bad);
	parser_filter_resume(p);
	return SCRIPT_YYerror;
}

/*
 * May the string at token I be glued to the one before it? Before language level 2.0 not across a
 * comment, of which a script has one at least where the text between the two is not blank.
 */
static bool may_glue(struct parser *p, size_t i)
{
	struct span gap = { parser_token(p, i - 1)->span.end, parser_token(p, i)->span.start };
	const char *text;
	size_t len;

	if (parser_since(p, "2.0") || gap.start >= gap.end)
		return true;
	text = source_map_text(diag_sink_map(p->sink), gap, &len);
	for (size_t k = 0; k < len; k++) {
		if (!isspace((unsigned char)text[k]))
			return false;
	}
	return true;
}

/*
 * Adjacent strings are one. Behind =~ the text stays as it is written: what a backslash means
 * there, only the pattern knows.
 */
static int filter_string(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value, struct span *span)
{
	bool pattern = p->filter.last_kind == MATCH;
	struct strbuf all;
	size_t n = 0;

	strbuf_init(&all);
	do {
		const struct token *t = parser_token(p, i + n);

		if (!pattern)
			strbuf_add(&all, t->str->text, t->str->len);
		else
			strbuf_add(&all, t->text, t->len);
		n++;
	} while (parser_token(p, i + n)->kind == STRING && may_glue(p, i + n));
	value->STRING = pattern ? intern_n(p->in, all.s + 1, all.len - 2)
				: intern_n(p->in, strbuf_cstr(&all), all.len);
	strbuf_deinit(&all);
	p->filter.cursor = i + n;
	return STRING;
}

#define BEGINNING_LEAST 4 /* letters that tell which name is meant, but for its end */

/* What NAMES have that begin with NAME, at most MAX. */
static size_t names_beginning(const char *name, const char *const *names, size_t n_names,
			      const char **ret, size_t max)
{
	size_t len = strlen(name), n = 0;

	for (size_t i = 0; len >= BEGINNING_LEAST && i < n_names && n < max; i++)
		if (!strncmp(names[i], name, len))
			ret[n++] = names[i];
	return n;
}

/*
 * The hint for an unknown @NAME: macros of this file and the library, and built-in operators.
 * CALLS: what is behind it might be the arguments of a function, so only what is very near counts,
 * or is the same but for its end.
 */
static bool suggest_similar_at(struct parser *p, struct diagnostic *bad, const char *name,
			       bool calls)
{
	const struct map *maps[] = { p->macros, p->env.macros };
	const char *near[3];
	VEC(const char *) names = { 0 };
	size_t n;

	for (size_t i = 0; i < 2; i++) {
		map_foreach(it, maps[i])
			vec_push(p->arena, &names, ((const struct istr *)it->key)->text);
	}
	for (size_t i = 0; parser_at_operator_name(i); i++)
		vec_push(p->arena, &names, parser_at_operator_name(i));
	n = similar_names(name, names.data, names.n, near, 3);
	if (n && calls && similar_distance(name, near[0], 2) > 2)
		n = names_beginning(name, names.data, names.n, near, 3);
	for (size_t i = 0; i < n; i++)
		near[i] = arena_printf(p->arena, "@%s", near[i]);
	if (n)
		diag_set_hint(p->sink, bad, "similar: %s", similar_join(p->arena, near, n));
	return n;
}

/* Has the file declared the global, before here? */
static bool has_global(const struct parser *p, const struct istr *name)
{
	vec_foreach(g, &p->build.file->globals)
		if ((*g)->name == name)
			return true;
	return false;
}

/* For the unknown @NAME of token I: no operator is indexed or assigned to. */
static void suggest_at(struct parser *p, struct diagnostic *bad, size_t i)
{
	const struct istr *name = parser_token(p, i)->str;
	const char *foreign = ast_foreign(name->text, name->len, NULL);
	int next = parser_token(p, i + 1)->kind;
	struct span defined;

	if (parser_macro_defined(p, name, &defined))
		diag_add_note(p->sink, bad, defined, "defined further down");
	else if (next == '[')
		diag_set_hint(p->sink, bad, "arrays have no @: global %s, and %s[key] = value",
			      name->text, name->text);
	else if (foreign)
		diag_set_hint(p->sink, bad, "%s", foreign);
	else if (has_global(p, name))
		diag_set_hint(p->sink, bad, "variables have no @: %s", name->text);
	else if (suggest_similar_at(p, bad, name->text, next == '('))
		return;
	else if (is_assignment(next))
		diag_set_hint(p->sink, bad, "variables have no @: global %s, and %s = value",
			      name->text, name->text);
	else if (next == '(')
		diag_set_hint(p->sink, bad, "functions are called without @: %s(...)", name->text);
}

/* Not listed yet: junk() does that. */
static struct diagnostic *unknown_at(struct parser *p, size_t i)
{
	const struct token *t = parser_token(p, i);
	struct diagnostic *bad = diag_create(p->sink, DIAG_PARSE_MACRO_UNKNOWN, t->span,
					     arena_strndup(p->arena, t->text, t->len));

	bad->about_token = true;
	suggest_at(p, bad, i);
	return bad;
}

/* The same of an operator of a later level. */
static struct diagnostic *later_at(struct parser *p, const struct token *t, const char *since)
{
	struct diagnostic *bad = diag_create(p->sink, DIAG_PARSE_MACRO_UNKNOWN, t->span,
					     arena_strndup(p->arena, t->text, t->len));

	bad->about_token = true;
	diag_set_hint(p->sink, bad, "it came with language level %s, this script is read as %s",
		      since, p->env.compatible);
	return bad;
}

/* @NAME that was no macro: an operator of the language level, else a mistake. */
static int filter_at_word(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value)
{
	const struct token *t = parser_token(p, i);
	const struct keyword *w = parser_at_operator(t->str->text, t->str->len);

	if (!w)
		return junk(p, map_has(p->broken_macros, t->str) ? NULL : unknown_at(p, i));
	if (!parser_since(p, w->since))
		return junk(p, later_at(p, t, w->since));
	value->AT_OPERAND = w->op;
	return w->kind;
}

/* A print operator is one only before '(', so variables may have such names. */
static int filter_name(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value)
{
	const struct token *t = parser_token(p, i);
	int print;

	value->NAME = t->str;
	if (p->filter.last_kind == ARROW || p->filter.last_kind == FUNCTION ||
	    parser_token(p, i + 1)->kind != '(')
		return NAME;
	print = ast_print_operator(t->str->text, t->str->len);
	if (print < 0)
		return NAME;
	value->PRINT = print;
	return PRINT;
}

/*
 * "string" and "long" are types behind a ':' of a function's head, and otherwise names of
 * functions.
 */
static int filter_type(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value)
{
	const struct filter *f = &p->filter;
	const struct token *t = parser_token(p, i);
	bool header = f->mode == FILTER_HEADER;

	if ((header && f->last_kind == FUNCTION) ||
	    (!header && parser_token(p, i + 1)->kind == '(')) {
		value->NAME = t->str;
		return NAME;
	}
	value->TYPE = t->op;
	return TYPE;
}

/*
 * "return" without a value is a kind of its own: statements need not end in ';', so the grammar
 * alone could not tell.
 */
static int filter_return(struct parser *p, size_t i)
{
	int next = parser_token(p, i + 1)->kind;

	if (!p->filter.in_function) {
		struct diagnostic *bad =
			diag_create(p->sink, DIAG_PARSE_RETURN, parser_token(p, i)->span);

		bad->about_token = true;
		diag_set_hint(
			p->sink, bad,
			"a probe's handler ends at next; what a probed function returned is $return");
		return junk(p, bad);
	}
	return next == ';' || next == '}' ? RETURN_VOID : RETURN;
}

/* The "else" at I, and the "if" behind it when one is there: their kind is with_if then. */
static int filter_else(struct parser *p, size_t i, struct span *span, int alone, int with_if)
{
	const struct token *next = parser_token(p, i + 1);

	p->filter.cursor = i + 1 + (next->kind == IF);
	if (next->kind != IF)
		return alone;
	*span = next->span;
	return with_if;
}

/* Tokens that mean the same in every mode but carry a value or look ahead. */
static int filter_token(struct parser *p, size_t i, union SCRIPT_YYSTYPE *value, struct span *span)
{
	struct filter *f = &p->filter;
	const struct token *t = parser_token(p, i);

	switch (t->kind) {
	case JUNK:
		return junk(p, t->bad);
	case NUMBER:
		value->NUMBER = t->number;
		return t->bad ? junk(p, t->bad) : NUMBER;
	case STRING:
		return filter_string(p, i, value, span);
	case AT_WORD:
		return filter_at_word(p, i, value);
	case NAME:
		return filter_name(p, i, value);
	case TYPE:
		return filter_type(p, i, value);
	case RETURN:
		return filter_return(p, i);
	case ';':
		/* behind a block it is a statement of its own */
		if (parser_token(p, i + 1)->kind != ELSE ||
		    (i && parser_token(p, i - 1)->kind == '}'))
			return ';';
		return filter_else(p, i + 1, span, SEMI_ELSE, SEMI_ELSE_IF);
	case ELSE:
		return filter_else(p, i, span, ELSE, ELSE_IF);
	case EMBEDDED:
		if (f->mode == FILTER_HEADER)
			f->mode = FILTER_BODY;
		value->EMBEDDED = t->str;
		return EMBEDDED;
	case TARGET:
	case PRETTY:
		value->TARGET = t->str;
		return t->kind;
	case '{':
		f->mode = FILTER_BODY;
		f->depth++;
		return '{';
	case '}':
		f->depth -= f->depth > 0;
		return '}';
	case PROBE:
	case FUNCTION:
		f->mode = t->kind == PROBE ? FILTER_POINT : FILTER_HEADER;
		f->in_function = t->kind == FUNCTION;
		f->parens = f->braces = f->depth = 0;
		return t->kind;
	case PP_OPEN:
	default:
		value->ASSIGN = t->op;
		return t->kind;
	}
}

/* What can be increased ends so. */
static bool ends_operand(int kind)
{
	return kind == NAME || kind == TARGET || kind == ']' || kind == ')';
}

int script_yylex(union SCRIPT_YYSTYPE *value, struct span *span, struct parser *p)
{
	struct filter *f = &p->filter;
	size_t i = f->cursor;
	const struct token *t = parser_token(p, i);
	int kind = 0;

	f->last = i;
	f->errors_before_previous = f->errors_before_last;
	f->errors_before_last = diag_error_count(p->sink);
	f->cursor = i + 1;
	*span = t->span;
	if (f->last_kind == ARROW && is_word(t)) {
		value->NAME = t->str;
		kind = NAME;
	} else if (f->mode == FILTER_POINT) {
		kind = filter_point(p, i, value, span);
	}
	if (!kind && t->kind != SCRIPT_EOF)
		kind = filter_token(p, i, value, span);
	if (kind == INCDEC && f->updated)
		kind = NEXT_INCDEC;
	f->updated = kind == INCDEC && ends_operand(f->last_kind);
	if (kind != SCRIPT_YYerror)
		f->last_kind = kind;
	return kind;
}
