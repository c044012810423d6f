/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trials of binding: a log of objects as they were, and the lengths of maps and of the list of
 * diagnostics. Undoing restores both from the newest to the oldest; what was allocated stays in
 * the arena.
 */
#include "sema/trial.h"

#include <string.h>

/*
 * Outside of trials there is nothing to restore to. An object may be noted several times: the
 * oldest note is restored last.
 */
void sema_before_change(struct sema *s, void *object, size_t size)
{
	struct sema_change change = { .object = object, .size = size };

	if (!s->n_trials)
		return;
	change.before = arena_alloc(s->arena, size);
	memcpy(change.before, object, size);
	vec_push(s->arena, &s->changes, change);
}

#define before_change(s, object) sema_before_change(s, object, sizeof(*(object)))

/*
 * Lists are cut by giving back their heads: what lies below the old length is never written
 * again.
 */
static void save_lists(struct bind *b)
{
	struct sema *s = b->s;

	before_change(s, &s->queue);
	before_change(s, &s->pending);
	before_change(s, &s->program->enumerations);
	before_change(s, &s->named);
	if (b->probe)
		before_change(s, b->probe);
	if (b->fn)
		before_change(s, b->fn);
	if (b->cx && b->cx->probe != b->probe)
		before_change(s, b->cx->probe);
}

void sema_trial_begin(struct bind *b, struct sema_trial *t)
{
	struct sema *s = b->s;

	*t = (struct sema_trial){
		.n_changes = s->changes.n,
		.n_diagnostics = diag_count(s->sink),
		.n_errors = diag_error_count(s->sink),
		.n_locals = b->locals.n,
		.n_prints = s->prints.n,
		.n_regexes = s->regexes.n,
		.n_unique_names = s->unique_names.n,
		.n_types_wanted = s->types_wanted.n,
		.quiet = b->quiet,
	};
	b->quiet = true;
	s->n_trials++;
	save_lists(b);
}

bool sema_trial_failed(const struct bind *b, const struct sema_trial *t)
{
	return diag_error_count(b->s->sink) != t->n_errors;
}

/* Of a trial, whatever became of it. */
static void end(struct bind *b, const struct sema_trial *t)
{
	b->quiet = t->quiet;
	b->s->n_trials--;
}

void sema_trial_undo(struct bind *b, const struct sema_trial *t)
{
	struct sema *s = b->s;

	while (s->changes.n > t->n_changes) {
		const struct sema_change *change = &s->changes.data[--s->changes.n];

		memcpy(change->object, change->before, change->size);
	}
	map_truncate(&b->locals, t->n_locals);
	map_truncate(&s->prints, t->n_prints);
	map_truncate(&s->regexes, t->n_regexes);
	map_truncate(&s->unique_names, t->n_unique_names);
	map_truncate(&s->types_wanted, t->n_types_wanted);
	diag_truncate(s->sink, t->n_diagnostics);
	end(b, t);
}

/* Notes of an outer trial stay, as do those made within this one, which it may still undo. */
void sema_trial_keep(struct bind *b, const struct sema_trial *t)
{
	end(b, t);
	if (!b->s->n_trials)
		b->s->changes.n = 0;
}
