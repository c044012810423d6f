/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nondeterministic to the smallest deterministic automaton: subset construction, then Moore's
 * partition refinement, then numbers in the order in which a run from the start meets the states.
 *
 * The anchor at the end where a run begins ("near") holds only before the first byte, so only the
 * states a run starts in know of it. The other one ("far") holds only where the string ends, so no
 * transition needs it: it decides which marks a stop at that end sets.
 */
#include <string.h>

#include "base/intern.h"
#include "regex/internal.h"

struct subset {
	uint64_t *set; /* of NFA states, closed over empty edges */
	bool near;     /* nothing was read yet, and the run began at that end of the string */
};

struct build {
	const struct nfa *nfa;
	struct arena *arena;
	bool search;
	enum nfa_edge_kind near, far;
	bool has_near;
	size_t words;
	unsigned *first; /* edges by state: first[s] .. first[s + 1] in out */
	const struct nfa_edge **out;
	unsigned *stack;
	uint64_t *scratch;
	VEC(struct subset) subsets;
	VEC(unsigned *) rows; /* transitions */
	VEC(uint8_t *) marks; /* two rows each */
	unsigned *slots;      /* hash table: 1 + number of a subset */
	size_t n_slots;
	unsigned start[2];
};

/* Of the hash tables: sparse, for open addressing. */
#define SLOTS (4 * REGEX_MAX_STATES)

/* ---- sets of states ---- */

static bool has(const uint64_t *set, unsigned state)
{
	return set[state / 64] >> state % 64 & 1;
}

/* False when it was there already. */
static bool add(uint64_t *set, unsigned state)
{
	if (has(set, state))
		return false;
	set[state / 64] |= 1ull << state % 64;
	return true;
}

/* Where an edge leads in the direction of the run. */
static unsigned target(const struct build *b, const struct nfa_edge *edge)
{
	return b->nfa->backward ? edge->from : edge->to;
}

/* Where an edge comes from in the direction of the run. */
static unsigned source(const struct build *b, const struct nfa_edge *edge)
{
	return b->nfa->backward ? edge->to : edge->from;
}

/* Adds to SET all that is reached without a byte. near, far: that anchor holds here. */
static void close_set(struct build *b, uint64_t *set, bool near, bool far)
{
	size_t n = 0;

	for (unsigned s = 0; s < b->nfa->n_states; s++)
		if (has(set, s))
			b->stack[n++] = s;
	while (n) {
		unsigned s = b->stack[--n];

		for (unsigned i = b->first[s]; i < b->first[s + 1]; i++) {
			const struct nfa_edge *e = b->out[i];

			if (e->kind == NFA_SET || (e->kind == b->near && !near) ||
			    (e->kind == b->far && !far))
				continue;
			if (add(set, target(b, e)))
				b->stack[n++] = target(b, e);
		}
	}
}

/* Sets the bits of the marks whose states are in SET. */
static void set_marks(const struct build *b, const uint64_t *set, uint8_t *row)
{
	for (size_t i = 0; i < b->nfa->marks.n; i++)
		if (has(set, b->nfa->marks.data[i]))
			row[i / 8] |= (uint8_t)(1u << i % 8);
}

/* ---- subset construction ---- */

/*
 * Adds a state without looking for an equal one; returns its number. It has two rows of marks: in
 * the middle of the string, and at its far end.
 */
static unsigned add_subset(struct build *b, const uint64_t *set, bool near)
{
	size_t stride = dfa_stride(b->nfa->marks.n), bytes = b->words * sizeof(*set);
	struct subset subset = { .set = arena_alloc(b->arena, bytes), .near = near };
	uint8_t *marks = arena_alloc(b->arena, 2 * stride);

	memcpy(subset.set, set, bytes);
	memcpy(b->scratch, set, bytes);
	set_marks(b, b->scratch, marks);
	close_set(b, b->scratch, near, true);
	set_marks(b, b->scratch, marks + stride);
	vec_push(b->arena, &b->subsets, subset);
	vec_push(b->arena, &b->marks, marks);
	vec_push(b->arena, &b->rows, arena_new_array(b->arena, unsigned, b->nfa->classes->n));
	return (unsigned)b->subsets.n - 1;
}

/*
 * The number of a closed set, which becomes a new state when there is none yet. When searching, any
 * set with mark 0 is the state STP_REGEX_FOUND.
 */
static unsigned find_subset(struct build *b, const uint64_t *set, bool near)
{
	size_t bytes = b->words * sizeof(*set), slot;

	if (b->search && has(set, b->nfa->marks.data[0]))
		return STP_REGEX_FOUND;
	slot = (hash_bytes(set, bytes) + near) % SLOTS;
	for (; b->slots[slot]; slot = (slot + 1) % SLOTS) {
		const struct subset *known = &b->subsets.data[b->slots[slot] - 1];

		if (known->near == near && !memcmp(known->set, set, bytes))
			return b->slots[slot] - 1;
	}
	b->slots[slot] = add_subset(b, set, near) + 1;
	return b->slots[slot] - 1;
}

/*
 * The state that a run begins in. Whether the near anchor holds there matters only if the automaton
 * has edges of it.
 */
static unsigned begin_subset(struct build *b, bool near)
{
	uint64_t *set = arena_new_array(b->arena, uint64_t, b->words);

	add(set, b->nfa->start);
	close_set(b, set, near, false);
	return find_subset(b, set, near && b->has_near);
}

/*
 * Transitions of one state, by a sample byte of each class. rows may move when states are added: it
 * is indexed anew each time.
 */
static void fill_row(struct build *b, unsigned number, uint64_t *next)
{
	const struct regex_classes *classes = b->nfa->classes;

	for (unsigned c = 0; c < classes->n; c++) {
		const uint64_t *set = b->subsets.data[number].set;

		memset(next, 0, b->words * sizeof(*next));
		for (unsigned s = 0; s < b->nfa->n_states; s++) {
			if (!has(set, s))
				continue;
			for (unsigned i = b->first[s]; i < b->first[s + 1]; i++)
				if (b->out[i]->kind == NFA_SET &&
				    regex_set_has(b->out[i]->set, classes->sample[c]))
					add(next, target(b, b->out[i]));
		}
		close_set(b, next, false, false);
		b->rows.data[number][c] = find_subset(b, next, false);
	}
}

/*
 * The states that can be reached, with their transitions; the first two numbers are fixed. False
 * when there are more than REGEX_MAX_STATES.
 */
static bool build_subsets(struct build *b)
{
	uint64_t *next = arena_new_array(b->arena, uint64_t, b->words);
	unsigned found;

	find_subset(b, next, false); /* the empty set: STP_REGEX_DEAD */
	if (b->search) {
		found = add_subset(b, next, false);
		memset(b->marks.data[found], 1, 2);
		for (unsigned c = 0; c < b->nfa->classes->n; c++)
			b->rows.data[found][c] = found;
	}
	b->start[1] = begin_subset(b, true);
	b->start[0] = b->search ? b->start[1] : begin_subset(b, false);
	for (unsigned i = 0; i < b->subsets.n; i++) {
		if (b->subsets.n > REGEX_MAX_STATES)
			return false;
		if (!b->search || i != STP_REGEX_FOUND)
			fill_row(b, i, next);
	}
	return true;
}

/* Edges by the state they leave. */
static void sort_edges(struct build *b)
{
	const struct nfa *nfa = b->nfa;
	unsigned *at;

	b->first = arena_new_array(b->arena, unsigned, nfa->n_states + 1);
	b->out = arena_new_array(b->arena, const struct nfa_edge *, nfa->edges.n + 1);
	vec_foreach(e, &nfa->edges) {
		b->first[source(b, e) + 1]++;
		b->has_near |= e->kind == b->near;
	}
	for (unsigned s = 0; s < nfa->n_states; s++)
		b->first[s + 1] += b->first[s];
	at = arena_new_array(b->arena, unsigned, nfa->n_states + 1);
	memcpy(at, b->first, nfa->n_states * sizeof(*at));
	vec_foreach(e, &nfa->edges)
		b->out[at[source(b, e)]++] = e;
}

/* ---- minimisation ---- */

/* Do both states step into the same block by every class, and are they in one now? */
static bool same_block(const struct build *b, const unsigned *block, unsigned x, unsigned y)
{
	if (block[x] != block[y])
		return false;
	for (unsigned c = 0; c < b->nfa->classes->n; c++)
		if (block[b->rows.data[x][c]] != block[b->rows.data[y][c]])
			return false;
	return true;
}

/* In the manner of FNV-1a over the blocks that the state steps into. */
static uint32_t block_hash(const struct build *b, const unsigned *block, unsigned x)
{
	uint32_t hash = block[x] * 31;

	for (unsigned c = 0; c < b->nfa->classes->n; c++)
		hash = (hash ^ block[b->rows.data[x][c]]) * 16777619u;
	return hash;
}

/* States of one block that step into different blocks part. Returns the number of blocks. */
static unsigned refine(struct build *b, const unsigned *block, unsigned *next)
{
	unsigned n = 0;

	memset(b->slots, 0, SLOTS * sizeof(*b->slots));
	for (unsigned x = 0; x < b->subsets.n; x++) {
		size_t slot = block_hash(b, block, x) % SLOTS;

		while (b->slots[slot] && !same_block(b, block, b->slots[slot] - 1, x))
			slot = (slot + 1) % SLOTS;
		if (!b->slots[slot]) {
			b->slots[slot] = x + 1;
			next[x] = n++;
		} else {
			next[x] = next[b->slots[slot] - 1];
		}
	}
	return n;
}

/* The coarsest partition: states that set the same marks. Returns the number of blocks. */
static unsigned first_blocks(const struct build *b, unsigned *block)
{
	size_t bytes = 2 * dfa_stride(b->nfa->marks.n);
	VEC(unsigned) blocks = { 0 }; /* a member of each */

	for (unsigned x = 0; x < b->subsets.n; x++) {
		for (block[x] = 0; block[x] < blocks.n; block[x]++)
			if (!memcmp(b->marks.data[blocks.data[block[x]]], b->marks.data[x], bytes))
				break;
		if (block[x] == blocks.n)
			vec_push(b->arena, &blocks, x);
	}
	return (unsigned)blocks.n;
}

/*
 * Refines until the number of blocks no longer grows, which is after as many rounds as there are
 * states at most. Returns the block of each state.
 */
static unsigned *minimise(struct build *b)
{
	unsigned *block = arena_new_array(b->arena, unsigned, b->subsets.n);
	unsigned *next = arena_new_array(b->arena, unsigned, b->subsets.n), *old;
	unsigned n = first_blocks(b, block), before;

	do {
		before = n;
		n = refine(b, block, next);
		old = block;
		block = next;
		next = old;
	} while (n > before);
	return block;
}

/* ---- numbers ---- */

/* Numbers given to blocks in the order in which they are met. */
struct numbers {
	unsigned *of;      /* by block: 1 + its number */
	unsigned *members; /* by number: a state of the block */
	unsigned n;
};

/* The number of the block that state X is in, a new one when it has none. */
static unsigned number(struct numbers *numbers, const unsigned *block, unsigned x)
{
	unsigned *of = &numbers->of[block[x]];

	if (!*of) {
		numbers->members[numbers->n] = x;
		*of = ++numbers->n;
	}
	return *of - 1;
}

/*
 * Writes the tables, one state per block. Numbers are those of uapi/dfa.h: dead first, then found
 * when searching, then the starts and what they reach, so that equal automata have equal tables.
 */
static void write_dfa(struct build *b, const unsigned *block, struct stp_dfa *ret)
{
	size_t bytes = 2 * dfa_stride(b->nfa->marks.n);
	unsigned n_classes = b->nfa->classes->n;
	struct numbers numbers = {
		.of = arena_new_array(b->arena, unsigned, b->subsets.n),
		.members = arena_new_array(b->arena, unsigned, b->subsets.n),
	};
	uint16_t *next = arena_new_array(b->arena, uint16_t, b->subsets.n * n_classes);
	uint8_t *marks = arena_alloc(b->arena, b->subsets.n * bytes);

	number(&numbers, block, STP_REGEX_DEAD);
	if (b->search)
		number(&numbers, block, STP_REGEX_FOUND);
	for (int edge = 1; edge >= 0; edge--)
		ret->start[edge] = (uint16_t)number(&numbers, block, b->start[edge]);
	for (unsigned i = 0; i < numbers.n; i++) {
		unsigned x = numbers.members[i];

		memcpy(marks + i * bytes, b->marks.data[x], bytes);
		for (unsigned c = 0; c < n_classes; c++)
			next[i * n_classes + c] =
				(uint16_t)number(&numbers, block, b->rows.data[x][c]);
	}
	ret->next = next;
	ret->marks = marks;
	ret->n_states = (uint16_t)numbers.n;
	ret->n_marks = (uint16_t)b->nfa->marks.n;
}

bool dfa_too_many_states(struct arena *arena, struct dfa_budget *budget)
{
	budget->needs = arena_printf(arena, "more than %d states", REGEX_MAX_STATES);
	return false;
}

bool dfa_build(const struct nfa *nfa, bool search, struct dfa_budget *budget, struct stp_dfa *ret)
{
	struct build b = {
		.nfa = nfa,
		.arena = nfa->arena,
		.search = search,
		.near = nfa->backward ? NFA_END : NFA_BEGIN,
		.far = nfa->backward ? NFA_BEGIN : NFA_END,
		.words = (nfa->n_states + 63) / 64,
	};

	b.stack = arena_new_array(b.arena, unsigned, nfa->n_states);
	b.scratch = arena_new_array(b.arena, uint64_t, b.words);
	b.slots = arena_new_array(b.arena, unsigned, SLOTS);
	sort_edges(&b);
	if (!build_subsets(&b))
		return dfa_too_many_states(nfa->arena, budget);
	write_dfa(&b, minimise(&b), ret);
	budget->cells += (size_t)ret->n_states * nfa->classes->n;
	if (budget->cells <= REGEX_MAX_CELLS)
		return true;
	budget->needs = arena_printf(b.arena, "more than %d transitions", REGEX_MAX_CELLS);
	return false;
}
