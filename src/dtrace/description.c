/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader with one position and no tokens: the language has two words and a list. */
#include "dtrace/description.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The text and where the reader stands in it. at never passes the NUL at the end. */
struct reader {
	struct arena *arena;
	const char *file, *at;
	unsigned line;
	bool line_start; /* nothing but blanks stands before at in its line */
	struct dtrace_probes *probes;
};

/*
 * One byte further; every way through the text that may pass a line end goes by here, so that line
 * is right.
 */
static void step(struct reader *r)
{
	if (*r->at == '\n') {
		r->line++;
		r->line_start = true;
	} else if (!isspace((unsigned char)*r->at)) {
		r->line_start = false;
	}
	r->at++;
}

/* The number of a line mark is that of the line behind it: # 12 "file". */
static void pass_hash_line(struct reader *r)
{
	unsigned line;

	if (sscanf(r->at, "# %u", &line) == 1)
		r->line = line - 1;
	while (*r->at && *r->at != '\n')
		r->at++;
}

/* Blanks, comments and lines that begin with #. A comment without end goes to the end. */
static void skip(struct reader *r)
{
	for (;;) {
		if (isspace((unsigned char)*r->at)) {
			step(r);
		} else if (!strncmp(r->at, "/*", 2)) {
			while (*r->at && strncmp(r->at, "*/", 2))
				step(r);
			for (int i = 0; i < 2 && *r->at; i++)
				step(r);
		} else if (!strncmp(r->at, "//", 2) || (r->line_start && *r->at == '#')) {
			pass_hash_line(r);
		} else {
			return;
		}
	}
}

/* What was expected here, and the rest of the line, 20 bytes at most. The error is the caller's. */
static struct error *fail(const struct reader *r, const char *expected)
{
	if (!*r->at)
		return error_create("%s:%u: expected %s, and the file ends", r->file, r->line,
				    expected);
	return error_create("%s:%u: expected %s, saw \"%.*s\"", r->file, r->line, expected,
			    (int)(strcspn(r->at, "\n") < 20 ? strcspn(r->at, "\n") : 20), r->at);
}

/* Part of a name of C. A name's first byte is no digit: peek_word() sees to it. */
static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The word here, or NULL; it is not passed. */
static const char *peek_word(struct reader *r, size_t *len)
{
	skip(r);
	for (*len = 0; is_word(r->at[*len]); ++*len)
		;
	return *len && !isdigit((unsigned char)*r->at) ? r->at : NULL;
}

/* Passes WORD if it is here. */
static bool take_word(struct reader *r, const char *word)
{
	size_t len;

	if (!peek_word(r, &len) || len != strlen(word) || strncmp(r->at, word, len))
		return false;
	r->at += len;
	r->line_start = false;
	return true;
}

/* Passes C, and blanks and comments before it, if it is here. */
static bool take(struct reader *r, char c)
{
	skip(r);
	if (*r->at != c)
		return false;
	step(r);
	return true;
}

/* OF: what the name would be of, for the error. *ret is a copy in the arena. */
static struct error *take_name(struct reader *r, const char *of, const char **ret)
{
	size_t len;

	if (!peek_word(r, &len))
		return fail(r, of);
	*ret = arena_strndup(r->arena, r->at, len);
	r->at += len;
	r->line_start = false;
	return NULL;
}

/* From START to the end, in one line and without blanks around. */
static const char *text_between(struct reader *r, const char *start, const char *end)
{
	char *text, *to;

	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	text = to = arena_strndup(r->arena, start, end - start);
	for (const char *from = text; *from; from++)
		if (!isspace((unsigned char)*from))
			*to++ = *from;
		else if (to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
	return text;
}

/*
 * Behind the parenthesis that opens, to behind the one that closes. Each argument is a type of C,
 * perhaps with a name, and kept as text: only a compiler could say which part is which, and only
 * their number matters to a mark. Commas inside of parentheses are those of a function's type.
 */
static struct error *read_arguments(struct reader *r, struct dtrace_probe *probe)
{
	const char *start;
	unsigned depth = 0;

	skip(r);
	start = r->at;
	for (;; step(r)) {
		const char *text;

		if (!*r->at || *r->at == ';')
			return fail(r, "')'");
		depth += *r->at == '(';
		if (depth && *r->at == ')') {
			depth--;
			continue;
		}
		if (depth || (*r->at != ',' && *r->at != ')'))
			continue;
		text = text_between(r, start, r->at);
		if (*r->at == ')' && !probe->n_arguments && (!*text || !strcmp(text, "void")))
			break;
		if (!*text)
			return fail(r, "the type of an argument");
		if (probe->n_arguments == DTRACE_MAX_ARGUMENTS)
			return error_create("%s:%u: probe %s has more than %u arguments", r->file,
					    r->line, probe->name, DTRACE_MAX_ARGUMENTS);
		probe->arguments[probe->n_arguments++] = text;
		if (*r->at == ')')
			break;
		start = r->at + 1;
	}
	step(r);
	return NULL;
}

/*
 * NAME or NAME(arguments), then ';'. No parentheses, empty ones and (void) are the same: no
 * arguments. A name can stand once in a provider; the same in two providers is two probes.
 */
static struct error *read_probe(struct reader *r, const char *provider)
{
	struct dtrace_probe probe = { .provider = provider };
	struct error *err = take_name(r, "the name of a probe", &probe.name);

	if (err)
		return err;
	vec_foreach(other, r->probes)
		if (!strcmp(other->provider, provider) && !strcmp(other->name, probe.name))
			return error_create("%s:%u: probe %s stands twice in provider %s", r->file,
					    r->line, probe.name, provider);
	if (take(r, '('))
		err = read_arguments(r, &probe);
	if (err)
		return err;
	if (!take(r, ';'))
		return fail(r, "';'");
	vec_push(r->arena, r->probes, probe);
	return NULL;
}

/*
 * Behind "provider": its name and its probes. A provider may come more than once; its probes add
 * up.
 */
static struct error *read_provider(struct reader *r)
{
	const char *name;
	struct error *err = take_name(r, "the name of a provider", &name);

	if (err)
		return err;
	if (!take(r, '{'))
		return fail(r, "'{'");
	while (!take(r, '}')) {
		if (!take_word(r, "probe"))
			return fail(r, "\"probe\" or '}'");
		err = read_probe(r, name);
		if (err)
			return err;
	}
	return take(r, ';') ? NULL : fail(r, "';'");
}

/*
 * A declaration, braces included, to its semicolon: a structure or typedef that arguments of probes
 * have, or a pragma's attributes ("... ;"). It is for the compiler of the program, so nothing of it
 * is kept.
 */
static struct error *pass_declaration(struct reader *r)
{
	unsigned depth = 0;

	for (; *r->at; skip(r)) {
		depth += *r->at == '{';
		depth -= depth && *r->at == '}';
		if (!depth && *r->at == ';') {
			step(r);
			return NULL;
		}
		step(r);
	}
	return fail(r, "';'");
}

/* What is no provider is C, whose declarations end with a semicolon outside of braces. */
struct error *dtrace_parse(struct arena *arena, const char *file, const char *text,
			   struct dtrace_probes *ret)
{
	struct reader r = { arena, file, text, 1, true, ret };
	struct error *err = NULL;

	for (skip(&r); *r.at && !err; skip(&r))
		err = take_word(&r, "provider") ? read_provider(&r) : pass_declaration(&r);
	return err;
}
