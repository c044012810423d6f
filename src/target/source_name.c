/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See source_name.h. */
#include "target/source_name.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/strbuf.h"

#define MAX_DEPTH 64 /* a const deeper in brackets stays where it is */

static const char anonymous[] = "(anonymous namespace)";

/* Those of libstdc++, libc++, Android's and Chromium's; __1 and its like apart. */
static const char *const inline_namespaces[] = { "__cxx11", "_V2", "__ndk1", "__Cr" };

static const char long_string[] =
	"std::basic_string<char,std::char_traits<char>,std::allocator<char>>";

static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static bool is_word(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(p, word, n);
}

size_t source_parameters(const char *text)
{
	unsigned depth = 0;
	const char *p = text;

	while (*p) {
		size_t n = word_length(p);

		if (is_word(p, n, "operator")) {
			p += n;
			p += !strncmp(p, "()", 2) ? 2 : strspn(p, "<>=!+-*/%^&|~,[]");
		} else if (n) {
			p += n;
		} else if (!strncmp(p, anonymous, sizeof(anonymous) - 1)) {
			p += sizeof(anonymous) - 1;
		} else if (*p == '(' && !depth) {
			break;
		} else {
			depth += strchr("<({", *p) != NULL;
			depth -= depth && strchr(">)}", *p);
			p++;
		}
	}
	return p - text;
}

/* The name at P, behind "::", when it is of a namespace that programs do not write. */
static bool is_inline_namespace(const char *p, size_t n)
{
	if (strncmp(p + n, "::", 2) != 0)
		return false;
	for (size_t i = 0; i < sizeof(inline_namespaces) / sizeof(*inline_namespaces); i++)
		if (is_word(p, n, inline_namespaces[i]))
			return true;
	return n > 2 && !strncmp(p, "__", 2) && strspn(p + 2, "0123456789") == n - 2;
}

/* A name in the making. */
struct writer {
	struct strbuf out;
	bool is_const[MAX_DEPTH]; /* at each depth of brackets: const goes behind what comes */
	unsigned depth;
};

static void add_word(struct writer *w, const char *word, size_t n)
{
	char last = w->out.len ? w->out.s[w->out.len - 1] : '\0';

	if (isalnum((unsigned char)last) || last == '_')
		strbuf_addc(&w->out, ' ');
	strbuf_add(&w->out, word, n);
}

/* The type that a const was written before ends here. */
static void end_type(struct writer *w)
{
	if (w->depth >= MAX_DEPTH || !w->is_const[w->depth])
		return;
	w->is_const[w->depth] = false;
	if (w->out.len && strchr(">)", w->out.s[w->out.len - 1]))
		strbuf_addc(&w->out, ' ');
	add_word(w, "const", 5);
}

/* A blank between > and a word, which some write and some do not, is one. */
static void plain_word(struct writer *w, const char *p, size_t n)
{
	const char *s = w->out.s;
	size_t len = w->out.len;
	bool begins = !len || strchr("(<,", s[len - 1]);

	if (begins && is_word(p, n, "const") && w->depth < MAX_DEPTH) {
		w->is_const[w->depth] = true;
		return;
	}
	if (len && (s[len - 1] == '>' || s[len - 1] == ')'))
		strbuf_addc(&w->out, ' ');
	add_word(w, p, n);
}

/* One sign; those that end a type have its const before them. */
static void plain_sign(struct writer *w, char c)
{
	if (strchr("*&,)>(", c))
		end_type(w);
	w->depth -= w->depth && strchr(")>", c);
	strbuf_addc(&w->out, c);
	w->depth += strchr("(<", c) != NULL;
	if (strchr("(<", c) && w->depth < MAX_DEPTH)
		w->is_const[w->depth] = false;
}

static void write_plain(struct writer *w, const char *p)
{
	while (*p) {
		size_t n = word_length(p), len = w->out.len;

		if (n && len > 1 && !strncmp(w->out.s + len - 2, "::", 2) &&
		    is_inline_namespace(p, n)) {
			p += n + 2;
		} else if (n) {
			plain_word(w, p, n);
			p += n;
		} else if (!strncmp(p, anonymous, sizeof(anonymous) - 1)) {
			strbuf_adds(&w->out, anonymous);
			p += sizeof(anonymous) - 1;
		} else if (!strncmp(p, "[abi:", 5)) {
			p += strcspn(p, "]");
			p += *p != '\0';
		} else {
			if (!isspace((unsigned char)*p))
				plain_sign(w, *p);
			p++;
		}
	}
	end_type(w);
}

/* Is in place, as it becomes shorter. */
static void shorten(char *text)
{
	char *at;

	while ((at = strstr(text, long_string)) != NULL) {
		memcpy(at, "std::string", 11);
		memmove(at + 11, at + sizeof(long_string) - 1,
			strlen(at + sizeof(long_string) - 1) + 1);
		text = at + 11;
	}
}

const char *source_name(struct arena *arena, const char *text, enum source_form form)
{
	struct writer w = { .depth = 0 };
	char *ret;

	if (form == SOURCE_VERBATIM)
		return text;
	strbuf_init(&w.out);
	write_plain(&w, text);
	ret = arena_strdup(arena, strbuf_cstr(&w.out));
	strbuf_deinit(&w.out);
	if (form == SOURCE_SHORT)
		shorten(ret);
	return ret;
}

/* Bytes up to and with the last parenthesis. */
static size_t list_length(const char *list)
{
	const char *end = strrchr(list, ')');

	return end ? (size_t)(end - list) + 1 : strlen(list);
}

/* The same for fnmatch(): signs that types have too are themselves. */
static const char *as_glob(struct arena *arena, const char *list)
{
	char *glob = arena_alloc(arena, 2 * strlen(list) + 1), *to = glob;

	for (const char *p = list; *p; p++) {
		bool begins = p > list && strchr("(,", p[-1]);

		if (strchr("[]\\", *p) || (*p == '*' && !begins))
			*to++ = '\\';
		*to++ = *p;
	}
	*to = '\0';
	return glob;
}

bool source_parameters_match(struct arena *arena, const char *pattern, const char *list)
{
	const char *p = source_name(arena, pattern, SOURCE_SHORT);
	const char *l = source_name(arena, list, SOURCE_SHORT);

	if (!p[list_length(p)])
		l = arena_strndup(arena, l, list_length(l));
	if (!strcmp(p, "(void)"))
		p = "()";
	return !strcmp(p, l) || !fnmatch(as_glob(arena, p), l, 0);
}
