/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the name stands in a parameter is known without its types: the first word that is no
 * keyword is a type when none was there before, and else the name.
 */
#include "dtrace/declarator.h"

#include <ctype.h>
#include <string.h>

enum word_kind { WORD_OTHER, WORD_QUALIFIER, WORD_TYPE, WORD_TAG };

static const struct {
	const char *text;
	enum word_kind kind;
} words[] = {
	{ "const", WORD_QUALIFIER },
	{ "volatile", WORD_QUALIFIER },
	{ "restrict", WORD_QUALIFIER },
	{ "register", WORD_QUALIFIER },
	{ "__const", WORD_QUALIFIER },
	{ "__volatile__", WORD_QUALIFIER },
	{ "__restrict", WORD_QUALIFIER },
	{ "__restrict__", WORD_QUALIFIER },
	{ "_Atomic", WORD_QUALIFIER },
	{ "__extension__", WORD_QUALIFIER },
	{ "void", WORD_TYPE },
	{ "char", WORD_TYPE },
	{ "short", WORD_TYPE },
	{ "int", WORD_TYPE },
	{ "long", WORD_TYPE },
	{ "float", WORD_TYPE },
	{ "double", WORD_TYPE },
	{ "signed", WORD_TYPE },
	{ "unsigned", WORD_TYPE },
	{ "_Bool", WORD_TYPE },
	{ "_Complex", WORD_TYPE },
	{ "__int128", WORD_TYPE },
	{ "struct", WORD_TAG },
	{ "union", WORD_TAG },
	{ "enum", WORD_TAG },
};

static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static enum word_kind word_kind(const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].text) == n && !strncmp(words[i].text, p, n))
			return words[i].kind;
	return WORD_OTHER;
}

static const char *pass_blanks(const char *p)
{
	return p + strspn(p, " ");
}

/* Behind struct, union or enum: its tag and its members, either of which may be missing. */
static const char *pass_tag(const char *p)
{
	unsigned depth = 0;

	p = pass_blanks(p);
	p += word_length(p);
	if (*pass_blanks(p) != '{')
		return p;
	p = pass_blanks(p);
	do {
		depth += *p == '{';
		depth -= *p == '}';
	} while (*p++ && depth);
	return p[-1] ? p : p - 1;
}

/* A parenthesis that groups a declarator, not one around the parameters of a function. */
static bool is_group(const char *p)
{
	return *p == '(' && strchr("*(^", *pass_blanks(p + 1)) && *pass_blanks(p + 1);
}

/*
 * The place of the name, *len bytes, which are 0 when it has none; NULL: there is no type. *string
 * is D's type of that name, or NULL.
 */
static const char *find_name(const char *argument, size_t *len, const char **string)
{
	const char *p = pass_blanks(argument);
	bool typed = false;

	*string = NULL;
	for (;; p = pass_blanks(p)) {
		enum word_kind kind;

		*len = word_length(p);
		if (!*len) {
			if (typed && (*p == '*' || *p == '^' || is_group(p))) {
				p++;
				continue;
			}
			return typed ? p : NULL;
		}
		kind = word_kind(p, *len);
		if (kind == WORD_OTHER && typed)
			return p;
		if (kind == WORD_OTHER && *len == 6 && !strncmp(p, "string", 6))
			*string = p;
		typed |= kind != WORD_QUALIFIER;
		p += *len;
		if (kind == WORD_TAG)
			p = pass_tag(p);
	}
}

bool dtrace_declare(const char *argument, const char *name, struct strbuf *out)
{
	size_t len;
	const char *string, *at = find_name(argument, &len, &string), *end = at;

	if (!at)
		return false;
	if (string) {
		strbuf_add(out, argument, string - argument);
		strbuf_adds(out, "char *");
		argument = string + strlen("string");
	}
	while (end > argument && end[-1] == ' ')
		end--;
	strbuf_add(out, argument, end - argument);
	if (end == argument ? !string : !strchr("*(^", end[-1]))
		strbuf_addc(out, ' ');
	strbuf_adds(out, name);
	strbuf_adds(out, at + len);
	return true;
}
