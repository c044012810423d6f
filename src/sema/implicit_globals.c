/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A forgotten `global`: one-liners often lack it. There are no local arrays or statistics, so a
 * name that one handler fills as one and another handler of the same script reads can only have
 * been meant as a global: it becomes one implicitly, with a warning. Used in a single handler it
 * stays the error it is, because there it is as likely a misspelt name.
 *
 * Requires: the globals of the user's files are known. Ensures: nothing but new globals.
 */
#include "ast/tree.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* What the handlers of one file do with a name that may lack its declaration. */
struct sighting {
	struct span span; /* of the first use */
	/* handlers; other: a second one that reads it */
	const void *filled_in, *other;
	const void *read_in;
};

/* The walk over the probes of one file. */
struct implicit_globals {
	struct sema *s;
	const struct ast_file *file;
	const void *handler; /* the probe or function being walked */
	struct map seen;     /* istr -> sighting */
};

static struct sighting *sight(struct implicit_globals *a, const struct istr *name, struct span span)
{
	struct sighting *sighting = map_get(&a->seen, name);

	if (!sighting) {
		sighting = arena_new(a->s->arena, struct sighting);
		sighting->span = span;
		map_put(&a->seen, name, sighting);
	}
	return sighting;
}

static void fill(struct implicit_globals *a, const struct istr *name, struct span span)
{
	struct sighting *sighting = sight(a, name, span);

	if (!sighting->filled_in)
		sighting->filled_in = a->handler;
}

static void read_from(struct implicit_globals *a, const struct istr *name, struct span span)
{
	struct sighting *sighting = sight(a, name, span);

	if (sighting->read_in && sighting->read_in != a->handler)
		sighting->other = a->handler;
	if (!sighting->read_in)
		sighting->read_in = a->handler;
}

/* Only a store to an element, or <<<, fills: a plain store makes a local. */
static void fill_target(struct implicit_globals *a, const struct ast_expr *target, bool feed)
{
	if (target->kind == AST_EXPR_INDEX)
		fill(a, target->index.name, target->span);
	else if (target->kind == AST_EXPR_NAME && feed)
		fill(a, target->name.name, target->span);
}

static enum walk look_at_expr(struct ast_expr *e, void *data)
{
	struct implicit_globals *a = data;

	if (e->kind == AST_EXPR_ASSIGN)
		fill_target(a, e->assign.left, e->assign.op == AST_OP_FEED);
	else if (e->kind == AST_EXPR_INCDEC)
		fill_target(a, e->incdec.operand, false);
	else if (e->kind == AST_EXPR_INDEX)
		read_from(a, e->index.name, e->span);
	else if (e->kind == AST_EXPR_IN)
		read_from(a, e->in.array, e->in.array_span);
	else if (e->kind == AST_EXPR_EXTRACT && e->extract.stat->kind == AST_EXPR_NAME)
		read_from(a, e->extract.stat->name.name, e->extract.stat->span);
	else if (e->kind == AST_EXPR_HIST && e->hist.stat->kind == AST_EXPR_NAME)
		read_from(a, e->hist.stat->name.name, e->hist.stat->span);
	return WALK_CONTINUE;
}

static enum walk look_at_stmt(struct ast_stmt *stmt, void *data)
{
	if (stmt->kind == AST_STMT_FOREACH && stmt->foreach.array)
		read_from(data, stmt->foreach.array, stmt->foreach.array_span);
	return WALK_CONTINUE;
}

/* Declares the global where the name was first used, unless the name means one already. */
static void declare(struct implicit_globals *a, const struct istr *name,
		    const struct sighting *sighting)
{
	bool elsewhere = sighting->read_in != sighting->filled_in || sighting->other;
	struct ast_global *global;

	if (!sighting->filled_in || !sighting->read_in || !elsewhere ||
	    sema_find_global(a->s, a->file, name))
		return;
	global = arena_new(a->s->arena, struct ast_global);
	global->name = name;
	global->span = sighting->span;
	sema_add_global(a->s, a->file, global);
	sema_identifier(a->s,
			diag_report(a->s->sink, DIAG_IMPLICIT_GLOBAL, sighting->span, name->text),
			name);
}

void sema_implicit_globals(struct sema *s, const struct ast_file *file)
{
	struct implicit_globals a = { .s = s, .file = file };
	struct ast_visitor v = { look_at_expr, look_at_stmt, &a };

	map_init(&a.seen, s->arena);
	vec_foreach(probe, &file->probes) {
		a.handler = *probe;
		if ((*probe)->body)
			ast_walk_stmt((*probe)->body, &v);
	}
	map_foreach(entry, &a.seen)
		declare(&a, entry->key, entry->value);
}
