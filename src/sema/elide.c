/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code without effect: stores to locals that nothing reads, expressions whose value nobody
 * takes, statements of which nothing is left. Step elide removes it before types are looked for;
 * step optimise again, with the functions that then are not called. Rounds run until one removes
 * nothing; each removes at least one node. Invalidates read and written, which each round makes
 * anew.
 */
#include "ast/foreign.h"
#include "ir/builtins.h"
#include "ir/effects.h"
#include "ir/fold.h"
#include "ir/walk.h"
#include "parse/keywords.h"
#include "sema/mistakes.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* One round; changed when it removed something. */
struct elide {
	struct ir_walker walker;
	struct sema *s;
	bool typed; /* types are known: what conditions never choose goes too */
	bool changed;
	bool chose; /* a literal condition left code out */
};

/* Once at one token: what is left of an elided assignment is often elided too. */
struct diagnostic *sema_say_elided(struct sema *s, struct span span, enum diag_tag tag,
				   const char *name)
{
	const void *key = (const void *)(uintptr_t)(span.start + 1);
	const char *text, *hint;
	struct diagnostic *d;
	size_t len;

	if (!sema_is_user(s, span) || map_has(&s->elided, key))
		return NULL;
	map_put(&s->elided, key, s);
	d = diag_report(s->sink, tag, span, name);
	/* int x; */
	text = source_map_text(diag_sink_map(s->sink), span, &len);
	hint = tag == DIAG_ELIDED_EXPRESSION ? ast_foreign(text, len, NULL) : NULL;
	if (hint)
		diag_set_hint(s->sink, d, "%s", hint);
	return d;
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

/* ---- stores to what nothing reads ---- */

/* A store to a global stays, read or not, as it does for the reference: it may be displayed. */
static bool is_dead(const struct ir_expr *lvalue)
{
	return lvalue->kind == IR_LOCAL && !lvalue->local->is_param &&
	       !sema_local(lvalue->local)->read;
}

/* A delete of what nothing fills, whose subscripts have no effects. */
static bool deletes_nothing(const struct elide *el, const struct ir_expr *target)
{
	const struct ir_global *g;

	if (target->kind == IR_GLOBAL)
		g = target->global;
	else if (target->kind == IR_ELEMENT)
		g = target->element.array;
	else
		return is_dead(target);
	if (g->read || sema_global((struct ir_global *)g)->filled || !el->typed || !g->user_script)
		return false;
	for (size_t i = 0; target->kind == IR_ELEMENT && i < target->element.keys.n; i++)
		if (!is_pure(el->s, target->element.keys.data[i]))
			return false;
	return true;
}

/*
 * An operand that does not matter beside a literal goes with what has no effects. Its type is
 * checked first, unless there is a mistake in it.
 */
static void absorb(struct elide *el, struct ir_expr *e)
{
	int64_t value;
	struct ir_expr *other = ir_fold_absorbed(e, &value);

	if (!other || !is_pure(el->s, other) || !(el->typed || sema_is_mistaken(el->s, other)))
		return;
	e->kind = IR_NUMBER;
	e->type = IR_LONG;
	e->number = value;
	el->changed = true;
}

/* D is about E that comes to nothing: a name without a value that a function or a keyword has. */
static void suggest_name(struct elide *el, struct diagnostic *d, const struct ir_expr *e)
{
	const struct istr *name = d && e && e->kind == IR_LOCAL ? e->local->name : NULL;
	const char *keyword = name ? parser_near_keyword(name->text) : NULL;

	if (name && sema_has_function(el->s, name))
		diag_set_hint(el->s->sink, d, "did you mean %s()?", name->text);
	else if (keyword)
		diag_set_hint(el->s->sink, d, "did you mean '%s'?", keyword);
}

/* A dead store leaves its value, in case that has effects. */
static void elide_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct elide *el = (struct elide *)w;
	struct ir_expr *e = *ref, *lvalue = NULL, *value = NULL;

	ir_expr_children(w, e);
	if (el->typed || e->kind != IR_LOGICAL)
		*ref = ir_fold(e);
	absorb(el, *ref);
	if (e->kind == IR_ASSIGN && e->assign.op == IR_OP_NONE) {
		lvalue = e->assign.lvalue;
		value = e->assign.value;
	} else if (e->kind == IR_FEED) {
		lvalue = e->feed.stat;
		value = e->feed.value;
	}
	if (!lvalue || !is_dead(lvalue))
		return;
	suggest_name(
		el,
		sema_say_elided(el->s, e->span, DIAG_ELIDED_ASSIGNMENT, lvalue->local->name->text),
		value);
	*ref = value;
	el->changed = true;
}

/* x++ and x += v as statements: what is left of them is v. */
static bool elide_update(struct elide *el, struct ir_stmt *s)
{
	struct ir_expr *e = s->expr;

	if (e->kind == IR_INCDEC && is_dead(e->incdec.lvalue)) {
		s->expr = NULL;
		return true;
	}
	if (e->kind == IR_ASSIGN && e->assign.op != IR_OP_NONE && is_dead(e->assign.lvalue)) {
		s->expr = e->assign.value;
		el->changed = true;
	}
	return false;
}

/* ---- statements without effect ---- */

bool sema_is_nothing(const struct ir_stmt *s)
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

/* asmlinkage() is called for its effect, although it has none here: a function without a result. */
static bool is_procedure(const struct ir_expr *e)
{
	return (e->kind == IR_CALL || e->kind == IR_BUILTIN_CALL) && !e->call.callee->user_script &&
	       !sema_function(e->call.callee)->returns_value;
}

/* NULL when nothing is left, as from all functions of this kind. */
static struct ir_stmt *reduce_expr(struct elide *el, struct ir_stmt *s)
{
	struct ir_expr *e = s->expr;
	bool gone = elide_update(el, s);
	struct diagnostic *d = NULL;

	if (!gone && !is_pure(el->s, s->expr))
		return s;
	if (gone)
		sema_say_elided(el->s, s->span, DIAG_ELIDED_ASSIGNMENT,
				e->incdec.lvalue->local->name->text);
	else if (!is_procedure(s->expr))
		d = sema_say_elided(el->s, s->span, DIAG_ELIDED_EXPRESSION, "expression");
	suggest_name(el, d, e);
	return NULL;
}

/*
 * The arm that a literal condition chooses, or NULL; the statement otherwise. The types in the
 * other arm are checked first, unless there is a mistake in it. A condition with effects stays when
 * its arms are gone.
 */
static struct ir_stmt *reduce_if(struct elide *el, struct ir_stmt *s)
{
	const struct ir_expr *cond = s->cond.cond;

	if (cond->kind == IR_NUMBER && cond->type == IR_LONG) {
		struct ir_stmt *taken = cond->number ? s->cond.yes : s->cond.no;
		struct ir_stmt *other = cond->number ? s->cond.no : s->cond.yes;

		if (el->typed || sema_has_mistake(el->s, other)) {
			el->chose |= !sema_is_nothing(other);
			return taken;
		}
	}
	if (sema_is_nothing(s->cond.no))
		s->cond.no = NULL;
	if (!sema_is_nothing(s->cond.yes) || s->cond.no)
		return s;
	return is_pure(el->s, s->cond.cond) ? NULL : as_statement(s, s->cond.cond);
}

/*
 * The loop has no effect. It would end at once or never: while a handler runs no other changes the
 * globals that it reads.
 */
static bool is_idle(struct elide *el, const struct ir_stmt *s)
{
	return sema_is_nothing(s->loop.body) && (!s->loop.cond || is_pure(el->s, s->loop.cond)) &&
	       (!s->loop.step || is_pure(el->s, s->loop.step));
}

/* A loop whose condition is 0 from the start is what stands before it; so is one that is idle. */
static struct ir_stmt *reduce_loop(struct elide *el, struct ir_stmt *s)
{
	const struct ir_expr *cond = s->loop.cond;

	if (!is_idle(el, s)) {
		if (!cond || cond->kind != IR_NUMBER || cond->type != IR_LONG || cond->number)
			return s;
		if (!el->typed && !sema_has_mistake(el->s, s->loop.body) &&
		    !sema_is_mistaken(el->s, s->loop.step))
			return s;
		el->chose |= !sema_is_nothing(s->loop.body);
	}
	return s->loop.init ? as_statement(s, s->loop.init) : NULL;
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

	if (!sema_is_nothing(f->body) || f->dir || (f->limit && !is_pure(el->s, f->limit)))
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
		return sema_is_nothing(s->try_.body) ? NULL : s;
	case IR_STMT_DELETE:
		return s->del.target && deletes_nothing(el, s->del.target) ? NULL : s;
	case IR_STMT_LOOP:
		return reduce_loop(el, s);
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
			if (sema_is_nothing(s->block.data[i]))
				s->block.data[i] = NULL;
		}
	} else {
		ir_stmt_children(w, s);
	}
	if (s->kind == IR_STMT_TRY && s->try_.var && s->try_.var->kind == IR_LOCAL &&
	    !sema_local(s->try_.var->local)->read)
		s->try_.var = NULL;
	left = reduce(el, s);
	if (left == s)
		return;
	*ref = left ? left : empty_block(el->s, span);
	el->changed = true;
}

/*
 * An lvalue of foreach must not be taken for a value: elide_expr only looks at stores, so
 * walking them is harmless.
 */
bool sema_elide_round(struct sema *s, bool typed)
{
	struct elide el = { .walker = { elide_expr, elide_stmt }, .s = s, .typed = typed };

	sema_uses(s);
	find_pure(s);
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&el.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes) {
		el.chose = false;
		ir_walk_probe(&el.walker, *p);
		(*p)->emptied |= el.chose;
	}
	return el.changed;
}

/* The step. With -u only the mistakes are told. */
void sema_elide(struct sema *s)
{
	while (!s->input->options.unoptimised && sema_elide_round(s, false))
		continue;
	if (!s->input->options.unoptimised)
		sema_drop_saved(s);
	sema_report_mistakes(s);
}
