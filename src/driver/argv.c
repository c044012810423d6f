/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script behind argc and argv. It is text rather than a tree, so that it goes through the
 * same checks as any script, and -p1 shows it.
 */
#include "driver/argv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ast/tree.h"

#define ARGV_NAMES 32 /* argv_1 to argv_32 are there whatever arguments there are */

/* What the user's scripts say of the names. */
struct names {
	const struct istr *argc, *argv;
	bool argc_used, argv_used, declared;
	bool arg_used[ARGV_NAMES + 1], arg_declared[ARGV_NAMES + 1]; /* argv_N */
};

/* N of argv_N, 0 for any other name. */
static size_t argument_number(const char *name)
{
	static const char prefix[] = "argv_";
	char *end;
	unsigned long n;

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return 0;
	name += strlen(prefix);
	if (*name < '1' || *name > '9')
		return 0;
	n = strtoul(name, &end, 10);
	return *end || n > ARGV_NAMES ? 0 : n;
}

static void note(struct names *n, const struct istr *name)
{
	n->argc_used |= name == n->argc;
	n->argv_used |= name == n->argv;
	n->arg_used[argument_number(name->text)] = true;
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

	vec_foreach(g, &file->globals) {
		n->declared |= (*g)->name == n->argc || (*g)->name == n->argv;
		n->arg_declared[argument_number((*g)->name->text)] = true;
	}
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

/* argv_N for each argument that the array is filled from, and for those that the script names. */
static void add_arguments(const struct names *names, const char *const *args, size_t n,
			  struct strbuf *text)
{
	for (size_t i = 1; i <= n || i <= ARGV_NAMES; i++) {
		bool named = i <= ARGV_NAMES && names->arg_used[i];

		if (i <= ARGV_NAMES && names->arg_declared[i])
			continue;
		if (!named && (i > n || !names->argv_used))
			continue;
		strbuf_addf(text, "global argv_%zu = ", i);
		add_quoted(text, i <= n ? args[i - 1] : "");
		strbuf_addc(text, '\n');
	}
}

/* Fills the array. With no arguments it must still be known to hold strings. */
static void add_probe(size_t n, struct strbuf *text)
{
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
		strbuf_addf(text, "global argv[%zu]\n", n_args ? n_args : 1);
	add_arguments(&names, args, n_args, text);
	if (names.argv_used)
		add_probe(n_args, text);
	return text->len > 0;
}
