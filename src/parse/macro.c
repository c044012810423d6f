/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros: definitions are taken out of the token list, invocations replaced by
 * the body. Arguments are expanded where they are written, before they go into the body, so names
 * in them never mean the body's.
 *
 * Tokens from a body get the positions of an expansion entry in the source map, and so carry their
 * origin.
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/keywords.h"
#include "script.tab.h"

/* What the stack allows; more tokens is growth without sense. man/stap.1 has both. */
#define MACRO_DEPTH_MAX 1000
#define MACRO_TOKENS_MAX ((size_t)1 << 18)

/*
 * A definition; it lives in the arena, and its body is a slice of the token list it was read
 * from.
 */
struct macro {
	const struct istr *name;
	const struct istr **params;
	size_t n_params;
	bool has_params; /* parentheses in the definition */
	struct tokens body;
	struct span span;    /* of the body's text */
	struct span defined; /* the name in the definition */
};

/* The body being expanded: what its parameters stand for. */
struct expansion {
	const struct macro *macro;  /* NULL: the file itself */
	struct tokens *args;        /* n_params of them, expanded */
	uint32_t base;              /* source map offset of the expansion */
	const struct expansion *up; /* the body that this is part of */
	int depth;
};

/* One text: what came out so far, and the counts that bound expansion. */
struct expander {
	struct parser *p;
	struct tokens out;
	size_t made;   /* tokens made by expansion so far, and invocations */
	size_t placed; /* offsets given to the tokens of arguments so far */
	int nesting;   /* invocations within arguments of invocations */
	bool macro_file;
};

/* Appends a copy of the token. */
static void emit(struct expander *x, struct tokens *out, const struct token *t)
{
	vec_push(x->p->arena, out, *t);
}

/* Leaves a mistake in place of the token at fault. */
static void emit_junk(struct expander *x, struct tokens *out, const struct token *at,
		      struct diagnostic *bad)
{
	struct token t = parser_junk(x->p, at, bad);

	emit(x, out, &t);
}

/* Index of the PP_CLOSE matching the PP_OPEN before I, or of END. */
static size_t find_close(const struct tokens *in, size_t i)
{
	int depth = 1;

	for (; in->data[i].kind != SCRIPT_EOF; i++) {
		if (in->data[i].kind == PP_OPEN)
			depth++;
		else if (in->data[i].kind == PP_CLOSE && !--depth)
			break;
	}
	return i;
}

/* A definition that cannot be read; a token that is junk already says why itself. */
static struct diagnostic *syntax(struct expander *x, const struct token *t, const char *what)
{
	if (t->kind == JUNK)
		return t->bad;
	return diag_create(x->p->sink, DIAG_PARSE_MACRO_SYNTAX, t->span, what);
}

/* Keywords are good names, since these are always written with the @. */
static bool is_name(const struct token *t)
{
	return t->str && t->kind != STRING && t->kind != EMBEDDED && t->kind != JUNK &&
	       t->kind != AT_WORD;
}

/* "(a, b)" at I; returns the index behind it, or 0 with *bad set to the token at fault. */
static size_t read_params(struct expander *x, const struct tokens *in, size_t i, struct macro *m,
			  size_t *bad)
{
	VEC(const struct istr *) params = { 0 };

	m->has_params = true;
	if (in->data[i].kind == ')')
		return i + 1;
	for (;; i++) {
		if (!is_name(&in->data[i])) {
			*bad = i;
			return 0;
		}
		vec_push(x->p->arena, &params, in->data[i].str);
		i++;
		if (in->data[i].kind == ')')
			break;
		if (in->data[i].kind != ',') {
			*bad = i;
			return 0;
		}
	}
	m->params = params.data;
	m->n_params = params.n;
	return i + 1;
}

/* Whether a body holds a definition, which is refused; *at is where. */
static bool body_defines(const struct macro *m, size_t *at)
{
	for (size_t i = 0; i < m->body.n; i++) {
		if (m->body.data[i].kind == AT_WORD &&
		    !strcmp(m->body.data[i].str->text, "define")) {
			*at = i;
			return true;
		}
	}
	return false;
}

/*
 * A definition that reads well but may not be: an error wherever it stands, even in an arm not
 * taken.
 */
static void refuse(struct expander *x, const struct token *at, struct diagnostic *bad)
{
	diag_add(x->p->sink, parser_junk(x->p, at, bad).bad);
}

/* An invocation of M, whose definition is wrong, is no mistake of its own. */
static void put_broken(struct expander *x, const struct macro *m)
{
	map_put(x->p->broken_macros, m->name, x);
}

/*
 * Checks a definition that could be read, and makes it known: to this file, and from a .stpm to
 * all later ones.
 */
static void macro_put(struct expander *x, const struct token *name, struct macro *m)
{
	struct parser *p = x->p;
	const struct keyword *word = parser_at_operator(m->name->text, m->name->len);
	const struct macro *first = map_get(p->macros, m->name);
	struct diagnostic *twice;
	size_t nested;

	if (!strcmp(m->name->text, "define")) {
		refuse(x, name, diag_create(p->sink, DIAG_PARSE_MACRO_NAME, name->span));
	} else if (body_defines(m, &nested)) {
		const struct token *t = &m->body.data[nested];

		put_broken(x, m);
		refuse(x, t, diag_create(p->sink, DIAG_PARSE_MACRO_NESTED, t->span));
	} else if (first) {
		twice = diag_create(p->sink, DIAG_PARSE_MACRO_TWICE, name->span, m->name->text);
		diag_set_second(p->sink, twice, first->defined, NULL);
		refuse(x, name, twice);
	} else {
		if (word && !word->may_be_macro && parser_since(p, word->since))
			diag_report(p->sink, DIAG_PARSE_MACRO_BUILTIN, name->span, m->name->text);
		map_put(p->macros, m->name, m);
		/* the more specific directory is read first: its definition stays */
		if (x->macro_file && !map_has(p->env.macros, m->name))
			map_put(p->env.macros, m->name, m);
	}
}

/* "@define NAME(a) %( body %)" with the @define at I; returns the index of what follows. */
static size_t read_definition(struct expander *x, const struct tokens *in, size_t i)
{
	struct macro *m = arena_new(x->p->arena, struct macro);
	const struct token *name = &in->data[i + 1];
	size_t close, bad = 0;

	if (!is_name(name)) {
		emit_junk(x, &x->out, name, syntax(x, name, "identifier"));
		return i + 1;
	}
	m->name = name->str;
	m->defined = name->span;
	i += 2;
	if (in->data[i].kind == '(') {
		i = read_params(x, in, i + 1, m, &bad);
		if (!i) {
			put_broken(x, m);
			emit_junk(x, &x->out, &in->data[bad],
				  syntax(x, &in->data[bad], "parameter names"));
			return bad;
		}
	}
	if (in->data[i].kind != PP_OPEN) {
		put_broken(x, m);
		emit_junk(x, &x->out, &in->data[i], syntax(x, &in->data[i], "'%('"));
		return i;
	}
	close = find_close(in, i + 1);
	if (in->data[close].kind == SCRIPT_EOF) {
		struct diagnostic *end =
			diag_create(x->p->sink, DIAG_PARSE_MACRO_BODY_END, name->span);

		emit_junk(x, &x->out, name, end);
		return close;
	}
	m->span.start = in->data[i].span.start;
	m->span.end = in->data[close].span.end;
	m->body.data = in->data + i + 1;
	m->body.n = close - i - 1;
	macro_put(x, name, m);
	return close + 1;
}

/*
 * One argument from I to the "," or ")" at its top level; returns the index of that, or of the end.
 */
static size_t read_argument(const struct tokens *in, size_t i, size_t end)
{
	int depth = 0;

	for (; i < end && in->data[i].kind != SCRIPT_EOF; i++) {
		int kind = in->data[i].kind;

		if (kind == '(' || kind == '[' || kind == '{' || kind == PP_OPEN)
			depth++;
		else if (!depth && (kind == ',' || kind == ')'))
			return i;
		else if (kind == ')' || kind == ']' || kind == '}' || kind == PP_CLOSE)
			depth--;
	}
	return end;
}

/*
 * Copies tokens [from, to) to OUT, with parameters and invocations replaced. up is the body that
 * they are part of.
 */
static void expand(struct expander *x, const struct tokens *in, size_t from, size_t to,
		   const struct expansion *up, struct tokens *out);

/* Too few or too many arguments; says how many there should be. */
static struct diagnostic *count_error(struct expander *x, enum diag_tag tag, const struct token *at,
				      const struct macro *m)
{
	const char *expected = arena_printf(x->p->arena, "%zu", m->n_params);

	return diag_create(x->p->sink, tag, at->span, m->name->text, expected);
}

/* The arguments of the invocation at I. Returns the index behind it, or 0 after emitting junk. */
static size_t read_arguments(struct expander *x, const struct tokens *in, size_t i, size_t end,
			     const struct macro *m, const struct expansion *up, struct tokens *out,
			     struct tokens **ret)
{
	struct tokens *args = arena_new_array(x->p->arena, struct tokens, m->n_params + 1);
	const struct token *name = &in->data[i];
	struct diagnostic *bad = NULL;
	size_t n = 0;

	i++;
	if (i >= end || in->data[i].kind != '(') {
		bad = count_error(x, DIAG_PARSE_MACRO_FEW, name, m);
		diag_set_hint(x->p->sink, bad,
			      "it is used as it is defined, with parentheses: @%s(%s)",
			      m->name->text, m->n_params ? "..." : "");
		emit_junk(x, out, name, bad);
		return 0;
	}
	do {
		size_t from = i + 1;

		i = read_argument(in, from, end);
		if (i >= end || in->data[i].kind == SCRIPT_EOF)
			bad = diag_create(x->p->sink, DIAG_PARSE_MACRO_UNENDED, name->span);
		else if (n < m->n_params)
			expand(x, in, from, i, up, &args[n++]);
		else if (m->n_params || i > from || in->data[i].kind == ',')
			bad = count_error(x, DIAG_PARSE_MACRO_MANY, name, m);
	} while (!bad && in->data[i].kind == ',');
	if (!bad && n < m->n_params)
		bad = count_error(x, DIAG_PARSE_MACRO_FEW, name, m);
	if (bad) {
		emit_junk(x, out, name, bad);
		return 0;
	}
	*ret = args;
	return i + 1;
}

/* The file's own macro goes before the library's. */
static const struct macro *find_macro(const struct expander *x, const struct istr *name)
{
	const struct macro *m = map_get(x->p->macros, name);

	return m ? m : map_get(x->p->env.macros, name);
}

/* The parameter of the current body that NAME is, or NULL. */
static const struct tokens *find_param(const struct expansion *up, const struct istr *name)
{
	for (size_t i = 0; up->macro && i < up->macro->n_params; i++) {
		if (up->macro->params[i] == name)
			return &up->args[i];
	}
	return NULL;
}

/*
 * The position of a token of the body in the current expansion; tokens that came from elsewhere
 * keep theirs.
 */
static struct span position_in(const struct expansion *up, struct span span)
{
	if (!up->macro || span.start < up->macro->span.start || span.end > up->macro->span.end)
		return span;
	return (struct span){
		.start = up->base + (span.start - up->macro->span.start),
		.end = up->base + (span.end - up->macro->span.start),
	};
}

static struct diagnostic *too_many(struct expander *x, const struct macro *m, struct span span)
{
	return diag_create(x->p->sink, DIAG_PARSE_MACRO_TOKENS, span, m->name->text,
			   MACRO_TOKENS_MAX);
}

/*
 * Is the span one of the text that invokes the macro of UP? What other macros made has an origin
 * already.
 */
static bool is_written_there(const struct expander *x, const struct expansion *up, struct span span)
{
	const struct expansion *at = up->up;
	struct span from;

	if (at->macro)
		return span.start >= at->base &&
		       span.end <= at->base + (at->macro->span.end - at->macro->span.start);
	return !source_map_invocation(diag_sink_map(x->p->sink), span.start, &from);
}

/* Texts of arguments with fewer bytes between them are placed as one. */
#define ARGUMENT_GAP 16
#define PLACED_MAX ((size_t)1 << 28)

/* How many tokens of FROM, from I on, are placed as one: they stand behind each other. */
static size_t count_adjacent(const struct expander *x, const struct expansion *up,
			     const struct tokens *from, size_t i)
{
	size_t n = 1;

	for (; i + n < from->n; n++) {
		const struct token *t = &from->data[i + n], *before = t - 1;

		if (t->span.start < before->span.end ||
		    t->span.start - before->span.end > ARGUMENT_GAP ||
		    !is_written_there(x, up, t->span))
			break;
	}
	return n;
}

/*
 * Tokens of FROM, what parameter NAME of UP's macro stands for, are copied up to MACRO_TOKENS_MAX
 * in all; what is beyond is reported. The first touches what stands before it when NAME does. What
 * was written at the invocation gets the positions of an expansion of NAME, while there are enough.
 */
static void append(struct expander *x, struct tokens *out, const struct tokens *from,
		   const struct expansion *up, const struct token *name)
{
	struct source_map *map = diag_sink_map(x->p->sink);
	struct span at = position_in(up, name->span), text = { 0 };
	uint32_t base = 0;

	for (size_t i = 0, end = 0; i < from->n; i++) {
		struct token t = from->data[i];

		if (x->made >= MACRO_TOKENS_MAX) {
			emit_junk(x, out, name, too_many(x, up->macro, name->span));
			return;
		}
		if (i >= end && t.span.start && x->placed < PLACED_MAX &&
		    is_written_there(x, up, t.span)) {
			end = i + count_adjacent(x, up, from, i);
			text = (struct span){ t.span.start, from->data[end - 1].span.end };
			base = source_map_add_expansion(map, text, at);
			x->placed += text.end - text.start;
		}
		if (i < end)
			t.span = (struct span){ base + (t.span.start - text.start),
						base + (t.span.end - text.start) };
		if (!i)
			t.glued = name->glued;
		emit(x, out, &t);
		x->made++;
	}
}

/* Why M cannot be expanded in UP; NULL: it can. Conditionals, which come later, end none. */
static struct diagnostic *why_not_expanded(struct expander *x, const struct macro *m,
					   const struct expansion *up, struct span span)
{
	struct diag_sink *sink = x->p->sink;

	for (const struct expansion *e = up; e; e = e->up)
		if (e->macro == m)
			return diag_create(sink, DIAG_PARSE_MACRO_ENDLESS, span, m->name->text);
	if (up->depth + x->nesting > MACRO_DEPTH_MAX)
		return diag_create(sink, DIAG_PARSE_MACRO_DEPTH, span, m->name->text,
				   MACRO_DEPTH_MAX);
	if (x->made >= MACRO_TOKENS_MAX)
		return too_many(x, m, span);
	return NULL;
}

/* The invocation at I; returns the index behind it. */
static size_t invoke(struct expander *x, const struct tokens *in, size_t i, size_t end,
		     const struct macro *m, const struct expansion *up, struct tokens *out)
{
	struct token name = in->data[i];
	struct expansion down = { .macro = m, .up = up, .depth = up->depth + 1 };
	struct diagnostic *bad;
	size_t next = i + 1, begin;

	x->made++; /* macros that come to nothing have an end too */
	name.span = position_in(up, name.span);
	bad = why_not_expanded(x, m, up, name.span);
	if (bad) {
		emit_junk(x, out, &name, bad);
		return next;
	}
	if (m->has_params) {
		x->nesting++;
		next = read_arguments(x, in, i, end, m, up, out, &down.args);
		x->nesting--;
		if (!next)
			return i + 1;
	}
	down.base = source_map_add_expansion(diag_sink_map(x->p->sink), m->span, name.span);
	begin = out->n;
	expand(x, &m->body, 0, m->body.n, &down, out);
	if (out->n > begin)
		out->data[begin].glued = name.glued;
	return next;
}

static void expand(struct expander *x, const struct tokens *in, size_t from, size_t to,
		   const struct expansion *up, struct tokens *out)
{
	for (size_t i = from; i < to;) {
		struct token t = in->data[i];
		const struct tokens *param;
		const struct macro *m;

		if (t.kind == AT_WORD) {
			param = find_param(up, t.str);
			m = param ? NULL : find_macro(x, t.str);
			if (param) {
				append(x, out, param, up, &t);
				i++;
				continue;
			}
			if (m) {
				i = invoke(x, in, i, to, m, up, out);
				continue;
			}
		}
		t.span = position_in(up, t.span);
		if (up->macro)
			x->made++;
		emit(x, out, &t);
		i++;
	}
}

bool parser_macro_defined(const struct parser *p, const struct istr *name, struct span *ret)
{
	const struct macro *m = map_get(p->macros, name);

	if (m)
		*ret = m->defined;
	return m;
}

bool parser_needs_macros(const struct parser *p, const struct tokens *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct token *t = &in->data[i];

		if (t->kind == AT_WORD && strcmp(t->str->text, "define") &&
		    !parser_at_operator(t->str->text, t->str->len) &&
		    !map_has(p->env.macros, t->str))
			return true;
	}
	return false;
}

/* Does any token begin a definition or an invocation? */
static bool has_macros(const struct expander *x, const struct tokens *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct token *t = &in->data[i];

		if (t->kind == AT_WORD &&
		    (!strcmp(t->str->text, "define") || find_macro(x, t->str)))
			return true;
	}
	return false;
}

/* A list without macros is the answer itself: it is not copied. */
struct tokens parser_expand_macros(struct parser *p, const struct tokens *in, bool macro_file)
{
	struct expander x = { .p = p, .macro_file = macro_file };
	const struct expansion top = { 0 };
	size_t i = 0;

	if (!has_macros(&x, in))
		return *in;
	while (i < in->n) {
		const struct token *t = &in->data[i];
		const struct macro *m;

		if (t->kind == AT_WORD && !strcmp(t->str->text, "define")) {
			i = read_definition(&x, in, i);
		} else if (t->kind == AT_WORD && (m = find_macro(&x, t->str))) {
			i = invoke(&x, in, i, in->n, m, &top, &x.out);
		} else {
			emit(&x, &x.out, t);
			i++;
		}
	}
	return x.out;
}
