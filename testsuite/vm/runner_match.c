/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing what a case printed with what is expected, and saying what differs. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "runner.h"

/* The next line of *TEXT on the heap, or NULL at its end. */
static char *next_line(const char **text)
{
	size_t n = strcspn(*text, "\n");
	char *line;

	if (!**text)
		return NULL;
	line = strndup(*text, n);
	*text += n + ((*text)[n] == '\n');
	return line;
}

/* Both texts as files, for diff to compare. */
static char *explain_exact(const char *what, const char *expected, const char *actual)
{
	struct arena *arena = arena_create();
	struct strbuf out, err;
	struct error *e;
	int status = 0;
	char *dir;

	strbuf_init(&out);
	strbuf_init(&err);
	strbuf_addf(&out, "%s differs\n", what);
	e = dir_create_temp(arena, "spile-test", &dir);
	if (!e)
		e = file_write_atomic(path_join(arena, dir, "expected"), expected, strlen(expected),
				      0600);
	if (!e)
		e = file_write_atomic(path_join(arena, dir, "actual"), actual, strlen(actual),
				      0600);
	if (!e) {
		struct host_command cmd = {
			.shell = "diff -u --label expected --label actual expected actual",
			.dir = dir,
			.timeout = 10
		};

		e = host_run(&cmd, &out, &err, &status);
		error_destroy(dir_remove_all(dir));
	}
	if (e) {
		strbuf_addf(&out, "(no diff: %s)\n", e->text);
		error_destroy(e);
	}
	strbuf_deinit(&err);
	arena_destroy(arena);
	return strbuf_steal(&out);
}

static bool line_matches(const char *pattern, const char *line, bool whole, char **why)
{
	struct strbuf anchored;
	regex_t re;
	bool ok;
	int rc;

	strbuf_init(&anchored);
	strbuf_addf(&anchored, whole ? "^(%s)$" : "%s", pattern);
	rc = regcomp(&re, anchored.s, REG_EXTENDED | REG_NOSUB);
	strbuf_deinit(&anchored);
	if (rc) {
		*why = strdup("the pattern is no regular expression");
		return false;
	}
	ok = regexec(&re, line, 0, NULL, 0) == 0;
	regfree(&re);
	return ok;
}

static char *compare_regex(const char *what, const char *expected, const char *actual)
{
	struct strbuf out;
	const char *all = actual;

	strbuf_init(&out);
	for (int n = 1;; n++) {
		char *pattern = next_line(&expected), *line = next_line(&actual), *why = NULL;
		bool same = !pattern && !line;

		if (pattern && line)
			same = line_matches(pattern, line, true, &why);
		if (!same)
			strbuf_addf(&out, "%s differs at line %d%s%s\n-%s\n+%s\n", what, n,
				    why ? ": " : "", why ? why : "",
				    pattern ? pattern : "(nothing more expected)",
				    line ? line : "(nothing more)");
		same = same && pattern;
		free(pattern);
		free(line);
		free(why);
		if (!same)
			break;
	}
	if (!out.len) {
		strbuf_deinit(&out);
		return NULL;
	}
	strbuf_addf(&out, "--- all of it ---\n%.3000s", all);
	return strbuf_steal(&out);
}

static bool line_found(const char *wanted, const char *text, bool as_regex)
{
	bool found = false;
	char *line, *why = NULL;

	while (!found && (line = next_line(&text)) != NULL) {
		found = as_regex ? line_matches(wanted, line, false, &why)
				 : strstr(line, wanted) != NULL;
		free(line);
		free(why);
		why = NULL;
	}
	return found;
}

/* "? " before a pattern: the line may be there or not. */
static bool is_optional(const char *pattern)
{
	return pattern[0] == '?' && pattern[1] == ' ';
}

/* What lines of EXPECTED do not occur is said in OUT. */
static void find_lines(const char *what, const char *expected, const char *actual, bool as_regex,
		       struct strbuf *out)
{
	char *wanted;

	while ((wanted = next_line(&expected)) != NULL) {
		if (wanted[0] && !(as_regex && is_optional(wanted)) &&
		    !line_found(wanted, actual, as_regex))
			strbuf_addf(out, "%s lacks the line\n-%s\n", what, wanted);
		free(wanted);
	}
}

static bool is_matched(const char *line, const char *patterns)
{
	bool found = false;
	char *pattern, *why = NULL;

	while (!found && (pattern = next_line(&patterns)) != NULL) {
		found = pattern[0] &&
			line_matches(pattern + (is_optional(pattern) ? 2 : 0), line, false, &why);
		free(pattern);
		free(why);
		why = NULL;
	}
	return found;
}

/* Something went wrong, or may have. */
static bool has_weight(const char *line)
{
	static const char *const begins[] = { "WARNING:", "ERROR:", "semantic error:",
					      "parse error:" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(line, begins[i], strlen(begins[i])) == 0)
			return true;
	return strncmp(line, "Pass ", 5) == 0 && strstr(line, " failed.");
}

/* A warning or an error that no pattern speaks of is one too many. */
static void find_unexpected(const char *what, const char *expected, const char *actual,
			    struct strbuf *out)
{
	char *line;

	while ((line = next_line(&actual)) != NULL) {
		if (has_weight(line) && !is_matched(line, expected))
			strbuf_addf(out, "%s has a line too many\n+%s\n", what, line);
		free(line);
	}
}

static char *compare_lines(enum test_match how, const char *what, const char *expected,
			   const char *actual)
{
	struct strbuf out;

	strbuf_init(&out);
	find_lines(what, expected, actual, how == MATCH_LINES, &out);
	if (how == MATCH_LINES)
		find_unexpected(what, expected, actual, &out);
	if (!out.len) {
		strbuf_deinit(&out);
		return NULL;
	}
	strbuf_addf(&out, "--- all of it ---\n%.3000s", actual);
	return strbuf_steal(&out);
}

char *test_compare(enum test_match how, const char *what, const char *expected, const char *actual)
{
	switch (how) {
	case MATCH_EXACT:
		return strcmp(expected, actual) == 0 ? NULL : explain_exact(what, expected, actual);
	case MATCH_REGEX:
		return compare_regex(what, expected, actual);
	case MATCH_CONTAINS:
	case MATCH_LINES:
		return compare_lines(how, what, expected, actual);
	case MATCH_ANY:
		break;
	}
	return NULL;
}
