/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of the program (facts.h), over the graph of its functions: an edge leads to what a body
 * calls, and from a function that may say `next` to the overload that takes its call over. Each
 * cycle of that graph is one component, whose functions share what they touch; components are
 * finished callees first (Tarjan, SIAM J. Comput. 1, 1972), so each is looked at once.
 */
#include "ir/facts.h"

#include <limits.h>
#include <stdlib.h>

#include "base/map.h"
#include "ir/builtins.h"
#include "ir/uses.h"

struct functions {
	struct ir_function **data;
	size_t n, cap;
};

/* ---- what one body does by itself ---- */

/* A walk over one body; facts are of the body alone until absorb() adds those of callees. */
struct survey {
	struct ir_use_walker walker;
	struct arena *arena;
	struct ir_facts *facts;
	struct map at;            /* ir_global -> its position in facts->uses + 1 */
	struct functions callees; /* each once */
	struct map called;
};

static void add_use(struct survey *v, struct ir_global *g, unsigned access)
{
	uintptr_t at = (uintptr_t)map_get(&v->at, g);

	if (at) {
		v->facts->uses.data[at - 1].access |= access;
		return;
	}
	vec_push(v->arena, &v->facts->uses, ((struct ir_global_use){ g, access }));
	map_put(&v->at, g, (void *)(uintptr_t)v->facts->uses.n);
}

static void add_callee(struct survey *v, struct ir_function *f)
{
	if (map_has(&v->called, f))
		return;
	map_put(&v->called, f, f);
	vec_push(v->arena, &v->callees, f);
}

/* The globals that embedded C names come with the function it is the body of. */
static void see_global(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at, bool write)
{
	struct survey *v = (struct survey *)u;

	if (at && (at->kind == IR_CALL || at->kind == IR_BUILTIN_CALL))
		return;
	if (at && at->kind == IR_EMBEDDED)
		add_use(v, g, IR_ACCESS_C | (write ? IR_ACCESS_SET : IR_ACCESS_READ));
	else if (u->adding)
		add_use(v, g, IR_ACCESS_ADD | (u->lowering ? IR_ACCESS_LOWER : 0));
	else
		add_use(v, g, write ? IR_ACCESS_SET : IR_ACCESS_READ);
}

/* Sorting leaves the array in that order. */
static void see_iterated(struct ir_use_walker *u, struct ir_foreach *f)
{
	add_use((struct survey *)u, f->array,
		IR_ACCESS_READ | IR_ACCESS_ITERATE | (f->dir ? IR_ACCESS_SET : 0));
}

/* Builtins have no body that could touch or call anything. */
static void see_call(struct ir_use_walker *u, struct ir_function *f)
{
	struct survey *v = (struct survey *)u;

	if (!f->builtin) {
		add_callee(v, f);
		return;
	}
	v->facts->uses_match |= ir_needs_match(f);
	v->facts->uses_registers |= ir_needs_registers(f);
}

static void see_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	const struct ir_stmt *s = *ref;

	if (s->kind == IR_STMT_LOOP || s->kind == IR_STMT_FOREACH ||
	    s->kind == IR_STMT_FOREACH_HIST)
		((struct survey *)w)->facts->has_loop = true;
	ir_use_stmt(w, ref);
}

static void survey_init(struct survey *v, struct arena *arena, struct ir_facts *facts)
{
	*v = (struct survey){ .arena = arena, .facts = facts };
	ir_use_init(&v->walker);
	v->walker.walker.stmt = see_stmt;
	v->walker.global = see_global;
	v->walker.iterate = see_iterated;
	v->walker.call = see_call;
	map_init(&v->at, arena);
	map_init(&v->called, arena);
}

/* ---- with what it calls ---- */

/* What F touches the caller touches; the facts of F are complete. */
static void absorb(struct survey *v, const struct ir_function *f)
{
	vec_foreach(use, &f->facts.uses)
		add_use(v, use->global, use->access);
	v->facts->uses_match |= f->facts.uses_match;
	v->facts->uses_registers |= f->facts.uses_registers;
	v->facts->calls_recursive |= f->recursive || f->facts.calls_recursive;
	if (f->facts.height + 1 > v->facts->height)
		v->facts->height = f->facts.height + 1;
}

static int by_index(const void *a, const void *b)
{
	uint32_t x = ((const struct ir_global_use *)a)->global->index,
		 y = ((const struct ir_global_use *)b)->global->index;

	return (x > y) - (x < y);
}

static void sort_uses(struct ir_facts *facts)
{
	if (facts->uses.n)
		qsort(facts->uses.data, facts->uses.n, sizeof(facts->uses.data[0]), by_index);
}

static void absorb_all(struct survey *v)
{
	vec_foreach(f, &v->callees)
		absorb(v, *f);
	sort_uses(v->facts);
}

/* ---- functions ---- */

/* A function in Tarjan's search; order is 0 until it has been met. */
struct node {
	struct ir_function *function;
	struct survey own;
	unsigned order, low, component;
};

struct graph {
	struct arena *arena;
	struct node *nodes; /* by ir_function.index */
	VEC(struct node *) open;
	unsigned n_met, n_components;
};

static struct node *node_of(const struct graph *g, const struct ir_function *f)
{
	return &g->nodes[f->index];
}

static void survey_function(struct graph *g, struct ir_function *f)
{
	struct node *n = node_of(g, f);

	n->function = f;
	f->facts = (struct ir_facts){ 0 };
	survey_init(&n->own, g->arena, &f->facts);
	if (f->code)
		vec_foreach(use, &f->code->uses)
			add_use(&n->own, use->global, use->access | IR_ACCESS_C);
	ir_walk_stmt(&n->own.walker.walker, &f->body);
	if (f->uses_next && f->next_overload)
		add_callee(&n->own, f->next_overload);
}

/* Whether the functions from MEMBERS on are a cycle: of one, whether it calls itself. */
static bool is_cycle(struct node *const *members, size_t n)
{
	return n > 1 || map_has(&members[0]->own.called, members[0]->function);
}

/* What N does itself, and what it calls outside of the component that is being closed. */
static void absorb_component(const struct graph *g, struct survey *v, const struct node *n)
{
	vec_foreach(use, &n->function->facts.uses)
		add_use(v, use->global, use->access);
	v->facts->uses_match |= n->function->facts.uses_match;
	v->facts->uses_registers |= n->function->facts.uses_registers;
	vec_foreach(callee, &n->own.callees)
		if (node_of(g, *callee)->component != g->n_components)
			absorb(v, *callee);
}

/*
 * The component of the last N open functions is complete, and what they call outside of it is. The
 * longest chain of calls goes round the cycle once and then out of it.
 */
static void close_component(struct graph *g, struct node *const *members, size_t n)
{
	struct ir_facts sum = { 0 };
	struct survey v;
	bool cycle = is_cycle(members, n);

	g->n_components++;
	survey_init(&v, g->arena, &sum);
	for (size_t i = 0; i < n; i++)
		members[i]->component = g->n_components;
	for (size_t i = 0; i < n; i++)
		absorb_component(g, &v, members[i]);
	sum.calls_recursive |= cycle;
	if (cycle)
		sum.height += (unsigned)n;
	sort_uses(&sum);
	for (size_t i = 0; i < n; i++) {
		bool has_loop = members[i]->function->facts.has_loop;

		members[i]->function->facts = sum;
		members[i]->function->facts.has_loop = has_loop;
		members[i]->function->recursive = cycle;
	}
}

static void visit(struct graph *g, struct node *n)
{
	size_t at = g->open.n;

	n->order = n->low = ++g->n_met;
	vec_push(g->arena, &g->open, n);
	vec_foreach(f, &n->own.callees) {
		struct node *callee = node_of(g, *f);

		if (!callee->order)
			visit(g, callee);
		if (!callee->component && callee->low < n->low)
			n->low = callee->low;
	}
	if (n->low != n->order)
		return;
	close_component(g, g->open.data + at, g->open.n - at);
	g->open.n = at;
}

static void find_functions(struct ir_program *program, struct arena *arena)
{
	struct graph g = { .arena = arena };

	g.nodes = arena_new_array(arena, struct node, program->functions.n);
	vec_foreach(f, &program->functions)
		survey_function(&g, *f);
	vec_foreach(f, &program->functions) {
		if (!node_of(&g, *f)->order)
			visit(&g, node_of(&g, *f));
		vec_foreach(callee, &node_of(&g, *f)->own.callees)
			(*callee)->called = true;
	}
}

/* ---- probes and globals ---- */

enum ir_runner ir_runner(const struct ir_probe_kind *kind)
{
	if (kind->context == IR_CONTEXT_SESSION)
		return IR_RUNS_ALONE;
	return ir_kind_is(kind, IR_KIND_SELDOM) ? IR_RUNS_SELDOM : IR_RUNS_CONCURRENTLY;
}

/* Completes the facts of a part of a probe that V has walked. */
static void finish_part(struct survey *v, const struct ir_probe *p)
{
	absorb_all(v);
	vec_foreach(f, &v->callees)
		(*f)->called = true;
	vec_foreach(use, &v->facts->uses)
		use->global->access[ir_runner(p->kind)] |= use->access;
}

static void find_probe(struct ir_probe *p, struct arena *arena)
{
	struct survey v;

	survey_init(&v, arena, &p->condition_facts);
	ir_walk_expr(&v.walker.walker, &p->condition);
	finish_part(&v, p);
	survey_init(&v, arena, &p->entry_facts);
	ir_walk_exprs(&v.walker.walker, &p->saved);
	finish_part(&v, p);
	survey_init(&v, arena, &p->body_facts);
	ir_walk_stmt(&v.walker.walker, &p->body);
	finish_part(&v, p);
}

static void name_globals(const struct ir_facts *facts)
{
	vec_foreach(use, &facts->uses)
		use->global->named = true;
}

void ir_find_facts(struct ir_program *program, struct arena *arena)
{
	find_functions(program, arena);
	vec_foreach(f, &program->functions)
		name_globals(&(*f)->facts);
	vec_foreach(p, &program->probes) {
		find_probe(*p, arena);
		name_globals(&(*p)->condition_facts);
		name_globals(&(*p)->entry_facts);
		name_globals(&(*p)->body_facts);
	}
}

struct ir_facts ir_stmt_facts(const struct ir_stmt *s, struct arena *arena)
{
	struct ir_stmt *ref = (struct ir_stmt *)s;
	struct ir_facts facts = { 0 };
	struct survey v;

	survey_init(&v, arena, &facts);
	ir_walk_stmt(&v.walker.walker, &ref);
	absorb_all(&v);
	return facts;
}

/* ---- statements executed ---- */

/* The way through a chain of else ifs that is the shortest. */
static unsigned count_ifs(const struct ir_stmt *s)
{
	unsigned least = UINT_MAX, n = 0, arm;

	for (; s && s->kind == IR_STMT_IF; s = s->cond.no) {
		arm = ++n + ir_statement_count(s->cond.yes);
		least = arm < least ? arm : least;
	}
	arm = n + ir_statement_count(s);
	return arm < least ? arm : least;
}

unsigned ir_statement_count(const struct ir_stmt *s)
{
	unsigned n = 0;

	if (!s)
		return 0;
	switch (s->kind) {
	case IR_STMT_BLOCK:
		for (size_t i = 0; i < s->block.n; i++)
			n += ir_statement_count(s->block.data[i]);
		return n;
	case IR_STMT_IF:
		return count_ifs(s);
	case IR_STMT_TRY:
		return 1 + ir_statement_count(s->try_.body);
	default: /* one, whatever it is */
		return 1;
	}
}
