/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers: one per group of points that see variables of the same types. Requires expansions;
 * ensures ir_probes with bodies, and bodies of every function that one of them can call.
 */
#include <string.h>

#include "sema/bind.h"
#include "sema/embedded.h"
#include "sema/mistakes.h"
#include "sema/points.h"
#include "target/target.h"

/*
 * Points of one wildcard are compared with this many handlers, newest first: bounds the work
 * when all differ.
 */
#define GROUPS_COMPARED 64

/* A handler and the points that share it. */
struct group {
	struct sema_context *cx;
	struct ir_probe *probe;
};

static struct ir_stmt *new_block(struct bind *b, struct span span)
{
	struct ir_stmt *block = arena_new(b->s->arena, struct ir_stmt);

	block->kind = IR_STMT_BLOCK;
	block->span = span;
	return block;
}

/*
 * All conditions on the way from the script's point to the native one, joined by &&; the outer
 * ones come first.
 */
static void bind_conditions(struct bind *b, const struct sema_expansion *e)
{
	vec_foreach(c, &e->conditions) {
		struct ir_expr *one, *both;

		b->file = c->file;
		one = bind_expr(b, c->expr);
		if (!b->probe->condition) {
			b->probe->condition = one;
			continue;
		}
		both = bind_new(b, IR_LOGICAL, IR_LONG, c->expr);
		both->binary.op = IR_OP_LOGAND;
		both->binary.left = b->probe->condition;
		both->binary.right = one;
		b->probe->condition = both;
	}
}

/*
 * What the point itself asks for comes before what the script does: at the entry, where it can be
 * known.
 */
static void bind_admission(struct bind *b, const struct sema_expansion *e,
			   const struct probe_point *point)
{
	struct ast_expr by = { .kind = AST_EXPR_CALL, .span = e->origin->span };
	struct target_value v = { .load = point->admits, .size = 8 };
	struct ir_exprs operands = { 0 };

	if (!v.load.n)
		return;
	b->file = e->bodies.data[0].file;
	by.call.name = intern(b->s->in, point->row.function);
	v.full_regs = fetch_needs_full_regs(&v.load, target_machine(b->s->input->env->target));
	b->probe->condition = bind_fetch(b, &by, &v, &operands, NULL);
	if (b->cx->is_return)
		b->probe->condition = bind_saved(b, b->probe->condition, &by);
}

/*
 * Prologues, body and epilogues share one scope of locals; each sees the private names of its
 * own file.
 */
static void bind_bodies(struct bind *b, const struct sema_expansion *e)
{
	struct ir_stmt *block = new_block(b, e->origin->span);

	vec_foreach(p, &e->bodies) {
		struct ir_stmt *body;

		b->file = p->file;
		b->body = p;
		body = bind_stmt(b, p->body);
		if (body)
			vec_push(b->s->arena, &block->block, body);
	}
	b->probe->body = block;
}

/* pn and chain are what pn() and backtraces of aliases show. */
static struct ir_probe *new_probe(struct sema *s, const struct sema_expansion *e,
				  const struct probe_point *point)
{
	struct ir_probe *p = arena_new(s->arena, struct ir_probe);

	p->kind = point->kind;
	p->callers = point->callers;
	p->span = e->origin->parts.n ? e->origin->parts.data[0].span : e->origin->span;
	p->named_by_point = !e->alias && point->named_by_point;
	p->pn = !p->named_by_point || e->resolved.n != 1 ? e->pn
		: point->row.pn                          ? point->row.pn
							 : point->row.pp;
	p->origin = sema_point_text(s->arena, e->origin, 0);
	p->chain = e->chain;
	p->optional = e->optional;
	return p;
}

/* A copy made for a context sees the $variables of that probe. */
static void bind_function(struct sema *s, struct sema_function *f)
{
	struct bind b = {
		.s = s, .file = f->file, .fn = f, .cx = (struct sema_context *)f->specialised
	};

	if (f->bound)
		return;
	f->bound = true;
	map_init(&b.locals, s->arena);
	vec_foreach(p, &f->ir.params)
		map_put(&b.locals, (*p)->name, sema_local(*p));
	f->ir.body = bind_stmt(&b, f->ast->body);
	if (!f->ir.body)
		f->ir.body = new_block(&b, f->ir.span);
}

/* Binding a function may queue others, so the list grows under the loop. */
static void bind_queue(struct sema *s)
{
	for (size_t i = 0; i < s->queue.n; i++) {
		struct sema_function *f = s->queue.data[i];

		vec_push(s->arena, &s->program->functions, &f->ir);
		sema_embedded_uses(s, f);
		bind_function(s, f);
	}
	s->queue.n = 0;
}

/* A new handler, bound for POINT, which becomes its first row. */
static struct group bind_group(struct sema *s, const struct sema_expansion *e,
			       const struct probe_point *point)
{
	struct group g = { arena_new(s->arena, struct sema_context), new_probe(s, e, point) };
	struct bind b = { .s = s, .probe = g.probe, .cx = g.cx };
	struct context_answers there = { .point = point };

	g.cx->scope = point->scope;
	g.cx->entry_scope = point->entry_scope;
	g.cx->point = point;
	g.cx->probe = g.probe;
	g.cx->is_return = ir_kind_is(point->kind, IR_KIND_RETURN);
	g.cx->many = e->resolved.n > 1 && ir_kind_is(point->kind, IR_KIND_MANY);
	map_init(&b.locals, s->arena);
	b.in_condition = true;
	bind_admission(&b, e, point);
	bind_conditions(&b, e);
	b.in_condition = false;
	bind_bodies(&b, e);
	bind_queue(s);
	context_join(s, g.cx, &there);
	return g;
}

/* Only kinds whose wildcards give many points have rows with values of their own. */
static bool may_share(const struct group *g, const struct probe_point *point)
{
	return g->probe->kind == point->kind && ir_kind_is(point->kind, IR_KIND_MANY) &&
	       g->cx->point->entry_visible == point->entry_visible &&
	       g->cx->point->callers == point->callers &&
	       fetch_equal(&g->cx->point->admits, &point->admits);
}

/* Join a handler that has the same meaning at the point. */
static bool share(struct sema *s, struct group *groups, size_t n, const struct probe_point *point)
{
	struct context_answers there = { .point = point };

	for (size_t i = 0; i < n && i < GROUPS_COMPARED; i++) {
		struct group *g = &groups[n - 1 - i];

		if (!may_share(g, point) || !context_matches(s, g->cx, &there))
			continue;
		context_join(s, g->cx, &there);
		return true;
	}
	return false;
}

/* More places than that, with a kprobe each, are told of. */
#define MANY_KPROBES 20000

/* Entries are attached in one pass, whatever their number; places within functions are not. */
static void warn_many(struct sema *s, const struct sema_expansion *e)
{
	struct diagnostic *d;
	size_t n = 0;

	vec_foreach(point, &e->resolved)
		n += ir_kind_is(point->kind, IR_KIND_ONE_BY_ONE);
	if (n <= MANY_KPROBES)
		return;
	d = diag_report(s->sink, DIAG_PROBES_ONE_BY_ONE, e->origin->parts.data[0].span,
			e->resolved.n, n);
	diag_set_hint(
		s->sink, d,
		"a pattern as \"NAME*@FILE\" means fewer, and .call no copies inlined elsewhere");
}

/*
 * The points of one script probe point. A point that cannot be bound on this kernel is left out
 * when the script's is optional; with a mistake that is held, step elide leaves it out.
 */
static void bind_expansion(struct sema *s, const struct sema_expansion *e)
{
	VEC(struct group) groups = { 0 };

	warn_many(s, e);
	vec_foreach(point, &e->resolved) {
		size_t mark = diag_count(s->sink), errors = diag_error_count(s->sink);
		struct group g;

		if (share(s, groups.data, groups.n, point))
			continue;
		g = bind_group(s, e, point);
		if (diag_error_count(s->sink) > errors && e->optional &&
		    !sema_is_of_script(s, mark)) {
			sema_leave_out(s, g.probe, diag_hold(s->sink, mark));
			continue;
		}
		vec_push(s->arena, &groups, g);
		vec_push(s->arena, &s->program->probes, g.probe);
		if (diag_error_count(s->sink) > errors)
			return; /* the others would say the same */
	}
}

/* Mistakes are reported as usual; the caller takes them back. */
struct ir_probe *sema_bind_first(struct sema *s, const struct sema_expansion *e)
{
	struct group g = bind_group(s, e, &e->resolved.data[0]);

	vec_push(s->arena, &s->program->probes, g.probe);
	return g.probe;
}

/*
 * With -u, user functions are checked even when nothing calls them; those with $variables only make
 * sense from a probe. The list is made first, since looking functions up may add to the map of
 * names.
 */
static void bind_user_functions(struct sema *s)
{
	VEC(struct sema_function *) all = { 0 };
	const struct sema_function *any;

	map_foreach(entry, &s->names) {
		struct sema_name *n = entry->value;

		vec_foreach(f, &n->list)
			if ((*f)->ir.user_script)
				vec_push(s->arena, &all, *f);
	}
	vec_foreach(f, &all) {
		sema_find_function(s, (*f)->file, (*f)->ir.name, (*f)->ir.params.n, &any);
		if ((*f)->queued || sema_has_copies(s, *f) ||
		    sema_uses_context(s, *f) == SEMA_CONTEXT_VARIABLES)
			continue;
		if (!s->input->options.unoptimised) {
			if (s->input->options.verbose)
				sema_say_elided(s, (*f)->ir.span, DIAG_ELIDED_FUNCTION,
						(*f)->ir.name->text);
			continue;
		}
		(*f)->queued = true;
		vec_push(s->arena, &s->queue, *f);
	}
	bind_queue(s);
}

/* Functions that no probe reaches come last; step optimise drops them. */
void sema_bind(struct sema *s, const struct sema_expansions *expansions)
{
	vec_foreach(e, expansions)
		bind_expansion(s, *e);
	bind_user_functions(s);
}
