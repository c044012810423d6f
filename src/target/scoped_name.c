/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See scoped_name.h. */
#include "target/scoped_name.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#define MAX_SCOPES 64 /* deeper ones match nothing */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t scoped_part(const char *text)
{
	int depth = 0;

	for (const char *p = text; *p; p++) {
		if (!depth && p[0] == ':' && p[1] == ':')
			return p - text;
		if (!depth && p == text && !strncmp(p, "operator", 8) && !is_word(p[8]))
			return strlen(text);
		depth += *p == '<';
		depth -= *p == '>' && depth;
	}
	return strlen(text);
}

struct scoped_pattern scoped_pattern(struct arena *arena, const char *text)
{
	struct scoped_pattern p = { .name = text };
	size_t n;

	for (n = scoped_part(p.name); p.name[n]; n = scoped_part(p.name))
		p.name += n + 2;
	if (p.name > text)
		p.scope = arena_strndup(arena, text, p.name - text);
	return p;
}

/* Splits "a::b::" at RET, without copies; returns how many parts. */
static size_t split(const char *scope, const char *ret[MAX_SCOPES])
{
	size_t n = 0;

	while (*scope && n < MAX_SCOPES) {
		ret[n++] = scope;
		scope += scoped_part(scope);
		scope += *scope ? 2 : 0;
	}
	return n;
}

/* A namespace without a name, as debug information and as decoded symbols have it. */
static bool is_nameless(const char *part, size_t n)
{
	static const char words[] = "(anonymous namespace)";

	return !n || (n == sizeof(words) - 1 && !strncmp(part, words, n));
}

static bool part_matches(const char *pattern, const char *part)
{
	char a[512], b[512];
	size_t n = scoped_part(pattern), m = scoped_part(part);

	if (is_nameless(pattern, n) && is_nameless(part, m))
		return true;
	if (n == m && !strncmp(pattern, part, n))
		return true;
	if (n >= sizeof(a) || m >= sizeof(b))
		return false;
	memcpy(a, pattern, n);
	memcpy(b, part, m);
	a[n] = b[m] = '\0';
	return !fnmatch(a, b, 0);
}

bool scoped_matches(const struct scoped_pattern *p, const char *scope)
{
	const char *wanted[MAX_SCOPES], *have[MAX_SCOPES];
	size_t n, m;

	if (!p->scope)
		return true;
	n = split(p->scope, wanted);
	m = split(scope, have);
	if (n > m)
		return n == m + 1 && !scoped_part(wanted[0]) &&
		       (n == 1 ||
			scoped_matches(&(struct scoped_pattern){ .scope = wanted[1] }, scope));
	for (size_t i = 0; i < n; i++)
		if (!part_matches(wanted[i], have[m - n + i]))
			return false;
	return true;
}

const char *scoped_shown(const struct scoped_pattern *p, const char *scope)
{
	const char *wanted[MAX_SCOPES], *have[MAX_SCOPES];
	size_t n = p->scope ? split(p->scope, wanted) : 0, m = split(scope, have);

	return !n ? "" : n >= m ? scope : have[m - n];
}
