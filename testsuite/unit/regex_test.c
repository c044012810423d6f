/* links: regex */
/* sources: runtime/regex/match.c */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns to tables, and the tables run over strings: by hand, against a matcher that does what POSIX says by trying
 * everything, and against the C library.
 */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "regex/internal.h"
#include "runtime/regex/match.h"

#define MAX_SPANS 16
#define MAX_TASKS 64
#define MAX_TEXT 600

static struct stp_span spans[MAX_SPANS];
static struct stp_regex_task tasks[MAX_TASKS];
static stp_u16 trace[MAX_TEXT];
static struct stp_regex_work work = { .spans = spans, .tasks = tasks, .trace = trace };

static const struct stp_regex *compile(struct arena *arena, const char *pattern,
				       struct regex **tree)
{
	const struct stp_regex *tables;
	struct regex_fault fault;
	const char *needs;

	*tree = regex_parse(arena, pattern, NULL, strlen(pattern), &fault);
	if (!*tree)
		fail_msg("%s: %s at %zu", pattern, fault.what, fault.at);
	tables = regex_compile(arena, *tree, true, &needs);
	if (!tables)
		return NULL;
	assert_true(tables->groups->n_groups <= MAX_SPANS && tables->groups->n_nodes <= MAX_TASKS);
	return tables;
}

/* "(0,3)(1,2)(?,?)" of the spans, "" when nothing matches; the search must agree. */
static const char *run(const struct stp_regex *re, const char *text)
{
	struct stp_str s = { text, (stp_u32)strlen(text) };
	static char out[MAX_SPANS * 16];
	char *p = out;
	int found;

	*p = '\0';
	assert_true(s.len < MAX_TEXT);
	found = stp_regex_spans(re, s, &work);
	assert_int_equal(stp_regex_test(re, s), found);
	for (int i = 0; found && i < re->groups->n_groups; i++)
		p += spans[i].start == STP_SPAN_UNSET
			     ? sprintf(p, "(?,?)")
			     : sprintf(p, "(%u,%u)", spans[i].start, spans[i].end);
	return out;
}

/* ---- by hand ---- */

static const struct {
	const char *pattern, *text, *spans;
} cases[] = {
	/* one byte */
	{ "a", "a", "(0,1)" },
	{ "a", "xxay", "(2,3)" },
	{ "a", "", "" },
	{ "a", "b", "" },
	{ "", "abc", "(0,0)" },
	{ "", "", "(0,0)" },
	{ ".", "\n", "(0,1)" },
	{ ".", "\377", "(0,1)" },
	{ "\377", "a\377", "(1,2)" },
	{ "abc", "ababc", "(2,5)" },
	/* sets */
	{ "[abc]+", "xxcabyy", "(2,5)" },
	{ "[^abc]+", "ccxyz", "(2,5)" },
	{ "[a-c]+", "zzabcd", "(2,5)" },
	{ "[]a]+", "x]a]x", "(1,4)" },
	{ "[^]a]", "]ab", "(2,3)" },
	{ "[a-]+", "x-a-", "(1,4)" },
	{ "[-a]+", "x-a-", "(1,4)" },
	{ "[--/]+", "a-./b", "(1,4)" },
	{ "[a^]+", "x^a", "(1,3)" },
	{ "[\\.]+", "a\\.b", "(1,3)" },
	{ "[[:digit:]]+", "ab123", "(2,5)" },
	{ "[[:alpha:]_][[:alnum:]_]*", "0 x_9 y", "(2,5)" },
	{ "[^[:space:]]+", "  \t\nword ", "(4,8)" },
	{ "[[:upper:][:digit:]]+", "abCD12e", "(2,6)" },
	{ "[[:xdigit:]]+", "xyzAf09g", "(3,7)" },
	{ "[[:punct:]]+", "ab;.cd", "(2,4)" },
	{ "[[:blank:]]", "a\tb", "(1,2)" },
	{ "[[:cntrl:]]", "ab\001", "(2,3)" },
	{ "[[:graph:]]+", " ab ", "(1,3)" },
	{ "[[:print:]]+", "\001a b\001", "(1,4)" },
	{ "[[:lower:]]+", "ABcD", "(2,3)" },
	{ "[[:alnum:]]+", "--a1--", "(2,4)" },
	{ "[[:space:]]", "a\vb", "(1,2)" },
	{ "[[]+", "a[[b", "(1,3)" },
	{ "[[a]+", "x[a[", "(1,4)" },
	{ "]", "a]", "(1,2)" },
	{ "}", "a}", "(1,2)" },
	/* quoting */
	{ "\\.", "a.", "(1,2)" },
	{ "\\\\", "a\\", "(1,2)" },
	{ "\\(a\\)", "(a)", "(0,3)" },
	{ ")", "x)", "(1,2)" },
	{ "a)b", "a)b", "(0,3)" },
	{ "(a))*$", "xa))", "(1,4)(1,2)" },
	{ "a|)", "b)", "(1,2)" },
	{ "\\[\\]\\{\\}\\*\\+\\?\\|\\^\\$", "[]{}*+?|^$", "(0,10)" },
	{ "a\\/b", "a/b", "(0,3)" },
	/* anchors */
	{ "^a", "ba", "" },
	{ "^a", "ab", "(0,1)" },
	{ "a$", "ab", "" },
	{ "a$", "aba", "(2,3)" },
	{ "^$", "", "(0,0)" },
	{ "$^", "", "(0,0)" },
	{ "^$", "a", "" },
	{ "^", "abc", "(0,0)" },
	{ "$", "abc", "(3,3)" },
	{ "(^a|b$)", "ab", "(0,1)(0,1)" },
	{ "(^a|b$)", "bb", "(1,2)(1,2)" },
	{ "(^a|b$)", "ba", "" },
	{ "a^b", "ab", "" },
	{ "a$b", "ab", "" },
	{ "(a|^)b", "b", "(0,1)(0,0)" },
	{ "(a|^)b", "xab", "(1,3)(1,2)" },
	{ "(a|^)b", "xb", "" },
	{ "b(a|$)", "bb", "(1,2)(2,2)" },
	{ "x*$", "axx", "(1,3)" },
	{ "(^)*a", "a", "(0,1)(0,0)" },
	{ "(^|,)([a-z]*)(,|$)", "ab,cd", "(0,3)(0,0)(0,2)(2,3)" },
	{ "(^a|b|c$)+", "abc", "(0,3)(2,3)" },
	{ "(^a)+", "aa", "(0,1)(0,1)" },
	{ "(x|a$)*y?", "xa", "(0,2)(1,2)" },
	/* repeats */
	{ "a*", "baaa", "(0,0)" },
	{ "a+", "baaa", "(1,4)" },
	{ "ba?", "ba", "(0,2)" },
	{ "a{2}", "aaa", "(0,2)" },
	{ "a{2,}", "baaa", "(1,4)" },
	{ "a{2,3}", "aaaa", "(0,3)" },
	{ "a{0}b", "ab", "(1,2)" },
	{ "(a){0}b", "ab", "(1,2)(?,?)" },
	{ "a{0,1}", "aa", "(0,1)" },
	{ "a{1,2}{2}", "aaaaa", "(0,4)" },
	{ "a*?", "aaa", "(0,3)" },
	{ "(ab){2}", "ababab", "(0,4)(2,4)" },
	{ "[0-9]{1,3}(\\.[0-9]{1,3}){3}", "ip 10.20.30.40!", "(3,14)(11,14)" },
	{ ".{255}", "", "" },
	/* alternatives */
	{ "a|b", "xb", "(1,2)" },
	{ "a|ab|abc", "abcd", "(0,3)" },
	{ "(|a)b", "ab", "(0,2)(0,1)" },
	{ "a||b", "b", "(0,1)" },
	{ "()", "a", "(0,0)(0,0)" },
	{ "a()b", "ab", "(0,2)(1,1)" },
	{ "(a|b)|(b|c)", "b", "(0,1)(0,1)(?,?)" },
	{ "(a)|(b)", "b", "(0,1)(?,?)(0,1)" },
	/* leftmost, then longest */
	{ "b|aab|ab", "aab", "(0,3)" },
	{ "[ab]+|c+", "xccab", "(1,3)" },
	{ "abcd|bc|bcde", "abcde", "(0,4)" },
	{ ".*", "abc", "(0,3)" },
	{ "a.*c", "xaccbc", "(1,6)" },
	/* groups: the left one longest first */
	{ "str(ing)", "an example string", "(11,17)(14,17)" },
	{ "(a*)(a*)", "aaa", "(0,3)(0,3)(3,3)" },
	{ "(a|ab)(c|bcd)(d*)", "abcd", "(0,4)(0,2)(2,3)(3,4)" },
	{ "(a|ab)(bcd|c)(d*)", "abcd", "(0,4)(0,2)(2,3)(3,4)" },
	{ "(ab|a)(c|bcd)(d*)", "abcd", "(0,4)(0,2)(2,3)(3,4)" },
	{ "(a|ab)(c|bcd)(d)", "abcd", "(0,4)(0,2)(2,3)(3,4)" },
	{ "(a|ab)(bc|c)?", "abc", "(0,3)(0,2)(2,3)" },
	{ "(a?)((ab)?)", "ab", "(0,2)(0,0)(0,2)(0,2)" },
	{ "(a?)((ab)?)(b?)", "ab", "(0,2)(0,1)(1,1)(?,?)(1,2)" },
	{ "(.*)(b)", "abab", "(0,4)(0,3)(3,4)" },
	{ "([a-z]+)=([^;]*);?", "key=value;", "(0,10)(0,3)(4,9)" },
	{ "x(a|ab)y?(c|bcd)z", "xabdz!", "" },
	{ "x(a|ab)y?(c|bcd)z", "xabcdzxabcz", "(0,6)(1,2)(2,5)" },
	{ "((a)(b))(c)", "abc", "(0,3)(0,2)(0,1)(1,2)(2,3)" },
	{ "((((a))))", "a", "(0,1)(0,1)(0,1)(0,1)(0,1)" },
	/* repeated groups: the last time counts */
	{ "(a|b)*", "abba", "(0,4)(3,4)" },
	{ "(a|b)*", "c", "(0,0)(?,?)" },
	{ "(a*)*", "b", "(0,0)(0,0)" },
	{ "(a*)*", "aaa", "(0,3)(0,3)" },
	{ "(a*)+", "aaa", "(0,3)(0,3)" },
	{ "(a*)+", "", "(0,0)(0,0)" },
	{ "(a|b*)*", "abb", "(0,3)(1,3)" },
	{ "(a*){2}", "aa", "(0,2)(2,2)" },
	{ "(a|ab|c|bcd)*(d*)", "ababcd", "(0,6)(3,6)(6,6)" },
	{ "((a)|(b))*", "ab", "(0,2)(1,2)(?,?)(1,2)" },
	{ "((..)|(.)){2}", "aaa", "(0,3)(2,3)(?,?)(2,3)" },
	{ "((..)|(.)){3}", "aaaa", "(0,4)(3,4)(?,?)(3,4)" },
	{ "((..)|(.))*", "aaa", "(0,3)(2,3)(?,?)(2,3)" },
	{ "((a)?b)+", "abb", "(0,3)(2,3)(?,?)" },
	{ "(ab|a|bcd|c)*", "abcd", "(0,4)(1,4)" },
	{ "(a{2,3})*", "aaaaa", "(0,5)(3,5)" },
	{ "(a|aa){1,2}", "aaaa", "(0,4)(2,4)" },
	{ "(x(a|ab))*", "xabxa", "(0,5)(3,5)(4,5)" },
};

static void test_cases(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_create();
		struct regex *tree;
		const struct stp_regex *re = compile(arena, cases[i].pattern, &tree);
		const char *got = re ? run(re, cases[i].text) : "too large";

		if (strcmp(got, cases[i].spans))
			fail_msg("%s on '%s': %s, not %s", cases[i].pattern, cases[i].text, got,
				 cases[i].spans);
		arena_destroy(arena);
	}
}

/* ---- by trying everything ---- */

struct oracle {
	const char *text;
	unsigned len;
	struct stp_span spans[MAX_SPANS];
};

/* Does it match just from..to? WHAT is a tree, the rest of a list behind its first i, or a repeat that was done i times. */
typedef bool question(struct oracle *o, const void *what, unsigned i, unsigned from, unsigned to);

/* What was found out once is not tried again. */
#define ANSWERS (1 << 16)
static struct answer {
	const void *what;
	unsigned generation, i, from, to;
	bool value;
} answers[ANSWERS];
static unsigned generation;

static struct answer *find_answer(const void *what, unsigned i, unsigned from, unsigned to)
{
	size_t at = (uintptr_t)what / 8 * 31 + i * 211 + from * 17 + to;

	for (;; at++) {
		struct answer *a = &answers[at % ANSWERS];

		if (a->generation != generation ||
		    (a->what == what && a->i == i && a->from == from && a->to == to))
			return a;
	}
}

static bool ask(struct oracle *o, question *q, const void *what, unsigned i, unsigned from,
		unsigned to)
{
	struct answer *a = find_answer(what, i, from, to);
	bool value;

	if (a->generation == generation)
		return a->value;
	value = q(o, what, i, from, to);
	*find_answer(what, i, from, to) = (struct answer){ what, generation, i, from, to, value };
	return value;
}

static bool matches(struct oracle *o, const struct regex_tree *t, unsigned from, unsigned to);

static bool ask_sequence(struct oracle *o, const void *what, unsigned i, unsigned from, unsigned to)
{
	const struct regex_trees *list = what;

	if (i == list->n)
		return from == to;
	for (unsigned k = from; k <= to; k++)
		if (matches(o, list->data[i], from, k) && ask(o, ask_sequence, list, i + 1, k, to))
			return true;
	return false;
}

static bool sequence_matches(struct oracle *o, const struct regex_trees *list, unsigned i,
			     unsigned from, unsigned to)
{
	return ask(o, ask_sequence, list, i, from, to);
}

static bool ask_repeat(struct oracle *o, const void *what, unsigned times, unsigned from,
		       unsigned to)
{
	const struct regex_tree *t =
		(const void *)((const char *)what - offsetof(struct regex_tree, repeat));

	if (from == to && times >= t->repeat.min)
		return true;
	if (!t->repeat.unbounded && times == t->repeat.max)
		return false;
	for (unsigned k = times < t->repeat.min ? from : from + 1; k <= to; k++)
		if (matches(o, t->repeat.child, from, k) &&
		    ask(o, ask_repeat, what, times + 1, k, to))
			return true;
	return false;
}

static bool repeat_matches(struct oracle *o, const struct regex_tree *t, unsigned times,
			   unsigned from, unsigned to)
{
	return ask(o, ask_repeat, &t->repeat, times, from, to);
}

static bool ask_tree(struct oracle *o, const void *what, unsigned i, unsigned from, unsigned to)
{
	const struct regex_tree *t = what;

	switch (t->kind) {
	case REGEX_SET:
		return to == from + 1 && regex_set_has(&t->set, (unsigned char)o->text[from]);
	case REGEX_BEGIN:
		return from == to && from == 0;
	case REGEX_END:
		return from == to && from == o->len;
	case REGEX_SEQUENCE:
		return sequence_matches(o, &t->list, 0, from, to);
	case REGEX_CHOICE:
		for (size_t k = 0; k < t->list.n; k++)
			if (matches(o, t->list.data[k], from, to))
				return true;
		return false;
	case REGEX_REPEAT:
		return repeat_matches(o, t, 0, from, to);
	case REGEX_GROUP:
		return matches(o, t->group.child, from, to);
	}
	return false;
}

static bool matches(struct oracle *o, const struct regex_tree *t, unsigned from, unsigned to)
{
	return ask(o, ask_tree, t, 0, from, to);
}

static void assign(struct oracle *o, const struct regex_tree *t, unsigned from, unsigned to);

static void assign_sequence(struct oracle *o, const struct regex_trees *list, unsigned from,
			    unsigned to)
{
	for (size_t i = 0; i < list->n; i++) {
		unsigned k = to;

		while (!matches(o, list->data[i], from, k) ||
		       !sequence_matches(o, list, i + 1, k, to))
			k--;
		assign(o, list->data[i], from, k);
		from = k;
	}
}

/* The last time's groups; an empty time only where a count or nothing else asks for it. */
static void assign_repeat(struct oracle *o, const struct regex_tree *t, unsigned from, unsigned to)
{
	unsigned times = 0, last = from;

	if (from == to && !matches(o, t->repeat.child, from, to))
		return;
	while ((t->repeat.unbounded || times < t->repeat.max) &&
	       (times < t->repeat.min || from < to || times == 0)) {
		unsigned k = to;

		while (!matches(o, t->repeat.child, from, k) ||
		       !repeat_matches(o, t, times + 1, k, to))
			k--;
		last = from;
		from = k;
		times++;
	}
	if (times)
		assign(o, t->repeat.child, last, from);
}

static void assign(struct oracle *o, const struct regex_tree *t, unsigned from, unsigned to)
{
	switch (t->kind) {
	case REGEX_SEQUENCE:
		assign_sequence(o, &t->list, from, to);
		break;
	case REGEX_CHOICE:
		for (size_t i = 0; i < t->list.n; i++) {
			if (!matches(o, t->list.data[i], from, to))
				continue;
			assign(o, t->list.data[i], from, to);
			return;
		}
		break;
	case REGEX_REPEAT:
		assign_repeat(o, t, from, to);
		break;
	case REGEX_GROUP:
		o->spans[t->group.number] = (struct stp_span){ from, to };
		assign(o, t->group.child, from, to);
		break;
	case REGEX_SET:
	case REGEX_BEGIN:
	case REGEX_END:
		break;
	}
}

static bool oracle(struct oracle *o, const struct regex *re, const char *text)
{
	generation++;
	o->text = text;
	o->len = (unsigned)strlen(text);
	memset(o->spans, 255, sizeof(o->spans));
	for (unsigned from = 0; from <= o->len; from++)
		for (unsigned to = o->len + 1; to-- > from;) {
			if (!matches(o, re->tree, from, to))
				continue;
			o->spans[0] = (struct stp_span){ from, to };
			assign(o, re->tree, from, to);
			return true;
		}
	return false;
}

/* ---- patterns and strings by chance, always the same ones ---- */

static uint32_t seed;
static bool has_anchors, has_choice, repeats_group; /* the pattern made last */

static unsigned dice(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 16) % n;
}

static void make_choice(char **p, int depth, int *groups);

static void make_atom(char **p, int depth, int *groups)
{
	static const char *const atoms[] = { "a", "b", "c", "a", "b", "ab", ".", "[ab]", "[^a]" };
	static const char *const anchors[] = { "^", "$" };
	bool anchored;

	if (depth > 0 && dice(3) == 0 && *groups < MAX_SPANS - 1) {
		++*groups;
		*(*p)++ = '(';
		make_choice(p, depth - 1, groups);
		*(*p)++ = ')';
	} else {
		anchored = dice(24) == 0;
		has_anchors |= anchored;
		*p = stpcpy(*p, anchored ? anchors[dice(2)] : atoms[dice(9)]);
	}
}

static void make_repeat(char **p, int depth, int *groups)
{
	static const char *const counts[] = { "*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}" };
	char *start = *p;

	make_atom(p, depth, groups);
	if (dice(3) || *start == '^' || *start == '$')
		return;
	repeats_group |= *start == '(';
	*p = stpcpy(*p, counts[dice(dice(2) ? 3 : 7)]);
}

static void make_sequence(char **p, int depth, int *groups)
{
	for (unsigned n = 1 + dice(3); n; n--)
		make_repeat(p, depth, groups);
}

static void make_choice(char **p, int depth, int *groups)
{
	make_sequence(p, depth, groups);
	while (dice(3) == 0) {
		has_choice = true;
		*(*p)++ = '|';
		if (dice(8))
			make_sequence(p, depth, groups);
	}
}

static void make_pattern(char *p, int depth)
{
	int groups = 0;

	has_anchors = has_choice = repeats_group = false;
	make_choice(&p, depth, &groups);
	*p = '\0';
}

static void make_text(char *p)
{
	for (unsigned n = dice(9); n; n--)
		*p++ = "aabbc"[dice(5)];
	*p = '\0';
}

static void compare_oracle(const char *pattern, const struct regex *tree,
			   const struct stp_regex *re, const char *text)
{
	struct oracle o = { 0 };
	bool found = oracle(&o, tree, text);
	const char *got = run(re, text);

	if (found != (*got != '\0'))
		fail_msg("%s on '%s': %s", pattern, text, found ? "no match" : got);
	for (unsigned i = 0; found && i < tree->n_groups; i++)
		if (spans[i].start != o.spans[i].start ||
		    (spans[i].start != STP_SPAN_UNSET && spans[i].end != o.spans[i].end))
			fail_msg("%s on '%s': %s, group %u is (%d,%d)", pattern, text, got, i,
				 (int)o.spans[i].start, (int)o.spans[i].end);
}

/*
 * The C library finds the same match, as long as ^ and $ stand where it expects them. About groups it is right where there is
 * neither choice nor repetition: it takes the first alternative that goes well where a longer one does too, keeps groups
 * of earlier times, and now and then never comes back.
 */
static void compare_libc(const char *pattern, regex_t *libc, const struct stp_regex *re,
			 const char *text)
{
	size_t n = repeats_group || has_choice ? 1 : re->groups->n_groups;
	const char *got = run(re, text);
	regmatch_t m[MAX_SPANS];

	if ((regexec(libc, text, n, m, 0) == 0) != (*got != '\0'))
		fail_msg("%s on '%s': libc does not agree to %s", pattern, text,
			 *got ? got : "no match");
	for (size_t i = 0; *got && i < n; i++)
		if ((regoff_t)(int32_t)spans[i].start != m[i].rm_so ||
		    (m[i].rm_so >= 0 && (regoff_t)spans[i].end != m[i].rm_eo))
			fail_msg("%s on '%s': %s, libc: group %zu is (%d,%d)", pattern, text, got,
				 i, m[i].rm_so, m[i].rm_eo);
}

#define PATTERNS 2000
#define TEXTS 8

static void test_random(void **state)
{
	unsigned large = 0;

	seed = 12345;
	for (int i = 0; i < PATTERNS; i++) {
		struct arena *arena = arena_create();
		char pattern[1000], text[16];
		const struct stp_regex *re;
		struct regex *tree;
		regex_t libc;

		make_pattern(pattern, 1 + (int)dice(3));
		re = compile(arena, pattern, &tree);
		large += !re;
		assert_int_equal(regcomp(&libc, pattern, REG_EXTENDED), 0);
		for (int k = 0; re && k < TEXTS; k++) {
			make_text(text);
			compare_oracle(pattern, tree, re, text);
			if (!has_anchors)
				compare_libc(pattern, &libc, re, text);
		}
		regfree(&libc);
		arena_destroy(arena);
	}
	assert_true(large < PATTERNS / 100);
}

/* ---- mistakes and limits ---- */

static const struct {
	const char *pattern, *what;
	size_t at;
} faults[] = {
	{ "a(b", "unexpected end of regex", 3 },
	{ "(", "unexpected end of regex", 1 },
	{ "(a|", "unexpected end of regex", 3 },
	{ "[", "unexpected end of regex", 1 },
	{ "[a", "unexpected end of regex", 2 },
	{ "[]", "unexpected end of regex", 2 },
	{ "[^]", "unexpected end of regex", 3 },
	{ "[a-", "unexpected end of regex", 3 },
	{ "[[:alpha", "unexpected end of regex", 8 },
	{ "[[:alpha:", "unexpected end of regex", 9 },
	{ "a\\", "unexpected end of regex", 2 },
	{ "a{", "unexpected end of regex", 2 },
	{ "a{1", "unexpected end of regex", 3 },
	{ "a{1,", "unexpected end of regex", 4 },
	{ "*a", "nothing to repeat", 0 },
	{ "a|+", "nothing to repeat", 2 },
	{ "(?a)", "nothing to repeat", 1 },
	{ "^*", "nothing to repeat", 1 },
	{ "a$+", "nothing to repeat", 2 },
	{ "{2}", "nothing to repeat", 0 },
	{ "a{x}", "expected a number", 2 },
	{ "a{,2}", "expected a number", 2 },
	{ "a{1,x}", "expected a number", 4 },
	{ "a{1x}", "expected '}'", 3 },
	{ "a{256}", "count above 255", 2 },
	{ "a{1,99999999999999999999}", "count above 255", 4 },
	{ "a{3,2}", "counts in the wrong order", 1 },
	{ "[z-a]", "invalid range", 1 },
	{ "[[:digit:]-z]", "invalid range", 1 },
	{ "[a-[:digit:]]", "invalid range", 1 },
	{ "[[:digits:]]", "unknown character class", 1 },
	{ "[[:a1:]]", "unknown character class", 1 },
	{ "[[.a.]]", "collating symbols are not supported", 1 },
	{ "x[a[=b=]]", "collating symbols are not supported", 3 },
	{ "(a)\\1", "back references are not supported", 3 },
	{ "a\\d", "unknown escape", 1 },
};

static void test_faults(void **state)
{
	struct arena *arena = arena_create();
	char deep[512];

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		const char *pattern = faults[i].pattern;
		struct regex_fault fault = { 0 };

		if (regex_parse(arena, pattern, NULL, strlen(pattern), &fault))
			fail_msg("%s: no fault", pattern);
		if (strcmp(fault.what, faults[i].what) || fault.at != faults[i].at)
			fail_msg("%s: %s at %zu", pattern, fault.what, fault.at);
	}
	for (size_t n = 90; n <= 110; n += 10) {
		struct regex_fault fault = { 0 };

		memset(deep, '(', n);
		memset(deep + n, ')', n);
		assert_int_equal(regex_parse(arena, deep, NULL, 2 * n, &fault) != NULL, n <= 100);
		assert_true(n <= 100 ||
			    (fault.at == 100 && !strcmp(fault.what, "groups nested too deeply")));
	}
	arena_destroy(arena);
}

static void test_nul(void **state)
{
	struct arena *arena = arena_create();
	struct regex_fault fault = { 0 };

	assert_null(regex_parse(arena, "ab\0c", NULL, 4, &fault));
	assert_string_equal(fault.what, "NUL byte");
	assert_int_equal(fault.at, 2);
	arena_destroy(arena);
}

/* Bytes that stand for themselves: 'x' in QUOTED marks them. */
static void quoted_case(const char *pattern, const char *quoted, const char *text,
			const char *expected)
{
	struct arena *arena = arena_create();
	struct regex_fault fault = { 0 };
	bool marks[16] = { 0 };
	struct regex *tree;
	const char *needs;

	for (size_t i = 0; quoted[i]; i++)
		marks[i] = quoted[i] == 'x';
	tree = regex_parse(arena, pattern, marks, strlen(pattern), &fault);
	if (!text) {
		assert_null(tree);
		assert_string_equal(fault.what, expected);
	} else {
		assert_non_null(tree);
		assert_string_equal(run(regex_compile(arena, tree, true, &needs), text), expected);
	}
	arena_destroy(arena);
}

static void test_quoted(void **state)
{
	quoted_case("a.b", " x ", "axb", "");
	quoted_case("a.b", " x ", "a.b", "(0,3)");
	quoted_case("(a)", "x x", "(a)", "(0,3)");
	quoted_case("[]a]+", " x  ", "]a]", "(0,3)");
	quoted_case("[a]b]+", "  x  ", "b]a", "(0,3)");
	quoted_case("[a-c]", "  x ", "b", "");
	quoted_case("[^a]", " x  ", "^", "(0,1)");
	quoted_case("a{2}", " x  ", "a{2}", "(0,4)");
	quoted_case("\\.", " x", ".", "(0,1)");
	quoted_case("ad", " x", NULL, "unknown escape");
	quoted_case("[d]", " x ", NULL, "unknown escape");
}

static const char *needs_of(const char *pattern, bool groups)
{
	struct arena *arena = arena_create();
	struct regex_fault fault;
	struct regex *tree = regex_parse(arena, pattern, NULL, strlen(pattern), &fault);
	static char text[80];
	const struct stp_regex *re;
	const char *needs;

	assert_non_null(tree);
	re = regex_compile(arena, tree, groups, &needs);
	assert_int_equal(!re, !!needs);
	snprintf(text, sizeof(text), "%s", needs ? needs : "");
	arena_destroy(arena);
	return text;
}

static void test_limits(void **state)
{
	/* 2^n states must remember which of the last n bytes were an a */
	assert_string_equal(needs_of("a[ab]{10}c", false), "");
	assert_string_equal(needs_of("a[ab]{12}c", false), "more than 4096 states");
	assert_string_equal(needs_of("(a{255}){255}", false), "more than 4096 states");
	assert_string_equal(needs_of("([ab]*a[ab]{8}|x)*", false), "");
	assert_string_equal(needs_of("([ab]*a[ab]{12}|x)*", true), "more than 4096 states");
}

static void test_sizes(void **state)
{
	struct arena *arena = arena_create();
	const struct stp_regex *re;
	struct regex *tree;

	re = compile(arena, "abc", &tree);
	assert_int_equal(re->n_states, 2 + 3); /* dead, found, and how much of it stands there */
	assert_int_equal(re->n_classes, 4);
	re = compile(arena, "(a|b|c)+x|[a-c]*x|[abc]x", &tree);
	assert_int_equal(re->n_states, 2 + 1);
	re = compile(arena, "^ab", &tree);
	assert_int_equal(re->n_states, 2 + 2);
	/* what is the same is there once */
	re = compile(arena, "([0-9]+)-([0-9]+)-([0-9]+)-([0-9]+)", &tree);
	assert_true(re->groups->n_dfas <= 5);
	arena_destroy(arena);
}

/* A long string whose every iteration looks to its end: given up, not waited for. */
static void test_steps(void **state)
{
	enum { LEN = 60000 };
	struct arena *arena = arena_create();
	struct regex *tree;
	const struct stp_regex *re = compile(arena, "(a|a*b)*", &tree);
	char *text = malloc(LEN);
	stp_u16 *long_trace = calloc(LEN + 1, sizeof(*long_trace));
	struct stp_regex_work w = { .spans = spans, .tasks = tasks, .trace = long_trace };

	memset(text, 'a', LEN);
	assert_int_equal(stp_regex_spans(re, (struct stp_str){ text, LEN }, &w), -1);
	assert_int_equal(stp_regex_spans(re, (struct stp_str){ text, 700 }, &w), 1);
	assert_int_equal(spans[1].start, 699);
	text[LEN - 1] = 'b';
	assert_int_equal(stp_regex_spans(re, (struct stp_str){ text, LEN }, &w), 1);
	assert_int_equal(spans[1].start, 0);
	assert_int_equal(spans[1].end, LEN);
	free(long_trace);
	free(text);
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_faults), cmocka_unit_test(test_nul),
		cmocka_unit_test(test_quoted), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_sizes),  cmocka_unit_test(test_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
