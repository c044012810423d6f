/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The "print fmt" of trace events (Documentation/trace/events.rst, 4.): a format and arguments in
 * C, among them calls of __print_flags() and __print_symbolic() with a field of the event,
 * REC->field, and a list of { value, "name" } (include/trace/stages/stage3_trace_output.h). Values
 * are constant expressions of C; their enumerators are the kernel's.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "target/event_names.h"
#include "target/internal.h"
#include "target/live.h"
#include "target/scope.h"

#define FORMAT_DEPTH 64 /* of parentheses in an expression */

/* A place in the format, and whether what was read up to it was as expected. */
struct format {
	const struct target_scope *scope;
	const char *at;
	unsigned depth;
	bool failed;
};

static void skip_blanks(struct format *f)
{
	while (isspace((unsigned char)*f->at))
		f->at++;
}

/* Goes past TEXT, if that is next. */
static bool accept(struct format *f, const char *text)
{
	skip_blanks(f);
	if (strncmp(f->at, text, strlen(text)))
		return false;
	f->at += strlen(text);
	return true;
}

static void expect(struct format *f, const char *text)
{
	if (!accept(f, text))
		f->failed = true;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The name that is next, or NULL. */
static const char *read_name(struct format *f)
{
	const char *from;

	skip_blanks(f);
	from = f->at;
	if (!is_name_char(*from) || isdigit((unsigned char)*from))
		return NULL;
	while (is_name_char(*f->at))
		f->at++;
	return arena_strndup(f->scope->arena, from, f->at - from);
}

/* Goes to the end of the literal that begins here. */
static void skip_literal(struct format *f)
{
	for (f->at++; *f->at && *f->at != '"'; f->at++)
		f->at += *f->at == '\\' && f->at[1];
	if (*f->at)
		f->at++;
}

/* The text of string literals, without escapes, of which these have none; NULL: there is none. */
static const char *read_text(struct format *f)
{
	const char *text = NULL, *from;

	for (skip_blanks(f); *f->at == '"'; skip_blanks(f)) {
		from = f->at + 1;
		skip_literal(f);
		if (f->at[-1] != '"' || f->at == from)
			break;
		from = arena_strndup(f->scope->arena, from, f->at - 1 - from);
		text = text ? arena_printf(f->scope->arena, "%s%s", text, from) : from;
	}
	return text;
}

/* ---- constant expressions ---- */

static uint64_t read_binary(struct format *f, unsigned least);

/*
 * Behind a '(': a type and its ')', or nothing is read. Types are names and stars, and the only
 * names that are values are enumerators.
 */
static bool skip_cast(struct format *f)
{
	const char *from = f->at, *name = read_name(f);
	int64_t value;

	if (!name || target_enumerator(f->scope, name, &value)) {
		f->at = from;
		return false;
	}
	while (read_name(f) || accept(f, "*"))
		;
	if (accept(f, ")"))
		return true;
	f->at = from;
	return false;
}

static uint64_t read_unary(struct format *f);

static uint64_t read_parenthesis(struct format *f)
{
	uint64_t value;

	if (skip_cast(f))
		return read_unary(f);
	value = read_binary(f, 0);
	expect(f, ")");
	return value;
}

static uint64_t read_number(struct format *f)
{
	char *end;
	uint64_t value = strtoull(f->at, &end, 0);

	while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')
		end++;
	f->at = end;
	return value;
}

static uint64_t read_unary(struct format *f)
{
	uint64_t value = 0;
	const char *name;
	int64_t known;

	if (f->depth++ > FORMAT_DEPTH) {
		f->failed = true;
	} else if (accept(f, "(")) {
		value = read_parenthesis(f);
	} else if (accept(f, "~")) {
		value = ~read_unary(f);
	} else if (accept(f, "-")) {
		value = -read_unary(f);
	} else if (isdigit((unsigned char)*f->at)) {
		value = read_number(f);
	} else {
		name = read_name(f);
		if (name && target_enumerator(f->scope, name, &known))
			value = (uint64_t)known;
		else
			f->failed = true;
	}
	f->depth--;
	return value;
}

/* The operators that such values have, with their precedence; longer ones first. */
static const struct operator
{
	const char *text;
	unsigned precedence;
}
operators[] = {
	{ "<<", 4 }, { ">>", 4 }, { "||", 0 }, { "&&", 0 }, { "|", 1 }, { "^", 2 },
	{ "&", 3 },  { "+", 5 },  { "-", 5 },  { "*", 6 },  { "/", 6 }, { "%", 6 },
};

static uint64_t apply(struct format *f, char operator, uint64_t a, uint64_t b)
{
	switch (operator) {
	case '<':
		return b < 64 ? a << b : 0;
	case '>':
		return b < 64 ? a >> b : 0;
	case '|':
		return a | b;
	case '^':
		return a ^ b;
	case '&':
		return a & b;
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	}
	f->failed |= !b;
	return !b ? 0 : operator== '/' ? a / b : a % b;
}

static const struct operator* next_operator(struct format *f)
{
	skip_blanks(f);
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (!strncmp(f->at, operators[i].text, strlen(operators[i].text)))
			return &operators[i];
	return NULL;
}

/* Operators of precedence LEAST and above. Logical ones are not constants that a bit could have. */
static uint64_t read_binary(struct format *f, unsigned least)
{
	uint64_t value = read_unary(f);
	const struct operator* o;

	while (!f->failed && (o = next_operator(f)) && o->precedence >= least) {
		f->at += strlen(o->text);
		f->failed |= !o->precedence;
		value = apply(f, *o->text, value, read_binary(f, o->precedence + 1));
	}
	return value;
}

/* ---- tables ---- */

/* Goes on behind the next ',' at this depth, or stops at the ')' or '}' or end. */
static void skip_argument(struct format *f)
{
	int depth = 0;

	for (; *f->at; f->at++) {
		if (*f->at == '"') {
			skip_literal(f);
			f->at--;
		} else if (strchr("({", *f->at)) {
			depth++;
		} else if (strchr(")}", *f->at)) {
			if (!depth--)
				return;
		} else if (*f->at == ',' && !depth) {
			f->at++;
			return;
		}
	}
}

/*
 * The first argument of the call: is it the field, with casts and parentheses at most? What is
 * computed of a field has other values.
 */
static bool is_field(struct format *f, const char *field)
{
	const char *from = f->at, *end, *c;
	size_t len = strlen(field);

	skip_argument(f);
	end = f->at - 1;
	c = strstr(from, "REC->");
	if (!c || c + 5 + len > end || strncmp(c + 5, field, len) || is_name_char(c[5 + len]))
		return false;
	for (const char *x = from; x < end; x++)
		if (x == c)
			x += 5 + len - 1;
		else if (!is_name_char(*x) && !strchr(" \t\n()*", *x))
			return false;
	return true;
}

/*
 * { VALUE, "NAME" }, ... An entry whose value is not known is left out.
 */
static void read_entries(struct format *f, struct target_names *ret)
{
	VEC(struct target_enumerator) list = { 0 };

	while (accept(f, "{")) {
		struct target_enumerator e;

		f->failed = false;
		e.value = (int64_t)read_binary(f, 0);
		expect(f, ",");
		e.name = f->failed ? NULL : read_text(f);
		if (e.name)
			vec_push(f->scope->arena, &list, e);
		skip_argument(f);
		if (!accept(f, "}") || !accept(f, ","))
			break;
	}
	ret->list = list.data;
	ret->n = list.n;
}

/* "flags ? __print_flags(...) : "none"" has a word for 0. */
static const char *word_for_none(struct format *f)
{
	while (accept(f, ")"))
		;
	return accept(f, ":") ? read_text(f) : NULL;
}

/* The call that begins at F, if it is one of the field's. */
static bool read_call(struct format *f, const char *field, struct target_names *ret)
{
	bool is_flags = accept(f, "__print_flags");

	if (!is_flags && !accept(f, "__print_symbolic"))
		return false;
	accept(f, "_u64");
	if (!accept(f, "(") || !is_field(f, field))
		return false;
	if (is_flags) {
		ret->delimiter = read_text(f);
		expect(f, ",");
		if (!ret->delimiter)
			return false;
	}
	read_entries(f, ret);
	if (is_flags)
		ret->none = word_for_none(f);
	return ret->n;
}

/* The first such call of the format; at the same depth as the text allows. */
static bool find_call(const struct target_scope *scope, const char *format, const char *field,
		      struct target_names *ret)
{
	for (const char *at = format; (at = strstr(at, "__print_")); at += strlen("__print_")) {
		struct format f = { .scope = scope, .at = at };

		if (read_call(&f, field, ret))
			return true;
		*ret = (struct target_names){ 0 };
	}
	return false;
}

/* Of a scope, by parameter: found and not found. */
struct event_names {
	const char *parameter;
	const struct target_names *names; /* NULL: there are none */
	struct event_names *next;
};

static const struct target_names *find_names(const struct target_scope *scope,
					     const char *parameter)
{
	const char *format = scope->event_format;
	struct target_names names = { 0 }, *ret;

	if (!format && scope->target->live_btf && *scope->event_system)
		format = live_event_format(scope->arena, scope->event_system, scope->where);
	if (!format || !find_call(scope, format, parameter, &names))
		return NULL;
	names.name = arena_printf(scope->arena, "%s:%s %s", scope->event_system, scope->where,
				  parameter);
	ret = arena_new(scope->arena, struct target_names);
	*ret = names;
	return ret;
}

const struct target_names *target_event_names(const struct target_scope *scope,
					      const char *parameter)
{
	struct target_scope *s = (struct target_scope *)scope; /* what is found is kept in it */
	struct event_names *known;

	if (s->kind != SCOPE_TRACEPOINT)
		return NULL;
	for (known = s->event_names; known; known = known->next)
		if (!strcmp(known->parameter, parameter))
			return known->names;
	scope_variables(s, false); /* opens the types, in which enumerators are */
	known = arena_new(s->arena, struct event_names);
	*known = (struct event_names){ arena_strdup(s->arena, parameter), find_names(s, parameter),
				       s->event_names };
	s->event_names = known;
	return known->names;
}

/* Either may be NULL. */
static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool target_names_same(const struct target_names *a, const struct target_names *b)
{
	if (a == b || !a || !b)
		return a == b;
	if (a->n != b->n || !same_text(a->delimiter, b->delimiter) || !same_text(a->none, b->none))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->list[i].value != b->list[i].value ||
		    strcmp(a->list[i].name, b->list[i].name))
			return false;
	return true;
}
