/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children of expressions and statements, in evaluation order (walk.h). A kind added to ir.h needs
 * its case here; the switches have no default, so that the compiler says so.
 */
#include "ir/walk.h"

void ir_walk_expr(struct ir_walker *w, struct ir_expr **ref)
{
	if (*ref)
		w->expr(w, ref);
}

void ir_walk_exprs(struct ir_walker *w, struct ir_exprs *list)
{
	for (size_t i = 0; i < list->n; i++)
		ir_walk_expr(w, &list->data[i]);
}

void ir_walk_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	if (!*ref)
		return;
	if (w->stmt)
		w->stmt(w, ref);
	else
		ir_stmt_children(w, *ref);
}

void ir_expr_children(struct ir_walker *w, struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
	case IR_STRING_LITERAL:
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_SAVED:
	case IR_POINT_TEXT:
		break;
	case IR_EMBEDDED:
		ir_walk_exprs(w, &e->named);
		break;
	case IR_ELEMENT:
		ir_walk_exprs(w, &e->element.keys);
		break;
	case IR_UNARY:
		ir_walk_expr(w, &e->unary.operand);
		break;
	case IR_BINARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
		ir_walk_expr(w, &e->binary.left);
		ir_walk_expr(w, &e->binary.right);
		break;
	case IR_MATCH:
		ir_walk_expr(w, &e->match.subject);
		break;
	case IR_TERNARY:
		ir_walk_expr(w, &e->ternary.cond);
		ir_walk_expr(w, &e->ternary.yes);
		ir_walk_expr(w, &e->ternary.no);
		break;
	case IR_ASSIGN:
		ir_walk_expr(w, &e->assign.lvalue);
		ir_walk_expr(w, &e->assign.value);
		break;
	case IR_FEED:
		ir_walk_expr(w, &e->feed.stat);
		ir_walk_expr(w, &e->feed.value);
		break;
	case IR_INCDEC:
		ir_walk_expr(w, &e->incdec.lvalue);
		break;
	case IR_IN:
		ir_walk_exprs(w, &e->in.keys);
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		ir_walk_exprs(w, &e->call.args);
		break;
	case IR_FETCH:
		ir_walk_exprs(w, &e->fetch.operands);
		break;
	case IR_DEREF:
		ir_walk_expr(w, &e->deref.size);
		ir_walk_expr(w, &e->deref.address);
		break;
	case IR_REGISTER:
		ir_walk_expr(w, &e->reg.number);
		break;
	case IR_EXTRACT:
		ir_walk_expr(w, &e->extract.stat);
		break;
	case IR_HIST_BUCKET:
		ir_walk_expr(w, &e->bucket.stat);
		ir_walk_expr(w, &e->bucket.index);
		break;
	case IR_PRINT:
		ir_walk_exprs(w, &e->print.args);
		ir_walk_expr(w, &e->print.otherwise);
		break;
	case IR_ENUMNAME:
		ir_walk_expr(w, &e->enumname.value);
		break;
	case IR_PRINT_HIST:
		ir_walk_expr(w, &e->print_hist.stat);
		break;
	}
}

/* The limit and the slice are evaluated before the loop, keys and value are set in each round. */
static void foreach_children(struct ir_walker *w, struct ir_foreach *f)
{
	ir_walk_expr(w, &f->limit);
	ir_walk_exprs(w, &f->slice);
	for (unsigned i = 0; i < f->array->n_keys; i++)
		ir_walk_expr(w, &f->keys[i]);
	ir_walk_expr(w, &f->value);
	ir_walk_stmt(w, &f->body);
}

/* The step of a loop comes behind the body, as it is evaluated. */
void ir_stmt_children(struct ir_walker *w, struct ir_stmt *s)
{
	switch (s->kind) {
	case IR_STMT_BLOCK:
		for (size_t i = 0; i < s->block.n; i++)
			ir_walk_stmt(w, &s->block.data[i]);
		break;
	case IR_STMT_EXPR:
	case IR_STMT_RETURN:
		ir_walk_expr(w, &s->expr);
		break;
	case IR_STMT_IF:
		ir_walk_expr(w, &s->cond.cond);
		ir_walk_stmt(w, &s->cond.yes);
		ir_walk_stmt(w, &s->cond.no);
		break;
	case IR_STMT_LOOP:
		ir_walk_expr(w, &s->loop.init);
		ir_walk_expr(w, &s->loop.cond);
		ir_walk_stmt(w, &s->loop.body);
		ir_walk_expr(w, &s->loop.step);
		break;
	case IR_STMT_FOREACH:
		foreach_children(w, &s->foreach);
		break;
	case IR_STMT_FOREACH_HIST:
		ir_walk_expr(w, &s->foreach_hist.stat);
		ir_walk_expr(w, &s->foreach_hist.limit);
		ir_walk_expr(w, &s->foreach_hist.var);
		ir_walk_stmt(w, &s->foreach_hist.body);
		break;
	case IR_STMT_DELETE:
		ir_walk_expr(w, &s->del.target);
		ir_walk_exprs(w, &s->del.wild_keys);
		break;
	case IR_STMT_TRY:
		ir_walk_stmt(w, &s->try_.body);
		ir_walk_expr(w, &s->try_.var);
		ir_walk_stmt(w, &s->try_.handler);
		break;
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_NEXT:
		break;
	}
}

void ir_walk_probe(struct ir_walker *w, struct ir_probe *probe)
{
	ir_walk_expr(w, &probe->condition);
	ir_walk_exprs(w, &probe->saved);
	ir_walk_stmt(w, &probe->body);
}
