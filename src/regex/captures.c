/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The automata by which the groups of a match are found. Each node of the tree that has groups and
 * matches a known part of the string divides that among its children; only children with groups
 * matter, so other nodes become part of an automaton and no more. To divide, a node has the
 * automata of its children, and one that runs backward and says where the rest can begin.
 */
#include <string.h>

#include "regex/internal.h"

/* What is collected: automata, each once, and the tree of nodes with their parts. */
struct captures {
	struct arena *arena;
	const struct regex_classes *classes;
	struct dfa_budget *budget;
	VEC(struct stp_dfa) dfas;
	VEC(struct stp_regex_node) nodes;
	VEC(struct stp_regex_part) parts;
};

static unsigned add_node(struct captures *c, const struct regex_tree *tree);

/* ---- automata ---- */

/* Tables are written in one order (dfa.c), so equal automata have equal bytes. */
static bool same_dfa(const struct captures *c, const struct stp_dfa *a, const struct stp_dfa *b)
{
	return a->n_states == b->n_states && a->n_marks == b->n_marks &&
	       a->start[0] == b->start[0] && a->start[1] == b->start[1] &&
	       !memcmp(a->next, b->next, sizeof(*a->next) * a->n_states * c->classes->n) &&
	       !memcmp(a->marks, b->marks, 2 * a->n_states * dfa_stride(a->n_marks));
}

/*
 * The number of the automaton of NFA; an equal one is shared and costs nothing. STP_REGEX_NONE once
 * it is known that tables are too large: nothing more is built then.
 */
static unsigned add_dfa(struct captures *c, const struct nfa *nfa)
{
	size_t cells = c->budget->cells;
	struct stp_dfa dfa;

	if (c->budget->needs || !dfa_build(nfa, false, c->budget, &dfa))
		return STP_REGEX_NONE;
	for (size_t i = 0; i < c->dfas.n; i++) {
		if (!same_dfa(c, &dfa, &c->dfas.data[i]))
			continue;
		c->budget->cells = cells;
		return (unsigned)i;
	}
	vec_push(c->arena, &c->dfas, dfa);
	return (unsigned)c->dfas.n - 1;
}

/* The trees one behind the other, between two states. Too many states are noted in the budget. */
static void add_trees(struct captures *c, struct nfa *nfa, const struct regex_tree *const *trees,
		      size_t n, unsigned from, unsigned to)
{
	struct regex_trees list = { .data = (const struct regex_tree **)trees, .n = n };
	struct regex_tree tree = { .kind = REGEX_SEQUENCE, .list = list };

	if (!nfa_tree(nfa, &tree, from, to))
		dfa_too_many_states(c->arena, c->budget);
}

/* Forward: mark 0 where these trees, one behind the other, have matched. */
static unsigned forward_dfa(struct captures *c, const struct regex_tree *const *trees, size_t n)
{
	struct nfa nfa = { .arena = c->arena, .classes = c->classes };
	unsigned end;

	nfa.start = nfa_state(&nfa);
	end = nfa_state(&nfa);
	vec_push(c->arena, &nfa.marks, end);
	add_trees(c, &nfa, trees, n, nfa.start, end);
	return add_dfa(c, &nfa);
}

/* Backward from the end of the string, where anything may stand: mark 0 where a match begins. */
static unsigned first_dfa(struct captures *c, const struct regex_tree *tree)
{
	struct nfa nfa = { .arena = c->arena, .classes = c->classes, .backward = true };
	unsigned begin = nfa_state(&nfa);

	nfa.start = nfa_state(&nfa);
	nfa_skip(&nfa, nfa.start);
	vec_push(c->arena, &nfa.marks, begin);
	add_trees(c, &nfa, &tree, 1, begin, nfa.start);
	return add_dfa(c, &nfa);
}

/* ---- nodes ---- */

/* Returns its number: nodes move when others are added. */
static unsigned new_node(struct captures *c, enum stp_regex_kind kind)
{
	struct stp_regex_node node = { .kind = (uint8_t)kind, .dfa = STP_REGEX_NONE };

	vec_push(c->arena, &c->nodes, node);
	return (unsigned)c->nodes.n - 1;
}

/* The parts of a node stand together, so they are reserved before there are nodes below. */
static unsigned new_parts(struct captures *c, size_t n)
{
	struct stp_regex_part none = { .dfa = STP_REGEX_NONE, .node = STP_REGEX_NONE };
	size_t first = c->parts.n;

	for (size_t i = 0; i < n; i++)
		vec_push(c->arena, &c->parts, none);
	return (unsigned)first;
}

static void fill_part(struct captures *c, unsigned part, unsigned dfa, unsigned node)
{
	c->parts.data[part].dfa = (uint16_t)dfa;
	c->parts.data[part].node = (uint16_t)node;
}

static void fill_node(struct captures *c, unsigned node, size_t n, unsigned first, unsigned dfa)
{
	c->nodes.data[node].n = (uint16_t)n;
	c->nodes.data[node].first = (uint16_t)first;
	c->nodes.data[node].dfa = (uint16_t)dfa;
}

/* A group has one part, what is in it, on which the same bytes fall; n is its number. */
static void add_group(struct captures *c, unsigned node, unsigned number,
		      const struct regex_tree *child)
{
	unsigned part = new_parts(c, 1);

	fill_node(c, node, number, part, STP_REGEX_NONE);
	fill_part(c, part, STP_REGEX_NONE, add_node(c, child));
}

/* How many bytes the tree matches when that is always the same, else -1. */
static int fixed_length(const struct regex_tree *tree)
{
	int sum = 0, n;

	switch (tree->kind) {
	case REGEX_SET:
		return 1;
	case REGEX_BEGIN:
	case REGEX_END:
		return 0;
	case REGEX_SEQUENCE:
		for (size_t i = 0; i < tree->list.n; i++) {
			n = fixed_length(tree->list.data[i]);
			if (n < 0)
				return -1;
			sum += n;
		}
		return sum;
	case REGEX_CHOICE:
		sum = fixed_length(tree->list.data[0]);
		for (size_t i = 1; i < tree->list.n; i++)
			if (fixed_length(tree->list.data[i]) != sum)
				return -1;
		return sum;
	case REGEX_REPEAT:
		n = fixed_length(tree->repeat.child);
		if (n < 0 || tree->repeat.unbounded || tree->repeat.min != tree->repeat.max)
			return -1;
		return n * (int)tree->repeat.min;
	case REGEX_GROUP:
		return fixed_length(tree->group.child);
	}
	return -1;
}

/* Members from .. from + n - 1 of a sequence. */
struct run {
	size_t from, n;
};

/*
 * The parts of a sequence. A tree with groups is one by itself. Others are put together where that
 * changes nothing: behind trees of fixed length, and behind the last group.
 */
static size_t divide(const struct regex_trees *list, struct run *runs)
{
	size_t n = 0, last = 0;
	bool open = false; /* the last run takes more */

	for (size_t i = 0; i < list->n; i++)
		if (list->data[i]->has_groups)
			last = i;
	for (size_t i = 0; i < list->n; i++) {
		const struct regex_tree *tree = list->data[i];

		if (open && !tree->has_groups)
			runs[n - 1].n++;
		else
			runs[n++] = (struct run){ .from = i, .n = 1 };
		open = !tree->has_groups && (i > last || fixed_length(tree) >= 0);
	}
	return n;
}

/*
 * dfa of the node: backward, mark i where part i + 1 can begin so that all after it fits. dfa of a
 * part: forward, over the part alone. The last needs none, for it takes what is left.
 */
static void add_sequence(struct captures *c, unsigned node, const struct regex_trees *list)
{
	struct run *runs = arena_new_array(c->arena, struct run, list->n);
	struct nfa nfa = { .arena = c->arena, .classes = c->classes, .backward = true };
	size_t n = divide(list, runs);
	unsigned part = new_parts(c, n), at = nfa_state(&nfa);

	for (size_t i = 0; i < n; i++) {
		unsigned next = nfa_state(&nfa);

		add_trees(c, &nfa, list->data + runs[i].from, runs[i].n, at, next);
		if (i + 1 < n)
			vec_push(c->arena, &nfa.marks, next);
		at = next;
	}
	nfa.start = at;
	fill_node(c, node, n, part, add_dfa(c, &nfa));
	for (size_t i = 0; i < n; i++) {
		unsigned dfa = STP_REGEX_NONE;

		if (i + 1 < n)
			dfa = forward_dfa(c, list->data + runs[i].from, runs[i].n);
		fill_part(c, part + (unsigned)i, dfa, add_node(c, list->data[runs[i].from]));
	}
}

/* One automaton tells by marks which alternatives match the whole; the first of them is taken. */
static void add_choice(struct captures *c, unsigned node, const struct regex_trees *list)
{
	struct nfa nfa = { .arena = c->arena, .classes = c->classes };
	unsigned part = new_parts(c, list->n);

	nfa.start = nfa_state(&nfa);
	for (size_t i = 0; i < list->n; i++) {
		unsigned end = nfa_state(&nfa);

		vec_push(c->arena, &nfa.marks, end);
		add_trees(c, &nfa, list->data + i, 1, nfa.start, end);
	}
	fill_node(c, node, list->n, part, add_dfa(c, &nfa));
	for (size_t i = 0; i < list->n; i++)
		fill_part(c, part + (unsigned)i, STP_REGEX_NONE, add_node(c, list->data[i]));
}

/*
 * dfa of the node: backward, mark i where i + 1 rounds are done and the rest can be matched by
 * those left; the last mark stands for all further rounds when there is no highest count.
 */
static void add_repeat(struct captures *c, unsigned node, const struct regex_tree *tree)
{
	struct nfa nfa = { .arena = c->arena, .classes = c->classes, .backward = true };
	unsigned part = new_parts(c, 1), at = nfa_state(&nfa), n = tree->repeat.max;

	if (tree->repeat.unbounded && !n)
		n = 1;
	nfa.start = nfa_state(&nfa);
	for (unsigned i = 0; i < n; i++) {
		unsigned next = nfa_state(&nfa);

		if (i >= tree->repeat.min)
			nfa_edge(&nfa, NFA_EMPTY, at, nfa.start);
		add_trees(c, &nfa, &tree->repeat.child, 1, at, next);
		vec_push(c->arena, &nfa.marks, next);
		at = next;
	}
	if (tree->repeat.unbounded)
		add_trees(c, &nfa, &tree->repeat.child, 1, at, at);
	nfa_edge(&nfa, NFA_EMPTY, at, nfa.start);
	fill_node(c, node, n, part, add_dfa(c, &nfa));
	c->nodes.data[node].min = (uint16_t)tree->repeat.min;
	c->nodes.data[node].loop = tree->repeat.unbounded;
	fill_part(c, part, forward_dfa(c, &tree->repeat.child, 1), add_node(c, tree->repeat.child));
}

/* STP_REGEX_NONE for a tree without groups, and for one that is repeated no times. */
static unsigned add_node(struct captures *c, const struct regex_tree *tree)
{
	unsigned node;

	if (!tree->has_groups || c->budget->needs ||
	    (tree->kind == REGEX_REPEAT && !tree->repeat.max && !tree->repeat.unbounded))
		return STP_REGEX_NONE;
	switch (tree->kind) {
	case REGEX_GROUP:
		node = new_node(c, STP_REGEX_GROUP);
		add_group(c, node, tree->group.number, tree->group.child);
		return node;
	case REGEX_SEQUENCE:
		node = new_node(c, STP_REGEX_SEQUENCE);
		add_sequence(c, node, &tree->list);
		return node;
	case REGEX_CHOICE:
		node = new_node(c, STP_REGEX_CHOICE);
		add_choice(c, node, &tree->list);
		return node;
	case REGEX_REPEAT:
		node = new_node(c, STP_REGEX_REPEAT);
		add_repeat(c, node, tree);
		return node;
	case REGEX_SET:
	case REGEX_BEGIN:
	case REGEX_END:
		break;
	}
	return STP_REGEX_NONE;
}

/* Group 0 is the whole match: where it begins is found backward, where it ends forward. */
const struct stp_regex_groups *regex_captures(struct arena *arena, const struct regex *regex,
					      const struct regex_classes *classes,
					      struct dfa_budget *budget)
{
	struct captures c = { .arena = arena, .classes = classes, .budget = budget };
	struct stp_regex_groups *ret = arena_new(arena, struct stp_regex_groups);

	ret->first = (uint16_t)first_dfa(&c, regex->tree);
	ret->whole = (uint16_t)forward_dfa(&c, &regex->tree, 1);
	add_group(&c, new_node(&c, STP_REGEX_GROUP), 0, regex->tree);
	ret->dfas = c.dfas.data;
	ret->nodes = c.nodes.data;
	ret->parts = c.parts.data;
	ret->n_dfas = (uint16_t)c.dfas.n;
	ret->n_nodes = (uint16_t)c.nodes.n;
	ret->n_parts = (uint16_t)c.parts.n;
	ret->n_groups = (uint16_t)regex->n_groups;
	return ret;
}
