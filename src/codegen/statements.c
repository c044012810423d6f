/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements that are no loops, and the order of things around any statement: errors of the one
 * before are checked, its scratch is given back, and it gets a C block when its literals would
 * take too much stack.
 */
#include <assert.h>

#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/locking.h"
#include "codegen/value.h"
#include "ir/effects.h"
#include "ir/walk.h"

/*
 * Values in literals, 16 bytes each, that one statement, and a body in all, may have outside a
 * block of their own.
 */
#define VALUES_OF_STATEMENT 8
#define VALUES_OF_BODY 24
#define VALUES_OF_ITER 3 /* struct stp_iter takes as much */

/* N of 0 counts as 1: an empty body runs, too. */
void cg_count_statements(struct cg *cg, uint32_t position, unsigned n)
{
	if (!cg->body->counted)
		return;
	cg_want_position(cg, position);
	cg_line(cg, "if (stp_unlikely(stp_actions(c, %u)))", n ? n : 1);
	cg->w.depth++;
	cg_exit(cg, cg->body->error);
	cg->w.depth--;
}

/* What is open at the end of the branches of a statement. */
struct branches {
	VEC(const char *) heads;
	VEC(struct emit_text) texts;
	struct join join;
};

/*
 * One branch as captured text. Each starts as if it were the only one; what it leaves open is
 * joined in *b.
 */
static void add_branch(struct cg *cg, struct branches *b, const char *head, struct ir_stmt *s)
{
	struct emit_saved saved;

	cg_branch_begin(cg, &b->join);
	cg->w.depth++;
	emit_capture(&cg->w, &saved);
	if (s)
		cg_branch(cg, s);
	cg_branch_end(cg, &b->join);
	vec_push(cg->arena, &b->heads, head);
	vec_push(cg->arena, &b->texts, emit_captured(&cg->w, &saved));
	cg->w.depth--;
}

/*
 * A chain of else ifs stays one as long as their conditions are plain; another condition
 * becomes statements in the else branch.
 */
static void if_statement(struct cg *cg, const struct ir_stmt *s)
{
	struct value v = cg_evaluate(cg, cg_lower(cg, s->cond.cond), IR_LONG);
	struct branches b = { 0 };
	struct ir_stmt *no = s->cond.no;
	bool soft = v.state == V_SOFT;

	cg_fork(cg, &b.join);
	add_branch(cg, &b, cg_printf(cg, "if (%s)", cg_condition(cg, v)), s->cond.yes);
	while (no && no->kind == IR_STMT_IF &&
	       !(ir_effects(cg->program, no->cond.cond) & (IR_FAILS | IR_WRITES)) &&
	       !cg_touches_unlocked(cg, no->cond.cond)) {
		cg_branch_begin(cg, &b.join);
		v = cg_lower(cg, no->cond.cond);
		cg_want_position(cg, 0); /* only calls that can hardly fail */
		cg_branch_end(cg, &b.join);
		soft |= v.state == V_SOFT;
		add_branch(cg, &b, cg_printf(cg, "else if (%s)", cg_condition(cg, v)),
			   no->cond.yes);
		no = no->cond.no;
	}
	if (no)
		add_branch(cg, &b, "else", no);
	emit_chain(&cg->w, b.heads.data, b.texts.data, b.heads.n);
	cg_join(cg, &b.join);
	if (soft)
		cg_may_fail(cg);
}

/* Locals stored in the body keep their old values on failure; see store_local(). */
static void try_statement(struct cg *cg, const struct ir_stmt *s)
{
	struct cg_try t;

	cg_try_begin(cg, &t);
	cg_stmt(cg, s->try_.body);
	if (!cg_try_catch(cg, &t))
		return;
	if (s->try_.var) {
		cg_tidy(cg);
		cg_use_scratch(cg);
		cg_store(cg, s->try_.var, cg_value("stp_catch(c)", PREC_PRIMARY, V_READS));
	} else {
		cg_line(cg, "stp_catch(c);");
	}
	if (s->try_.handler)
		cg_stmt(cg, s->try_.handler);
	cg_try_end(cg);
}

/* Counts values of keys that are kept for a second use: of all assignments that read and store. */
struct count_values {
	struct ir_walker walker;
	unsigned n;
};

static void count_values(struct ir_walker *w, struct ir_expr **ref)
{
	const struct ir_expr *e = *ref;
	struct count_values *count = (struct count_values *)w;

	if (e->kind == IR_ASSIGN && e->assign.lvalue->kind == IR_ELEMENT)
		count->n += e->assign.lvalue->element.keys.n;
	ir_expr_children(w, *ref);
}

/*
 * What the statement itself keeps on the stack as long as its block lasts; not what is in
 * blocks of its own.
 */
static unsigned values_of(const struct ir_stmt *s)
{
	struct count_values count = { .walker = { count_values, NULL } };
	struct ir_stmt *ref = (struct ir_stmt *)s;

	switch (s->kind) {
	case IR_STMT_EXPR:
	case IR_STMT_DELETE:
		ir_walk_stmt(&count.walker, &ref);
		return count.n;
	case IR_STMT_FOREACH:
		return VALUES_OF_ITER + s->foreach.slice.n;
	default: /* what it keeps is in blocks of its own */
		return 0;
	}
}

/*
 * Keys that are kept and iterators live until their block ends, and those of a body would add up on
 * the kernel's stack. A block of its own for a statement lets it use the same few words as the
 * others.
 */
static bool wants_block(struct cg *cg, const struct ir_stmt *s)
{
	unsigned n = values_of(s);

	if (n > VALUES_OF_STATEMENT || cg->body->n_values + n > VALUES_OF_BODY)
		return n > 0;
	cg->body->n_values += n;
	return false;
}

/* Statements of one or two lines; those that jump end what is open. */
static void simple(struct cg *cg, const struct ir_stmt *s)
{
	struct body *b = cg->body;

	switch (s->kind) {
	case IR_STMT_EXPR:
		cg_effect(cg, s->expr);
		return;
	case IR_STMT_DELETE:
		cg_delete(cg, s);
		return;
	case IR_STMT_BREAK:
		cg_line(cg, "break;");
		break;
	case IR_STMT_CONTINUE:
		cg_exit(cg, &b->loop->next);
		break;
	case IR_STMT_NEXT:
		if (b->function)
			cg_next_overload(cg);
		else
			cg_exit(cg, b->leave);
		break;
	case IR_STMT_RETURN:
		cg_return(cg, s->expr);
		break;
	default: /* one_statement() has the others */
		assert(!"statement kind");
	}
	cg_ended(cg);
}

static void one_statement(struct cg *cg, const struct ir_stmt *s)
{
	bool block = wants_block(cg, s);

	if (block) {
		emit_line(&cg->w, "{");
		cg->w.depth++;
	}
	switch (s->kind) {
	case IR_STMT_IF:
		if_statement(cg, s);
		break;
	case IR_STMT_LOOP:
		cg_loop(cg, s);
		break;
	case IR_STMT_FOREACH:
		cg_foreach(cg, s);
		break;
	case IR_STMT_FOREACH_HIST:
		cg_foreach_hist(cg, s);
		break;
	case IR_STMT_TRY:
		try_statement(cg, s);
		break;
	default: /* no statements in it */
		simple(cg, s);
	}
	if (block)
		emit_close(&cg->w, "");
}

/*
 * A statement behind kept locals: the mark moves above them when the statement needs it, which
 * is known afterwards.
 */
static void after_keep(struct cg *cg, const struct ir_stmt *s)
{
	unsigned n_resets = cg->body->n_resets;
	struct emit_saved saved;
	struct emit_text text;

	cg_check(cg);
	cg_take_scratch(cg);
	emit_capture(&cg->w, &saved);
	one_statement(cg, s);
	text = emit_captured(&cg->w, &saved);
	if (cg_scratch_dirty(cg) || cg->body->n_resets > n_resets) {
		emit_line(&cg->w, "%s = c->top;", cg->body->mark);
		cg->body->mark_moves = true;
	} else {
		cg_keep_scratch(cg);
	}
	emit_text(&cg->w, text);
}

/* A return gives no scratch back: its value may lie there, and the function's end does it. */
void cg_stmt(struct cg *cg, const struct ir_stmt *s)
{
	if (s->kind == IR_STMT_BLOCK) {
		for (size_t i = 0; i < s->block.n; i++)
			cg_stmt(cg, s->block.data[i]);
	} else if (cg_scratch_kept(cg)) {
		after_keep(cg, s);
	} else {
		if (s->kind == IR_STMT_RETURN)
			cg_check(cg);
		else
			cg_tidy(cg);
		one_statement(cg, s);
	}
}
