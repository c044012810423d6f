/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step entries: values of a function's entry that are asked for later in the call (FETCH_ENTRY).
 * They are kept in one array, which wraps, by thread (of programs), frame address and function: so
 * calls within one another and beside one another are told apart, and no return has to be seen.
 * Made here: the array, and for each register that is kept for a point of the script a probe at
 * the entries of all functions that are asked for it. Requires step varying; ensures entry_values
 * of the program and of what reads it, and the index of every struct fetch_entry in use.
 */
#include <assert.h>
#include <string.h>

#include "ir/builtins.h"
#include "ir/walk.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* Where a struct fetch_entry is kept: at a point for each scope. */
struct kept_at {
	struct ir_probe *probe;
	size_t point;
};
struct kept {
	VEC(struct kept_at) points;
};

/* The walk over one handler, whose points are those that the entries are asked for at. */
struct entries {
	struct ir_walker walker;
	struct sema *s;
	struct ir_probe *probe;
	struct ir_function *tid;
	uint32_t n; /* kept, so far */
	VEC(struct ir_probe *) made;
	struct map kept; /* struct fetch_entry to struct kept */
	struct map seen; /* functions of the handler */
};

/* ---- the probes that keep ---- */

static struct ir_expr *new_expr(const struct entries *w, enum ir_expr_kind kind, struct span span)
{
	struct ir_expr *e = arena_new(w->s->arena, struct ir_expr);

	e->kind = kind;
	e->type = IR_LONG;
	e->span = span;
	return e;
}

static struct ir_expr *new_fetch(const struct entries *w, struct fetch_program load,
				 struct span span)
{
	struct ir_expr *e = new_expr(w, IR_FETCH, span);

	e->fetch.load = load;
	e->fetch.size = 8;
	return e;
}

/* The builtin, which needs no place in the program. */
static struct ir_function *find_tid(struct sema *s)
{
	struct sema_function *f = arena_new(s->arena, struct sema_function);

	f->ir.name = intern(s->in, "tid");
	f->ir.unique_name = f->ir.name->text;
	f->ir.type = IR_LONG;
	f->ir.pure = true;
	f->ir.builtin = ir_builtin_find("tid", NULL);
	return &f->ir;
}

static struct ir_global *new_array(struct sema *s, struct span span)
{
	struct sema_global *g = arena_new(s->arena, struct sema_global);

	g->ir.name = intern(s->in, "__entry_values");
	g->ir.file = "";
	g->ir.span = span;
	g->ir.is_private = true;
	g->ir.type = IR_LONG;
	g->ir.is_array = g->ir.wrap = true;
	g->ir.n_keys = 3;
	for (unsigned i = 0; i < g->ir.n_keys; i++)
		g->ir.keys[i] = IR_LONG;
	g->ir.capacity = s->input->options.max_map_entries;
	vec_push(s->arena, &s->program->globals, &g->ir);
	return &g->ir;
}

static struct fetch_program number(struct sema *s, uint32_t n)
{
	struct fetch_program p = { 0 };

	fetch_push(s->arena, &p, (struct fetch_insn){ .op = FETCH_CONST, .value = n });
	return p;
}

/* array[tid() or 0, frame, which] */
static struct ir_expr *element_of(struct entries *w, struct span span,
				  const struct fetch_entry *entry, struct ir_varying *which)
{
	struct ir_expr *element = new_expr(w, IR_ELEMENT, span),
		       *index = new_fetch(w, number(w->s, entry->index), span),
		       *thread = new_fetch(w, number(w->s, 0), span);

	if (fetch_entry_by_thread(entry)) {
		thread = new_expr(w, IR_BUILTIN_CALL, span);
		thread->call.callee = w->tid;
	}
	index->fetch.varying = which;
	element->element.array = w->s->program->entry_values;
	vec_push(w->s->arena, &element->element.keys, thread);
	vec_push(w->s->arena, &element->element.keys, new_fetch(w, entry->frame, span));
	vec_push(w->s->arena, &element->element.keys, index);
	return element;
}

static struct ir_stmt *new_stmt(const struct entries *w, enum ir_stmt_kind kind, struct span span)
{
	struct ir_stmt *stmt = arena_new(w->s->arena, struct ir_stmt);

	stmt->kind = kind;
	stmt->span = span;
	return stmt;
}

/*
 * { delete array[...]; array[...] = value }: what is kept anew is the youngest, so that an array
 * that is full gives up the call that began first.
 */
static struct ir_stmt *keep(struct entries *w, struct span span, const struct fetch_entry *entry,
			    struct ir_varying *which)
{
	struct ir_stmt *block = new_stmt(w, IR_STMT_BLOCK, span),
		       *drop = new_stmt(w, IR_STMT_DELETE, span),
		       *store = new_stmt(w, IR_STMT_EXPR, span);

	drop->del.target = element_of(w, span, entry, which);
	store->expr = new_expr(w, IR_ASSIGN, span);
	store->expr->assign.lvalue = element_of(w, span, entry, which);
	store->expr->assign.value = new_fetch(w, entry->value, span);
	vec_push(w->s->arena, &block->block, drop);
	vec_push(w->s->arena, &block->block, store);
	return block;
}

/* The assignment that keep() made, and the element that it deletes before. */
static const struct ir_expr *assignment_of(const struct ir_probe *p)
{
	return p->body->block.data[1]->expr;
}

static const struct ir_expr *deleted_by(const struct ir_probe *p)
{
	return p->body->block.data[0]->del.target;
}

static struct ir_probe *new_probe(struct entries *w, const struct ir_probe *reader,
				  const struct fetch_entry *entry, const struct ir_probe_kind *kind)
{
	struct ir_probe *p = arena_new(w->s->arena, struct ir_probe);
	struct ir_varying *which = arena_new(w->s->arena, struct ir_varying);
	const struct machine *machine = w->s->program->machine;

	which->used = which->differs = true;
	p->kind = kind;
	p->span = reader->span;
	p->kept_for = reader;
	p->named_by_point = p->by_point = true;
	p->n_values = 1;
	p->full_regs = fetch_needs_full_regs(&entry->frame, machine) ||
		       fetch_needs_full_regs(&entry->value, machine);
	vec_push(w->s->arena, &p->varying, which);
	p->body = keep(w, p->span, entry, which);
	vec_push(w->s->arena, &w->made, p);
	return p;
}

static bool same_span(struct span a, struct span b)
{
	return a.start == b.start && a.end == b.end;
}

/*
 * Does P keep such a register in such a place, for READER's point of the script? A handler has one,
 * and one section of a module.
 */
static bool keeps(const struct ir_probe *p, const struct ir_probe *reader,
		  const struct ir_probe_kind *kind, const struct fetch_entry *entry)
{
	const struct ir_expr *assign = assignment_of(p);
	const struct ir_expr *frame = assign->assign.lvalue->element.keys.data[1];

	return p->kind == kind && same_span(p->span, reader->span) &&
	       ir_attach_section(&p->points.data[0].attach) == entry->section &&
	       fetch_equal(&assign->assign.value->fetch.load, &entry->value) &&
	       fetch_equal(&frame->fetch.load, &entry->frame);
}

static bool same_scope(const struct ir_scope *a, const struct ir_scope *b)
{
	return a == b || (a && b && a->pid == b->pid && !a->file == !b->file &&
			  (!a->file || !strcmp(a->file, b->file)));
}

/*
 * The entry, for the processes that POINT is about. Never one of a wildcard, which can be left out:
 * who reads is there.
 */
static struct ir_point make_point(struct sema *s, const struct ir_point *point,
				  const struct ir_probe_kind *kind, const struct fetch_entry *entry)
{
	struct ir_point ret = { .attach = ir_attach_entry(kind->attach, entry),
				.function = entry->function,
				.module = point->module,
				.optional = point->optional,
				.scope = point->scope };
	const struct ir_object *o = entry->object;

	ret.pp = o ? arena_printf(s->arena, "%s(\"%s\").function(\"%s\").call",
				  o->path ? "process" : "module", o->path ? o->path : o->name,
				  entry->function)
		   : arena_printf(s->arena, "kernel.function(\"%s\").call", entry->function);
	ret.values = arena_new(s->arena, struct fetch_program);
	*ret.values = number(s, entry->index);
	return ret;
}

/* Where ENTRY is kept, which has a number of its own from its first use on. */
static struct kept *kept_in(struct entries *w, struct fetch_entry *entry)
{
	struct kept *kept = map_get(&w->kept, entry);

	if (kept)
		return kept;
	kept = arena_new(w->s->arena, struct kept);
	entry->index = w->n++;
	map_put(&w->kept, entry, kept);
	return kept;
}

static struct ir_probe *probe_for(struct entries *w, const struct ir_probe *reader,
				  const struct ir_point *point, const struct fetch_entry *entry)
{
	const struct ir_probe_kind *kind = ir_kind_keeper(point->attach.tag);

	assert(kind);
	vec_foreach(old, &w->made)
		if (keeps(*old, reader, kind, entry))
			return *old;
	return new_probe(w, reader, entry, kind);
}

/* Sees to it that ENTRY is kept for POINT, at which the handler of READER asks for it. */
static void want(struct entries *w, const struct ir_probe *reader, const struct ir_point *point,
		 struct fetch_entry *entry)
{
	struct sema *s = w->s;
	struct kept *kept = kept_in(w, entry);
	struct ir_probe *p;

	if (!s->program->entry_values)
		s->program->entry_values = new_array(s, reader->span);
	vec_foreach(at, &kept->points) {
		struct ir_point *old = &at->probe->points.data[at->point];

		if (!same_scope(old->scope, point->scope))
			continue;
		old->optional &= point->optional; /* one reader must have it */
		old->kept_for_others |= !same_span(at->probe->span, reader->span);
		return;
	}
	p = probe_for(w, reader, point, entry);
	vec_push(s->arena, &kept->points, ((struct kept_at){ p, p->points.n }));
	vec_push(s->arena, &p->points, make_point(s, point, p->kind, entry));
	if (p->points.n == 1)
		p->pn = p->points.data[0].pp;
}

/* ---- what is asked for ---- */

/* The same for a program that runs at POINT; false: it asks for none. */
static bool want_of(struct entries *w, const struct ir_point *point, const struct fetch_program *p)
{
	bool any = false;

	for (size_t i = 0; i < p->n; i++) {
		if (p->insns[i].op != FETCH_ENTRY)
			continue;
		want(w, w->probe, point, p->insns[i].entry);
		any = true;
	}
	return any;
}

/* A value or an address, at each point. */
static bool want_fetch(struct entries *w, const struct ir_expr *e)
{
	bool any = false;

	vec_foreach(point, &w->probe->points) {
		any |= want_of(w, point,
			       e->fetch.varying ? &point->values[e->fetch.varying->index]
						: &e->fetch.load);
		any |= want_of(w, point, &e->fetch.address);
	}
	return any;
}

static bool want_text(struct entries *w, const struct ir_expr *e)
{
	bool any = false;

	vec_foreach(point, &w->probe->points)
		vec_foreach(program, &point->texts[e->point_text.text].values)
			any |= want_of(w, point, program);
	return any;
}

/* Functions are entered: copies for a context fetch the variables of its probe. */
static void look_at(struct ir_walker *walker, struct ir_expr **ref)
{
	struct entries *w = (struct entries *)walker;
	struct ir_expr *e = *ref;

	ir_expr_children(walker, e);
	if (e->kind == IR_FETCH && want_fetch(w, e))
		e->fetch.entry_values = w->s->program->entry_values;
	if (e->kind == IR_POINT_TEXT && want_text(w, e))
		e->point_text.entry_values = w->s->program->entry_values;
	if (e->kind == IR_CALL &&
	    sema_function(e->call.callee)->context == SEMA_CONTEXT_VARIABLES &&
	    !map_has(&w->seen, e->call.callee)) {
		map_put(&w->seen, e->call.callee, e->call.callee);
		ir_walk_stmt(walker, &e->call.callee->body);
	}
}

/* At one point the number is known without it. */
static void fix_number(struct ir_probe *p)
{
	if (p->points.n > 1)
		return;
	assignment_of(p)->assign.lvalue->element.keys.data[2]->fetch.varying = NULL;
	deleted_by(p)->element.keys.data[2]->fetch.varying = NULL;
	p->varying.n = p->n_values = 0;
	p->by_point = false;
}

/* The probes go last: who reads what they keep is never at the same place. */
void sema_entries(struct sema *s)
{
	struct entries w = { .walker = { .expr = look_at }, .s = s };
	struct ir_program *program = s->program;

	map_init(&w.kept, s->arena);
	w.tid = find_tid(s);
	vec_foreach(p, &program->probes) {
		w.probe = *p;
		map_init(&w.seen, s->arena);
		ir_walk_probe(&w.walker, *p);
	}
	vec_foreach(p, &w.made) {
		fix_number(*p);
		vec_push(s->arena, &program->probes, *p);
	}
}
