/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a pattern to a tree, by recursive descent:
 *
 *	choice   = sequence { "|" sequence }
 *	sequence = { repeat }
 *	repeat   = atom { "*" | "+" | "?" | "{" m "}" | "{" m "," "}" | "{" m "," n "}" }
 *	atom     = "(" choice ")" | "[" set "]" | "." | "^" | "$" | "\" byte | byte
 *
 * What POSIX leaves undefined: an empty alternative or group matches the empty string, several
 * counts apply one after the other, and a count with nothing before it is a mistake.
 */
#include <ctype.h>
#include <string.h>

#include "regex/internal.h"

/* Groups within groups, and counts of one atom: limits what goes down the tree. */
#define MAX_DEPTH 100

/* State of one run. fault is written at the first mistake, which ends the run. */
struct parser {
	struct arena *arena;
	const unsigned char *text;
	const bool *quoted;
	size_t len, at;
	unsigned n_groups, depth;
	struct regex_fault *fault;
};

static const struct regex_tree *parse_choice(struct parser *p);

static const char end_fault[] = "unexpected end of regex";

#define QUOTED 256 /* added to a byte that stands for itself, so that it equals no operator */

/* The byte that many places ahead; -1 behind the end. */
static int peek(const struct parser *p, size_t ahead)
{
	size_t at = p->at + ahead;

	if (at >= p->len)
		return -1;
	return p->text[at] + (p->quoted && p->quoted[at] ? QUOTED : 0);
}

/* Records the mistake at byte AT; returns NULL, which is false too. */
static void *fail(struct parser *p, const char *what, size_t at)
{
	*p->fault = (struct regex_fault){ .what = what, .at = at };
	return NULL;
}

/* The same with a hint. */
static void *hinted(struct parser *p, const char *what, size_t at, const char *hint)
{
	fail(p, what, at);
	p->fault->hint = hint;
	return NULL;
}

/* ---- nodes ---- */

/* All zero but for its kind. */
static struct regex_tree *node(struct parser *p, enum regex_kind kind)
{
	struct regex_tree *tree = arena_new(p->arena, struct regex_tree);

	tree->kind = kind;
	return tree;
}

static void set_add(struct regex_set *set, unsigned byte)
{
	set->bits[byte / 64] |= 1ull << byte % 64;
}

static void set_invert(struct regex_set *set)
{
	for (int i = 0; i < 4; i++)
		set->bits[i] = ~set->bits[i];
}

static const struct regex_tree *byte_node(struct parser *p, unsigned byte)
{
	struct regex_tree *tree = node(p, REGEX_SET);

	set_add(&tree->set, byte);
	return tree;
}

/* Any byte, an end of line too. */
static const struct regex_tree *any_node(struct parser *p)
{
	struct regex_tree *tree = node(p, REGEX_SET);

	set_invert(&tree->set);
	return tree;
}

/* A list of one is what stands in it. */
static const struct regex_tree *list_node(struct parser *p, enum regex_kind kind,
					  const struct regex_trees *list)
{
	struct regex_tree *tree;

	if (list->n == 1)
		return list->data[0];
	tree = node(p, kind);
	tree->list = *list;
	for (size_t i = 0; i < list->n; i++)
		tree->has_groups |= list->data[i]->has_groups;
	return tree;
}

/* ---- [ ] ---- */

struct class
{
	const char *name;
	int (*has)(int c);
};

static const struct class classes[] = {
	{ "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl },
	{ "digit", isdigit }, { "graph", isgraph }, { "lower", islower }, { "print", isprint },
	{ "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
};

/*
 * [:NAME:], p at its '['. The program never leaves the C locale, and bytes above 127 are in none.
 */
static bool parse_class(struct parser *p, struct regex_set *set)
{
	size_t start = p->at, name = start + 2, end = name;

	while (end < p->len && isalpha(p->text[end]))
		end++;
	if (end + 1 >= p->len)
		return fail(p, end_fault, p->len);
	if (p->text[end] != ':' || p->text[end + 1] != ']')
		return fail(p, "unknown character class", start);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strlen(classes[i].name) != end - name ||
		    memcmp(classes[i].name, p->text + name, end - name))
			continue;
		for (int c = 0; c < 128; c++)
			if (classes[i].has(c))
				set_add(set, (unsigned)c);
		p->at = end + 2;
		return true;
	}
	return fail(p, "unknown character class", start);
}

/*
 * A letter or digit behind a backslash: an escape of other dialects, such as \d, that POSIX does
 * not define.
 */
static bool is_unknown_escape(int c)
{
	return c >= QUOTED && isalnum(c - QUOTED);
}

/* Reports it, with what to write instead where that is known. */
static void *unknown_escape(struct parser *p, size_t at, int c)
{
	static const struct {
		char letter;
		const char *hint;
	} known[] = {
		{ 'd', "digits are [[:digit:]] or [0-9]" },
		{ 'D', "what is no digit is [^0-9]" },
		{ 'w', "letters, digits and _ are [[:alnum:]_]" },
		{ 'W', "what is no letter, digit or _ is [^[:alnum:]_]" },
		{ 's', "white space is [[:space:]]" },
		{ 'S', "what is no white space is [^[:space:]]" },
	};

	fail(p, "unknown escape", at);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].letter == c)
			p->fault->hint = known[i].hint;
	return NULL;
}

/*
 * A byte or a range of them, by number: there are no collating orders. '-' stands for itself at the
 * end of the set.
 */
static bool parse_member(struct parser *p, struct regex_set *set)
{
	size_t start = p->at;
	int low = peek(p, 0), high = low;

	if (is_unknown_escape(low))
		return unknown_escape(p, start, low - QUOTED);
	p->at++;
	if (peek(p, 0) == '-' && peek(p, 1) >= 0 && peek(p, 1) != ']') {
		high = peek(p, 1);
		if (is_unknown_escape(high))
			return unknown_escape(p, p->at + 1, high - QUOTED);
		if (high == '[' && (peek(p, 2) == ':' || peek(p, 2) == '.' || peek(p, 2) == '='))
			return fail(p, "invalid range", start);
		p->at += 2;
	}
	if ((high & 255) < (low & 255))
		return fail(p, "invalid range", start);
	for (int c = low & 255; c <= (high & 255); c++)
		set_add(set, (unsigned)c);
	return true;
}

/* Up to and with the ']'. It stands for itself when it comes first. */
static bool parse_members(struct parser *p, struct regex_set *set)
{
	size_t start = p->at;

	for (;;) {
		int c = peek(p, 0), next = peek(p, 1);

		if (c < 0)
			return fail(p, end_fault, p->len);
		if (c == ']' && p->at > start) {
			p->at++;
			return true;
		}
		if (c == '[' && (next == '.' || next == '='))
			return fail(p, "collating symbols are not supported", p->at);
		if (c == '[' && next == ':') {
			size_t at = p->at;

			if (!parse_class(p, set))
				return false;
			if (peek(p, 0) == '-' && peek(p, 1) >= 0 && peek(p, 1) != ']')
				return fail(p, "invalid range", at);
		} else if (!parse_member(p, set)) {
			return false;
		}
	}
}

/* P at the '['. */
static const struct regex_tree *parse_set(struct parser *p)
{
	struct regex_tree *tree = node(p, REGEX_SET);
	bool inverted;

	p->at++;
	inverted = peek(p, 0) == '^';
	p->at += inverted;
	if (!parse_members(p, &tree->set))
		return NULL;
	if (inverted)
		set_invert(&tree->set);
	return tree;
}

/* ---- the rest ---- */

/* P at the '('. Groups are numbered by their opening parentheses, from 1. */
static const struct regex_tree *parse_group(struct parser *p)
{
	struct regex_tree *tree = node(p, REGEX_GROUP);

	if (++p->depth > MAX_DEPTH)
		return fail(p, "groups nested too deeply", p->at);
	tree->group.number = p->n_groups++;
	tree->has_groups = true;
	p->at++;
	tree->group.child = parse_choice(p);
	if (!tree->group.child)
		return NULL;
	if (peek(p, 0) != ')')
		return fail(p, end_fault, p->len);
	p->at++;
	p->depth--;
	return tree;
}

/* P at a backslash; only what is no letter or digit can be quoted by it. */
static const struct regex_tree *parse_escape(struct parser *p)
{
	size_t start = p->at;
	int c = peek(p, 1);

	if (c < 0)
		return fail(p, end_fault, p->len);
	c &= 255;
	if (isdigit(c))
		return fail(p, "back references are not supported", start);
	if (isalpha(c))
		return unknown_escape(p, start, c);
	p->at += 2;
	return byte_node(p, (unsigned)c);
}

/* What a count can apply to. A count here has nothing before it. */
static const struct regex_tree *parse_atom(struct parser *p)
{
	int c = peek(p, 0);

	switch (c) {
	case '(':
		return parse_group(p);
	case '[':
		return parse_set(p);
	case '\\':
		return parse_escape(p);
	case '*':
	case '+':
	case '?':
		return fail(p, "nothing to repeat", p->at);
	case '{':
		return hinted(p, "nothing to repeat", p->at, "a plain '{' is written \\\\{");
	}
	if (is_unknown_escape(c))
		return unknown_escape(p, p->at, c - QUOTED);
	p->at++;
	switch (c) {
	case '.':
		return any_node(p);
	case '^':
		return node(p, REGEX_BEGIN);
	case '$':
		return node(p, REGEX_END);
	}
	return byte_node(p, (unsigned)c & 255);
}

/* At least one digit; at most REGEX_MAX_COUNT, as in POSIX (_POSIX2_RE_DUP_MAX). */
static bool parse_number(struct parser *p, unsigned *ret)
{
	size_t start = p->at;

	*ret = 0;
	for (; peek(p, 0) >= '0' && peek(p, 0) <= '9'; p->at++) {
		*ret = *ret * 10 + (unsigned)peek(p, 0) - '0';
		if (*ret > REGEX_MAX_COUNT)
			return fail(p, "count above 255", start);
	}
	if (p->at > start)
		return true;
	if (peek(p, 0) < 0)
		return fail(p, end_fault, p->len);
	return hinted(p, "expected a number", p->at, "a plain '{' is written \\\\{");
}

/* {m}, {m,} and {m,n}, p at the brace. */
static bool parse_braces(struct parser *p, struct regex_tree *tree)
{
	size_t start = p->at++;

	if (!parse_number(p, &tree->repeat.min))
		return false;
	tree->repeat.max = tree->repeat.min;
	if (peek(p, 0) == ',') {
		p->at++;
		if (peek(p, 0) == '}')
			tree->repeat.unbounded = true;
		else if (!parse_number(p, &tree->repeat.max))
			return false;
	}
	if (peek(p, 0) < 0)
		return fail(p, end_fault, p->len);
	if (peek(p, 0) != '}')
		return fail(p, "expected '}'", p->at);
	p->at++;
	if (tree->repeat.max < tree->repeat.min)
		return fail(p, "counts in the wrong order", start);
	return true;
}

/* An atom with its counts. An anchor takes none. */
static const struct regex_tree *parse_repeat(struct parser *p)
{
	const struct regex_tree *child = parse_atom(p);

	for (unsigned depth = 1; child; depth++) {
		struct regex_tree *tree = node(p, REGEX_REPEAT);
		int c = peek(p, 0);

		if (c != '*' && c != '+' && c != '?' && c != '{')
			return child;
		if (child->kind == REGEX_BEGIN || child->kind == REGEX_END)
			return fail(p, "nothing to repeat", p->at);
		if (depth > MAX_DEPTH)
			return fail(p, "counts nested too deeply", p->at);
		tree->repeat.child = child;
		tree->has_groups = child->has_groups;
		if (c == '{') {
			if (!parse_braces(p, tree))
				return NULL;
		} else {
			tree->repeat.min = c == '+';
			tree->repeat.max = c != '*';
			tree->repeat.unbounded = c != '?';
			p->at++;
		}
		child = tree;
	}
	return NULL;
}

/* As in POSIX a ')' that closes no group stands for itself. */
static bool ends_group(const struct parser *p)
{
	return p->depth && peek(p, 0) == ')';
}

/* Ends before '|', before the ')' of a group, or at the end; may be empty. */
static const struct regex_tree *parse_sequence(struct parser *p)
{
	struct regex_trees list = { 0 };

	while (peek(p, 0) >= 0 && peek(p, 0) != '|' && !ends_group(p)) {
		const struct regex_tree *tree = parse_repeat(p);

		if (!tree)
			return NULL;
		vec_push(p->arena, &list, tree);
	}
	return list_node(p, REGEX_SEQUENCE, &list);
}

/* Ends before the ')' of a group, or at the end. */
static const struct regex_tree *parse_choice(struct parser *p)
{
	struct regex_trees list = { 0 };

	for (;; p->at++) {
		const struct regex_tree *tree = parse_sequence(p);

		if (!tree)
			return NULL;
		vec_push(p->arena, &list, tree);
		if (peek(p, 0) != '|')
			return list_node(p, REGEX_CHOICE, &list);
	}
}

struct regex *regex_parse(struct arena *arena, const char *text, const bool *quoted, size_t len,
			  struct regex_fault *fault)
{
	const char *nul = len ? memchr(text, '\0', len) : NULL;
	struct parser p = {
		.arena = arena,
		.text = (const unsigned char *)text,
		.quoted = quoted,
		.len = len,
		.n_groups = 1,
		.fault = fault,
	};
	struct regex *regex = arena_new(arena, struct regex);

	if (nul)
		return fail(&p, "NUL byte", (size_t)(nul - text));
	regex->tree = parse_choice(&p);
	if (!regex->tree)
		return NULL;
	regex->n_groups = p.n_groups;
	return regex;
}
