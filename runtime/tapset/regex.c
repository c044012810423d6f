// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * matched() and its kin. A match that may be asked about is kept: the string, in the context, and
 * the regex. Where the groups are is found when somebody asks.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include "core/scratch.h"
#include "regex/match.h"
#include "tapset/functions.h"

enum { SPANS_WANTED, SPANS_KNOWN, SPANS_GIVEN_UP };

/* Followed by what its pointers point to. */
struct stp_matched {
	struct stp_regex_work work;
	char *text;
	u32 len;
	u32 state; /* of work.spans */
};

struct sizes {
	u64 spans, tasks, trace;
};

/* The largest that any regex of the script needs. */
static struct sizes largest(void)
{
	struct sizes max = { .trace = stp_script.max_string * sizeof(u16) };
	u32 i;

	for (i = 0; i < stp_script.n_regexes; i++) {
		const struct stp_regex_groups *g = stp_script.regexes[i]->groups;

		max.spans = max_t(u64, max.spans, g->n_groups * sizeof(struct stp_span));
		max.tasks = max_t(u64, max.tasks, g->n_nodes * sizeof(struct stp_regex_task));
	}
	return max;
}

static u64 matched_size(void)
{
	struct sizes size = largest();

	return sizeof(struct stp_matched) + size.spans + size.tasks + size.trace +
	       stp_script.max_string;
}

static struct stp_matched *matched_alloc(int node)
{
	struct stp_matched *m = kvzalloc_node(matched_size(), GFP_KERNEL, node);
	struct sizes size = largest();

	if (!m)
		return NULL;
	m->work.spans = (struct stp_span *)(m + 1);
	m->work.tasks = (void *)m->work.spans + size.spans;
	m->work.trace = (void *)m->work.tasks + size.tasks;
	m->text = (void *)m->work.trace + size.trace;
	return m;
}

static void matches_exit(void)
{
	int i;

	for (i = 0; i < stp_n_ctx; i++) {
		if (!stp_cpus[i])
			continue;
		kvfree(stp_cpus[i]->matched);
		stp_cpus[i]->matched = NULL;
	}
}

static int matches_init(void)
{
	int i;

	if (!stp_mem_fits(matched_size() * (num_possible_cpus() + 1)))
		return -ENOMEM;
	for (i = 0; i < stp_n_ctx; i++) {
		if (!stp_cpus[i])
			continue;
		stp_cpus[i]->matched =
			matched_alloc(i < nr_cpu_ids ? cpu_to_node(i) : NUMA_NO_NODE);
		if (!stp_cpus[i]->matched) {
			matches_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

const struct stp_member stp_member_matches = { .init = matches_init, .exit = matches_exit };

/**
 * stp_regex_match - does the string match somewhere? If so, keep it, else forget the one before
 *
 * Context: any handler.
 */
int stp_regex_match(struct stp_ctx *c, const struct stp_regex *re, struct stp_str s)
{
	struct stp_matched *m = stp_cpu_of(c)->matched;

	s.len = min(s.len, stp_script.max_string - 1);
	c->matched = NULL;
	if (!stp_regex_test(re, s))
		return 0;
	memcpy(m->text, s.s, s.len);
	m->len = s.len;
	m->state = SPANS_WANTED;
	c->matched = re;
	return 1;
}

/* NULL with the error set when there are none; n: the group that is asked for. */
static const struct stp_span *spans_of(struct stp_ctx *c, stp_long n)
{
	struct stp_matched *m = stp_cpu_of(c)->matched;

	if (!c->matched) {
		stp_errorf(c, "Attempted to get subexpression %lld from failed match", n);
		return NULL;
	}
	if (m->state == SPANS_WANTED) {
		struct stp_str s = { m->text, m->len };

		m->state =
			stp_regex_spans(c->matched, s, &m->work) > 0 ? SPANS_KNOWN : SPANS_GIVEN_UP;
	}
	if (m->state == SPANS_KNOWN)
		return m->work.spans;
	stp_error(c, "the string is too long to tell the groups of this regex");
	return NULL;
}

struct stp_str stp_fn_matched(struct stp_ctx *c, stp_long n)
{
	const struct stp_span *span = spans_of(c, n);

	if (!span)
		return stp_empty();
	if (n < 0 || n >= c->matched->groups->n_groups) {
		stp_errorf(c, "Attempted to get nonexistent subexpression %lld", n);
		return stp_empty();
	}
	span += n;
	if (span->start == STP_SPAN_UNSET)
		return stp_empty();
	return stp_scratch_copy(c, stp_cpu_of(c)->matched->text + span->start,
				span->end - span->start);
}

struct stp_str stp_fn_matched_str(struct stp_ctx *c)
{
	return stp_fn_matched(c, 0);
}

stp_long stp_fn_ngroups(struct stp_ctx *c)
{
	if (c->matched)
		return c->matched->groups->n_groups;
	stp_error(c, "Attempted to get the number of subexpressions from failed match");
	return 0;
}
