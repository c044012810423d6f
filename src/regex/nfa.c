/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of bytes, and trees to nondeterministic automata after Thompson, one fragment with a
 * begin and an end for each node. Counts become copies, so a{3} has three times the states of a.
 */
#include "base/arena.h"
#include "regex/internal.h"

/* ---- classes ---- */

/* Each class that SET divides becomes two; numbers are by first byte. */
static void divide(struct regex_classes *c, const struct regex_set *set)
{
	uint16_t renamed[2][256] = { 0 }; /* 1 + the new number */
	unsigned n = 0;

	for (unsigned byte = 0; byte < 256; byte++) {
		uint16_t *name = &renamed[regex_set_has(set, byte)][c->of[byte]];

		if (!*name) {
			c->sample[n] = (unsigned char)byte;
			*name = (uint16_t)++n;
		}
		c->of[byte] = (uint8_t)(*name - 1);
	}
	c->n = n;
}

/* Every set of the tree, one after the other. */
static void divide_by(struct regex_classes *c, const struct regex_tree *tree)
{
	switch (tree->kind) {
	case REGEX_SET:
		divide(c, &tree->set);
		break;
	case REGEX_BEGIN:
	case REGEX_END:
		break;
	case REGEX_SEQUENCE:
	case REGEX_CHOICE:
		for (size_t i = 0; i < tree->list.n; i++)
			divide_by(c, tree->list.data[i]);
		break;
	case REGEX_REPEAT:
		divide_by(c, tree->repeat.child);
		break;
	case REGEX_GROUP:
		divide_by(c, tree->group.child);
		break;
	}
}

void regex_classes(const struct regex_tree *tree, struct regex_classes *ret)
{
	*ret = (struct regex_classes){ .n = 1 };
	divide_by(ret, tree);
}

/* ---- automata ---- */

unsigned nfa_state(struct nfa *nfa)
{
	return nfa->n_states++;
}

/* The only place at which edges are added. */
static void add_edge(struct nfa *nfa, struct nfa_edge edge)
{
	vec_push(nfa->arena, &nfa->edges, edge);
}

void nfa_edge(struct nfa *nfa, enum nfa_edge_kind kind, unsigned from, unsigned to)
{
	add_edge(nfa, (struct nfa_edge){ .kind = kind, .from = from, .to = to });
}

void nfa_skip(struct nfa *nfa, unsigned state)
{
	static const struct regex_set any = { { ~0ull, ~0ull, ~0ull, ~0ull } };

	add_edge(nfa,
		 (struct nfa_edge){ .kind = NFA_SET, .from = state, .to = state, .set = &any });
}

/* A state between every two of the list; none of them matches the empty string. */
static bool sequence(struct nfa *nfa, const struct regex_trees *list, unsigned from, unsigned to)
{
	for (size_t i = 0; i < list->n; i++) {
		unsigned next = i + 1 < list->n ? nfa_state(nfa) : to;

		if (!nfa_tree(nfa, list->data[i], from, next))
			return false;
		from = next;
	}
	if (!list->n)
		nfa_edge(nfa, NFA_EMPTY, from, to);
	return true;
}

/*
 * As many copies as the highest count, the last of which may come again when there is none. The
 * loop has states of its own: with its back edge into FROM a run could go round and then leave by
 * another edge of FROM.
 */
static bool repeat(struct nfa *nfa, const struct regex_tree *tree, unsigned from, unsigned to)
{
	const struct regex_tree *child = tree->repeat.child;
	unsigned copies = tree->repeat.max;

	if (tree->repeat.unbounded && !copies)
		copies = 1;
	for (unsigned i = 0; i < copies; i++) {
		bool loop = tree->repeat.unbounded && i + 1 == copies;
		unsigned begin = loop ? nfa_state(nfa) : from, next = nfa_state(nfa);

		if (i >= tree->repeat.min)
			nfa_edge(nfa, NFA_EMPTY, from, to);
		if (loop) {
			nfa_edge(nfa, NFA_EMPTY, from, begin);
			nfa_edge(nfa, NFA_EMPTY, next, begin);
		}
		if (!nfa_tree(nfa, child, begin, next))
			return false;
		from = next;
	}
	nfa_edge(nfa, NFA_EMPTY, from, to);
	return true;
}

/* The limit on states is checked at each node. Recursion is as deep as the tree. */
bool nfa_tree(struct nfa *nfa, const struct regex_tree *tree, unsigned from, unsigned to)
{
	if (nfa->n_states > REGEX_MAX_STATES)
		return false;
	switch (tree->kind) {
	case REGEX_SET:
		add_edge(nfa, (struct nfa_edge){
				      .kind = NFA_SET, .from = from, .to = to, .set = &tree->set });
		return true;
	case REGEX_BEGIN:
		nfa_edge(nfa, NFA_BEGIN, from, to);
		return true;
	case REGEX_END:
		nfa_edge(nfa, NFA_END, from, to);
		return true;
	case REGEX_SEQUENCE:
		return sequence(nfa, &tree->list, from, to);
	case REGEX_CHOICE:
		for (size_t i = 0; i < tree->list.n; i++)
			if (!nfa_tree(nfa, tree->list.data[i], from, to))
				return false;
		return true;
	case REGEX_REPEAT:
		return repeat(nfa, tree, from, to);
	case REGEX_GROUP:
		return nfa_tree(nfa, tree->group.child, from, to);
	}
	return true;
}
