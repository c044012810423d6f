/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step expand: script probe points to native ones with whole bodies. Requires the user's files;
 * ensures that every expansion holds at least one point, its prologues, body and epilogues in
 * order, and all conditions.
 */
#include <string.h>

#include "base/strbuf.h"
#include "library/library.h"
#include "sema/expand.h"
#include "sema/pass.h"
#include "sema/points.h"

/*
 * A point on its way through aliases. What its expansion has from all levels (bodies, conditions,
 * the chain of names) is put together where the way ends, from the innermost outwards: it would
 * grow with the square of a long chain otherwise.
 */
struct request {
	const struct ast_point *point;
	const struct ast_file *file;
	struct sema_expansion e;           /* what is known so far, without lists */
	const struct request *outer;       /* the alias use this comes from; NULL: the script's */
	const struct sema_alias_use *use;  /* that use */
	const char *name;                  /* of the alias, with the rest of the point */
	const struct ast_expr *condition;  /* of the alias' own point, or the script's */
	const struct ast_stmt *body;       /* without an alias: the probe's, or NULL */
	unsigned depth;                    /* aliases on the way */
	const struct ast_file *written_in; /* condition and body */
};

/* What an expansion came to. */
struct outcome {
	size_t found;
	bool failed; /* an error was reported */
};

static struct outcome expand(struct sema *s, const struct request *r, struct sema_expansions *ret);

/*
 * The bodies of a handler, innermost first: prologues, the probe's own, epilogues. What uses an
 * alias is what stands between its two.
 */
static void join_bodies(struct sema *s, const struct request *innermost, struct sema_expansion *e)
{
	size_t n = 0, first = 0, last;
	struct sema_body *list;

	for (const struct request *r = innermost; r; r = r->outer)
		n += r->use ? !!r->use->alias->prologue + !!r->use->alias->epilogue : !!r->body;
	list = arena_new_array(s->arena, struct sema_body, n + 1);
	e->bodies.data = list;
	e->bodies.n = e->bodies.cap = n;
	last = n;
	for (const struct request *r = innermost; r; r = r->outer) {
		struct sema_body own = { .file = r->written_in, .body = r->body };

		if (!r->use) {
			if (r->body)
				list[first] = own;
			break;
		}
		own.alias = r->use->alias;
		first += !!own.alias->prologue;
		last -= !!own.alias->epilogue;
		own.behind = list + first;
		own.n_behind = last - first;
		own.body = own.alias->prologue;
		if (own.body)
			list[first - 1] = own;
		own.body = own.alias->epilogue;
		if (own.body)
			list[last] = own;
	}
}

/* From the outermost point inwards. */
static void join_conditions(struct sema *s, const struct request *innermost,
			    struct sema_expansion *e)
{
	size_t n = 0;

	for (const struct request *r = innermost; r; r = r->outer)
		n += !!r->condition;
	e->conditions.data = arena_new_array(s->arena, struct sema_condition, n + 1);
	e->conditions.n = e->conditions.cap = n;
	for (const struct request *r = innermost; r; r = r->outer)
		if (r->condition)
			e->conditions.data[--n] =
				(struct sema_condition){ r->condition, r->written_in };
}

/* "<- NATIVE <- inner alias <- outer alias" */
static const char *join_chain(struct sema *s, const struct request *innermost)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	strbuf_addf(&b, "<- %s", sema_point_text(s->arena, innermost->point, 0));
	for (const struct request *r = innermost; r->use; r = r->outer)
		strbuf_addf(&b, " <- %s", r->name);
	text = arena_strndup(s->arena, strbuf_cstr(&b), b.len);
	strbuf_deinit(&b);
	return text;
}

/* What the stack allows, and looking for loops; man/stap.1 has it. */
#define ALIAS_DEPTH_MAX 5000

/* Whether this use of an alias stands within one of the same, or in too many; reported then. */
static bool is_loop(struct sema *s, const struct request *r, const struct sema_alias_use *use)
{
	const struct ast_component *c = &r->point->parts.data[0];

	if (r->depth == ALIAS_DEPTH_MAX) {
		sema_identifier(s, diag_report(s->sink, DIAG_ALIAS_DEPTH, c->span, ALIAS_DEPTH_MAX),
				c->name);
		return true;
	}
	for (; r->use; r = r->outer)
		if (r->use->alias == use->alias) {
			struct diagnostic *d =
				diag_report(s->sink, DIAG_ALIAS_LOOP, c->span,
					    sema_point_text(s->arena, use->alias->name, 0));

			sema_identifier(s, d, c->name);
			return true;
		}
	return false;
}

/*
 * One definition of an alias: each of its points takes the place of the components that its
 * name covers. A point marked ! ends the list when it was found.
 */
static struct outcome expand_alias(struct sema *s, const struct request *r,
				   const struct sema_alias_use *use, struct sema_expansions *ret)
{
	struct outcome sum = { 0 };
	const char *name = sema_point_text(s->arena, use->alias->name, 0);
	const char *rest = sema_point_text(s->arena, r->point, use->covered);

	if (is_loop(s, r, use))
		return (struct outcome){ .failed = true };
	name = *rest ? arena_printf(s->arena, "%s.%s", name, rest) : name;
	vec_foreach(target, &use->alias->points) {
		struct request inner = {
			.point = sema_point_through(s->arena, *target, r->point, use->covered),
			.file = use->file,
			.e = r->e,
			.outer = r,
			.use = use,
			.name = name,
			.condition = (*target)->condition,
			.written_in = use->file,
			.depth = r->depth + 1,
		};
		struct outcome one;

		if (!r->use) {
			inner.e.pn = name;
			inner.e.alias = use->alias;
			inner.e.alias_file = use->file;
		}
		inner.e.optional |= inner.point->optional;
		one = expand(s, &inner, ret);
		sum.found += one.found;
		sum.failed |= one.failed;
		if (one.found && (*target)->sufficient)
			break;
	}
	return sum;
}

/*
 * Warns that a point stands for nothing in this kernel; false: it may. KNOWN: it was found to stand
 * for nothing, otherwise it is a name that nothing defines.
 */
static bool report_gone(struct sema *s, const struct request *r, bool known)
{
	const struct ast_point *point = r->point;
	const char *name = sema_point_text(s->arena, point, 0);
	const char *why =
		s->input->library ? library_why_gone(s->input->library, name, known) : NULL;

	if (point->optional || point->sufficient || sema_point_has_glob(point) || !(why || known))
		return false;
	sema_identifier(s,
			diag_report(s->sink, DIAG_NOT_IN_KERNEL, point->parts.data[0].span, name,
				    why ? ": " : "", why ? why : ""),
			point->parts.data[0].name);
	return true;
}

/* Wildcards over alias names: those that resolve count; only when none does is it a mistake. */
static struct outcome expand_aliases(struct sema *s, const struct request *r,
				     const struct sema_alias_uses *uses,
				     struct sema_expansions *ret)
{
	bool wild = sema_point_has_glob(r->point);
	struct outcome sum = { 0 };
	const struct ast_component *c = &r->point->parts.data[0];

	vec_foreach(use, uses) {
		size_t mark = diag_count(s->sink);
		struct outcome one = expand_alias(s, r, use, ret);

		if (wild && one.failed) {
			diag_truncate(s->sink, mark);
			one.failed = false;
		}
		sum.found += one.found;
		sum.failed |= one.failed;
	}
	if (wild && !sum.found && !r->point->optional && !r->point->sufficient) {
		sema_identifier(s, diag_report(s->sink, DIAG_ALIAS_WILDCARD, c->span), c->name);
		sum.failed = true;
	}
	/* what is behind an alias' name may be the mistake */
	if (!sum.found && !sum.failed && uses->data[0].covered == r->point->parts.n)
		report_gone(s, r, uses->data[0].file->library);
	return sum;
}

/*
 * A point that no alias stands for goes to the families' catalog. What it resolves to is one
 * expansion; errors carry the point as their context.
 */
static struct outcome expand_native(struct sema *s, const struct request *r,
				    struct sema_expansions *ret)
{
	/* what the user wrote, where the library's own point is no place to mend */
	const struct ast_point *told = r->file->library ? r->e.origin : r->point;
	const struct ast_component *c = &told->parts.data[0];
	struct sema_expansion *e = arena_new(s->arena, struct sema_expansion);
	struct diagnostic outer = { .tag = DIAG_WHILE_RESOLVING,
				    .severity = DIAG_SEMANTIC_ERROR,
				    .span = c->span,
				    .text = "while resolving probe point" };
	struct diagnostic *kept = arena_new(s->arena, struct diagnostic);
	const struct diagnostic *before;
	struct outcome o = { 0 };

	/* what the library's aliases stand for is no name of the library */
	if (!r->file->library && report_gone(s, r, false))
		return o;
	*e = r->e;
	e->point = r->point;
	outer.token = sema_name_token(s, c->name);
	*kept = outer;
	before = diag_set_outer(s->sink, kept);
	o.failed =
		!r->point->optional && !r->point->sufficient && sema_report_misspelt(s, r->point);
	if (!o.failed)
		o.failed = !s->input->catalog->resolve(s->input->catalog, s->input->env, r->point,
						       &e->resolved);
	diag_set_outer(s->sink, before);
	o.found = e->resolved.n;
	if (!o.found && !o.failed && !s->unmatched && (r->point->optional || r->point->sufficient))
		s->unmatched = r->point;
	if (o.found) {
		e->chain = join_chain(s, r);
		join_bodies(s, r, e);
		join_conditions(s, r, e);
		vec_push(s->arena, ret, e);
	} else if (!o.failed && !(r->outer && r->file->library)) {
		report_gone(s, r, true);
	}
	return o;
}

/* Aliases come before native points, but for the case of wildcards below. */
static struct outcome expand(struct sema *s, const struct request *r, struct sema_expansions *ret)
{
	struct sema_alias_uses uses = { 0 };

	sema_find_aliases(s, r->point, &uses);
	/* with wildcards, an alias plus a suffix comes last: *.s(1) is a timer, not init.s(1) */
	if (uses.n && sema_point_has_glob(r->point) && uses.data[0].covered < r->point->parts.n) {
		size_t mark = diag_count(s->sink);
		struct outcome native = expand_native(s, r, ret);

		if (native.found)
			return native;
		diag_truncate(s->sink, mark);
	}
	/*
	 * an alias may stand for the native point of its own name: kernel.* never means an
	 * alias then
	 */
	if (uses.n)
		return expand_aliases(s, r, &uses, ret);
	return expand_native(s, r, ret);
}

/* A point as the script has it. Errors of an optional one are taken back. */
static struct outcome expand_top(struct sema *s, const struct ast_point *point,
				 const struct ast_stmt *body, const struct ast_file *file,
				 struct sema_expansions *ret)
{
	struct request r = {
		.point = point,
		.file = file,
		.condition = point->condition,
		.body = body,
		.written_in = file,
	};
	size_t mark = diag_count(s->sink);
	struct outcome o;

	r.e.origin = point;
	r.e.pn = sema_point_text(s->arena, point, 0);
	r.e.optional = point->optional || point->sufficient;
	r.e.user = !file->library;
	o = expand(s, &r, ret);
	if (o.failed && (point->optional || point->sufficient))
		diag_truncate(s->sink, mark);
	return o;
}

void sema_expand_point(struct sema *s, const struct ast_point *point, const struct ast_stmt *body,
		       const struct ast_file *file, struct sema_expansions *ret)
{
	expand_top(s, point, body, file, ret);
}

/* ---- functions by their old and their new name ---- */

/* Do both attach at one place of the kernel, in the same way? */
static bool same_place(const struct probe_point *a, const struct probe_point *b)
{
	return a->kind == b->kind && ir_attach_same_code(&a->row.attach, &b->row.attach);
}

/* Have both the same conditions, and the same bodies before the probe's own? */
static bool same_handler(const struct sema_expansion *a, const struct sema_expansion *b)
{
	if (a->conditions.n != b->conditions.n || a->bodies.n != b->bodies.n)
		return false;
	for (size_t i = 0; i < a->conditions.n; i++)
		if (a->conditions.data[i].expr != b->conditions.data[i].expr)
			return false;
	for (size_t i = 0; i < a->bodies.n; i++)
		if (a->bodies.data[i].body != b->bodies.data[i].body)
			return false;
	return true;
}

/*
 * Is the point, found by an old name, among those of the expansions FROM on by another component,
 * where the same is to be done? Of two old names of one function the first counts.
 */
static bool is_said_otherwise(const struct sema_expansions *all, size_t from, size_t own,
			      const struct probe_point *point)
{
	for (size_t i = from; i < all->n; i++) {
		const struct sema_expansion *e = all->data[i];

		if (i == own || !same_handler(e, all->data[own]))
			continue;
		vec_foreach(other, &e->resolved)
			if (same_place(other, point) && (!other->renamed || i < own))
				return true;
	}
	return false;
}

/* Drops such points of one probe, whose expansions are those FROM on. */
static void drop_renamed(struct sema_expansions *all, size_t from)
{
	size_t n = from;

	for (size_t i = from; i < all->n; i++) {
		struct probe_points *points = &all->data[i]->resolved;
		size_t kept = 0;

		vec_foreach(p, points)
			if (!p->renamed || !is_said_otherwise(all, from, i, p))
				points->data[kept++] = *p;
		points->n = kept;
	}
	for (size_t i = from; i < all->n; i++)
		if (all->data[i]->resolved.n)
			all->data[n++] = all->data[i];
	all->n = n;
}

/* All components of one probe. */
static void expand_probe(struct sema *s, const struct ast_probe *probe, const struct ast_file *file,
			 struct sema_expansions *ret)
{
	size_t from = ret->n;

	vec_foreach(point, &probe->points)
		if (expand_top(s, *point, probe->body, file, ret).found && (*point)->sufficient)
			break;
	drop_renamed(ret, from);
}

void sema_expand(struct sema *s, struct sema_expansions *ret)
{
	for (size_t i = 0; i < s->input->n_files; i++)
		vec_foreach(probe, &s->input->files[i]->probes)
			expand_probe(s, *probe, s->input->files[i], ret);
}
