/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to tokens: values of literals, keywords, and arguments of the command line.
 *
 * $1 is pasted as characters: the lexer starts again on the argument's text followed by the rest of
 * the script, so an argument may end in the middle of a token. Positions in pasted text are those
 * of the "$1" itself.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "parse/lexer.h"
#include "parse/parser.h"
#include "parse/keywords.h"
#include "script.tab.h"

/*
 * One run over a text. Offsets of the lexer are into buffer; those before pasted belong to the
 * argument.
 */
struct scanner {
	struct parser *p;
	struct lexer_state state;
	yyscan_t lexer;
	const char *text, *end; /* of the whole script */
	uint32_t start;         /* its source map offset */
	/* what the lexer reads now: pasted bytes, then the script from rest on */
	const char *buffer;
	size_t pasted;
	size_t rest; /* offset in the script of what follows the pasted bytes */
	struct span paste_span;
	struct tokens tokens;
};

/* For an offset of the buffer behind the pasted bytes. */
static uint32_t scanner_offset(const struct scanner *s, size_t at)
{
	return s->start + (uint32_t)(s->rest + at - s->pasted);
}

/* Where [from, to) of the buffer stands in the script. */
static struct span scanner_span(const struct scanner *s, size_t from, size_t to)
{
	return (struct span){
		.start = from < s->pasted ? s->paste_span.start : scanner_offset(s, from),
		.end = to <= s->pasted ? s->paste_span.end : scanner_offset(s, to),
	};
}

struct token parser_junk(struct parser *p, const struct token *old, struct diagnostic *bad)
{
	struct token t = *old;

	t.kind = JUNK;
	t.bad = bad;
	if (old->kind == SCRIPT_EOF) {
		bad->at_eof = true;
	} else if (old->kind != JUNK) {
		bad->about_token = true;
		bad->token = parser_describe(p, old);
	}
	return t;
}

/* The token becomes JUNK that carries BAD. */
static void scanner_junk(struct scanner *s, struct token *t, struct diagnostic *bad)
{
	*t = parser_junk(s->p, t, bad);
}

/* Up to three digits; the number of bytes read, 0 when there is no digit. read_hex: up to two. */
static size_t read_octal(const char *s, const char *end, unsigned *value)
{
	size_t n = 0;

	for (*value = 0; n < 3 && s + n < end && s[n] >= '0' && s[n] <= '7'; n++)
		*value = *value * 8 + (unsigned)(s[n] - '0');
	return n;
}

static size_t read_hex(const char *s, const char *end, unsigned *value)
{
	size_t n = 0;

	for (*value = 0; n < 2 && s + n < end && isxdigit((unsigned char)s[n]); n++) {
		char digit[2] = { s[n], '\0' };

		*value = *value * 16 + (unsigned)strtoul(digit, NULL, 16);
	}
	return n;
}

char parse_string_byte(const char **at, const char *end, bool hex, bool *unknown)
{
	static const char from[] = "abtnvfr", to[] = "\a\b\t\n\v\f\r";
	const char *s = (*at)++, *known;
	unsigned value;
	size_t n;

	*unknown = false;
	if (*s != '\\' || s + 1 == end)
		return *s;
	s++;
	n = read_octal(s, end, &value);
	if (!n && hex && *s == 'x') {
		n = read_hex(s + 1, end, &value);
		n += n > 0;
	}
	*at = s + (n ? n : 1);
	if (n)
		return (char)value;
	known = *s ? strchr(from, *s) : NULL;
	*unknown = !known && *s != '\\' && *s != '"';
	return known ? to[known - from] : *s;
}

/* The bytes that a literal stands for. \x is an escape since level 2.3. */
static const struct istr *unquote(struct parser *p, const char *s, size_t len)
{
	const char *end = s + len;
	const struct istr *value;
	struct strbuf out;
	bool unknown;

	if (!memchr(s, '\\', len))
		return intern_n(p->in, s, len);
	strbuf_init(&out);
	while (s < end)
		strbuf_addc(&out, parse_string_byte(&s, end, parser_since(p, "2.3"), &unknown));
	value = intern_n(p->in, strbuf_cstr(&out), out.len);
	strbuf_deinit(&out);
	return value;
}

/* A literal that does not end on its line becomes junk, with what is mostly the cause as hint. */
static void scan_string(struct scanner *s, struct token *t)
{
	struct diagnostic *bad;

	if (!s->state.unclosed) {
		t->str = unquote(s->p, t->text + 1, t->len - 2);
		return;
	}
	bad = diag_create(s->p->sink, DIAG_PARSE_QUOTE, t->span);
	scanner_junk(s, t, bad);
	diag_set_token(s->p->sink, bad, "junk");
	diag_set_hint(s->p->sink, bad,
		      "a string ends on the line it begins on: write \\n for a line break, and "
		      "within -e '...' "
		      "mind the quotes of the shell");
}

/*
 * The text is what stands between "%{" and "%}". A "}%" inside is warned of: it is mostly meant
 * to be the end.
 */
static void scan_embedded(struct scanner *s, struct token *t)
{
	struct parser *p = s->p;

	if (s->state.unclosed) {
		struct diagnostic *bad = diag_create(p->sink, DIAG_PARSE_EMBEDDED_END, t->span);

		scanner_junk(s, t, bad);
		return;
	}
	if (s->state.odd_closing)
		diag_report(p->sink, DIAG_PARSE_EMBEDDED_CLOSING, t->span);
	t->str = intern_n(p->in, t->text + 2, t->len - 4);
}

/*
 * Decimal, octal, hexadecimal or (0b) binary, up to 2^64 - 1; from 2^63 on they are negative. A bad
 * one counts only when the grammar gets there.
 */
static void scan_number(struct scanner *s, struct token *t)
{
	char *copy = arena_strndup(s->p->arena, t->text, t->len);
	bool binary = copy[0] == '0' && (copy[1] == 'b' || copy[1] == 'B') && copy[2];
	unsigned long long value;
	char *end;

	errno = 0;
	value = binary ? strtoull(copy + 2, &end, 2) : strtoull(copy, &end, 0);
	t->number = (int64_t)value;
	if (*end || errno == ERANGE) {
		t->bad = diag_create(s->p->sink, DIAG_PARSE_NUMBER, t->span);
		t->bad->about_token = true;
		diag_set_hint(s->p->sink, t->bad,
			      "numbers are decimal, 0x... hexadecimal, 0... octal or 0b... binary, "
			      "below 2^64, and have no fraction, exponent or suffix");
	}
}

/*
 * A keyword of the language level, else a name. Keywords keep their text, for the places where
 * they are names.
 */
static void scan_word(struct scanner *s, struct token *t)
{
	const struct keyword *w = parser_keyword(s->p, t->text, t->len);

	t->str = intern_n(s->p->in, t->text, t->len);
	if (w) {
		t->kind = w->kind;
		t->op = w->op;
	}
}

/* "$" and "$$" alone are suffixes that stand apart from their name. */
static void scan_target(struct scanner *s, struct token *t)
{
	t->str = intern_n(s->p->in, t->text, t->len);
	if ((t->len == 1) || (t->len == 2 && t->text[1] == '$'))
		t->kind = PRETTY;
}

/* What is meant by text that begins no token, or NULL. */
static const char *junk_hint(const char *text, size_t len)
{
	static const struct {
		const char *text, *hint;
	} rows[] = {
		{ "'", "strings stand in double quotes" },
		{ "@[", "arrays have a name: global NAME, and NAME[key] = value in a handler" },
		{ "\xe2\x80\x98", "strings stand in plain double quotes, not in typographic ones" },
		{ "\xe2\x80\x99", "strings stand in plain double quotes, not in typographic ones" },
		{ "\xe2\x80\x9c", "strings stand in plain double quotes, not in typographic ones" },
		{ "\xe2\x80\x9d", "strings stand in plain double quotes, not in typographic ones" },
		{ "\xe2\x80\x93", "this is a dash: a minus is the plain -" },
		{ "\xe2\x80\x94", "this is a dash: a minus is the plain -" },
		{ "\xc2\xa0", "this is a blank that does not break lines: write a plain one" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].text) <= len &&
		    !memcmp(rows[i].text, text, strlen(rows[i].text)))
			return rows[i].hint;
	return NULL;
}

/* A byte that begins no token. */
static void scan_junk(struct scanner *s, struct token *t)
{
	struct diagnostic *bad = diag_create(s->p->sink, DIAG_PARSE_JUNK, t->span);
	const char *hint = junk_hint(t->text, (size_t)(s->end - t->text));

	scanner_junk(s, t, bad);
	bad->about_token = true;
	diag_set_token(s->p->sink, bad, "junk '\\x%02x'", (unsigned char)*t->text);
	if (hint)
		diag_set_hint(s->p->sink, bad, "%s", hint);
}

/* Restart the lexer on TEXT pasted before what follows the token. */
static void scanner_paste(struct scanner *s, const struct token *t, const char *text)
{
	size_t len = strlen(text), rest = s->rest + s->state.end - s->pasted;
	size_t n_rest = (size_t)(s->end - s->text) - rest;
	char *buffer;

	if (len + n_rest > INT_MAX)
		arena_out_of_memory();
	buffer = arena_alloc(s->p->arena, len + n_rest + 1);
	memcpy(buffer, text, len);
	memcpy(buffer + len, s->text + rest, n_rest);
	s->buffer = buffer;
	s->pasted = len;
	s->rest = rest;
	s->paste_span = t->span;
	s->state.pos = 0;
	script_lex_text(s->lexer, buffer, len + n_rest);
}

/* "@1" as it would be written, for messages and patterns. */
static void argument_string(struct scanner *s, struct token *t, const char *value)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addc(&text, '"');
	for (const char *p = value; *p; p++) {
		if (*p == '"' || *p == '\\')
			strbuf_addc(&text, '\\');
		strbuf_addc(&text, *p);
	}
	strbuf_addc(&text, '"');
	t->kind = STRING;
	t->str = intern(s->p->in, value);
	t->text = arena_strndup(s->p->arena, strbuf_cstr(&text), text.len);
	t->len = (uint32_t)text.len;
	strbuf_deinit(&text);
}

/* True when the token stands for itself; false when text was pasted instead. */
static bool scan_argument(struct scanner *s, struct token *t)
{
	const struct parse_env *env = &s->p->env;
	bool string = t->text[0] == '@';
	struct diagnostic *bad;
	unsigned long n;

	if (s->state.start < s->pasted) {
		scanner_junk(s, t, diag_create(s->p->sink, DIAG_PARSE_ARG_NESTED, t->span));
		return true;
	}
	if (t->text[1] == '#') {
		t->number = (int64_t)env->n_args;
		t->kind = NUMBER;
		if (string)
			argument_string(s, t, arena_printf(s->p->arena, "%zu", env->n_args));
		return true;
	}
	n = strtoul(arena_strndup(s->p->arena, t->text + 1, t->len - 1), NULL, 10);
	if (n < 1 || n > env->n_args) {
		bad = diag_create(s->p->sink, DIAG_PARSE_ARG_RANGE, t->span, env->n_args);
		if (!env->n_args)
			diag_set_hint(s->p->sink, bad,
				      "arguments stand behind the script: stap FILE ARGUMENT...");
		scanner_junk(s, t, bad);
		return true;
	}
	if (env->args_used)
		env->args_used[n - 1] = true;
	if (string)
		argument_string(s, t, env->args[n - 1]);
	else
		scanner_paste(s, t, env->args[n - 1]);
	return string;
}

/* Completes a token by its kind. False: it was replaced by pasted text, and there is no token. */
static bool scan_value(struct scanner *s, struct token *t)
{
	switch (t->kind) {
	case NAME:
		scan_word(s, t);
		return true;
	case AT_WORD:
		t->str = intern_n(s->p->in, t->text + 1, t->len - 1);
		return true;
	case TARGET:
		scan_target(s, t);
		return true;
	case STRING:
		scan_string(s, t);
		return true;
	case EMBEDDED:
		scan_embedded(s, t);
		return true;
	case NUMBER:
		scan_number(s, t);
		return true;
	case ARGUMENT:
		return scan_argument(s, t);
	case JUNK:
		scan_junk(s, t);
		return true;
	default:
		return true;
	}
}

struct tokens parser_scan(struct parser *p, const char *text, size_t len, uint32_t start)
{
	struct scanner s = {
		.p = p,
		.text = text,
		.end = text + len,
		.start = start,
		.buffer = text,
	};
	struct token t;

	if (len > INT_MAX || script_lex_init_extra(&s.state, &s.lexer))
		arena_out_of_memory();
	script_lex_text(s.lexer, text, len);
	do {
		s.state.unclosed = false;
		s.state.odd_closing = false;
		s.state.op = AST_OP_NONE;
		t = (struct token){ .kind = script_lex(s.lexer) };
		if (t.kind == SCRIPT_EOF) {
			if (s.state.unclosed)
				p->comment = scanner_span(&s, s.state.comment, s.state.comment + 2);
			s.state.start = s.state.end = s.state.pos;
		}
		t.op = s.state.op;
		t.glued = !s.state.space;
		t.span = scanner_span(&s, s.state.start, s.state.end);
		t.text = s.buffer + s.state.start;
		t.len = (uint32_t)(s.state.end - s.state.start);
		if (scan_value(&s, &t)) {
			vec_push(p->arena, &s.tokens, t);
			s.state.space = false;
		}
	} while (t.kind != SCRIPT_EOF);
	script_lex_destroy(s.lexer);
	return s.tokens;
}
