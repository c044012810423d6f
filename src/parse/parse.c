/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parser's entry points: the stages in order, for a script or tapset file, a file of macros,
 * and what is to be listed. Each counts the errors before and after, since a stage reports to the
 * sink and goes on.
 */
#include "parse/parse.h"

#include <string.h>

#include "parse/parser.h"
#include "script.tab.h"

struct parser *parser_create(struct arena *arena, struct interner *in, struct diag_sink *sink,
			     const struct parse_env *env)
{
	struct parser *p = arena_new(arena, struct parser);

	p->arena = arena;
	p->in = in;
	p->sink = sink;
	p->env = *env;
	if (!p->env.macros) {
		map_init(&p->library_macros, arena);
		p->env.macros = &p->library_macros;
	}
	p->build.arena = arena;
	p->build.in = in;
	p->build.sink = sink;
	p->build.max_height = env->max_height;
	return p;
}

struct diag_sink *parse_sink(const struct parser *p)
{
	return p->sink;
}

void parser_skip_mark(const char **text, size_t *len)
{
	if (*len < 3 || memcmp(*text, "\xef\xbb\xbf", 3))
		return;
	*text += 3;
	*len -= 3;
}

void parse_on_macros(struct parser *p, void (*need)(void *arg), void *arg)
{
	p->need_macros = need;
	p->need_macros_arg = arg;
}

/*
 * What is parsed in between is over before anything else of the text around it is kept in the
 * parser.
 */
static void get_macros(struct parser *p, const struct tokens *scanned)
{
	void (*need)(void *arg) = p->need_macros;

	if (!need || !parser_needs_macros(p, scanned))
		return;
	p->need_macros = NULL;
	need(p->need_macros_arg);
}

/* Everything before the grammar. */
static struct tokens tokens_at(struct parser *p, const char *name, uint32_t start, const char *text,
			       size_t len, bool library, bool macro_file)
{
	struct tokens scanned = parser_scan(p, text, len, start), expanded;

	if (p->env.check_version && !library)
		parser_check_versions(p, &scanned);
	if (!macro_file)
		get_macros(p, &scanned);
	p->build.privileged = library || p->env.guru;
	p->build.loose_ternary = !parser_since(p, "4.0");
	p->build.no_autocast = !library && !parser_since(p, "2.6");
	p->build.too_many_points = false;
	p->build.file = arena_new(p->arena, struct ast_file);
	p->build.file->name = arena_strdup(p->arena, name);
	p->build.file->start = start;
	p->build.file->library = library;
	p->macros = arena_new(p->arena, struct map);
	map_init(p->macros, p->arena);
	p->build.file->macros = p->macros;
	p->broken_macros = arena_new(p->arena, struct map);
	map_init(p->broken_macros, p->arena);
	scanned = parser_decide_definitions(p, &scanned);
	expanded = parser_expand_macros(p, &scanned, macro_file);
	return parser_decide_conditions(p, &expanded);
}

/* The same of a text that is not in the source map yet. */
static struct tokens make_tokens(struct parser *p, const char *name, const char *text, size_t len,
				 bool library, bool macro_file)
{
	uint32_t start;

	parser_skip_mark(&text, &len);
	start = source_map_add(diag_sink_map(p->sink), name, text, len, library);
	return tokens_at(p, name, start, text, len, library, macro_file);
}

/* Errors reported before, of other texts, do not count. */
struct ast_file *parse_text(struct parser *p, const char *name, const char *text, size_t len,
			    bool library)
{
	size_t errors = diag_error_count(p->sink);

	p->tokens = make_tokens(p, name, text, len, library, false);
	if (p->tokens.n == 1 && !library) {
		diag_report(p->sink, DIAG_PARSE_EMPTY, (struct span){ 0 }, name);
		return NULL;
	}
	parser_filter_start(p);
	parser_run_grammar(p);
	return diag_error_count(p->sink) > errors ? NULL : p->build.file;
}

struct ast_file *parse_page(struct parser *p, const char *name, uint32_t start, const char *text,
			    size_t len)
{
	size_t errors = diag_error_count(p->sink);

	p->tokens = tokens_at(p, name, start, text, len, true, false);
	parser_filter_start(p);
	parser_run_grammar(p);
	return diag_error_count(p->sink) > errors ? NULL : p->build.file;
}

bool parse_macro_file(struct parser *p, const char *name, const char *text, size_t len)
{
	size_t errors = diag_error_count(p->sink);
	struct tokens rest = make_tokens(p, name, text, len, true, true);

	for (size_t i = 0; i < rest.n; i++) {
		const struct token *t = &rest.data[i];

		if (t->kind == SCRIPT_EOF)
			break;
		if (t->kind == JUNK) {
			diag_add(p->sink, t->bad);
			continue;
		}
		diag_report(p->sink, DIAG_PARSE_MACRO_FILE, t->span);
		break;
	}
	return diag_error_count(p->sink) == errors;
}

struct ast_file *parse_probe_text(struct parser *p, const char *name, const char *text, size_t len)
{
	static const char before[] = "probe ", after[] = " {}";
	size_t at = sizeof(before) - 1;
	char *script = arena_alloc(p->arena, at + len + sizeof(after));

	memcpy(script, before, at);
	memcpy(script + at, text, len);
	memcpy(script + at + len, after, sizeof(after));
	return parse_text(p, name, script, at + len + sizeof(after) - 1, false);
}
