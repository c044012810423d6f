/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader with one position and no tokens: the language has two words and a list. */
#include "dtrace/description.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* The text and where the reader stands in it. at never passes the NUL at the end. */
struct reader {
	struct arena *arena;
	const char *file, *at;
	unsigned line;
	unsigned open_comment; /* the line of a comment that does not end, or 0 */
	bool line_start;       /* nothing but blanks stands before at in its line */
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

/* The file and number of a line mark are those of the line behind it: # 12 "file", #line 12. */
static void take_line_mark(struct reader *r)
{
	const char *at = r->at + 1, *end;
	unsigned long line;
	char *after;

	at += strspn(at, " \t");
	if (!strncmp(at, "line", 4))
		at += 4;
	line = strtoul(at, &after, 10);
	if (after == at)
		return;
	r->line = line - 1;
	at = after + strspn(after, " \t");
	end = *at == '"' ? at + 1 + strcspn(at + 1, "\"\n") : at;
	if (*end == '"' && end > at + 1)
		r->file = arena_strndup(r->arena, at + 1, end - at - 1);
}

/* To the end of the line, which a backslash before it does not end. */
static void pass_line(struct reader *r)
{
	while (*r->at && *r->at != '\n') {
		if (!strncmp(r->at, "\\\n", 2))
			step(r);
		step(r);
	}
}

/* A comment without end goes to the end of the text. */
static void pass_comment(struct reader *r)
{
	unsigned line = r->line;

	step(r);
	step(r);
	while (*r->at && strncmp(r->at, "*/", 2))
		step(r);
	if (!*r->at) {
		r->open_comment = line;
		return;
	}
	step(r);
	step(r);
}

/* Blanks, comments and lines that begin with #. */
static void skip(struct reader *r)
{
	for (;;) {
		if (isspace((unsigned char)*r->at)) {
			step(r);
		} else if (!strncmp(r->at, "/*", 2)) {
			pass_comment(r);
		} else if (!strncmp(r->at, "//", 2)) {
			pass_line(r);
		} else if (r->line_start && *r->at == '#') {
			take_line_mark(r);
			pass_line(r);
		} else {
			return;
		}
	}
}

/* One byte, or a string or character, whose text may look like anything. */
static void step_over(struct reader *r)
{
	char quote = *r->at;

	step(r);
	if (quote != '"' && quote != '\'')
		return;
	while (*r->at && *r->at != '\n' && *r->at != quote) {
		if (*r->at == '\\' && r->at[1])
			step(r);
		step(r);
	}
	if (*r->at == quote)
		step(r);
}

/* What was expected here, and the rest of the line, 20 bytes at most. The error is the caller's. */
static struct error *fail(const struct reader *r, const char *expected)
{
	if (r->open_comment)
		return error_create("%s:%u: expected \"*/\" for the comment that begins here, and "
				    "the file ends",
				    r->file, r->open_comment);
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

/*
 * One argument, to the ',' or ')' behind it: without comments, and each blank as one space. Other
 * brackets may be in it, as of a function's type, with commas of their own.
 */
static struct error *read_argument(struct reader *r, struct strbuf *text)
{
	unsigned depth = 0;

	skip(r);
	for (;;) {
		const char *from = r->at;

		if (!*from || (!depth && *from == ';'))
			return fail(r, "')'");
		if (!depth && (*from == ',' || *from == ')'))
			return NULL;
		depth += strchr("([{", *from) != NULL;
		depth -= depth && strchr(")]}", *from);
		step_over(r);
		strbuf_add(text, from, r->at - from);
		from = r->at;
		skip(r);
		if (r->at > from && *r->at != ',' && *r->at != ')')
			strbuf_addc(text, ' ');
	}
}

/*
 * Behind the parenthesis that opens, to behind the one that closes. Each argument is a type of C,
 * perhaps with a name, and kept as text.
 */
static struct error *read_arguments(struct reader *r, struct dtrace_probe *probe)
{
	bool more = true;

	probe->n_arguments = 0;
	while (more) {
		struct strbuf text;
		struct error *err;
		const char *kept;

		strbuf_init(&text);
		err = read_argument(r, &text);
		kept = arena_strdup(r->arena, strbuf_cstr(&text));
		strbuf_deinit(&text);
		if (err)
			return err;
		more = *r->at == ',';
		if (!more && !probe->n_arguments && (!*kept || !strcmp(kept, "void")))
			break;
		if (!*kept)
			return fail(r, "the type of an argument");
		if (probe->n_arguments == DTRACE_MAX_ARGUMENTS)
			return error_create("%s:%u: probe %s has more than %u arguments", r->file,
					    r->line, probe->name, DTRACE_MAX_ARGUMENTS);
		probe->arguments[probe->n_arguments++] = kept;
		if (more)
			step(r);
	}
	step(r);
	return NULL;
}

/*
 * Behind the arguments: ": (arguments)", as which scripts of DTrace see them. A mark has what the
 * program gives it, so they are only read.
 */
static struct error *pass_translated(struct reader *r, const struct dtrace_probe *probe)
{
	struct dtrace_probe translated = { .name = probe->name };

	if (!take(r, ':'))
		return NULL;
	return take(r, '(') ? read_arguments(r, &translated) : fail(r, "'('");
}

/*
 * NAME, NAME(arguments) or NAME(arguments) : (arguments), then ';'. No parentheses, empty ones and
 * (void) are the same: no arguments. A name can stand once in a provider; the same in two providers
 * is two probes.
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
	if (!err)
		err = pass_translated(r, &probe);
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
	take(r, ';'); /* some descriptions have none */
	return NULL;
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
		step_over(r);
	}
	return fail(r, "';'");
}

/* What is no provider is C, whose declarations end with a semicolon outside of braces. */
struct error *dtrace_parse(struct arena *arena, const char *file, const char *text,
			   struct dtrace_probes *ret)
{
	struct reader r = { .arena = arena,
			    .file = file,
			    .at = text,
			    .line = 1,
			    .line_start = true,
			    .probes = ret };
	struct error *err = NULL;

	for (skip(&r); *r.at && !err; skip(&r))
		err = take_word(&r, "provider") ? read_provider(&r) : pass_declaration(&r);
	return !err && r.open_comment ? fail(&r, "\"*/\"") : err;
}
