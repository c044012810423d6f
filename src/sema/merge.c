/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step merge: handlers of one probe point of the script that differ only in what their points can
 * hold become one. A wildcard over aliases makes them: each alias has code of its own, of which
 * often nothing is left but a name, or values of the event put through the same functions. Requires
 * formats; ensures that literals and values in which the merged handlers differ are in the rows of
 * their points.
 *
 * Two handlers are the same when their dumps are, with a mark in place of each such literal and
 * value. Handlers of a wildcard over functions, which the types of what they show kept apart, are
 * merged where nothing differs at all: to get values by their point would cost a hit more. Of those
 * at code, where a hit finds its point by the address, no two at one address are merged, and none
 * that are attached in different ways: a merged handler attaches as each did.
 */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/dump_code.h"
#include "ir/walk.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* A handler that may be merged with others. */
struct candidate {
	struct ir_probe *probe;
	VEC(struct ir_expr *) holes; /* what may differ, in the order of the code */
};

/* Handlers that are the same; the first one stays. */
struct group {
	VEC(struct candidate *) equal;
	struct map addresses; /* of their points at code */
};

/* ---- comparing ---- */

/* A walk over one handler. */
struct scan {
	struct ir_walker walker;
	struct sema *s;
	struct candidate *candidate;
	struct map seen;      /* holes; a node may be shared by several others */
	struct strbuf *names; /* what dumps do not tell apart: functions and globals of one name */
	bool is_own;          /* something is bound to this handler */
};

static bool is_hole(const struct ir_expr *e)
{
	return e->kind == IR_STRING_LITERAL || e->kind == IR_POINT_TEXT ||
	       (e->kind == IR_FETCH && !e->fetch.operands.n);
}

/*
 * Values that are stored to, and functions that see the handler's own variables, stay as they are.
 */
static void look_at(struct ir_walker *w, struct ir_expr **ref)
{
	struct scan *sc = (struct scan *)w;
	struct ir_expr *e = *ref;
	const struct ir_expr *stored = e->kind == IR_ASSIGN   ? e->assign.lvalue
				       : e->kind == IR_INCDEC ? e->incdec.lvalue
							      : NULL;

	if (stored && stored->kind == IR_FETCH)
		sc->is_own = true;
	if (e->kind == IR_FETCH && e->fetch.varying && e->fetch.varying->fixed)
		sc->is_own = true;
	if (e->kind == IR_CALL && sema_function(e->call.callee)->context == SEMA_CONTEXT_VARIABLES)
		sc->is_own = true;
	if (e->kind == IR_CALL)
		strbuf_addf(sc->names, " %p", (void *)e->call.callee);
	if (e->kind == IR_GLOBAL)
		strbuf_addf(sc->names, " %p", (void *)e->global);
	if (e->kind == IR_ELEMENT)
		strbuf_addf(sc->names, " %p", (void *)e->element.array);
	if (e->kind == IR_IN)
		strbuf_addf(sc->names, " %p", (void *)e->in.array);
	if (sc->candidate->probe->named_by_point) {
		if (e->kind == IR_FETCH && e->fetch.varying)
			strbuf_addf(sc->names, " v%u", e->fetch.varying->index);
	} else if (is_hole(e) && !map_has(&sc->seen, e)) {
		map_put(&sc->seen, e, e);
		vec_push(sc->s->arena, &sc->candidate->holes, e);
	}
	ir_expr_children(w, ref[0]);
}

/* Arrays that no expression names. */
static void look_at_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct scan *sc = (struct scan *)w;
	const struct ir_stmt *stmt = *ref;

	if (stmt->kind == IR_STMT_FOREACH)
		strbuf_addf(sc->names, " %p", (void *)stmt->foreach.array);
	if (stmt->kind == IR_STMT_DELETE)
		strbuf_addf(sc->names, " %p", (void *)stmt->del.array);
	ir_stmt_children(w, *ref);
}

/* What stands in the dump instead. */
static struct ir_expr mark_of(struct sema *s, const struct ir_expr *e)
{
	struct ir_expr mark = { .kind = IR_STRING_LITERAL, .type = IR_STRING };

	mark.string = e->kind == IR_FETCH
			      ? intern(s->in, arena_printf(s->arena, "\1value %u %d", e->fetch.size,
							   e->fetch.is_signed))
			      : intern(s->in, "\1text");
	return mark;
}

/* Puts marks in place of the holes, whose content goes to BEFORE. */
static void mark_holes(struct sema *s, struct candidate *c, struct ir_expr *before)
{
	for (size_t i = 0; i < c->holes.n; i++) {
		before[i] = *c->holes.data[i];
		*c->holes.data[i] = mark_of(s, c->holes.data[i]);
	}
}

/*
 * How a handler at code attaches: what is true of all its points at once. False: its points have
 * not that in common, or addresses that only the running kernel knows.
 */
static bool dump_way(const struct ir_probe *p, struct strbuf *out)
{
	const struct ir_attach *first = &p->points.data[0].attach;

	vec_foreach(point, &p->points)
		if (!ir_attach_differs_by_address(first, &point->attach))
			return false;
	strbuf_addc(out, ' ');
	ir_attach_dump_common(first, out);
	strbuf_addf(out, " %d\n", p->full_regs);
	return true;
}

/* All code of the handler, and the types of its locals. */
static void dump_probe(struct ir_probe *p, struct strbuf *out)
{
	strbuf_addf(out, "%s %u %d %zu %u %s\n", p->kind->name, p->span.start, p->named_by_point,
		    p->named_by_point ? p->varying.n : 0, p->named_by_point ? p->n_texts : 0,
		    p->named_by_point ? p->pn : "");
	strbuf_addf(out, "%p ", (const void *)p->callers);
	vec_foreach(l, &p->locals)
		strbuf_addf(out, "%s:%d ", (*l)->name->text, (*l)->type);
	if (p->condition)
		ir_dump_expr(p->condition, out);
	vec_foreach(value, &p->saved) {
		strbuf_addc(out, '\n');
		ir_dump_expr(*value, out);
	}
	ir_dump_stmt(p->body, 0, out);
}

/* The text that equal handlers have in common; NULL: nobody can be equal to this one. */
static const struct istr *key_of(struct sema *s, struct candidate *c)
{
	struct strbuf text;
	struct scan sc = { .walker = { .expr = look_at, .stmt = look_at_stmt },
			   .s = s,
			   .candidate = c,
			   .names = &text };
	struct ir_expr *before;
	const struct istr *key = NULL;

	map_init(&sc.seen, s->arena);
	strbuf_init(&text);
	ir_walk_probe(&sc.walker, c->probe);
	before = arena_new_array(s->arena, struct ir_expr, c->holes.n + 1);
	mark_holes(s, c, before);
	if (!sc.is_own &&
	    (!ir_kind_is(c->probe->kind, IR_KIND_KERNEL) || dump_way(c->probe, &text))) {
		strbuf_addf(&text, " %zu ", c->holes.n);
		dump_probe(c->probe, &text);
		key = intern_n(s->in, strbuf_cstr(&text), text.len);
	}
	for (size_t i = 0; i < c->holes.n; i++)
		*c->holes.data[i] = before[i];
	strbuf_deinit(&text);
	return key;
}

/* ---- merging ---- */

/* The point's own text for a hole. */
static struct ir_point_text text_at(const struct ir_expr *hole, const struct ir_point *point)
{
	if (hole->kind == IR_POINT_TEXT)
		return point->texts[hole->point_text.text];
	return (struct ir_point_text){ .text = hole->string->text };
}

static struct fetch_program value_at(const struct ir_expr *hole, const struct ir_point *point)
{
	return hole->fetch.varying ? point->values[hole->fetch.varying->index] : hole->fetch.load;
}

/* The same literal in all of them stays where it is. */
static bool is_constant(const struct group *g, size_t k)
{
	const struct ir_expr *first = g->equal.data[0]->holes.data[k];

	vec_foreach(c, &g->equal) {
		const struct ir_expr *hole = (*c)->holes.data[k];

		if (hole->kind != IR_STRING_LITERAL || hole->string != first->string)
			return false;
	}
	return true;
}

/* Has every point a text that is shown as it is? */
static bool is_literal(const struct group *g, size_t k)
{
	vec_foreach(c, &g->equal) {
		const struct ir_expr *hole = (*c)->holes.data[k];

		if (hole->kind == IR_POINT_TEXT && !hole->point_text.literal)
			return false;
	}
	return true;
}

/* Where the first handler's code gets what each point has of hole K. */
struct row_hole {
	size_t hole;
	bool is_text, is_literal;
};

/* Holes that go into the rows, in their order. */
struct row_holes {
	struct row_hole *data;
	size_t n, cap;
};

static struct row_holes find_row_holes(struct sema *s, const struct group *g)
{
	const struct candidate *first = g->equal.data[0];
	struct row_holes in_rows = { 0 };

	for (size_t k = 0; k < first->holes.n; k++)
		if (!is_constant(g, k))
			vec_push(s->arena, &in_rows,
				 ((struct row_hole){ .hole = k,
						     .is_text =
							     first->holes.data[k]->kind != IR_FETCH,
						     .is_literal = is_literal(g, k) }));
	return in_rows;
}

/* The row of a point, in a new numbering. */
static void add_point(struct sema *s, const struct candidate *c, const struct ir_point *old,
		      const struct row_holes *in_rows, struct ir_probe *to)
{
	struct ir_point point = *old;
	size_t n_values = 0, n_texts = 0;

	point.values = arena_new_array(s->arena, struct fetch_program, in_rows->n + 1);
	point.texts = arena_new_array(s->arena, struct ir_point_text, in_rows->n + 1);
	vec_foreach(r, in_rows) {
		if (r->is_text)
			point.texts[n_texts++] = text_at(c->holes.data[r->hole], old);
		else
			point.values[n_values++] = value_at(c->holes.data[r->hole], old);
	}
	point.pn = c->probe->pn;
	vec_push(s->arena, &to->points, point);
}

/* The first handler's code reads from the rows. */
static void number_holes(struct sema *s, const struct candidate *first,
			 const struct row_holes *in_rows)
{
	struct ir_probe *p = first->probe;

	p->n_texts = 0;
	memset(&p->varying, 0, sizeof(p->varying));
	vec_foreach(r, in_rows) {
		struct ir_expr *hole = first->holes.data[r->hole];

		if (r->is_text) {
			hole->kind = IR_POINT_TEXT;
			hole->point_text.text = p->n_texts++;
			hole->point_text.literal = r->is_literal;
			continue;
		}
		hole->fetch.varying = arena_new(s->arena, struct ir_varying);
		hole->fetch.varying->index = (uint32_t)p->varying.n;
		vec_push(s->arena, &p->varying, hole->fetch.varying);
	}
	p->n_values = (uint32_t)p->varying.n;
}

/* Rows of equal handlers follow each other as they are. */
static void merge_equal(struct sema *s, const struct group *g)
{
	struct ir_probe *p = g->equal.data[0]->probe;

	for (size_t i = 1; i < g->equal.n; i++)
		vec_foreach(point, &g->equal.data[i]->probe->points)
			vec_push(s->arena, &p->points, *point);
}

static void merge(struct sema *s, const struct group *g)
{
	struct row_holes in_rows = find_row_holes(s, g);
	struct ir_probe *p = g->equal.data[0]->probe;
	struct ir_probe rows = { 0 };

	vec_foreach(c, &g->equal) {
		vec_foreach(point, &(*c)->probe->points)
			add_point(s, *c, point, &in_rows, &rows);
		p->full_regs |= (*c)->probe->full_regs;
	}
	p->points = rows.points;
	p->pn = p->origin;
	p->chain = NULL;
	number_holes(s, g->equal.data[0], &in_rows);
}

/* Records of calls on their way are found by the task: one call, one point of a handler. */
static bool shares_call(const struct group *g, const struct ir_probe *p)
{
	if (!p->saved.n)
		return false;
	vec_foreach(c, &g->equal)
		vec_foreach(a, &(*c)->probe->points)
			vec_foreach(b, &p->points)
				if (ir_attach_shares_call(&a->attach, &b->attach))
					return true;
	return false;
}

/* The address of a point at code, as a key; NULL: it is none. */
static const struct istr *address_of(struct sema *s, const struct ir_attach *at)
{
	uint64_t addr;

	if (!ir_attach_code(at, &addr))
		return NULL;
	return intern(s->in, arena_printf(s->arena, "%" PRIx64, addr));
}

/* Would a hit find points of two handlers at its address? */
static bool shares_address(struct sema *s, const struct group *g, const struct ir_probe *p)
{
	vec_foreach(point, &p->points) {
		const struct istr *address = address_of(s, &point->attach);

		if (address && map_get(&g->addresses, address))
			return true;
	}
	return false;
}

static struct group *group_new(struct sema *s)
{
	struct group *g = arena_new(s->arena, struct group);

	map_init(&g->addresses, s->arena);
	return g;
}

static void join(struct sema *s, struct group *g, struct candidate *c)
{
	vec_push(s->arena, &g->equal, c);
	vec_foreach(point, &c->probe->points) {
		const struct istr *address = address_of(s, &point->attach);

		if (address)
			map_put(&g->addresses, address, c);
	}
}

/* Handlers of kinds that have many points go to a group of equal ones, the others stay alone. */
void sema_merge(struct sema *s)
{
	__typeof__(s->program->probes) old = s->program->probes;
	struct map groups;

	sema_merge_functions(s);
	map_init(&groups, s->arena);
	memset(&s->program->probes, 0, sizeof(s->program->probes));
	vec_foreach(it, &old) {
		struct candidate *c = arena_new(s->arena, struct candidate);
		const struct istr *key = NULL;
		struct group *g;

		c->probe = *it;
		if ((*it)->origin && ir_kind_is((*it)->kind, IR_KIND_MERGES))
			key = key_of(s, c);
		g = key ? map_get(&groups, key) : NULL;
		if (!key || (g && (shares_call(g, *it) || shares_address(s, g, *it)))) {
			vec_push(s->arena, &s->program->probes, *it);
			continue;
		}
		if (!g) {
			g = group_new(s);
			vec_push(s->arena, &s->program->probes, *it);
			map_put(&groups, key, g);
		}
		join(s, g, c);
	}
	map_foreach(entry, &groups) {
		const struct group *group = entry->value;

		if (group->equal.n < 2)
			continue;
		if (group->equal.data[0]->probe->named_by_point)
			merge_equal(s, group);
		else
			merge(s, group);
	}
}
