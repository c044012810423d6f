/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must be known before C is written: effects of expressions, and per function its calls,
 * locks, depth and use of scratch. Recursive functions are met again while they are being
 * visited; that visit contributes nothing.
 */
#include <string.h>

#include "base/intern.h"
#include "codegen/internal.h"
#include "ir/builtins.h"
#include "ir/walk.h"
#include "uapi/script.h"

#define PAGE 4096
#define SCRATCH_MAX (256u << 10)
#define DEEP 10 /* call chains longer than this are counted even without recursion */

unsigned cg_call_effects(const struct ir_function *f)
{
	if (!f->pure)
		return IR_READS | IR_FAILS | IR_WRITES;
	return f->builtin ? f->builtin->effects : IR_READS | IR_FAILS;
}

static unsigned list_effects(const struct cg *cg, const struct ir_exprs *list)
{
	unsigned fx = 0;

	for (size_t i = 0; i < list->n; i++)
		fx |= list->data[i] ? cg_effects(cg, list->data[i]) : 0;
	return fx;
}

static unsigned fetch_effects(const struct ir_expr *e)
{
	if (e->fetch.varying && e->fetch.varying->differs)
		return IR_READS | IR_FAILS;
	return IR_READS | (fetch_can_fail(&e->fetch.load) ? IR_FAILS : 0);
}

static unsigned binary_effects(const struct cg *cg, const struct ir_expr *e)
{
	unsigned fx = cg_effects(cg, e->binary.left) | cg_effects(cg, e->binary.right);
	const struct ir_expr *right = e->binary.right;

	if (e->kind == IR_CONCAT)
		return fx | IR_READS;
	if (e->kind != IR_BINARY || (e->binary.op != IR_OP_DIV && e->binary.op != IR_OP_MOD))
		return fx;
	if (right->kind == IR_NUMBER && right->number && right->number != -1)
		return fx;
	return fx | IR_FAILS;
}

static unsigned print_effects(const struct cg *cg, const struct ir_expr *e)
{
	unsigned fx = list_effects(cg, &e->print.args) | IR_READS;

	if (!e->print.to_string)
		fx |= IR_WRITES;
	return cg->program->formats.data[e->print.format].memory ? fx | IR_FAILS : fx;
}

unsigned cg_effects(const struct cg *cg, const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_NUMBER:
	case IR_STRING_LITERAL:
		return 0;
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_SAVED:
		return IR_READS;
	case IR_ELEMENT:
		return IR_READS | list_effects(cg, &e->element.keys);
	case IR_UNARY:
		return cg_effects(cg, e->unary.operand);
	case IR_BINARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
		return binary_effects(cg, e);
	case IR_MATCH:
		return cg_effects(cg, e->match.subject) | IR_READS |
		       (e->match.regex->kept && !e->match.negated ? IR_WRITES : 0);
	case IR_TERNARY:
		return cg_effects(cg, e->ternary.cond) | cg_effects(cg, e->ternary.yes) |
		       cg_effects(cg, e->ternary.no);
	case IR_ASSIGN:
	case IR_FEED:
	case IR_INCDEC:
		return IR_READS | IR_FAILS | IR_WRITES;
	case IR_IN:
		return IR_READS | list_effects(cg, &e->in.keys);
	case IR_CALL:
	case IR_BUILTIN_CALL:
		return cg_call_effects(e->call.callee) | list_effects(cg, &e->call.args);
	case IR_POINT_TEXT:
		return e->point_text.literal ? 0 : IR_READS | IR_FAILS;
	case IR_FETCH:
		return fetch_effects(e) | list_effects(cg, &e->fetch.operands);
	case IR_DEREF:
		return IR_READS | IR_FAILS | cg_effects(cg, e->deref.size) |
		       cg_effects(cg, e->deref.address);
	case IR_REGISTER:
		return IR_READS | IR_FAILS | cg_effects(cg, e->reg.number);
	case IR_EXTRACT:
		return IR_READS | cg_effects(cg, e->extract.stat) |
		       (e->extract.op == IR_STAT_COUNT || e->extract.op == IR_STAT_SUM ? 0
										       : IR_FAILS);
	case IR_HIST_BUCKET:
		return IR_READS | IR_FAILS | cg_effects(cg, e->bucket.stat) |
		       cg_effects(cg, e->bucket.index);
	case IR_PRINT:
		return print_effects(cg, e);
	case IR_PRINT_HIST:
		return IR_READS | IR_FAILS | (e->print_hist.to_string ? 0 : IR_WRITES) |
		       cg_effects(cg, e->print_hist.stat);
	case IR_ENUMNAME:
		return IR_READS | cg_effects(cg, e->enumname.value);
	case IR_EMBEDDED:
		return e->code->effects;
	}
	return IR_READS | IR_FAILS | IR_WRITES;
}

/* ---- statements executed ---- */
unsigned cg_count(const struct ir_stmt *s)
{
	unsigned n = 0, yes, no;

	if (!s)
		return 0;
	switch ((int)s->kind) {
	case IR_STMT_BLOCK:
		for (size_t i = 0; i < s->block.n; i++)
			n += cg_count(s->block.data[i]);
		return n;
	case IR_STMT_IF:
		yes = cg_count(s->cond.yes);
		no = cg_count(s->cond.no);
		return 1 + (yes < no ? yes : no);
	case IR_STMT_TRY:
		return 1 + cg_count(s->try_.body);
	}
	return 1;
}

/* ---- one walk over a body ---- */
struct survey {
	struct ir_walker walker;
	struct cg *cg;
	struct body_facts *facts;
};

static struct body_facts *visit_function(struct cg *cg, const struct ir_function *f);

static void note_global(struct survey *v, const struct ir_global *g)
{
	v->facts->locked = v->facts->locked || map_has(&v->cg->locked, g);
	map_put(&v->cg->touched, g, (void *)1);
}

static void note_call(struct survey *v, const struct ir_function *f)
{
	struct body_facts *callee = visit_function(v->cg, f);

	callee->called = true;
	v->facts->locked |= callee->locked;
	v->facts->asks |= callee->asks;
	v->facts->calls_recursive |= f->recursive || callee->calls_recursive;
	if (callee->height + 1 > v->facts->height)
		v->facts->height = callee->height + 1;
}

static void survey_expr(struct ir_walker *w, struct ir_expr **slot)
{
	struct survey *v = (struct survey *)w;
	struct ir_expr *e = *slot;

	if (e->kind == IR_GLOBAL)
		note_global(v, e->global);
	else if (e->kind == IR_ELEMENT)
		note_global(v, e->element.array);
	else if (e->kind == IR_IN)
		note_global(v, e->in.array);
	else if (e->kind == IR_CALL)
		note_call(v, e->call.callee);
	else if (e->kind == IR_BUILTIN_CALL)
		v->facts->asks |= ir_needs_match(e->call.callee);
	ir_expr_children(w, e);
}

static void survey_stmt(struct ir_walker *w, struct ir_stmt **slot)
{
	struct survey *v = (struct survey *)w;
	struct ir_stmt *s = *slot;

	if (s->kind == IR_STMT_LOOP || s->kind == IR_STMT_FOREACH ||
	    s->kind == IR_STMT_FOREACH_HIST)
		v->facts->has_loop = true;
	if (s->kind == IR_STMT_FOREACH)
		note_global(v, s->foreach.array);
	if (s->kind == IR_STMT_DELETE && s->del.array)
		note_global(v, s->del.array);
	ir_stmt_children(w, s);
}

static void survey(struct cg *cg, const struct ir_stmt *s, struct body_facts *facts)
{
	struct survey v = { .walker = { survey_expr, survey_stmt }, .cg = cg, .facts = facts };
	struct ir_stmt *slot = (struct ir_stmt *)s;

	ir_walk_stmt(&v.walker, &slot);
}

static void survey_list(struct cg *cg, const struct ir_exprs *list, struct body_facts *facts)
{
	struct survey v = { .walker = { survey_expr, survey_stmt }, .cg = cg, .facts = facts };

	for (size_t i = 0; i < list->n; i++) {
		struct ir_expr *e = list->data[i];

		ir_walk_expr(&v.walker, &e);
	}
}

/* A probe's condition and saved values. */
static void survey_expressions(struct cg *cg, const struct ir_probe *p, struct body_facts *facts)
{
	struct ir_expr *condition = p->condition;

	survey_list(cg, &(struct ir_exprs){ .data = &condition, .n = 1 }, facts);
	survey_list(cg, &p->saved, facts);
}

/* ---- scratch: the most that a statement, a body, a call chain has in use at once ---- */
struct scratch {
	struct ir_walker walker;
	struct cg *cg;
	uint64_t bytes;
};

static uint64_t string_size(const struct cg *cg)
{
	return cg->in->limits.max_string + 16;
}

/* The buckets, folded over all processors. */
static uint64_t hist_size(const struct cg *cg, const struct ir_expr *e)
{
	return (cg->program->hists.data[e->print_hist.hist].n_buckets + 1) * sizeof(uint64_t);
}

static void scratch_expr(struct ir_walker *w, struct ir_expr **slot)
{
	struct scratch *v = (struct scratch *)w;
	const struct ir_expr *e = *slot;
	const struct ir_format *f;

	if (e->kind == IR_POINT_TEXT && !e->point_text.literal)
		v->bytes += STP_POINT_VALUES * sizeof(union stp_val);
	if (e->type == IR_STRING && e->kind != IR_STRING_LITERAL && e->kind != IR_SAVED)
		v->bytes += string_size(v->cg);
	if (e->kind == IR_CALL)
		v->bytes += visit_function(v->cg, e->call.callee)->scratch;
	if (e->kind == IR_BUILTIN_CALL)
		v->bytes += e->call.args.n * string_size(v->cg);
	if (e->kind == IR_PRINT) {
		f = &v->cg->program->formats.data[e->print.format];
		v->bytes += f->memory
				    ? e->print.args.n * 16 + __builtin_popcountll(f->memory) * PAGE
				    : 0;
	}
	if (e->kind == IR_PRINT_HIST)
		v->bytes += hist_size(v->cg, e);
	ir_expr_children(w, *slot);
}

static uint64_t expr_scratch(struct cg *cg, const struct ir_expr *e)
{
	struct scratch v = { .walker = { scratch_expr, NULL }, .cg = cg };
	struct ir_expr *slot = (struct ir_expr *)e;

	ir_walk_expr(&v.walker, &slot);
	return v.bytes;
}

static uint64_t list_scratch(struct cg *cg, const struct ir_exprs *list)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += expr_scratch(cg, list->data[i]);
	return n;
}

static uint64_t max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t stmt_scratch(struct cg *cg, const struct ir_stmt *s)
{
	uint64_t n = 0;

	if (!s)
		return 0;
	switch (s->kind) {
	case IR_STMT_BLOCK:
		for (size_t i = 0; i < s->block.n; i++)
			n = max64(n, stmt_scratch(cg, s->block.data[i]));
		return n;
	case IR_STMT_EXPR:
	case IR_STMT_RETURN:
		return expr_scratch(cg, s->expr);
	case IR_STMT_IF:
		return expr_scratch(cg, s->cond.cond) +
		       max64(stmt_scratch(cg, s->cond.yes), stmt_scratch(cg, s->cond.no));
	case IR_STMT_LOOP:
		n = max64(expr_scratch(cg, s->loop.step), stmt_scratch(cg, s->loop.body));
		return max64(expr_scratch(cg, s->loop.init), expr_scratch(cg, s->loop.cond) + n);
	case IR_STMT_FOREACH:
		n = expr_scratch(cg, s->foreach.limit) + list_scratch(cg, &s->foreach.slice);
		return n + (s->foreach.array->n_keys + 1) * string_size(cg) +
		       stmt_scratch(cg, s->foreach.body);
	case IR_STMT_FOREACH_HIST:
		return expr_scratch(cg, s->foreach_hist.stat) +
		       stmt_scratch(cg, s->foreach_hist.body);
	case IR_STMT_DELETE:
		return expr_scratch(cg, s->del.target) + list_scratch(cg, &s->del.wild_keys);
	case IR_STMT_TRY:
		return stmt_scratch(cg, s->try_.body) + string_size(cg) +
		       stmt_scratch(cg, s->try_.handler);
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_NEXT:
		break;
	}
	return n;
}

/* Strings that top-level assignments may leave in scratch. */
static uint64_t kept_scratch(struct cg *cg, const struct ir_stmt *s)
{
	uint64_t n = 0;

	if (s->kind == IR_STMT_BLOCK)
		for (size_t i = 0; i < s->block.n; i++)
			n += kept_scratch(cg, s->block.data[i]);
	else if (s->kind == IR_STMT_EXPR && s->expr->kind == IR_ASSIGN &&
		 s->expr->type == IR_STRING && s->expr->assign.lvalue->kind == IR_LOCAL)
		n = expr_scratch(cg, s->expr->assign.value);
	return n;
}

/* ---- functions ---- */
static struct body_facts *visit_function(struct cg *cg, const struct ir_function *f)
{
	struct body_facts *facts = map_get(&cg->functions, f);

	if (facts)
		return facts;
	facts = arena_new(cg->arena, struct body_facts);
	map_put(&cg->functions, f, facts);
	vec_foreach(use, &f->uses)
		facts->locked |= map_has(&cg->locked, use->global);
	if (f->code)
		facts->scratch = (f->params.n + 1) * string_size(cg);
	if (!f->body)
		return facts;
	survey(cg, f->body, facts);
	if (f->next_overload) {
		struct body_facts *next = visit_function(cg, f->next_overload);

		next->called = true;
		facts->locked |= next->locked;
		facts->asks |= next->asks;
		facts->height = facts->height > next->height + 1 ? facts->height : next->height + 1;
		facts->scratch = next->scratch;
	}
	facts->scratch += stmt_scratch(cg, f->body) + kept_scratch(cg, f->body);
	vec_foreach(it, &f->params)
		facts->scratch += (*it)->type == IR_STRING && (*it)->assigned ? string_size(cg) : 0;
	vec_foreach(it, &f->locals)
		facts->scratch += (*it)->type == IR_STRING ? string_size(cg) : 0;
	return facts;
}

struct body_facts *cg_function_facts(struct cg *cg, const struct ir_function *f)
{
	return visit_function(cg, f);
}

/* The longest chain of calls, and whether any can go round. */
static unsigned longest_chain(struct cg *cg, bool *recursion)
{
	unsigned max = 1;

	*recursion = false;
	vec_foreach(it, &cg->program->functions) {
		unsigned height = visit_function(cg, *it)->height + 1;

		max = height > max ? height : max;
		*recursion = *recursion || (*it)->recursive;
	}
	return max;
}

uint32_t cg_stack_need(struct cg *cg)
{
	bool recursion; /* each further call is checked when it comes */

	return cg->in->limits.min_stack + STP_RUNTIME_STACK +
	       longest_chain(cg, &recursion) * STP_FRAME_STACK;
}

unsigned cg_max_nesting(struct cg *cg)
{
	bool recursion;
	unsigned chain = longest_chain(cg, &recursion);

	if (cg->in->limits.max_nesting)
		return cg->in->limits.max_nesting;
	return chain + (recursion ? 10 : 0);
}

/* Locks, questions and recursion flow around cycles of calls, where one visit sees half of them. */
static void close_cycles(struct cg *cg)
{
	bool changed;

	do {
		changed = false;
		vec_foreach(it, &cg->program->functions) {
			struct body_facts *facts = visit_function(cg, *it), now = { 0 };

			if (!(*it)->body)
				continue;
			survey(cg, (*it)->body, &now);
			changed |= (now.locked && !facts->locked) || (now.asks && !facts->asks) ||
				   (now.calls_recursive && !facts->calls_recursive);
			facts->locked |= now.locked;
			facts->asks |= now.asks;
			facts->calls_recursive |= now.calls_recursive;
		}
	} while (changed);
}

static void note_locked(struct cg *cg, const struct ir_global_uses *uses)
{
	vec_foreach(use, uses)
		map_put(&cg->locked, use->global, (void *)1);
}

void cg_facts(struct cg *cg)
{
	unsigned chain;
	bool recursion, all;

	vec_foreach(it, &cg->program->probes) {
		note_locked(cg, &(*it)->locks);
		note_locked(cg, &(*it)->condition_locks);
		note_locked(cg, &(*it)->entry_locks);
	}
	vec_foreach(it, &cg->program->probes) {
		struct body_facts facts = { 0 };

		survey(cg, (*it)->body, &facts);
		survey_expressions(cg, *it, &facts);
	}
	close_cycles(cg);
	chain = longest_chain(cg, &recursion);
	all = cg->in->limits.max_nesting || chain > DEEP;
	vec_foreach(it, &cg->program->functions) {
		struct body_facts *facts = visit_function(cg, *it);

		facts->enters = (*it)->body && ((*it)->recursive || facts->calls_recursive || all);
	}
}

bool cg_body_counted(struct cg *cg, const struct ir_stmt *s)
{
	struct body_facts facts = { 0 };

	survey(cg, s, &facts);
	return facts.has_loop || facts.calls_recursive;
}

bool cg_body_asks(struct cg *cg, const struct ir_stmt *s)
{
	struct body_facts facts = { 0 };

	survey(cg, s, &facts);
	return facts.asks;
}

bool cg_exprs_ask(struct cg *cg, const struct ir_exprs *list)
{
	struct body_facts facts = { 0 };

	survey_list(cg, list, &facts);
	return facts.asks;
}

bool cg_stmt_locked(struct cg *cg, const struct ir_stmt *s)
{
	struct body_facts facts = { 0 };

	survey(cg, s, &facts);
	return facts.locked;
}

uint64_t cg_scratch_size(struct cg *cg)
{
	uint64_t size = 0, recursive = 0;

	vec_foreach(it, &cg->program->probes) {
		uint64_t n = stmt_scratch(cg, (*it)->body) + kept_scratch(cg, (*it)->body);

		vec_foreach(local, &(*it)->locals)
			n += (*local)->type == IR_STRING ? string_size(cg) : 0;
		size = max64(size, n);
		for (size_t i = 0; i < (*it)->saved.n; i++)
			size = max64(size, expr_scratch(cg, (*it)->saved.data[i]));
	}
	vec_foreach(it, &cg->program->functions)
		if ((*it)->recursive)
			recursive = max64(recursive, visit_function(cg, *it)->scratch);
	size += recursive * cg_max_nesting(cg);
	if (size > SCRATCH_MAX)
		size = SCRATCH_MAX;
	/* what runtime functions need for themselves */
	return (size + 4 * string_size(cg) + PAGE + 7) & ~7ull;
}
