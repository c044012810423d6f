/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step optimise: drop what has no effect: functions nothing calls, variables nothing reads with
 * the stores to them, expressions and probes that do nothing. Requires a typed program; symbols
 * keep their types. Rounds run until one removes nothing; each removes at least one node.
 * Ensures that every symbol left in the program is used, or is the user's with -u. Invalidates
 * read and written, which each round makes anew.
 */
#include "ir/builtins.h"
#include "ir/effects.h"
#include "ir/names.h"
#include "ir/uses.h"
#include "sema/pass.h"

/* One round; changed when it removed something. */
struct elide {
	struct ir_walker walker;
	struct sema *s;
	bool changed;
};

/* Once at one token: what is left of an elided assignment is often elided too. */
static void warn(struct sema *s, struct span span, enum diag_tag tag, const char *name)
{
	const void *key = (const void *)(uintptr_t)(span.start + 1);

	if (!s->input->options.verbose || !sema_is_user(s, span) || map_has(&s->elided, key))
		return;
	map_put(&s->elided, key, s);
	diag_report(s->sink, tag, span, name);
}

/* ---- effects ---- */

/* Matches are effects while some function may ask about the last one. */
static void find_pure(struct sema *s)
{
	bool asked = false;

	vec_foreach(f, &s->program->functions)
		asked |= ir_needs_match(*f);
	map_foreach(it, &s->regexes)
		((struct ir_regex *)it->value)->kept = asked;
	ir_find_pure(s->program);
}

/* May it be dropped when nobody takes its value? Needs find_pure(). */
static bool is_pure(const struct sema *s, const struct ir_expr *e)
{
	return !(ir_effects(s->program, e) & IR_WRITES);
}

/* ---- unused functions ---- */

/* The functions that probes call, directly or not. */
struct reach {
	struct ir_use_walker walker;
	struct map seen;
};

static void reach_call(struct ir_use_walker *u, struct ir_function *f)
{
	struct reach *r = (struct reach *)u;

	for (; f; f = f->next_overload) {
		bool statement = u->statement;

		if (map_has(&r->seen, f))
			return;
		map_put(&r->seen, f, f);
		ir_walk_stmt(&u->walker, &f->body);
		u->statement = statement;
	}
}

/* ALL: the user's unused ones, too. */
static void drop_functions(struct sema *s, bool all)
{
	struct reach r;
	size_t n = 0;

	ir_use_init(&r.walker);
	r.walker.call = reach_call;
	map_init(&r.seen, s->arena);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&r.walker.walker, *p);
	for (size_t i = 0; i < s->program->functions.n; i++) {
		struct ir_function *f = s->program->functions.data[i];

		if (map_has(&r.seen, f) || (f->user_script && !all))
			s->program->functions.data[n++] = f;
		else
			warn(s, f->span, DIAG_ELIDED_FUNCTION, f->name->text);
	}
	s->program->functions.n = n;
}

/* ---- stores to what nothing reads ---- */

/*
 * Whether a store to LVALUE can be left out: nothing reads the variable, and the subscripts
 * have no effects.
 */
static bool is_dead(struct sema *s, const struct ir_expr *lvalue)
{
	struct ir_global *g;

	if (lvalue->kind == IR_LOCAL)
		return !lvalue->local->is_param && !sema_local(lvalue->local)->read;
	if (lvalue->kind == IR_GLOBAL)
		g = lvalue->global;
	else if (lvalue->kind == IR_ELEMENT)
		g = lvalue->element.array;
	else
		return false;
	if (g->read)
		return false;
	for (size_t i = 0; lvalue->kind == IR_ELEMENT && i < lvalue->element.keys.n; i++)
		if (!is_pure(s, lvalue->element.keys.data[i]))
			return false;
	return true;
}

/* A dead store leaves its value, in case that has effects. */
static void elide_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct elide *el = (struct elide *)w;
	struct ir_expr *e = *ref, *lvalue = NULL, *value = NULL;

	ir_expr_children(w, e);
	if (e->kind == IR_ASSIGN && e->assign.op == IR_OP_NONE) {
		lvalue = e->assign.lvalue;
		value = e->assign.value;
	} else if (e->kind == IR_FEED) {
		lvalue = e->feed.stat;
		value = e->feed.value;
	}
	if (!lvalue || !is_dead(el->s, lvalue))
		return;
	warn(el->s, e->span, DIAG_ELIDED_ASSIGNMENT, lvalue->token);
	*ref = value;
	el->changed = true;
}

/* x++ and x += v as statements: what is left of them is v. */
static bool elide_update(struct elide *el, struct ir_stmt *s)
{
	struct ir_expr *e = s->expr;

	if (e->kind == IR_INCDEC && is_dead(el->s, e->incdec.lvalue)) {
		s->expr = NULL;
		return true;
	}
	if (e->kind == IR_ASSIGN && e->assign.op != IR_OP_NONE &&
	    is_dead(el->s, e->assign.lvalue)) {
		s->expr = e->assign.value;
		el->changed = true;
	}
	return false;
}

/* ---- statements without effect ---- */

static bool is_empty(const struct ir_stmt *s)
{
	return !s || (s->kind == IR_STMT_BLOCK && s->block.n == 0);
}

/* What is left of a statement: its expression. */
static struct ir_stmt *as_statement(struct ir_stmt *s, struct ir_expr *expr)
{
	s->kind = IR_STMT_EXPR;
	s->expr = expr;
	return s;
}

/* NULL when nothing is left, as from all functions of this kind. */
static struct ir_stmt *reduce_expr(struct elide *el, struct ir_stmt *s)
{
	struct ir_expr *e = s->expr;
	bool gone = elide_update(el, s);

	if (!gone && !is_pure(el->s, s->expr))
		return s;
	if (gone)
		warn(el->s, s->span, DIAG_ELIDED_ASSIGNMENT, e->incdec.lvalue->token);
	else
		warn(el->s, s->span, DIAG_ELIDED_EXPRESSION, "expression");
	return NULL;
}

/* A condition with effects stays when its arms are gone. */
static struct ir_stmt *reduce_if(struct elide *el, struct ir_stmt *s)
{
	if (is_empty(s->cond.no))
		s->cond.no = NULL;
	if (!is_empty(s->cond.yes) || s->cond.no)
		return s;
	return is_pure(el->s, s->cond.cond) ? NULL : as_statement(s, s->cond.cond);
}

/* Closes the gaps that elide_stmt() left. */
static void reduce_block(struct ir_stmt *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->block.n; i++)
		if (s->block.data[i])
			s->block.data[n++] = s->block.data[i];
	s->block.n = n;
}

/* An empty loop may go unless it sorts, or its variables are read behind it. */
static struct ir_stmt *reduce_foreach(struct elide *el, struct ir_stmt *s)
{
	struct ir_foreach *f = &s->foreach;

	if (!is_empty(f->body) || f->dir || (f->limit && !is_pure(el->s, f->limit)))
		return s;
	for (unsigned i = 0; i < f->array->n_keys; i++)
		if (f->keys[i]->kind != IR_LOCAL || sema_local(f->keys[i]->local)->read)
			return s;
	if (f->value && (f->value->kind != IR_LOCAL || sema_local(f->value->local)->read))
		return s;
	return NULL;
}

/* Children first: they have been reduced when this is called. */
static struct ir_stmt *reduce(struct elide *el, struct ir_stmt *s)
{
	switch (s->kind) {
	case IR_STMT_BLOCK:
		reduce_block(s);
		return s->block.n ? s : NULL;
	case IR_STMT_EXPR:
		return reduce_expr(el, s);
	case IR_STMT_IF:
		return reduce_if(el, s);
	case IR_STMT_FOREACH:
		return reduce_foreach(el, s);
	case IR_STMT_TRY:
		return is_empty(s->try_.body) ? NULL : s;
	case IR_STMT_DELETE:
		return s->del.target && is_dead(el->s, s->del.target) ? NULL : s;
	case IR_STMT_LOOP:
	case IR_STMT_FOREACH_HIST:
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_RETURN:
	case IR_STMT_NEXT:
		return s;
	}
	return s;
}

/* Stands where the IR must have a statement. */
static struct ir_stmt *empty_block(struct sema *s, struct span span)
{
	struct ir_stmt *block = arena_new(s->arena, struct ir_stmt);

	block->kind = IR_STMT_BLOCK;
	block->span = span;
	return block;
}

/* Already empty: replacing it would count as a change for ever. */
static bool is_empty_block(const struct ir_stmt *s)
{
	return s->kind == IR_STMT_BLOCK && s->block.n == 0;
}

/* Bodies must stay statements; only lists may lose an element. */
static void elide_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct elide *el = (struct elide *)w;
	struct ir_stmt *s = *ref, *left;
	struct span span = s->span;

	if (is_empty_block(s))
		return;
	if (s->kind == IR_STMT_BLOCK) {
		for (size_t i = 0; i < s->block.n; i++) {
			elide_stmt(w, &s->block.data[i]);
			if (is_empty(s->block.data[i]))
				s->block.data[i] = NULL;
		}
	} else {
		ir_stmt_children(w, s);
	}
	if (s->kind == IR_STMT_TRY && s->try_.var && s->try_.var->kind == IR_LOCAL &&
	    !sema_local(s->try_.var->local)->read)
		s->try_.var = NULL;
	left = reduce(el, s);
	if (left)
		return;
	*ref = empty_block(el->s, span);
	el->changed = true;
}

/*
 * An lvalue of foreach must not be taken for a value: elide_expr only looks at stores, so
 * walking them is harmless.
 */
static bool elide_round(struct sema *s)
{
	struct elide el = { .walker = { elide_expr, elide_stmt }, .s = s };

	sema_uses(s);
	find_pure(s);
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&el.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&el.walker, *p);
	return el.changed;
}

/* ---- symbols and probes that are left ---- */

/* Said with -v, and always when nothing is left. */
static void report_elided(struct sema *s, const struct ir_probe *p, struct map *seen)
{
	const void *key = (const void *)(uintptr_t)(p->span.start + 1);

	if (map_has(seen, key))
		return;
	map_put(seen, key, s);
	diag_report(s->sink, DIAG_ELIDED_PROBE, p->span, p->pn);
}

/* A script of which only the display probe is left does nothing, so that goes, too. */
static void drop_probes(struct sema *s)
{
	VEC(struct ir_probe *) gone = { 0 };
	size_t n = 0, own = 0;
	struct map seen;

	map_init(&seen, s->arena);
	for (size_t i = 0; i < s->program->probes.n; i++) {
		struct ir_probe *p = s->program->probes.data[i];

		if (is_empty(p->body)) {
			vec_push(s->arena, &gone, p);
			continue;
		}
		own += p != s->display;
		s->program->probes.data[n++] = p;
	}
	s->program->probes.n = own ? n : 0;
	vec_foreach(p, &gone)
		if (!own || s->input->options.verbose)
			report_elided(s, *p, &seen);
}

/* The variables that code names. */
struct referenced {
	struct ir_use_walker walker;
	struct map seen;
};

/* Reads and writes count alike. */
static void see_global(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at, bool write)
{
	map_put(&((struct referenced *)u)->seen, g, g);
}

static void see_local(struct ir_use_walker *u, struct ir_local *l, struct ir_expr *at, bool write)
{
	map_put(&((struct referenced *)u)->seen, l, l);
}

/* Closes the gaps in the list; returns its new length. */
static size_t keep_locals(const struct map *seen, struct ir_local **data, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (map_has(seen, data[i]))
			data[kept++] = data[i];
	return kept;
}

/* Globals without a type go even with -u: nothing could be made of them. */
static void drop_variables(struct sema *s, bool all)
{
	struct referenced r;
	size_t n = 0;

	ir_use_init(&r.walker);
	r.walker.global = see_global;
	r.walker.local = see_local;
	map_init(&r.seen, s->arena);
	vec_foreach(f, &s->program->functions) {
		ir_walk_stmt(&r.walker.walker, &(*f)->body);
		for (size_t i = 0; i < (*f)->uses.n; i++)
			map_put(&r.seen, (*f)->uses.data[i].global, s);
		(*f)->locals.n = keep_locals(&r.seen, (*f)->locals.data, (*f)->locals.n);
	}
	vec_foreach(p, &s->program->probes) {
		ir_walk_probe(&r.walker.walker, *p);
		(*p)->locals.n = keep_locals(&r.seen, (*p)->locals.data, (*p)->locals.n);
	}
	for (size_t i = 0; i < s->program->globals.n; i++) {
		struct ir_global *g = s->program->globals.data[i];

		if (map_has(&r.seen, g) || (g->user_script && !all && g->type != IR_UNKNOWN))
			s->program->globals.data[n++] = g;
		else
			warn(s, g->span, DIAG_ELIDED_VARIABLE, g->name->text);
	}
	s->program->globals.n = n;
}

/* With -u only functions and variables of the library are dropped. */
void sema_optimise(struct sema *s)
{
	bool all = !s->input->options.unoptimised;

	drop_functions(s, all);
	while (all && elide_round(s))
		drop_functions(s, all);
	if (all)
		drop_probes(s);
	drop_functions(s, all);
	drop_variables(s, all);
	if (!s->program->probes.n)
		diag_report(s->sink, DIAG_NO_PROBES, (struct span){ 0 });
}
