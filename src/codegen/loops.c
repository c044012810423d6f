/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loops. Every iteration is charged to MAXACTION, and ends checked and with its scratch given
 * back, so that the next one begins as the first did. A for loop whose parts are plain C
 * expressions becomes a C for or while; parts that need statements of their own move into the
 * body, and continue becomes a jump to the step.
 */
#include <string.h>

#include "base/intern.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "ir/effects.h"
#include "ir/facts.h"

/* The part of an expression statement that its text begins with. */
static const struct ir_expr *first_operand(const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_ASSIGN:
		return e->assign.lvalue;
	case IR_INCDEC:
		return e->incdec.lvalue;
	case IR_FEED:
		return e->feed.stat;
	default:
		return e;
	}
}

/*
 * The last expression in the text of S, by the token it begins with: what has run last when the
 * next iteration is charged, unless a branch was left out. NULL: there is none.
 */
static const struct ir_expr *last_expression(const struct ir_stmt *s)
{
	const struct ir_expr *e = NULL;

	switch (s->kind) {
	case IR_STMT_EXPR:
		return first_operand(s->expr);
	case IR_STMT_BLOCK:
		for (size_t i = s->block.n; i-- && !e;)
			e = last_expression(s->block.data[i]);
		return e;
	case IR_STMT_IF:
		e = s->cond.no ? last_expression(s->cond.no) : NULL;
		return e ? e : last_expression(s->cond.yes);
	case IR_STMT_LOOP:
		return last_expression(s->loop.body);
	case IR_STMT_FOREACH:
		return last_expression(s->foreach.body);
	case IR_STMT_FOREACH_HIST:
		return last_expression(s->foreach_hist.body);
	case IR_STMT_TRY:
		return last_expression(s->try_.body);
	case IR_STMT_DELETE:
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_NEXT:
	case IR_STMT_RETURN:
		return NULL;
	}
	return NULL;
}

/* What "MAXACTION exceeded" names when an iteration of a loop is one too many. */
static uint32_t iteration_position(struct cg *cg, struct span keyword, const struct ir_stmt *body)
{
	const struct ir_expr *e = last_expression(body);
	uint32_t position = e ? cg_position_of(cg, e) : 0;

	return position ? position : cg_position_at(cg, keyword, "keyword");
}

/*
 * Behind the opening brace. The statements of the body and the iteration itself are charged at
 * once.
 */
static void body_begin(struct cg *cg, struct loop *loop, struct span span, const struct ir_stmt *s)
{
	struct body *b = cg->body;

	loop->outer = b->loop;
	if (!loop->next.text)
		loop->next.text = "continue;";
	b->loop = loop;
	cg_forget_position(cg);
	cg_count_statements(cg, iteration_position(cg, span, s), ir_statement_count(s) + 1);
}

/* Before the closing brace: the end of an iteration joins its start, where no position is known. */
static void body_end(struct cg *cg, struct loop *loop)
{
	cg_tidy(cg);
	cg->body->loop = loop->outer;
	cg_forget_position(cg);
}

/* Whether E can be one C expression: a store to a number that cannot fail on the way. */
static bool is_plain_store(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_expr *lvalue = e->kind == IR_ASSIGN   ? e->assign.lvalue
				       : e->kind == IR_INCDEC ? e->incdec.lvalue
							      : NULL;

	if (!lvalue || lvalue->type != IR_LONG ||
	    (lvalue->kind != IR_LOCAL && lvalue->kind != IR_GLOBAL))
		return false;
	return e->kind == IR_INCDEC ||
	       !(ir_effects(cg->program, e->assign.value) & (IR_FAILS | IR_WRITES));
}

/*
 * A part of a for head, when it comes to a single C expression that cannot fail; else NULL with
 * nothing written.
 */
static const char *head_part(struct cg *cg, const struct ir_expr *e)
{
	struct emit_saved saved;
	struct emit_text captured;
	const char *text;
	bool simple;

	if (!e)
		return "";
	if (!is_plain_store(cg, e))
		return NULL;
	emit_capture(&cg->w, &saved);
	cg_effect(cg, e);
	captured = emit_captured(&cg->w, &saved);
	simple = captured.n_lines == 1 && cg_nothing_open(cg);
	cg_discard(cg);
	if (!simple)
		return NULL;
	text = emit_flat(&cg->w, &captured);
	text += strspn(text, "\t");
	return arena_strndup(cg->arena, text, strlen(text) - strlen(";\n"));
}

/* The condition, when it can stand in the head; else NULL with nothing written. */
static const char *head_condition(struct cg *cg, const struct ir_expr *e, bool *soft)
{
	struct emit_saved saved;
	struct value v;

	if (!e)
		return "";
	if (ir_effects(cg->program, e) & (IR_FAILS | IR_WRITES))
		return NULL;
	emit_capture(&cg->w, &saved);
	v = cg_lower(cg, e);
	if (emit_captured(&cg->w, &saved).n_lines) {
		cg_discard(cg);
		return NULL;
	}
	*soft = v.state == V_SOFT;
	if (v.constant && v.number)
		return "";
	return cg_condition(cg, v);
}

/* The condition as statements at the head of an endless loop. */
static void long_condition(struct cg *cg, const struct ir_expr *e)
{
	struct value v = cg_evaluate(cg, cg_lower(cg, e), IR_LONG);

	cg_check(cg);
	cg_line(cg, "if (!%s)", cg_operand(cg, v, PREC_UNARY));
	cg->w.depth++;
	cg_line(cg, "break;");
	cg->w.depth--;
	cg_consume(cg, v);
}

/*
 * The head is made first, with all its text captured, because it decides the form of the loop.
 * What a condition in the head leaves open (soft errors, scratch) holds at the start of the
 * body and behind the loop.
 */
void cg_loop(struct cg *cg, const struct ir_stmt *s)
{
	const char *init = head_part(cg, s->loop.init), *step, *cond;
	bool soft = false, dirty;
	struct loop loop = { 0 };
	const char *label = cg_printf(cg, "next_%u", ++cg->body->n_labels);

	if (!init) {
		cg_effect(cg, s->loop.init);
		cg_tidy(cg);
	}
	step = head_part(cg, s->loop.step);
	cond = head_condition(cg, s->loop.cond, &soft);
	dirty = cg_scratch_dirty(cg);
	cg_flush_position(cg);
	if (s->loop.step && !step)
		loop.next.text = cg_printf(cg, "goto %s;", label);
	if ((!init || !*init) && !s->loop.step && cond && *cond)
		emit_open(&cg->w, "while (%s)", cond);
	else
		emit_open(&cg->w, "for (%s;%s%s;%s%s)", init ? init : "", cond && *cond ? " " : "",
			  cond ? cond : "", step && *step ? " " : "", step ? step : "");
	if (soft)
		cg_may_fail(cg);
	body_begin(cg, &loop, s->span, s->loop.body);
	if (!cond)
		long_condition(cg, s->loop.cond);
	cg_stmt(cg, s->loop.body);
	if (s->loop.step && !step) {
		cg_tidy(cg);
		if (loop.next.used)
			emit_label(&cg->w, label);
		cg_forget_position(cg);
		emit_line(&cg->w, "{");
		cg->w.depth++;
		cg_effect(cg, s->loop.step);
		cg_tidy(cg);
		emit_close(&cg->w, "");
	}
	body_end(cg, &loop);
	emit_close(&cg->w, "");
	if (dirty || !cond)
		cg_use_scratch(cg);
	if (soft)
		cg_may_fail(cg);
}

/* Nothing is written for a variable that nobody reads. */
static void store_key(struct cg *cg, const struct ir_expr *lvalue, struct value v)
{
	if (!lvalue || (lvalue->kind == IR_LOCAL && !cg_local(cg, lvalue->local)->read))
		return;
	if (lvalue->type == IR_STRING)
		cg_use_scratch(cg);
	cg_store(cg, lvalue, v);
}

/* By which extractor a foreach over aggregates is sorted; "0" when it is not. */
static const char *extractor(const struct ir_foreach *f)
{
	if (f->by != -1 || f->array->type != IR_STATS)
		return "0";
	return cg_stat_name(f->extractor ? f->extractor : IR_STAT_COUNT);
}

/*
 * Whether the body, with all it calls, may come to a loop over the same array that disturbs its
 * order: sorting does, and merging the aggregates of all CPUs again.
 */
bool cg_needs_snapshot(struct cg *cg, const struct ir_foreach *f)
{
	const struct ir_facts facts = ir_stmt_facts(f->body, cg->arena);

	vec_foreach(use, &facts.uses)
		if (use->global == f->array && use->access & IR_ACCESS_ITERATE)
			return use->access & IR_ACCESS_SET || f->array->type == IR_STATS;
	return false;
}

/*
 * Limit and slice are evaluated once; the slice has to live as long as the loop. Returns the
 * arguments behind dir.
 */
static const char *foreach_operands(struct cg *cg, const struct ir_foreach *f, bool snapshot)
{
	size_t n = f->slice.n;
	struct ir_exprs list = { .data = arena_new_array(cg->arena, struct ir_expr *, n + 1),
				 .n = n };
	struct value *v = arena_new_array(cg->arena, struct value, n + 1);
	const char *slice = "NULL";
	uint32_t wild = cg_wild(&f->slice);

	for (size_t i = 0; i < n; i++)
		list.data[i] = f->slice.data[i];
	if (f->limit)
		list.data[list.n++] = f->limit;
	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	for (size_t i = 0; i < n; i++)
		if (f->slice.data[i] && cg_is_view(v[i]))
			v[i] = cg_string_copy(cg, v[i]);
	cg_check(cg);
	if (n) {
		slice = cg_temp_name(cg);
		cg_line(cg, "union stp_val %s[] = { %s };", slice, cg_key_list(cg, &f->slice, v));
	}
	return cg_printf(cg, "%s, %s, %s, %s0x%x", extractor(f),
			 f->limit ? v[n].text : "STP_NO_LIMIT", slice,
			 snapshot ? "STP_ITER_SNAPSHOT | " : "", wild);
}

/*
 * Keys and value of the present element; strings are views that the next step may change, so
 * they are stored.
 */
static void foreach_keys(struct cg *cg, const struct ir_foreach *f, const char *it)
{
	for (unsigned i = 0; i < f->array->n_keys; i++)
		store_key(cg, f->keys[i],
			  cg_value(cg_printf(cg, "stp_iter_key%s(c, &%s, %u)",
					     f->array->keys[i] == IR_STRING ? "_str" : "", it, i),
				   PREC_PRIMARY, V_READS));
	store_key(cg, f->value,
		  cg_value(cg_printf(cg, "stp_iter_value%s(c, &%s)",
				     f->array->type == IR_STRING ? "_str" : "", it),
			   PREC_PRIMARY, V_READS));
}

/* The iterations alone, captured. */
static struct emit_text foreach_iterations(struct cg *cg, const struct ir_stmt *s, const char *it)
{
	struct loop loop = { 0 };
	struct emit_saved saved;

	emit_capture(&cg->w, &saved);
	emit_open(&cg->w, "while (stp_foreach_next(c, &%s))", it);
	body_begin(cg, &loop, s->span, s->foreach.body);
	foreach_keys(cg, &s->foreach, it);
	cg_stmt(cg, s->foreach.body);
	body_end(cg, &loop);
	emit_close(&cg->w, "");
	return emit_captured(&cg->w, &saved);
}

/*
 * Scratch of the slice and of the snapshot must outlive the loop: the mark for temporaries moves
 * above them until the end.
 */
void cg_foreach(struct cg *cg, const struct ir_stmt *s)
{
	const struct ir_foreach *f = &s->foreach;
	struct body *b = cg->body;
	unsigned number = ++b->n_labels;
	const char *it = cg_printf(cg, "it%u", number), *outer_mark = b->mark, *operands;
	uint32_t position = cg_position_at(cg, f->array_span,
					   cg_printf(cg, "identifier '%s'", f->array->name->text));
	struct emit_text text;
	unsigned n_resets;
	bool snapshot = cg_needs_snapshot(cg, f), dirty;

	operands = foreach_operands(cg, f, snapshot);
	dirty = (f->slice.n && cg_take_scratch(cg)) || snapshot;
	cg_line(cg, "struct stp_iter %s;", it);
	emit_blank(&cg->w);
	if (f->by || f->slice.n || f->array->type == IR_STATS || snapshot)
		cg_want_position(cg, position);
	cg_line(cg, "stp_foreach_begin(c, &%s, &%s, %d, %d, %s);", it, cg_global(cg, f->array),
		f->by, f->dir, operands);
	if (f->by || f->array->type == IR_STATS || snapshot) {
		cg_may_fail(cg);
		cg_check(cg);
	}
	if (dirty)
		b->mark = cg_printf(cg, "mark%u", number);
	n_resets = b->n_resets;
	text = foreach_iterations(cg, s, it);
	if (dirty && b->n_resets > n_resets)
		cg_line(cg, "char *const %s = c->top;", b->mark);
	emit_text(&cg->w, text);
	if (f->slice.n)
		cg_may_fail(cg); /* passing over many may use up MAXACTION */
	b->mark = outer_mark;
	if (dirty)
		cg_use_scratch(cg);
}

/* " && ROUND < LIMIT", with LIMIT evaluated here; "" without one. */
static const char *bucket_limit(struct cg *cg, const struct ir_expr *limit, const char *round)
{
	const char *most;
	struct value v;

	if (!limit)
		return "";
	v = cg_evaluate(cg, cg_lower(cg, limit), IR_LONG);
	cg_check(cg);
	most = cg_temp_name(cg);
	cg_line(cg, "const stp_long %s = %s;", most, v.text);
	return cg_printf(cg, " && %s < %s", round, most);
}

/* The number of buckets is asked once; an empty histogram is an error. */
void cg_foreach_hist(struct cg *cg, const struct ir_stmt *s)
{
	unsigned number = ++cg->body->n_labels;
	const char *i = cg_printf(cg, "bucket%u", number),
		   *n = cg_printf(cg, "n_buckets%u", number), *limit;
	struct stat_operands stat;
	struct loop loop = { 0 };

	limit = bucket_limit(cg, s->foreach_hist.limit, i);
	stat = cg_stat(cg, s->foreach_hist.stat, NULL, NULL);
	cg_check(cg);
	cg_position(cg, s->foreach_hist.stat);
	cg_line(cg, "stp_u32 %s, %s = %s;", i, n,
		cg_stat_call(cg, &stat, "map_stat_n_buckets", "stat_n_buckets", ""));
	emit_blank(&cg->w);
	cg_may_fail(cg);
	cg_tidy(cg);
	emit_open(&cg->w, "for (%s = 0; %s < %s%s; %s++)", i, i, n, limit, i);
	body_begin(cg, &loop, s->span, s->foreach_hist.body);
	store_key(cg, s->foreach_hist.var, cg_value(i, PREC_PRIMARY, V_READS));
	cg_stmt(cg, s->foreach_hist.body);
	body_end(cg, &loop);
	emit_close(&cg->w, "");
}
