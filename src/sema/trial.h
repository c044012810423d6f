/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trials: binding something to see whether it can be bound. What a trial did to symbols, lists
 * and tables is undone as a whole, with its diagnostics. Two things stay, because they are no
 * decisions: answers of target/, on which the outcome rests (sema_context.queries), and library
 * files taken in, which would be taken in the same way later.
 *
 * Whoever changes an object that existed before the trial, other than by adding to a list or
 * map that trial.c knows, calls sema_before_change() first.
 */
#ifndef SPILE_SEMA_TRIAL_H
#define SPILE_SEMA_TRIAL_H

#include "sema/bind.h"

/*
 * How much there was of everything that binding adds to when the trial began. The caller's, usually
 * on its stack; each begin is followed by one undo or keep.
 */
struct sema_trial {
	size_t n_changes, n_diagnostics, n_errors;
	size_t n_locals, n_prints, n_regexes, n_unique_names, n_types_wanted; /* entries of maps */
	bool quiet;
};

/*
 * Begins a trial, in which nothing is warned of. Trials nest: the last to begin is the first to
 * end.
 */
void sema_trial_begin(struct bind *b, struct sema_trial *t);
/* Has a mistake been reported since the trial began? */
bool sema_trial_failed(const struct bind *b, const struct sema_trial *t);
/* Ends the trial and takes back what it added, changed and reported. */
void sema_trial_undo(struct bind *b, const struct sema_trial *t);
/* Ends the trial; what it added, changed and reported stays. */
void sema_trial_keep(struct bind *b, const struct sema_trial *t);

#endif
