/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions of random programs: of the right types, with effects unless the state says "pure". */
#include <string.h>

#include "maker.h"

/* ---- chance ---- */

unsigned below(struct maker *m, unsigned n)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return (unsigned)((m->random >> 11) % n);
}

bool chance(struct maker *m, unsigned n)
{
	return below(m, n) == 0;
}

/* ---- nodes ---- */

struct node *make(struct maker *m, enum node_kind kind, enum type type)
{
	struct node *n = arena_new(m->p->arena, struct node);

	n->kind = kind;
	n->type = type;
	return n;
}

struct node *literal(struct maker *m, int64_t number)
{
	struct node *n = make(m, E_LITERAL, TYPE_LONG);

	n->number = number;
	return n;
}

struct node *text_literal(struct maker *m, const char *text)
{
	struct node *n = make(m, E_LITERAL, TYPE_STRING);

	n->text = text;
	return n;
}

struct node *binary(struct maker *m, unsigned op, struct node *a, struct node *b)
{
	struct node *n = make(m, E_BINARY, op == OP_CONCAT ? TYPE_STRING : TYPE_LONG);

	n->op = op;
	n->kid[0] = a;
	n->kid[1] = b;
	return n;
}

struct node *use(struct maker *m, struct variable *v)
{
	struct node *n = make(m, E_VARIABLE, v->type);

	n->var = v;
	return n;
}

struct node *assignment(struct maker *m, unsigned op, struct node *left, struct node *right)
{
	struct node *n = make(m, E_ASSIGN, left->type);

	n->op = op;
	n->kid[0] = left;
	n->kid[1] = right;
	return n;
}

/* ---- variables ---- */

struct variable *new_local(struct maker *m, enum type type, bool steady)
{
	struct variable *v = arena_new(m->p->arena, struct variable);
	struct scope *s = m->scope;

	*v = (struct variable){ .type = type, .is_local = true, .steady = steady, .index = s->n };
	v->name = arena_printf(m->p->arena, "%s%u",
			       steady              ? "n"
			       : type == TYPE_LONG ? "i"
						   : "t",
			       s->n);
	s->locals[s->n++] = v;
	return v;
}

/* NULL: none of that type that may be (assigned, if TO_ASSIGN). */
static struct variable *pick_local(struct maker *m, enum type type, bool to_assign)
{
	struct variable *found[MAX_LOCALS];
	unsigned n = 0;

	if (m->no_locals)
		return NULL;
	for (unsigned i = 0; i < m->scope->n; i++)
		if (m->scope->locals[i]->type == type &&
		    !(to_assign && m->scope->locals[i]->steady))
			found[n++] = m->scope->locals[i];
	if ((!n || chance(m, 8)) && m->scope->n < MAX_LOCALS - 20)
		return new_local(m, type, false);
	return n ? found[below(m, n)] : NULL;
}

struct variable *pick_global(struct maker *m, enum type type, bool array, bool to_assign)
{
	struct variable *found[32];
	unsigned n = 0;

	for (unsigned i = 0; i < m->p->n_globals; i++) {
		struct variable *v = m->p->globals[i];

		if (v == m->never || v->type != type || !v->n_keys == array)
			continue;
		if (!to_assign || (!v->counter && !(m->locked & 1u << i)))
			found[n++] = v;
	}
	return n ? found[below(m, n)] : NULL;
}

struct variable *pick_scalar(struct maker *m, enum type type, bool to_assign)
{
	struct variable *v = chance(m, 2) ? pick_global(m, type, false, to_assign) : NULL;

	return v ? v : pick_local(m, type, to_assign);
}

/* ---- expressions ---- */

struct node *make_typed(struct maker *m, enum type type, unsigned depth)
{
	return type == TYPE_LONG ? make_long(m, depth) : make_string(m, depth);
}

struct node *make_number(struct maker *m)
{
	static const int64_t numbers[] = { 0,
					   1,
					   2,
					   3,
					   5,
					   7,
					   -1,
					   -7,
					   10,
					   63,
					   64,
					   255,
					   1000,
					   INT32_MAX,
					   1u << 31,
					   1ll << 32,
					   INT64_MAX,
					   INT64_MIN,
					   0x123456789abcdef };

	return literal(m, chance(m, 3) ? numbers[below(m, sizeof(numbers) / sizeof(*numbers))]
				       : below(m, 12));
}

struct node *make_text(struct maker *m)
{
	static const char *const texts[] = { "",         "a",
					     "b",        "abc",
					     "k1",       "k2",
					     "x y",      "%d%%",
					     "q\"\\",    "\n",
					     "\303\251", "0123456789",
					     "?\?/",     "a rather long text of 30 bytes" };

	return text_literal(m, texts[below(m, sizeof(texts) / sizeof(*texts))]);
}

/* From a few values, so that elements are met again. */
static struct node *make_key(struct maker *m, enum type type)
{
	static const char *const texts[] = { "a", "b", "k1", "k2", "" };
	struct node *n;

	if (type == TYPE_STRING) {
		if (chance(m, 2))
			return text_literal(m, texts[below(m, 5)]);
		n = make(m, E_PRINT, TYPE_STRING);
		n->op = FORM_PRINT;
		n->args = binary(m, OP_AND, make_long(m, 1), literal(m, 3));
		return n;
	}
	if (chance(m, 2))
		return literal(m, below(m, 6));
	return binary(m, OP_AND, make_long(m, 2), literal(m, 7));
}

struct node *make_keys(struct maker *m, const struct variable *v, bool wild)
{
	struct node *first = NULL, **last = &first;

	for (unsigned i = 0; i < v->n_keys; i++) {
		*last = wild && chance(m, 2) ? make(m, E_ANY, TYPE_NONE) : make_key(m, v->keys[i]);
		last = &(*last)->next;
	}
	return first;
}

struct node *make_element(struct maker *m, struct variable *v)
{
	struct node *n = use(m, v);

	n->args = make_keys(m, v, false);
	return n;
}

/* A place to store to; the type may lack arrays. */
static struct node *make_place(struct maker *m, enum type type)
{
	struct variable *v = chance(m, 3) ? pick_global(m, type, true, true) : NULL;

	if (v)
		return make_element(m, v);
	v = pick_scalar(m, type, true);
	return use(m, v ? v : new_local(m, type, false));
}

static struct node *make_read(struct maker *m, enum type type)
{
	struct variable *v = chance(m, 3) ? pick_global(m, type, true, false) : NULL;

	if (v)
		return make_element(m, v);
	v = pick_scalar(m, type, false);
	return v ? use(m, v) : type == TYPE_LONG ? make_number(m) : make_text(m);
}

static struct node *make_condition(struct maker *m, enum type type, unsigned depth)
{
	struct node *n = make(m, E_COND, type);

	n->kid[0] = make_long(m, depth);
	n->kid[1] = make_typed(m, type, depth);
	n->kid[2] = make_typed(m, type, depth);
	return n;
}

static struct node *make_match(struct maker *m, unsigned depth)
{
	static const char *const patterns[] = {
		"a",  "^a",       "b$",     "[0-9]+", "a|b",      "(ab|b)c",  "x.?y",
		"^$", "k[0-9]*$", "[^a-z]", "\\.",    "(a|b)+c?", "^.{2,3}$", "[[:digit:]]{2}"
	};
	struct node *n = make(m, E_MATCH, TYPE_LONG);

	n->text = patterns[below(m, sizeof(patterns) / sizeof(*patterns))];
	n->kid[0] = make_string(m, depth);
	n->flag = chance(m, 4);
	return n;
}

/* "" where S does not match, else what matched. */
static struct node *make_matched(struct maker *m, unsigned depth)
{
	struct node *n = make(m, E_COND, TYPE_STRING), *text = make(m, E_MATCHED, TYPE_STRING);

	n->kid[0] = make_match(m, depth);
	n->kid[0]->flag = false;
	n->kid[1] = chance(m, 2) ? text : binary(m, OP_CONCAT, text, make_text(m));
	n->kid[2] = make_text(m);
	return n;
}

static struct node *make_in(struct maker *m)
{
	static const enum type types[] = { TYPE_LONG, TYPE_STRING, TYPE_STATS };
	struct variable *v = pick_global(m, types[below(m, 3)], true, false);
	struct node *n;

	if (!v)
		return make_number(m);
	n = make(m, E_IN, TYPE_LONG);
	n->var = v;
	n->args = make_keys(m, v, chance(m, 3));
	return n;
}

struct node *figure_of(struct maker *m, struct variable *v, unsigned figure, struct node *keys)
{
	struct node *n = make(m, E_FIGURE, TYPE_LONG);

	n->var = v;
	n->op = figure;
	n->args = keys;
	return n;
}

struct node *copy_keys(struct maker *m, const struct node *keys)
{
	struct node *first = NULL, **last = &first;

	for (; keys; keys = keys->next) {
		*last = arena_new(m->p->arena, struct node);
		**last = *keys;
		(*last)->next = NULL;
		last = &(*last)->next;
	}
	return first;
}

/* What fails for want of samples is asked for behind their count, unless errors are wanted. */
static struct node *make_figure(struct maker *m)
{
	struct variable *v = pick_global(m, TYPE_STATS, chance(m, 2), false);
	struct node *n, *keys, *guard;
	bool pure = m->pure, may_fail = m->may_fail;

	if (!v)
		return make_number(m);
	/* they are written twice: an error would have two places */
	m->pure = true;
	m->may_fail = false;
	keys = make_keys(m, v, false);
	m->pure = pure;
	m->may_fail = may_fail;
	if (chance(m, 5)) {
		n = make(m, E_BUCKET, TYPE_LONG);
		n->var = v;
		n->kid[0] = literal(m, v->step ? below(m, 4) : 62 + below(m, 8));
		n->args = keys;
	} else {
		n = figure_of(m, v, below(m, N_FIGURES), keys);
	}
	if ((n->kind == E_FIGURE && n->op <= FIG_SUM) || (m->may_fail && chance(m, 6)))
		return n;
	guard = make(m, E_COND, TYPE_LONG);
	guard->kid[0] = figure_of(m, v, FIG_COUNT, copy_keys(m, keys));
	guard->kid[1] = n;
	guard->kid[2] = make_number(m);
	return guard;
}

static struct node *make_divisor(struct maker *m, unsigned depth)
{
	if (m->may_fail && chance(m, 4))
		return make_long(m, depth);
	if (chance(m, 2))
		return literal(m, chance(m, 6) ? -1 : (int)below(m, 20) + 1);
	return binary(m, OP_OR, make_long(m, depth), literal(m, 1));
}

static struct node *make_binary(struct maker *m, unsigned depth)
{
	static const unsigned ops[] = { OP_ADD, OP_ADD, OP_SUB,  OP_MUL,  OP_AND, OP_OR,   OP_XOR,
					OP_SHL, OP_SHR, OP_USHR, OP_LAND, OP_LOR, OP_LAND, OP_LT,
					OP_GT,  OP_LE,  OP_GE,   OP_EQ,   OP_NE,  OP_DIV,  OP_MOD };
	unsigned op = ops[below(m, sizeof(ops) / sizeof(*ops))];
	struct node *a;

	if (op >= OP_LT && op <= OP_NE && chance(m, 3))
		return binary(m, op, make_string(m, depth), make_string(m, depth));
	a = make_long(m, depth);
	/* of literals alone the reference refuses it */
	if (op == OP_USHR)
		return binary(m, op, binary(m, OP_ADD, a, use(m, (struct variable *)m->never)),
			      make_long(m, depth));
	return binary(m, op, a,
		      op == OP_DIV || op == OP_MOD ? make_divisor(m, depth) : make_long(m, depth));
}

static struct node *make_unary(struct maker *m, unsigned depth)
{
	struct node *n = make(m, E_UNARY, TYPE_LONG);

	n->op = OP_PLUS + below(m, 4);
	n->kid[0] = make_long(m, depth);
	return n;
}

struct node *make_step(struct maker *m)
{
	struct node *n = make(m, E_STEP, TYPE_LONG);

	n->op = OP_INC + below(m, 2);
	n->kid[0] = make_place(m, TYPE_LONG);
	n->flag = chance(m, 2);
	return n;
}

struct node *make_assignment(struct maker *m, enum type type, unsigned depth)
{
	struct node *left = make_place(m, type);
	unsigned op = OP_ASSIGN;

	if (type == TYPE_LONG && chance(m, 2))
		op = OP_ADD_TO + below(m, OP_OR_BY - OP_ADD_TO + 1);
	else if (type == TYPE_STRING && chance(m, 3))
		op = OP_APPEND;
	return assignment(m, op, left, make_typed(m, type, depth));
}

static bool may_call(const struct maker *m, const struct function *f)
{
	return !(f->arrays & m->locked);
}

struct node *make_call(struct maker *m, enum type type, unsigned depth)
{
	struct function *found[12], *f;
	bool may_fail = m->may_fail;
	struct node *n, **last;
	unsigned count = 0;

	for (unsigned i = 0; i < m->n_functions; i++)
		if (m->p->functions[i].type == type && may_call(m, &m->p->functions[i]))
			found[count++] = &m->p->functions[i];
	if (!count || m->pure)
		return NULL;
	f = found[below(m, count)];
	n = make(m, E_CALL, type);
	n->function = f;
	last = &n->args;
	m->may_fail = false; /* an argument may not be used */
	for (unsigned i = 0; i < f->n_args; i++) {
		if (i || !f->recursive)
			*last = make_typed(m, f->bodies[0].args[i]->type, depth);
		else if (f == m->function)
			*last = binary(m, OP_SUB, use(m, m->fuel), literal(m, 1));
		else
			*last = literal(m, below(m, 4));
		last = &(*last)->next;
	}
	m->may_fail = may_fail;
	return n;
}

struct node *make_long(struct maker *m, unsigned depth)
{
	struct node *n = NULL;

	if (!depth)
		return chance(m, 3) ? make_number(m) : make_read(m, TYPE_LONG);
	depth--;
	switch (below(m, m->pure ? 15 : 20)) {
	case 0:
		return make_number(m);
	case 1:
	case 2:
	case 3:
		return make_read(m, TYPE_LONG);
	case 4:
		return make_unary(m, depth);
	case 5:
		return make_condition(m, TYPE_LONG, depth);
	case 6:
		return make_in(m);
	case 7:
		return make_match(m, depth);
	case 8:
		n = make(m, E_STRLEN, TYPE_LONG);
		n->kid[0] = make_string(m, depth);
		return n;
	case 9:
		return make_figure(m);
	case 15:
		return make_assignment(m, TYPE_LONG, depth);
	case 16:
	case 17:
		return make_step(m);
	case 18:
	case 19:
		n = make_call(m, TYPE_LONG, depth);
		return n ? n : make_read(m, TYPE_LONG);
	default:
		return make_binary(m, depth);
	}
}

/* One conversion of a format at TEXT, and its arguments behind *last. */
static void add_conversion(struct maker *m, unsigned depth, struct strbuf *text,
			   struct node ***last)
{
	static const char conversions[] = "ddiuxXopcss";
	char conversion = conversions[below(m, sizeof(conversions) - 1)];
	const char *flags = strchr("di", conversion)    ? "0-+ "
			    : strchr("xXo", conversion) ? "0-#"
			    : conversion == 'u'         ? "0-"
							: "-";
	bool precise = conversion == 's' || strchr("diu", conversion);
	char flag = chance(m, 2) ? flags[below(m, (unsigned)strlen(flags))] : 0;

	strbuf_addc(text, '%');
	if (flag)
		strbuf_addc(text, flag);
	if (chance(m, 2) || (flag && strchr("0-", flag))) {
		if (chance(m, 3)) {
			strbuf_addc(text, '*');
			**last = literal(m, 1 + below(m, 12));
			*last = &(**last)->next;
		} else {
			strbuf_addf(text, "%u", 1 + below(m, 24));
		}
	}
	if (precise && flag != '0' && chance(m, 3))
		strbuf_addf(text, ".%u", below(m, 8));
	strbuf_addc(text, conversion);
	**last = conversion == 's'   ? make_string(m, depth)
		 : conversion == 'c' ? literal(m, 'a' + below(m, 26))
				     : make_long(m, depth);
	*last = &(**last)->next;
}

static struct node *make_format(struct maker *m, enum type type, unsigned depth)
{
	static const char *const between[] = { "", " ", "%%", ":", "=", "|", "a" };
	struct node *n = make(m, E_PRINT, type), **last = &n->args;
	unsigned conversions = 1 + below(m, 3);
	struct strbuf text;

	strbuf_init(&text);
	for (unsigned i = 0; i < conversions; i++) {
		strbuf_adds(&text, between[below(m, 7)]);
		add_conversion(m, depth, &text, &last);
	}
	strbuf_adds(&text, type == TYPE_STRING ? between[below(m, 7)] : "\n");
	n->op = FORM_FORMAT;
	n->text = arena_strndup(m->p->arena, strbuf_cstr(&text), text.len);
	strbuf_deinit(&text);
	return n;
}

struct node *make_print(struct maker *m, enum type type, unsigned depth)
{
	static const char *const delimiters[] = { "", ",", " | ", "%", "\n" };
	struct node *n, **last;
	unsigned form = below(m, FORM_FORMAT + 2), args;

	if (form >= FORM_FORMAT)
		return make_format(m, type, depth);
	n = make(m, E_PRINT, type);
	n->op = form;
	last = &n->args;
	args = 1 + below(m, 3);
	if (form == FORM_DELIMITED || form == FORM_DELIMITED_LINE) {
		n->text = delimiters[below(m, 5)];
		args++;
	}
	for (; args; args--) {
		*last = make_typed(m, TYPE_LONG + below(m, 2), depth);
		last = &(*last)->next;
	}
	return n;
}

struct node *make_string(struct maker *m, unsigned depth)
{
	struct node *n;

	if (!depth)
		return chance(m, 3) ? make_text(m) : make_read(m, TYPE_STRING);
	depth--;
	switch (below(m, m->pure ? 9 : 12)) {
	case 0:
		return make_text(m);
	case 1:
	case 2:
		return make_read(m, TYPE_STRING);
	case 3:
	case 4:
		return binary(m, OP_CONCAT, make_string(m, depth), make_string(m, depth));
	case 5:
		return make_condition(m, TYPE_STRING, depth);
	case 6:
		return make_matched(m, depth);
	case 9:
		return make_assignment(m, TYPE_STRING, depth);
	case 10:
	case 11:
		n = make_call(m, TYPE_STRING, depth);
		return n ? n : make_read(m, TYPE_STRING);
	default:
		return make_print(m, TYPE_STRING, depth);
	}
}
