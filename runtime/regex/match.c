// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The search is one forward run that stops at the first sight of a match. Where the match is, and
 * its groups, is asked rarely and found afterwards: the begin by a backward run over the whole
 * string, the end by a forward run, then node by node, each once, from the whole match inwards.
 */
#include "../compat/portable.h"
#include "match.h"

/**
 * stp_regex_test - does the string match somewhere?
 *
 * Context: any.
 */
int stp_regex_test(const struct stp_regex *re, struct stp_str s)
{
	const stp_u16 *next = re->next;
	const stp_u8 *classes = re->classes;
	stp_u32 state = re->start, n = re->n_classes, i;

	for (i = 0; i < s.len && state > STP_REGEX_FOUND; i++)
		state = next[state * n + classes[(stp_u8)s.s[i]]];
	return state > STP_REGEX_FOUND ? re->at_end[state] : state == STP_REGEX_FOUND;
}

struct run {
	const struct stp_regex *re;
	struct stp_str s;
	struct stp_regex_work *w;
	stp_u32 n_tasks;
	stp_u32 steps; /* left */
	int failed;
};

static int has_mark(const struct stp_dfa *dfa, stp_u32 state, int edge, stp_u32 mark)
{
	stp_u32 stride = (dfa->n_marks + 7u) / 8u;

	return dfa->marks[(2 * state + !!edge) * stride + mark / 8] >> mark % 8 & 1;
}

static stp_u32 step(const struct run *r, const struct stp_dfa *dfa, stp_u32 state, stp_u32 at)
{
	return dfa->next[state * r->re->n_classes + r->re->classes[(stp_u8)r->s.s[at]]];
}

static int spend(struct run *r, stp_u32 n)
{
	if (n > r->steps)
		r->failed = 1;
	else
		r->steps -= n;
	return !r->failed;
}

static void push(struct run *r, stp_u32 node, stp_u32 start, stp_u32 end)
{
	if (node == STP_REGEX_NONE)
		return;
	r->w->tasks[r->n_tasks++] = (struct stp_regex_task){ start, end, node };
}

/* The states of a backward run from end to start. */
static int trace_back(struct run *r, const struct stp_dfa *dfa, stp_u32 start, stp_u32 end)
{
	stp_u32 state = dfa->start[end == r->s.len], at;

	if (!spend(r, end - start + 1))
		return 0;
	r->w->trace[end] = state;
	for (at = end; at > start; at--) {
		state = step(r, dfa, state, at - 1);
		r->w->trace[at - 1] = state;
	}
	return 1;
}

/*
 * The last place up to which dfa matches from start, and from where the rest does: where the traced
 * automaton has that mark. STP_SPAN_UNSET: none.
 */
static stp_u32 longest(struct run *r, const struct stp_dfa *dfa, stp_u32 start, stp_u32 end,
		       const struct stp_dfa *back, stp_u32 mark)
{
	stp_u32 state = dfa->start[start == 0], best = STP_SPAN_UNSET, at;

	for (at = start;; at++) {
		if (has_mark(dfa, state, at == r->s.len, 0) &&
		    (!back || has_mark(back, r->w->trace[at], at == 0, mark)))
			best = at;
		if (at == end || state == STP_REGEX_DEAD)
			break;
		state = step(r, dfa, state, at);
	}
	return spend(r, at - start + 1) ? best : STP_SPAN_UNSET;
}

static void divide_sequence(struct run *r, const struct stp_regex_node *node, stp_u32 start,
			    stp_u32 end)
{
	const struct stp_regex_groups *g = r->re->groups;
	const struct stp_regex_part *part = &g->parts[node->first];
	const struct stp_dfa *back = &g->dfas[node->dfa];
	stp_u32 i, next;

	if (!trace_back(r, back, start, end))
		return;
	for (i = 0; i + 1 < node->n; i++, start = next) {
		next = longest(r, &g->dfas[part[i].dfa], start, end, back, i);
		if (next == STP_SPAN_UNSET)
			return;
		push(r, part[i].node, start, next);
	}
	push(r, part[i].node, start, end);
}

static void divide_choice(struct run *r, const struct stp_regex_node *node, stp_u32 start,
			  stp_u32 end)
{
	const struct stp_regex_groups *g = r->re->groups;
	const struct stp_dfa *dfa = &g->dfas[node->dfa];
	stp_u32 state = dfa->start[start == 0], at, i;

	if (!spend(r, end - start + 1))
		return;
	for (at = start; at < end; at++)
		state = step(r, dfa, state, at);
	for (i = 0; i < node->n; i++) {
		if (has_mark(dfa, state, end == r->s.len, i)) {
			push(r, g->parts[node->first + i].node, start, end);
			return;
		}
	}
}

/*
 * Empty times only count where a count asks for them, or when there is nothing else: an empty
 * match is better than none.
 */
static void divide_repeat(struct run *r, const struct stp_regex_node *node, stp_u32 start,
			  stp_u32 end)
{
	const struct stp_regex_groups *g = r->re->groups;
	const struct stp_regex_part *part = &g->parts[node->first];
	const struct stp_dfa *back = &g->dfas[node->dfa];
	stp_u32 times = 0, last = start, next;

	if (!trace_back(r, back, start, end))
		return;
	while (node->loop || times < node->n) {
		if (times && times >= node->min && start == end)
			break;
		next = longest(r, &g->dfas[part->dfa], start, end, back,
			       times < node->n ? times : node->n - 1u);
		if (next == STP_SPAN_UNSET)
			break;
		last = start;
		start = next;
		times += times < node->n;
	}
	if (times)
		push(r, part->node, last, start);
}

static void divide(struct run *r, const struct stp_regex_task *task)
{
	const struct stp_regex_groups *g = r->re->groups;
	const struct stp_regex_node *node = &g->nodes[task->node];

	switch (node->kind) {
	case STP_REGEX_GROUP:
		r->w->spans[node->n] = (struct stp_span){ task->start, task->end };
		push(r, g->parts[node->first].node, task->start, task->end);
		break;
	case STP_REGEX_SEQUENCE:
		divide_sequence(r, node, task->start, task->end);
		break;
	case STP_REGEX_CHOICE:
		divide_choice(r, node, task->start, task->end);
		break;
	case STP_REGEX_REPEAT:
		divide_repeat(r, node, task->start, task->end);
		break;
	}
}

/* The first place where a match begins. */
static stp_u32 first_start(struct run *r)
{
	const struct stp_dfa *dfa = &r->re->groups->dfas[r->re->groups->first];
	stp_u32 state = dfa->start[1], best = STP_SPAN_UNSET, at;

	if (!spend(r, r->s.len + 1))
		return best;
	for (at = r->s.len;; at--) {
		if (has_mark(dfa, state, at == 0, 0))
			best = at;
		if (at == 0)
			return best;
		state = step(r, dfa, state, at - 1);
	}
}

/**
 * stp_regex_spans - where the match is, and its groups
 *
 * Context: any.
 */
int stp_regex_spans(const struct stp_regex *re, struct stp_str s, struct stp_regex_work *w)
{
	const struct stp_regex_groups *g = re->groups;
	struct run r = { .re = re, .s = s, .w = w, .steps = STP_REGEX_STEPS };
	stp_u32 start, end, i;

	for (i = 0; i < g->n_groups; i++)
		w->spans[i].start = STP_SPAN_UNSET;
	start = first_start(&r);
	if (start == STP_SPAN_UNSET)
		return r.failed ? -1 : 0;
	end = longest(&r, &g->dfas[g->whole], start, s.len, NULL, 0);
	if (r.failed)
		return -1;
	push(&r, 0, start, end);
	while (r.n_tasks && !r.failed) {
		struct stp_regex_task task = w->tasks[--r.n_tasks];

		divide(&r, &task);
	}
	return r.failed ? -1 : 1;
}
