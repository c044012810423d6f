/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a handler takes the locks of its globals and gives them back. They are held from just
 * before the first statement that touches one of the globals to just after the last one of the same
 * list; where that is a single `if` whose condition touches none, each branch does so for itself.
 * So a handler whose filter turns a hit away waits for nobody. All locks of a handler are taken at
 * once, and at most once a hit. Handlers that run alone (begin, end, error) need none.
 */
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/locking.h"
#include "codegen/sharing.h"
#include "ir/facts.h"

/* Each level of `if` looks through the statements in it once more. */
#define MAX_LEVELS 8

/* The locks of the handler being written; body.locking points to it where they are not held. */
struct locking {
	const char *take, *release; /* calls */
	struct lock_uses uses;
	struct exit unlock; /* the label at the end of the handler */
	unsigned levels;
	bool to_the_end; /* the label is just behind the statements that hold them */
};

/* The statements of a list: blocks open no scope. */
static void flatten(struct cg *cg, struct ir_stmt *s, struct ir_stmts *ret)
{
	if (s->kind != IR_STMT_BLOCK) {
		vec_push(cg->arena, ret, s);
		return;
	}
	for (size_t i = 0; i < s->block.n; i++)
		flatten(cg, s->block.data[i], ret);
}

/* Does S, with all it calls, touch one of the globals? */
static bool touches(struct cg *cg, const struct ir_stmt *s, const struct lock_uses *locks)
{
	const struct ir_facts facts = ir_stmt_facts(s, cg->arena);

	vec_foreach(use, &facts.uses)
		vec_foreach(lock, locks)
			if (lock->global == use->global)
				return true;
	return false;
}

/* Statements first..last need the locks; false when none does. */
static bool locked_range(struct cg *cg, const struct lock_uses *locks, const struct ir_stmts *list,
			 size_t *first, size_t *last)
{
	bool found = false;

	for (size_t i = 0; locks->n && i < list->n; i++) {
		if (!touches(cg, list->data[i], locks))
			continue;
		*first = found ? *first : i;
		*last = i;
		found = true;
	}
	return found;
}

void cg_lock_table(struct cg *cg, const char *name, const struct lock_uses *uses)
{
	emit_open(&cg->w, "static const struct stp_lock_use %s[] =", name);
	vec_foreach(use, uses)
		emit_line(&cg->w, "{ &%s, %d },", cg_lock(cg, use->global), use->write);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

void cg_body_lock_table(struct cg *cg, const struct ir_probe *p)
{
	const struct lock_uses uses = sharing_body_locks(cg->arena, p);

	if (touches(cg, p->body, &uses))
		cg_lock_table(cg, cg_printf(cg, "locks_%u", p->index), &uses);
}

/* Statements FROM up to TO, which is not one of them. */
static void statements(struct cg *cg, const struct ir_stmts *list, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		cg_stmt(cg, list->data[i]);
}

bool cg_touches_unlocked(struct cg *cg, struct ir_expr *e)
{
	const struct ir_stmt s = { .kind = IR_STMT_EXPR, .expr = e };

	return cg->body->locking && touches(cg, &s, &cg->body->locking->uses);
}

/* Whether the branches of S can each take the locks for themselves. */
static bool can_wait(struct cg *cg, const struct ir_stmt *s)
{
	return s->kind == IR_STMT_IF && cg->body->locking->levels < MAX_LEVELS &&
	       !cg_touches_unlocked(cg, s->cond.cond);
}

/*
 * Takes the locks for statements FIRST to LAST. While they are held, every way out leads through
 * the label that gives them back; at the end of the handler, so does the way on.
 */
static void hold(struct cg *cg, const struct ir_stmts *list, size_t first, size_t last)
{
	struct body *b = cg->body;
	struct locking *l = b->locking;
	struct exit *outside = b->leave;

	cg_check(cg);
	emit_line(&cg->w, "if (!%s)", l->take);
	cg->w.depth++;
	emit_line(&cg->w, "return;");
	cg->w.depth--;
	b->leave = b->error = &l->unlock;
	b->locking = NULL;
	statements(cg, list, first, last + 1);
	l->to_the_end = !l->levels && last + 1 == list->n;
	if (!l->to_the_end) {
		cg_check(cg);
		emit_line(&cg->w, "%s;", l->release);
	}
	b->leave = b->error = outside;
	b->locking = l;
}

static void locked_list(struct cg *cg, const struct ir_stmts *list)
{
	struct locking *l = cg->body->locking;
	size_t first = 0, last = 0;

	if (!locked_range(cg, &l->uses, list, &first, &last)) {
		statements(cg, list, 0, list->n);
		return;
	}
	statements(cg, list, 0, first);
	if (first == last && can_wait(cg, list->data[first])) {
		l->levels++;
		cg_stmt(cg, list->data[first]);
		l->levels--;
	} else {
		hold(cg, list, first, last);
	}
	statements(cg, list, last + 1, list->n);
}

void cg_branch(struct cg *cg, struct ir_stmt *s)
{
	struct ir_stmts list = { 0 };

	if (!cg->body->locking) {
		cg_stmt(cg, s);
		return;
	}
	flatten(cg, s, &list);
	locked_list(cg, &list);
}

void cg_locked_body(struct cg *cg, const struct ir_probe *p)
{
	struct locking l = { .uses = sharing_body_locks(cg->arena, p) };
	struct ir_stmts list = { 0 };

	l.unlock.text = "goto unlock;";
	l.take = cg_printf(cg, "stp_lock_all(c, locks_%u, %zu)", p->index, l.uses.n);
	l.release = cg_printf(cg, "stp_unlock_all(c, locks_%u, %zu)", p->index, l.uses.n);
	cg->body->locking = &l;
	flatten(cg, p->body, &list);
	locked_list(cg, &list);
	cg_check_call(cg);
	cg->body->locking = NULL;
	if (!l.to_the_end && l.unlock.used)
		emit_line(&cg->w, "return;");
	if (l.unlock.used)
		emit_label(&cg->w, "unlock");
	if (l.unlock.used || l.to_the_end)
		emit_line(&cg->w, "%s;", l.release);
}
