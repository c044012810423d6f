/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script behind argc and argv. It is text rather than a tree, so that it goes through the
 * same checks as any script, and -p1 shows it.
 */
#include "driver/argv.h"

#include <ctype.h>
#include <string.h>

#include "ast/tree.h"

/* What the user's scripts say of the two names. */
struct names {
	const struct istr *argc, *argv;
	bool argc_used, argv_used, declared;
};

static void note(struct names *n, const struct istr *name)
{
	n->argc_used |= name == n->argc;
	n->argv_used |= name == n->argv;
}

/* Reading, indexing and membership; a call of that name is another thing. */
static enum walk look_at_expr(struct ast_expr *e, void *data)
{
	if (e->kind == AST_EXPR_NAME)
		note(data, e->name.name);
	else if (e->kind == AST_EXPR_INDEX)
		note(data, e->index.name);
	else if (e->kind == AST_EXPR_IN)
		note(data, e->in.array);
	return WALK_CONTINUE;
}

/* A foreach names its array without an expression. */
static enum walk look_at_stmt(struct ast_stmt *s, void *data)
{
	if (s->kind == AST_STMT_FOREACH && s->foreach.array)
		note(data, s->foreach.array);
	return WALK_CONTINUE;
}

static void look_at_file(const struct ast_file *file, struct names *n)
{
	struct ast_visitor v = { look_at_expr, look_at_stmt, n };

	vec_foreach(g, &file->globals)
		n->declared |= (*g)->name == n->argc || (*g)->name == n->argv;
	vec_foreach(f, &file->functions)
		ast_walk_stmt((*f)->body, &v);
	vec_foreach(a, &file->aliases) {
		ast_walk_stmt((*a)->prologue, &v);
		ast_walk_stmt((*a)->epilogue, &v);
	}
	vec_foreach(p, &file->probes) {
		ast_walk_stmt((*p)->body, &v);
		vec_foreach(point, &(*p)->points)
			ast_walk_expr((*point)->condition, &v);
	}
}

/* As a literal of the language; bytes that are not printable ASCII as octal escapes. */
static void add_quoted(struct strbuf *text, const char *s)
{
	strbuf_addc(text, '"');
	for (; *s; s++) {
		if (isprint((unsigned char)*s) && *s != '"' && *s != '\\')
			strbuf_addc(text, *s);
		else
			strbuf_addf(text, "\\%03o", (unsigned char)*s);
	}
	strbuf_addc(text, '"');
}

/*
 * A global for the array, one for each argument, and the probe that copies them. With no
 * arguments the array must still be known to hold strings.
 */
static void add_array(const char *const *args, size_t n, struct strbuf *text)
{
	strbuf_addf(text, "global argv[%zu]\n", n ? n : 1);
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(text, "global argv_%zu = ", i + 1);
		add_quoted(text, args[i]);
		strbuf_addc(text, '\n');
	}
	/* The lowest number, and first in the program: before a script's own probe init. */
	strbuf_adds(text, "probe begin(-9223372036854775808) {\n");
	for (size_t i = 1; i <= n; i++)
		strbuf_addf(text, "argv[%zu] = argv_%zu\n", i, i);
	if (!n)
		strbuf_adds(text, "argv[0] = \"\"; delete argv\n");
	strbuf_adds(text, "}\n");
}

bool argv_script(struct interner *in, struct ast_file *const *files, size_t n_files,
		 const char *const *args, size_t n_args, struct strbuf *text)
{
	struct names names = { .argc = intern(in, "argc"), .argv = intern(in, "argv") };

	for (size_t i = 0; i < n_files; i++)
		look_at_file(files[i], &names);
	if (names.declared)
		return false;
	if (names.argc_used)
		strbuf_addf(text, "global argc = %zu\n", n_args);
	if (names.argv_used)
		add_array(args, n_args, text);
	return text->len > 0;
}
