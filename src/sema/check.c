/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step check: rules that need types. Requires inference; reports, and completes sort orders of
 * statistics arrays. Ensures that a foreach never changes its own array, that conditions have
 * no effects, and that reads, writes (sema_uses) are known. Nothing else is changed.
 */
#include <string.h>

#include "ast/foreign.h"
#include "base/similar.h"
#include "ir/builtins.h"
#include "ir/kind.h"
#include "ir/uses.h"
#include "machine/machine.h"
#include "sema/pass.h"
#include "sema/symbols.h"
#include "target/target.h"

/* ---- the array of a foreach must not change inside ---- */

/* Looks for a store to one array in a loop's body and in all it calls. */
struct modification {
	struct ir_use_walker walker;
	const struct ir_global *array;
	struct map visited; /* functions */
	struct span at;
	struct span statement; /* of the loop, that is being walked */
	struct span call;      /* the statement whose call leads to the store; nowhere: none */
	unsigned depth;        /* calls that lead to what is being walked */
	bool found;
};

/* Deleting the whole array is no such store: the loop ends (stp_foreach_next()). */
static void look_at_delete(struct ir_walker *w, struct ir_stmt **ref)
{
	struct modification *m = (struct modification *)w;
	const struct ir_stmt *s = *ref;

	if (!m->depth)
		m->statement = s->span;
	if (s->kind == IR_STMT_DELETE && s->del.target && s->del.target->kind == IR_GLOBAL &&
	    s->del.target->global == m->array)
		return;
	ir_use_stmt(w, ref);
}

/* The first store found is the one reported. */
static void look_at_write(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at,
			  bool write)
{
	struct modification *m = (struct modification *)u;

	if (write && g == m->array && !m->found) {
		m->found = true;
		if (m->depth)
			m->call = m->statement;
		if (at)
			m->at = at->span;
	}
}

/* A store in a callee is reported with the statement of the loop that calls it. */
static void look_into_call(struct ir_use_walker *u, struct ir_function *f)
{
	struct modification *m = (struct modification *)u;

	for (; f; f = f->next_overload) {
		if (map_has(&m->visited, f))
			return;
		map_put(&m->visited, f, f);
		m->depth++;
		ir_walk_stmt(&u->walker, &f->body);
		m->depth--;
	}
}

/* The runtime walks a list that stores would move under it. */
static void check_unmodified(struct sema *s, struct ir_stmt *stmt)
{
	struct modification m = { .array = stmt->foreach.array, .at = stmt->span };
	struct diagnostic *d;

	ir_use_init(&m.walker);
	m.walker.walker.stmt = look_at_delete;
	m.walker.global = look_at_write;
	m.walker.call = look_into_call;
	map_init(&m.visited, s->arena);
	ir_walk_expr(&m.walker.walker, &stmt->foreach.limit);
	ir_walk_stmt(&m.walker.walker, &stmt->foreach.body);
	if (!m.found)
		return;
	d = diag_report(s->sink, DIAG_FOREACH_MODIFIED, m.at, m.array->name->text);
	sema_identifier(s, d, m.array->name);
	diag_set_second(s->sink, d, stmt->foreach.array_span, sema_name_token(s, m.array->name));
	if (m.call.start)
		diag_add_note(s->sink, d, m.call, "called in the loop");
}

/*
 * A statistics array is sorted by an extractor, @count when none is named; what is sorted by
 * must be collected.
 */
static void check_foreach(struct sema *s, struct ir_stmt *stmt)
{
	struct ir_foreach *f = &stmt->foreach;

	check_unmodified(s, stmt);
	if (f->array->type == IR_STATS && f->value)
		sema_token(s, diag_report(s->sink, DIAG_FOREACH_STATS_VALUE, f->value->span),
			   f->value->token);
	if (f->array->type != IR_STATS && f->extractor)
		sema_identifier(s, diag_report(s->sink, DIAG_FOREACH_EXTRACTOR, stmt->span),
				f->array->name);
	if (f->array->type == IR_STATS && f->by == -1) {
		if (!f->extractor)
			f->extractor = IR_STAT_COUNT;
		f->array->collect |= f->extractor;
	}
}

/* A walk over all code. */
struct check {
	struct ir_walker walker;
	struct sema *s;
};

/* The first counter of that name, and its probe; false: no probe has one. */
static bool find_counter(const struct sema *s, const char *name, const struct ir_probe **probe,
			 const struct ir_point **ret)
{
	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points) {
			const char *counter = ir_attach_counter(&point->attach);

			if (counter && !strcmp(counter, name)) {
				*probe = *p;
				*ret = point;
				return true;
			}
		}
	return false;
}

/* A @perf of a counter that no probe has. */
static void check_counter(struct sema *s, const struct ir_expr *e)
{
	const struct ir_builtin *row = e->call.callee->builtin;
	const struct ir_probe *probe;
	const struct ir_point *point;
	const struct istr *name;
	struct diagnostic *d;

	if (!(row->needs & IR_NEEDS_COUNTER) || e->call.args.data[0]->kind != IR_STRING_LITERAL)
		return;
	name = e->call.args.data[0]->string;
	if (find_counter(s, name->text, &probe, &point))
		return;
	d = diag_report(s->sink, DIAG_NO_COUNTER, e->span, name->text);
	sema_token(s, d, e->token);
	diag_set_hint(s->sink, d, "it is the NAME of a probe perf.type(T).config(C).counter(NAME)");
}

/* Embedded C has no name for a statistic: a share of it is on each CPU. */
static void check_code(struct sema *s, const struct ir_code *code)
{
	vec_foreach(use, &code->uses) {
		const struct ir_global *g = use->global;
		struct diagnostic *d;

		if (g->type != IR_STATS)
			continue;
		d = diag_report(s->sink, DIAG_EMBEDDED_STATS, code->span, g->name->text);
		sema_token(s, d, "embedded-code");
		diag_set_second(s->sink, d, g->span, sema_name_token(s, g->name));
		diag_set_hint(
			s->sink, d,
			"pass what it is to see, as @count(%s); feed it what it returns, as %s <<< f()",
			g->name->text, g->name->text);
	}
}

/* A constant size of @kderef and @uderef must be one that can be loaded. */
static void visit_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct sema *s = ((struct check *)w)->s;
	const struct ir_expr *e = *ref;

	if (e->kind == IR_DEREF && e->deref.size->kind == IR_NUMBER) {
		int64_t n = e->deref.size->number;

		if (n != 1 && n != 2 && n != 4 && n != 8)
			sema_token(s, diag_report(s->sink, DIAG_DEREF_SIZE, e->span, (long long)n),
				   e->token);
	}
	if (e->kind == IR_BUILTIN_CALL)
		check_counter(s, e);
	if (e->kind == IR_EMBEDDED)
		check_code(s, e->code);
	ir_expr_children(w, *ref);
}

static void visit_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	if ((*ref)->kind == IR_STMT_FOREACH)
		check_foreach(((struct check *)w)->s, *ref);
	ir_stmt_children(w, *ref);
}

/* ---- variables that nothing assigns ---- */

/* " (alternatives: a, b)", of what is near NAME among the names; "" when nothing is. */
static const char *alternatives(struct sema *s, const struct istr *name, const char *const *names,
				size_t n)
{
	const char *near[5];
	size_t n_near = similar_names(name->text, names, n, near, 5);

	return n_near ? arena_printf(s->arena, " (alternatives: %s)",
				     similar_join(s->arena, near, n_near))
		      : "";
}

/*
 * A user's local that is read and never stored to is likely a misspelt name: the near ones are
 * listed.
 */
static void warn_never_assigned(struct sema *s, const struct ir_local *l, struct ir_local **locals,
				size_t n)
{
	const char *foreign = ast_foreign(l->name->text, l->name->len, NULL);
	VEC(const char *) names = { 0 };
	struct diagnostic *d;

	if (l->assigned || l->is_param || !sema_local((struct ir_local *)l)->read ||
	    !sema_is_user(s, l->span))
		return;
	if (sema_may_suggest(s)) {
		for (size_t i = 0; i < n; i++)
			if (locals[i] != l)
				vec_push(s->arena, &names, locals[i]->name->text);
		vec_foreach(g, &s->program->globals)
			if (sema_may_offer(s, *g, l->span))
				vec_push(s->arena, &names, (*g)->name->text);
	}
	d = diag_report(s->sink, DIAG_NEVER_ASSIGNED, l->span, l->name->text,
			alternatives(s, l->name, names.data, names.n));
	sema_identifier(s, d, l->name);
	if (sema_has_function(s, l->name))
		diag_set_hint(s->sink, d, "did you mean %s()?", l->name->text);
	else if (foreign)
		diag_set_hint(s->sink, d, "%s", foreign);
}

/* The same of a global, which may get its value by -G too. */
static void warn_never_assigned_global(struct sema *s, const struct ir_global *g)
{
	VEC(const char *) names = { 0 };

	if (!g->read || g->written || g->has_init || !g->user_script)
		return;
	if (sema_may_suggest(s)) {
		vec_foreach(other, &s->program->globals)
			if ((*other)->written && sema_may_offer(s, *other, g->span))
				vec_push(s->arena, &names, (*other)->name->text);
	}
	sema_identifier(s,
			diag_report(s->sink, DIAG_NEVER_ASSIGNED_GLOBAL, g->span, g->name->text,
				    alternatives(s, g->name, names.data, names.n)),
			g->name);
}

/* ---- conditions ---- */

/* Walks a probe's condition and the functions it calls. */
struct condition {
	struct ir_use_walker walker;
	struct sema *s;
	struct map seen;
};

static void refuse_call(struct ir_use_walker *u, struct ir_function *f)
{
	struct condition *c = (struct condition *)u;

	for (; f && !map_has(&c->seen, f); f = f->next_overload) {
		map_put(&c->seen, f, f);
		ir_walk_stmt(&u->walker, &f->body);
	}
}

/* A condition is evaluated apart from the handler, and perhaps when that does not run. */
static void refuse_write(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at,
			 bool write)
{
	struct sema *s = ((struct condition *)u)->s;

	if (write)
		sema_identifier(
			s, diag_report(s->sink, DIAG_CONDITION_EFFECT, at ? at->span : g->span),
			g->name);
}

static void check_probe(struct sema *s, struct ir_probe *p)
{
	struct condition c = { .s = s };

	if (!p->condition)
		return;
	ir_use_init(&c.walker);
	c.walker.global = refuse_write;
	c.walker.call = refuse_call;
	map_init(&c.seen, s->arena);
	ir_walk_expr(&c.walker.walker, &p->condition);
}

static void report_claimed(struct sema *s, const struct ir_probe *p, const struct ir_probe *first,
			   const char *what)
{
	struct diagnostic *d = diag_report(s->sink, DIAG_POINT_CLAIMED, p->span, what);

	sema_token(s, d, "probe point");
	diag_set_second(s->sink, d, first->span, "probe point");
}

/* Counters of one name are read as one, so they count the same. */
static void check_counters(struct sema *s)
{
	const struct ir_probe *first = NULL;
	const struct ir_point *named = NULL;

	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points) {
			const char *name = ir_attach_counter(&point->attach);

			if (!name)
				continue;
			if (!find_counter(s, name, &first, &named) ||
			    ir_attach_same_event(&named->attach, &point->attach))
				continue;
			report_claimed(
				s, *p, first,
				arena_printf(s->arena, "the event of the perf counter '%s'", name));
		}
}

/* What only one point can have is not asked for twice. */
static void check_claims(struct sema *s)
{
	struct map claims; /* istr -> the first probe */

	map_init(&claims, s->arena);
	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points) {
			const struct istr *claim =
				point->claim ? intern(s->in, point->claim) : NULL;
			const struct ir_probe *first = claim ? map_get(&claims, claim) : NULL;

			if (claim && !first)
				map_put(&claims, claim, *p);
			if (first)
				report_claimed(s, *p, first, claim->text);
		}
}

/* A procfs file and the probe that has it. */
struct procfs_file {
	const struct ir_probe *probe;
	const char *path;
};

static bool is_below(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	return !strncmp(path, directory, n) && path[n] == '/';
}

/* No path leads through a file of another. */
static void check_procfs(struct sema *s)
{
	VEC(struct procfs_file) files = { 0 };

	vec_foreach(p, &s->program->probes) {
		vec_foreach(point, &(*p)->points) {
			const char *path = ir_attach_proc_path(&point->attach);

			if (path)
				vec_push(s->arena, &files, ((struct procfs_file){ *p, path }));
		}
	}
	vec_foreach(file, &files)
		vec_foreach(other, &files) {
			struct diagnostic *d;

			if (!is_below(other->path, file->path))
				continue;
			d = diag_report(s->sink, DIAG_PROCFS_BELOW, other->probe->span, file->path,
					other->path);
			sema_token(s, d, "probe point");
			diag_set_second(s->sink, d, file->probe->span, "probe point");
		}
}

/* Fewer may be free: that is not known before they are armed. */
static void check_watchpoints(struct sema *s)
{
	const struct probe_env *env = s->input->env;
	const struct machine *m = env && env->target ? target_system_machine(env->target) : NULL;
	const struct ir_probe *last = NULL;
	size_t n = 0;

	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points)
			if (ir_kind_is((*p)->kind, IR_KIND_WATCHPOINT) && !point->optional) {
				last = *p;
				n++;
			}
	if (m && n > m->n_watchpoints)
		sema_token(s,
			   diag_report(s->sink, DIAG_WATCH_TOO_MANY, last->span, n,
				       (unsigned)m->n_watchpoints),
			   "probe point");
}

/* Functions and handlers alike; conditions are the handlers' own. */
void sema_check(struct sema *s)
{
	struct check u = { .walker = { visit_expr, visit_stmt }, .s = s };

	sema_uses(s);
	check_claims(s);
	check_procfs(s);
	check_counters(s);
	check_watchpoints(s);
	vec_foreach(g, &s->program->globals)
		warn_never_assigned_global(s, *g);
	vec_foreach(f, &s->program->functions) {
		ir_walk_stmt(&u.walker, &(*f)->body);
		if ((*f)->code)
			check_code(s, (*f)->code);
		for (size_t i = 0; i < (*f)->locals.n; i++)
			warn_never_assigned(s, (*f)->locals.data[i], (*f)->locals.data,
					    (*f)->locals.n);
	}
	vec_foreach(p, &s->program->probes) {
		ir_walk_stmt(&u.walker, &(*p)->body);
		check_probe(s, *p);
		for (size_t i = 0; i < (*p)->locals.n; i++)
			warn_never_assigned(s, (*p)->locals.data[i], (*p)->locals.data,
					    (*p)->locals.n);
	}
}
