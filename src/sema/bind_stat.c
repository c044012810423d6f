/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics: which extractors and which histogram an aggregate must carry is noted on its
 * global here, so that the runtime collects no more than the script asks for.
 */
#include "sema/bind.h"
#include "sema/mistakes.h"

/* The aggregate: a global or an element of one. */
struct ir_expr *bind_stat_operand(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e;

	if (ast->kind != AST_EXPR_NAME && ast->kind != AST_EXPR_INDEX) {
		sema_token(b->s, diag_report(b->s->sink, DIAG_STAT_OPERAND, ast->span),
			   sema_expr_token(b->s, ast));
		return bind_poison(b, ast);
	}
	if (bind_is_pointer_index(b, ast)) {
		sema_report_no_global(b->s, DIAG_ARRAY_LOCAL, ast->span, ast->index.name);
		return bind_poison(b, ast);
	}
	e = bind_expr(b, ast);
	if (e->kind == IR_LOCAL)
		sema_hold(b->s, e,
			  sema_report_no_global(b->s, DIAG_STAT_LOCAL, ast->span, ast->name.name));
	return e;
}

/* NULL for what was poisoned. */
static struct sema_global *stat_global(const struct ir_expr *stat)
{
	if (stat->kind == IR_GLOBAL)
		return sema_global(stat->global);
	return stat->kind == IR_ELEMENT ? sema_global(stat->element.array) : NULL;
}

/* What AST asks of an aggregate is not what was asked of it at FIRST. */
static void conflict(struct bind *b, struct diagnostic *d, const struct ast_expr *ast,
		     const struct sema_origin *first)
{
	sema_token(b->s, d, sema_expr_token(b->s, ast));
	diag_set_second(b->s->sink, d, first->span, first->token);
}

/*
 * The bit shift of @variance is a property of the aggregate: all uses must agree. One given behind
 * a use without is taken for that, too.
 */
static void note_shift(struct bind *b, struct sema_global *g, const struct ast_expr *ast)
{
	uint32_t shift = (uint32_t)ast->extract.bit_shift;

	if (ast->extract.op != AST_VARIANCE)
		return;
	if (g->ir.bit_shift && g->ir.bit_shift != shift)
		conflict(b, diag_report(b->s->sink, DIAG_BIT_SHIFT, ast->span, g->ir.bit_shift),
			 ast, &g->shift_at);
	g->shift_at = (struct sema_origin){ ast->span, sema_expr_token(b->s, ast) };
	g->ir.bit_shift = shift;
}

/* The operators of the tree are numbered in the order of the bits of enum ir_stat. */
struct ir_expr *bind_extract(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_EXTRACT, IR_LONG, ast);
	struct sema_global *g;

	e->extract.op = (enum ir_stat)(1u << (ast->extract.op - 1));
	e->extract.fed = e->extract.op == IR_STAT_SUM && b->s->input->options.sum_must_be_fed;
	e->extract.stat = bind_stat_operand(b, ast->extract.stat);
	g = stat_global(e->extract.stat);
	if (g) {
		sema_before_change(b->s, g, sizeof(*g));
		g->ir.collect |= e->extract.op;
		note_shift(b, g, ast);
	}
	return e;
}

/*
 * The histogram as written; false, and reported, when its numbers make no sense. Two buckets
 * are added for what lies outside.
 */
static bool shape_of(struct bind *b, const struct ast_expr *ast, struct ir_hist *ret)
{
	__int128 n;

	if (!ast->hist.linear) {
		*ret = (struct ir_hist){ .kind = IR_HIST_LOG, .n_buckets = IR_HIST_LOG_BUCKETS };
		return true;
	}
	if (ast->hist.step == 0) {
		sema_token(b->s, diag_report(b->s->sink, DIAG_HIST_STEP, ast->span),
			   sema_expr_token(b->s, ast));
		return false;
	}
	n = ((__int128)ast->hist.high - ast->hist.low) / ast->hist.step + 1 + 2;
	if (n < 3 || n > 128) {
		sema_token(b->s, diag_report(b->s->sink, DIAG_HIST_BUCKETS, ast->span),
			   sema_expr_token(b->s, ast));
		return false;
	}
	*ret = (struct ir_hist){ IR_HIST_LINEAR, (uint32_t)n, ast->hist.low, ast->hist.high,
				 ast->hist.step };
	return true;
}

static bool same_shape(const struct ir_hist *a, const struct ir_hist *b)
{
	return a->kind == b->kind && a->low == b->low && a->high == b->high && a->step == b->step;
}

/* Reported when the aggregate has a histogram of another shape already. */
struct ir_expr *bind_hist_stat(struct bind *b, const struct ast_expr *hist)
{
	struct ir_expr *stat = bind_stat_operand(b, hist->hist.stat);
	struct sema_global *g = stat_global(stat);
	struct ir_hist shape;

	if (!g || !shape_of(b, hist, &shape))
		return stat;
	if (g->ir.hist.kind && !same_shape(&g->ir.hist, &shape))
		conflict(b,
			 diag_report(b->s->sink, DIAG_HIST_CONFLICT, hist->span, g->ir.name->text),
			 hist, &g->hist_at);
	sema_before_change(b->s, g, sizeof(*g));
	g->ir.hist = shape;
	g->hist_at = (struct sema_origin){ hist->span, sema_expr_token(b->s, hist) };
	return stat;
}

/* @hist_log(s)[i]: the index is a value of the handler. */
struct ir_expr *bind_bucket(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_HIST_BUCKET, IR_LONG, ast);

	e->bucket.stat = bind_hist_stat(b, ast->bucket.hist);
	e->bucket.index = bind_expr(b, ast->bucket.index);
	return e;
}
