/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step optimise: drop what has no effect: functions nothing calls, locals nothing reads with the
 * stores to them, globals nothing names, expressions and probes that do nothing (elide.c). Requires
 * a typed program; symbols keep their types. Ensures that every symbol left in the program is used,
 * or is the user's with -u.
 */
#include "ir/uses.h"
#include "sema/pass.h"
#include "sema/points.h"

/* ---- unused functions ---- */

/* The functions that are called, directly or not. */
struct reach {
	struct ir_use_walker walker;
	struct map seen;
};

static void reach_call(struct ir_use_walker *u, struct ir_function *f)
{
	struct reach *r = (struct reach *)u;

	for (; f; f = f->next_overload) {
		bool statement = u->statement;

		if (map_has(&r->seen, f))
			return;
		map_put(&r->seen, f, f);
		ir_walk_stmt(&u->walker, &f->body);
		u->statement = statement;
	}
}

/* ALL: the user's unused ones, too. */
static void drop_functions(struct sema *s, bool all)
{
	struct reach r;
	size_t n = 0;

	ir_use_init(&r.walker);
	r.walker.call = reach_call;
	map_init(&r.seen, s->arena);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&r.walker.walker, *p);
	for (size_t i = 0; i < s->program->functions.n && !all; i++)
		if (s->program->functions.data[i]->user_script)
			reach_call(&r.walker, s->program->functions.data[i]);
	for (size_t i = 0; i < s->program->functions.n; i++) {
		struct ir_function *f = s->program->functions.data[i];

		if (map_has(&r.seen, f) || (f->user_script && !all))
			s->program->functions.data[n++] = f;
		else if (s->input->options.verbose)
			sema_say_elided(s, f->span, DIAG_ELIDED_FUNCTION, f->name->text);
	}
	s->program->functions.n = n;
}

/* ---- symbols and probes that are left ---- */

/* Once for a point of the script, of which no handler is left. */
static void report_elided(struct sema *s, const struct ir_probe *p, struct map *seen)
{
	const void *key = (const void *)(uintptr_t)(p->span.start + 1);

	if (map_has(seen, key))
		return;
	map_put(seen, key, s);
	vec_foreach(left, &s->program->probes)
		if ((*left)->span.start == p->span.start)
			return;
	diag_report(s->sink, DIAG_ELIDED_PROBE, p->span, p->pn);
}

/* A script of which only the display probe is left does nothing, so that goes, too. */
static void drop_probes(struct sema *s)
{
	VEC(struct ir_probe *) gone = { 0 };
	size_t n = 0, own = 0;
	struct map seen;

	map_init(&seen, s->arena);
	for (size_t i = 0; i < s->program->probes.n; i++) {
		struct ir_probe *p = s->program->probes.data[i];

		if (sema_is_nothing(p->body) && !p->emptied && !sema_saves_effects(s, p) &&
		    !ir_kind_is(p->kind, IR_KIND_ACTS)) {
			vec_push(s->arena, &gone, p);
			continue;
		}
		own += p != s->display;
		s->program->probes.data[n++] = p;
	}
	s->program->probes.n = own ? n : 0;
	vec_foreach(p, &gone)
		report_elided(s, *p, &seen);
}

/* The variables that code names. */
struct referenced {
	struct ir_use_walker walker;
	struct map seen;
};

/* Reads and writes count alike. */
static void see_global(struct ir_use_walker *u, struct ir_global *g, struct ir_expr *at, bool write)
{
	map_put(&((struct referenced *)u)->seen, g, g);
}

static void see_local(struct ir_use_walker *u, struct ir_local *l, struct ir_expr *at, bool write)
{
	map_put(&((struct referenced *)u)->seen, l, l);
}

/* Closes the gaps in the list; returns its new length. */
static size_t keep_locals(const struct map *seen, struct ir_local **data, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (map_has(seen, data[i]))
			data[kept++] = data[i];
	return kept;
}

/* Globals without a type go even with -u: nothing could be made of them. */
static void drop_variables(struct sema *s, bool all)
{
	struct referenced r;
	size_t n = 0;

	ir_use_init(&r.walker);
	r.walker.global = see_global;
	r.walker.local = see_local;
	map_init(&r.seen, s->arena);
	vec_foreach(f, &s->program->functions) {
		ir_walk_stmt(&r.walker.walker, &(*f)->body);
		if ((*f)->code)
			vec_foreach(use, &(*f)->code->uses)
				map_put(&r.seen, use->global, s);
		(*f)->locals.n = keep_locals(&r.seen, (*f)->locals.data, (*f)->locals.n);
	}
	vec_foreach(p, &s->program->probes) {
		ir_walk_probe(&r.walker.walker, *p);
		(*p)->locals.n = keep_locals(&r.seen, (*p)->locals.data, (*p)->locals.n);
	}
	for (size_t i = 0; i < s->program->globals.n; i++) {
		struct ir_global *g = s->program->globals.data[i];

		if (map_has(&r.seen, g) || (g->user_script && !all && g->type != IR_UNKNOWN))
			s->program->globals.data[n++] = g;
		else if (s->input->options.verbose)
			sema_say_elided(s, g->span, DIAG_ELIDED_VARIABLE, g->name->text);
	}
	s->program->globals.n = n;
}

/*
 * Optional points are left out without a word of why: it would cost a search for near names.
 * ELIDED: there were probes, without effect.
 */
static void report_no_probes(struct sema *s, bool elided)
{
	struct diagnostic *d = diag_report(s->sink, DIAG_NO_PROBES, (struct span){ 0 });

	if (s->unmatched)
		diag_set_hint(
			s->sink, d,
			"%s, which is optional, matches nothing; without ? or ! the message says why",
			sema_point_text(s->arena, s->unmatched, 0));
	else if (elided)
		diag_set_hint(s->sink, d,
			      "what a handler computes and nobody sees is left out; "
			      "print it, keep it in a global, or probe it all the "
			      "same with stap -u");
}

/* With -u only functions and variables of the library are dropped. */
void sema_optimise(struct sema *s)
{
	bool all = !s->input->options.unoptimised, had_probes = s->program->probes.n;

	drop_functions(s, all);
	while (all && sema_elide_round(s, true))
		drop_functions(s, all);
	if (all) {
		sema_drop_saved(s);
		drop_probes(s);
	}
	drop_functions(s, all);
	drop_variables(s, all);
	if (!s->program->probes.n)
		report_no_probes(s, had_probes);
}
