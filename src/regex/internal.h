/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the stages of regex/ hand each other; nobody else includes it. Trees, automata and tables
 * are in the arena of regex_parse()'s or regex_compile()'s caller and are never freed singly.
 */
#ifndef SPILE_REGEX_INTERNAL_H
#define SPILE_REGEX_INTERNAL_H

#include <stdint.h>

#include "base/vec.h"
#include "regex/regex.h"

/* ---- parse.c ---- */
/* A set of bytes: bit b % 64 of bits[b / 64]. */
struct regex_set {
	uint64_t bits[4];
};

/* BYTE: 0 to 255. */
static inline bool regex_set_has(const struct regex_set *set, unsigned byte)
{
	return set->bits[byte / 64] >> byte % 64 & 1;
}

/* Kinds of node, with the arms of struct regex_tree. */
enum regex_kind {
	REGEX_SET,      /* one byte; also . and a plain byte */
	REGEX_BEGIN,    /* ^ */
	REGEX_END,      /* $ */
	REGEX_SEQUENCE, /* of none: matches the empty string */
	REGEX_CHOICE,
	REGEX_REPEAT,
	REGEX_GROUP,
};

/* Nodes from left to right. */
struct regex_trees {
	const struct regex_tree **data;
	size_t n, cap;
};

/* A node of the tree. Trees are made by parse.c and constant afterwards. */
struct regex_tree {
	enum regex_kind kind;
	bool has_groups; /* itself or below */
	union {
		struct regex_set set;
		struct regex_trees list; /* SEQUENCE, CHOICE */
		struct {
			const struct regex_tree *child;
			unsigned min, max;
			bool unbounded; /* max is min then */
		} repeat;
		struct {
			const struct regex_tree *child;
			unsigned number;
		} group;
	};
};

/* A pattern that was understood. */
struct regex {
	const struct regex_tree *tree;
	unsigned n_groups; /* the whole one counted */
};

/* ---- nfa.c ---- */

/* Bytes that no set of the pattern tells apart are one class. */
struct regex_classes {
	uint8_t of[256];
	unsigned n;
	unsigned char sample[256]; /* a byte of each class */
};

/* The classes of all sets in TREE. n is 1 when it has none. */
void regex_classes(const struct regex_tree *tree, struct regex_classes *ret);

/*
 * What an edge takes: nothing; a byte of a set; nothing, but only at the string's begin, or its
 * end.
 */
enum nfa_edge_kind { NFA_EMPTY, NFA_SET, NFA_BEGIN, NFA_END };

/* set: NFA_SET only, borrowed from the tree. */
struct nfa_edge {
	enum nfa_edge_kind kind;
	unsigned from, to;
	const struct regex_set *set;
};

/*
 * States are numbers; edges with sets take a byte, the others none, and those of ^ and $ only at
 * the ends of the string. A run starts in `start`. marks[i] is the state that sets mark i.
 */
struct nfa {
	struct arena *arena;
	const struct regex_classes *classes;
	bool backward; /* edges are taken from their ends, and the string is */
	unsigned n_states, start;
	VEC(struct nfa_edge) edges;
	VEC(unsigned) marks;
};

/* A new state without edges. Limits are checked by nfa_tree(). */
unsigned nfa_state(struct nfa *nfa);
/* An edge of any kind but NFA_SET. */
void nfa_edge(struct nfa *nfa, enum nfa_edge_kind kind, unsigned from, unsigned to);
/*
 * Adds edges so that a run gets from FROM to TO by what TREE matches, and in no other way. False
 * when that needs more than REGEX_MAX_STATES; the automaton is of no use then.
 */
bool nfa_tree(struct nfa *nfa, const struct regex_tree *tree, unsigned from, unsigned to);
/* Any bytes may be read in STATE without leaving it. */
void nfa_skip(struct nfa *nfa, unsigned state);

/* ---- dfa.c ---- */
/* What all automata of one pattern may use together, and why they did not. */
struct dfa_budget {
	size_t cells;      /* transitions used */
	const char *needs; /* what was too much */
};

/*
 * Subset construction and minimisation. With `search` set, a state in which mark 0 is set is the
 * same as any other such and never left: it is number STP_REGEX_FOUND. False when too large.
 */
bool dfa_build(const struct nfa *nfa, bool search, struct dfa_budget *budget, struct stp_dfa *ret);

/* Sets budget->needs for an automaton with too many states; returns false. */
bool dfa_too_many_states(struct arena *arena, struct dfa_budget *budget);

/* Bytes in one row of marks. */
static inline size_t dfa_stride(size_t n_marks)
{
	return (n_marks + 7) / 8;
}

/*
 * Is the mark set in that state? EDGE: when the run stops there at the end of the string, where the
 * far anchor holds too.
 */
static inline bool dfa_mark(const struct stp_dfa *dfa, size_t state, bool edge, size_t mark)
{
	return dfa->marks[(2 * state + edge) * dfa_stride(dfa->n_marks) + mark / 8] >> mark % 8 & 1;
}

/* ---- captures.c ---- */
/*
 * The automata of the groups, as uapi/dfa.h wants them. Incomplete, and not to be used, when
 * budget->needs is set.
 */
const struct stp_regex_groups *regex_captures(struct arena *arena, const struct regex *regex,
					      const struct regex_classes *classes,
					      struct dfa_budget *budget);

#endif
