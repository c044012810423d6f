/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must be known before C is written: per function its calls, locks, depth and use of
 * scratch, and the same of handlers. Requires the program; ensures cg.functions, cg.locked and
 * cg.touched. Recursive functions are met again while they are being visited; that visit
 * contributes nothing, and close_cycles() makes up for it where it matters. The figures for
 * scratch and stack only make overruns rare: the runtime checks both.
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

/* ---- statements executed ---- */
/* Branches count as the shorter one and loops as one: their bodies are charged within. */
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
/* Collects what a body does itself and what its callees do, into FACTS. */
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

/* The callee is visited here and now, so its facts are complete unless it is part of a cycle. */
static void note_call(struct survey *v, const struct ir_function *f)
{
	struct body_facts *callee = visit_function(v->cg, f);

	callee->called = true;
	v->facts->locked |= callee->locked;
	v->facts->uses_match |= callee->uses_match;
	v->facts->calls_recursive |= f->recursive || callee->calls_recursive;
	if (callee->height + 1 > v->facts->height)
		v->facts->height = callee->height + 1;
}

/* All globals named count as touched, also those that are only asked with `in`. */
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
		v->facts->uses_match |= ir_needs_match(e->call.callee);
	ir_expr_children(w, e);
}

/* The array of a foreach or delete is no expression of its own. */
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

/* A string in scratch, with room for rounding up. */
static uint64_t string_size(const struct cg *cg)
{
	return cg->in->limits.max_string + 16;
}

/* The buckets, folded over all processors. */
static uint64_t hist_size(const struct cg *cg, const struct ir_expr *e)
{
	return (cg->program->hists.data[e->print_hist.hist].n_buckets + 1) * sizeof(uint64_t);
}

/* Every string that an expression makes, as if none were given back before the statement ends. */
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

/*
 * Statements give back what they used, so of a list the greediest counts; what a loop or branch
 * needs for its head stays in use in its body.
 */
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

/*
 * Strings of top-level assignments: locals.c may decide to leave them in scratch until the body
 * ends.
 */
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
/*
 * The facts of F, made on the first call. The entry is in the table before the body is looked
 * at, which ends recursion. The next overload counts as part of F, since a call may end there.
 */
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
		facts->uses_match |= next->uses_match;
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

/* A frame for each call of the longest chain, beside what the runtime itself needs. */
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
			changed |= (now.locked && !facts->locked) ||
				   (now.uses_match && !facts->uses_match) ||
				   (now.calls_recursive && !facts->calls_recursive);
			facts->locked |= now.locked;
			facts->uses_match |= now.uses_match;
			facts->calls_recursive |= now.calls_recursive;
		}
	} while (changed);
}

static void note_locked(struct cg *cg, const struct ir_global_uses *uses)
{
	vec_foreach(use, uses)
		map_put(&cg->locked, use->global, (void *)1);
}

/*
 * Locks first, since the walks ask which globals are locked. Calls are counted (enters) by
 * functions that can be part of a recursion, and by all when the user limits nesting or chains
 * are long.
 */
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

bool cg_body_uses_match(struct cg *cg, const struct ir_stmt *s)
{
	struct body_facts facts = { 0 };

	survey(cg, s, &facts);
	return facts.uses_match;
}

bool cg_exprs_use_match(struct cg *cg, const struct ir_exprs *list)
{
	struct body_facts facts = { 0 };

	survey_list(cg, list, &facts);
	return facts.uses_match;
}

bool cg_stmt_locked(struct cg *cg, const struct ir_stmt *s)
{
	struct body_facts facts = { 0 };

	survey(cg, s, &facts);
	return facts.locked;
}

/*
 * The largest handler, and for recursion as many frames of the largest recursive function as
 * calls may nest.
 */
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
