/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keywords of the language (diag/keywords.def) and the built-in @operators, and the level that
 * each came with.
 */
#include "parse/keywords.h"

#include <string.h>

#include "base/similar.h"
#include "parse/parser.h"
#include "script.tab.h"

static const struct keyword keywords[] = {
#define KEYWORD(name, token, op, since) { name, token, op, since },
#include "diag/keywords.def"
#undef KEYWORD
};

static const struct keyword at_operators[] = {
	{ "cast", AT_CAST, 0, NULL },
	{ "defined", AT_OPERAND, AST_EXPR_DEFINED, NULL },
	{ "probewrite", AT_OPERAND, AST_EXPR_PROBEWRITE, NULL },
	{ "entry", AT_OPERAND, AST_EXPR_ENTRY, NULL },
	{ "perf", AT_TEXT, AST_EXPR_PERF, NULL },
	{ "var", AT_VAR, 0, NULL },
	{ "errno", AT_ERRNO, 0, NULL, .may_be_macro = true },
	{ "const", AT_TEXT, AST_EXPR_CONST, NULL },
	{ "enum", AT_TEXT, AST_EXPR_ENUM, "5.5" },
	{ "enumname", AT_ENUMNAME, 0, "5.6" },
	{ "kderef", AT_DEREF, false, "4.0" },
	{ "uderef", AT_DEREF, true, "4.0" },
	{ "kregister", AT_REGISTER, false, "4.0" },
	{ "uregister", AT_REGISTER, true, "4.0" },
	{ "count", AT_STAT, AST_COUNT, NULL },
	{ "sum", AT_STAT, AST_SUM, NULL },
	{ "min", AT_STAT, AST_MIN, NULL },
	{ "max", AT_STAT, AST_MAX, NULL },
	{ "avg", AT_STAT, AST_AVG, NULL },
	{ "variance", AT_VARIANCE, 0, NULL },
	{ "hist_log", AT_HIST_LOG, 0, NULL },
	{ "hist_linear", AT_HIST_LINEAR, 0, NULL },
};

bool parser_since(const struct parser *p, const char *version)
{
	return !version || !p->env.compatible || strverscmp(p->env.compatible, version) >= 0;
}

/* The rows are few: a search from the front is not noticed beside the rest of scanning. */
static const struct keyword *find(const struct keyword *table, size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		if (!strncmp(table[i].name, s, len) && !table[i].name[len])
			return &table[i];
	}
	return NULL;
}

const struct keyword *parser_keyword(const struct parser *p, const char *s, size_t len)
{
	const struct keyword *w = find(keywords, sizeof(keywords) / sizeof(keywords[0]), s, len);

	return w && parser_since(p, w->since) ? w : NULL;
}

/* Does it stand in bodies, and has it enough letters to be misspelt? */
static bool is_misspelt_often(const struct keyword *word)
{
	switch (word->kind) {
	case PROBE:
	case GLOBAL:
	case PRIVATE:
	case FUNCTION:
	case IN:
	case TYPE:
		return false;
	default:
		return true;
	}
}

#define LONG_WORD 5 /* letters, from which on another letter is likelier than another word */

static bool has_letters_of(const char *name, const char *word)
{
	for (const char *c = word; *c; c++)
		if (!strchr(name, *c))
			return false;
	return true;
}

const char *parser_near_keyword(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		const char *word = keywords[i].name;

		if (len < 3 || !is_misspelt_often(&keywords[i]) ||
		    similar_distance(name, word, 2) > 2)
			continue;
		if (len >= LONG_WORD || len != strlen(word) || has_letters_of(name, word))
			return word;
	}
	return NULL;
}

const struct keyword *parser_at_operator(const char *s, size_t len)
{
	return find(at_operators, sizeof(at_operators) / sizeof(at_operators[0]), s, len);
}

const char *parser_at_operator_name(size_t i)
{
	return i < sizeof(at_operators) / sizeof(at_operators[0]) ? at_operators[i].name : NULL;
}
