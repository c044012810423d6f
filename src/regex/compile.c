/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern's tables: classes of bytes, the automaton of the search, and what captures.c adds for
 * groups. The search asks only whether there is a match, so its runs stop as soon as one is seen.
 */
#include <string.h>

#include "base/arena.h"
#include "regex/internal.h"

/* Anything, then the pattern; mark 0 is set where a match ends. False with budget->needs set. */
static bool search(struct arena *arena, const struct regex *regex,
		   const struct regex_classes *classes, struct dfa_budget *budget,
		   struct stp_dfa *ret)
{
	struct nfa nfa = { .arena = arena, .classes = classes };
	unsigned end;

	nfa.start = nfa_state(&nfa);
	end = nfa_state(&nfa);
	nfa_skip(&nfa, nfa.start);
	vec_push(arena, &nfa.marks, end);
	if (!nfa_tree(&nfa, regex->tree, nfa.start, end))
		return dfa_too_many_states(arena, budget);
	return dfa_build(&nfa, true, budget, ret);
}

/*
 * at_end[i] says whether a string that ends in state i has matched, which an anchor at the end
 * decides. A search begins at the string's beginning: start[1].
 */
const struct stp_regex *regex_compile(struct arena *arena, const struct regex *regex, bool groups,
				      const char **needs)
{
	struct regex_classes *classes = arena_new(arena, struct regex_classes);
	struct stp_regex *ret = arena_new(arena, struct stp_regex);
	struct dfa_budget budget = { 0 };
	uint8_t *at_end;
	struct stp_dfa dfa;

	regex_classes(regex->tree, classes);
	if (search(arena, regex, classes, &budget, &dfa) && groups)
		ret->groups = regex_captures(arena, regex, classes, &budget);
	*needs = budget.needs;
	if (budget.needs)
		return NULL;
	at_end = arena_alloc(arena, dfa.n_states);
	for (size_t i = 0; i < dfa.n_states; i++)
		at_end[i] = dfa_mark(&dfa, i, true, 0);
	ret->classes = classes->of;
	ret->n_classes = (uint16_t)classes->n;
	ret->next = dfa.next;
	ret->at_end = at_end;
	ret->n_states = dfa.n_states;
	ret->start = dfa.start[1];
	return ret;
}
