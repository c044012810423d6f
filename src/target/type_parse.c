/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types written in C, as @cast and the kernel's system-call tables write them, to handles: words in
 * any order, then '*'. Arrays, functions and declarators in parentheses are not understood.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "target/btf_types.h"
#include "target/internal.h"

/* What the specifiers of the text said (C 6.7.2). */
struct specifiers {
	char name[256]; /* the identifier, or "" */
	uint32_t tags;  /* struct, union, enum: the one named, as a bit; else 0 */
	unsigned pointers, longs;
	bool is_unsigned, is_signed, is_short, is_char, is_int, bad;
	enum fetch_space space;
};

/*
 * Notes one word. Qualifiers that change nothing are dropped; __user and its like give pointers
 * their space.
 */
static void take_specifier(struct specifiers *w, const char *word)
{
	static const char *const ignored[] = { "const", "volatile",   "restrict", "__kernel",
					       "__rcu", "__restrict", "register" };

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		if (!strcmp(word, ignored[i]))
			return;
	if (!strncmp(word, "__", 2) && type_tag_space(word + 2))
		w->space = type_tag_space(word + 2);
	else if (!strcmp(word, "struct") || !strcmp(word, "class"))
		w->tags = 1u << TYPE_STRUCT;
	else if (!strcmp(word, "union"))
		w->tags = 1u << TYPE_UNION;
	else if (!strcmp(word, "enum"))
		w->tags = 1u << TYPE_ENUM;
	else if (!strcmp(word, "unsigned"))
		w->is_unsigned = true;
	else if (!strcmp(word, "signed"))
		w->is_signed = true;
	else if (!strcmp(word, "short"))
		w->is_short = true;
	else if (!strcmp(word, "long"))
		w->longs++;
	else if (!strcmp(word, "int"))
		w->is_int = true;
	else if (!strcmp(word, "char"))
		w->is_char = true;
	else if (w->name[0])
		w->bad = true;
	else
		strcpy(w->name, word);
}

/*
 * Bytes of the word at TEXT: an identifier, with the scopes and arguments of templates that C++ has
 * in it: "std::vector<int, std::allocator<int> >".
 */
static size_t word_length(const char *text)
{
	int depth = 0;
	size_t n;

	for (n = 0; text[n]; n++) {
		bool colons = text[n] == ':' && (text[n + 1] == ':' || (n && text[n - 1] == ':'));

		if (!depth && !isalnum((unsigned char)text[n]) && !strchr("_{}#", text[n]) &&
		    !colons && (text[n] != '<' || !n))
			break;
		depth += text[n] == '<';
		depth -= text[n] == '>';
	}
	return n;
}

/*
 * Calls take_specifier() for each word and counts '*'. Anything else makes the text no type. Long
 * words are cut, and then match no type.
 */
static void split(const char *text, struct specifiers *w)
{
	char word[sizeof(w->name)];

	for (const char *p = text; *p && !w->bad;) {
		size_t n = word_length(p);

		if (isspace((unsigned char)*p)) {
			p++;
		} else if (*p == '*') {
			w->pointers++;
			p++;
		} else if (n) {
			snprintf(word, sizeof(word), "%.*s", (int)n, p);
			take_specifier(w, word);
			p += n;
		} else {
			w->bad = true;
		}
	}
}

/* The name compilers give the integer type; NULL when the words are no integer type. */
static const char *integer_name(const struct specifiers *w)
{
	if (!w->is_unsigned && !w->is_signed && !w->is_short && !w->is_char && !w->is_int &&
	    !w->longs)
		return NULL;
	if (w->is_char)
		return w->is_unsigned ? "unsigned char" : w->is_signed ? "signed char" : "char";
	if (w->is_short)
		return w->is_unsigned ? "short unsigned int" : "short int";
	if (w->longs > 1)
		return w->is_unsigned ? "long long unsigned int" : "long long int";
	if (w->longs)
		return w->is_unsigned ? "long unsigned int" : "long int";
	return w->is_unsigned ? "unsigned int" : "int";
}

/* The same as clang spells it. */
static const char *other_integer_name(const struct specifiers *w)
{
	if (w->is_short)
		return w->is_unsigned ? "unsigned short" : "short";
	if (w->longs > 1)
		return w->is_unsigned ? "unsigned long long" : "long long";
	return w->is_unsigned ? "unsigned long" : "long";
}

static const struct target_type *find_integer(struct type_source *src, const struct specifiers *w,
					      const char *name)
{
	uint32_t tags = 1u << TYPE_INT | 1u << TYPE_CHAR;
	const struct target_type *type = src->ops->find(src, name, tags);

	return type || w->is_char ? type : src->ops->find(src, other_integer_name(w), tags);
}

static const struct target_type *find_bare(struct type_source *src, const char *name)
{
	/* a bare word is a typedef or base type if there is one, else a tag */
	static const uint32_t order[] = { 1u << TYPE_TYPEDEF | 1u << TYPE_INT | 1u << TYPE_FLOAT |
						  1u << TYPE_BOOL | 1u << TYPE_CHAR,
					  1u << TYPE_STRUCT, 1u << TYPE_UNION, 1u << TYPE_ENUM };
	const struct target_type *type = NULL;

	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !type; i++)
		type = src->ops->find(src, name, order[i]);
	return type;
}

/* The space is that of every pointer made here. */
const struct target_type *type_parse(struct type_source *src, const char *text)
{
	const struct target_type *type;
	struct specifiers w = { 0 };
	const char *integer;

	split(text, &w);
	integer = integer_name(&w);
	if (w.bad || (integer && (w.name[0] || w.tags)) || (w.tags && !w.name[0]))
		return NULL;
	if (integer)
		type = find_integer(src, &w, integer);
	else if (w.tags)
		type = src->ops->find(src, w.name, w.tags);
	else if (!strcmp(w.name, "void"))
		type = w.pointers ? type_get(src, 0) : NULL;
	else
		type = w.name[0] ? find_bare(src, w.name) : NULL;
	for (unsigned i = 0; type && i < w.pointers; i++) {
		type = type_pointer_to(type);
		((struct target_type *)type)->space = w.space;
	}
	return type;
}
