/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directives of a case: one row a word. Every kind of case is read here, and every word that is
 * not in the table is a mistake, which fails the case.
 */
#include "runner.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct row;

/* Put VALUE into the member at WHERE; what is wrong with it, or NULL. */
typedef const char *set_fn(struct arena *arena, void *where, const char *value);

struct row {
	const char *word;
	set_fn *set;
	size_t offset;
};

static const char *set_text(struct arena *arena, void *where, const char *value)
{
	if (!*value)
		return "has no value";
	*(const char **)where = value;
	return NULL;
}

static const char *set_requires(struct arena *arena, void *where, const char *value)
{
	const char *unknown = test_requires_unknown(arena, value);

	if (unknown)
		return arena_printf(arena, "does not know \"%s\"", unknown);
	return set_text(arena, where, value);
}

static const char *set_flag(struct arena *arena, void *where, const char *value)
{
	if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
		return "is 0 or 1";
	*(bool *)where = value[0] == '1';
	return NULL;
}

static const char *set_status(struct arena *arena, void *where, const char *value)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (end == value || *end || n < 0 || n > 255)
		return "is a number from 0 to 255";
	*(int *)where = n;
	return NULL;
}

static const char *set_seconds(struct arena *arena, void *where, const char *value)
{
	char *end;
	double n = strtod(value, &end);

	if (end == value || *end || !(n > 0))
		return "is a number of seconds";
	*(double *)where = n;
	return NULL;
}

/* The members of an enum are in the order of its words. */
static const char *set_word(struct arena *arena, int *where, const char *value,
			    const char *const *words, size_t n)
{
	struct strbuf all;
	const char *ret;

	strbuf_init(&all);
	for (size_t i = 0; i < n; i++) {
		if (words[i] && strcmp(value, words[i]) == 0) {
			strbuf_deinit(&all);
			*where = i;
			return NULL;
		}
		if (words[i])
			strbuf_addf(&all, " %s", words[i]);
	}
	ret = arena_printf(arena, "is one of%s", strbuf_cstr(&all));
	strbuf_deinit(&all);
	return ret;
}

static const char *set_match(struct arena *arena, void *where, const char *value)
{
	static const char *const words[] = {
		[MATCH_EXACT] = "exact", [MATCH_REGEX] = "regex", [MATCH_CONTAINS] = "contains",
		[MATCH_LINES] = "lines", [MATCH_ANY] = "any",
	};
	int match = MATCH_EXACT;
	const char *why = set_word(arena, &match, value, words, sizeof(words) / sizeof(words[0]));

	*(enum test_match *)where = match;
	return why;
}

static const char *set_errors(struct arena *arena, void *where, const char *value)
{
	static const char *const words[] = {
		[MATCH_EXACT] = "exact", [MATCH_LINES] = "lines", [MATCH_ANY] = "any"
	};
	int match = MATCH_LINES;
	const char *why = set_word(arena, &match, value, words, sizeof(words) / sizeof(words[0]));

	*(enum test_match *)where = match;
	return why;
}

static const char *set_kernels(struct arena *arena, void *where, const char *value)
{
	static const char *const words[] = {
		[KERNELS_ONE] = "one", [KERNELS_EACH] = "each", [KERNELS_ALL] = "all"
	};
	int kernels = KERNELS_EACH;
	const char *why = set_word(arena, &kernels, value, words, 3);

	*(enum test_kernels *)where = kernels;
	return why;
}

/* The licence of the file. */
static const char *set_nothing(struct arena *arena, void *where, const char *value)
{
	return NULL;
}

#define ROW(word, how)                                                                             \
	{                                                                                          \
#word, set_##how, offsetof(struct test_case, word)                                 \
	}

static const struct row rows[] = {
	{ "SPDX-License-Identifier", set_nothing, 0 },
	ROW(run, text),
	ROW(program, text),
	ROW(staprun, text),
	ROW(shell, text),
	ROW(session, text),
	ROW(requires, requires),
	ROW(trigger, text),
	ROW(after, text),
	ROW(skip, text),
	ROW(host, flag),
	ROW(kaslr, flag),
	ROW(status, status),
	ROW(timeout, seconds),
	ROW(match, match),
	ROW(errors, errors),
	ROW(kernels, kernels),
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

_Static_assert(N_ROWS <= 32, "one bit a row");

static void mistake(struct arena *arena, struct test_case *tc, const char *text)
{
	tc->mistake = tc->mistake ? arena_printf(arena, "%s; %s", tc->mistake, text) : text;
}

static void set_directive(struct arena *arena, struct test_case *tc, const char *word,
			  const char *value, unsigned int *seen)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		const char *why;

		if (strcasecmp(word, rows[i].word) != 0)
			continue;
		if (strcmp(word, rows[i].word) != 0)
			why = "is written otherwise";
		else
			why = *seen & 1u << i
				      ? "is given twice"
				      : rows[i].set(arena, (char *)tc + rows[i].offset, value);
		*seen |= 1u << i;
		if (why)
			mistake(arena, tc, arena_printf(arena, "%s: %s", word, why));
		return;
	}
	/* with a capital it begins a sentence, unless it is a directive otherwise */
	if (word[0] >= 'a' && word[0] <= 'z')
		mistake(arena, tc, arena_printf(arena, "unknown directive \"%s\"", word));
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

/* "# word: value"; a line without a word and a colon at its beginning is prose. */
static void parse_line(struct arena *arena, struct test_case *tc, const char *line, size_t len,
		       unsigned int *seen)
{
	const char *end = line + len, *word, *colon;

	while (line < end && (*line == '#' || *line == ' ' || *line == '\t'))
		line++;
	for (word = colon = line; colon < end && is_letter(*colon);)
		colon++;
	if (colon == word || *word == '-' || colon == end || *colon != ':')
		return;
	for (line = colon + 1; line < end && (*line == ' ' || *line == '\t'); line++)
		continue;
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	set_directive(arena, tc, arena_strndup(arena, word, colon - word),
		      arena_strndup(arena, line, end - line), seen);
}

void test_directives_parse(struct arena *arena, struct test_case *tc, const char *text)
{
	unsigned int seen = 0;

	while (*text == '#' || *text == '\n') {
		size_t n = strcspn(text, "\n");

		parse_line(arena, tc, text, n, &seen);
		text += n + (text[n] == '\n');
	}
}

void test_directives_check(struct arena *arena, struct test_case *tc)
{
	const struct {
		const char *word;
		bool given;
	} guest_only[] = {
		{ "staprun", tc->staprun },
		{ "session", tc->session },
		{ "trigger", tc->trigger },
		{ "after", tc->after },
	};

	if (tc->kaslr && !test_is_for_guest(tc))
		mistake(arena, tc, "kaslr: is for cases that run in the guest");
	if (tc->shell && tc->program)
		mistake(arena, tc, "shell: and program: exclude each other");
	if (tc->shell && tc->run)
		mistake(arena, tc, "run: means nothing beside shell:");
	for (size_t i = 0; i < sizeof(guest_only) / sizeof(guest_only[0]); i++)
		if (guest_only[i].given && !test_is_for_guest(tc))
			mistake(arena, tc,
				arena_printf(arena, "%s: is for cases that run in the guest",
					     guest_only[i].word));
}
