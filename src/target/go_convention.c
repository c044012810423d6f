/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where Go functions take their parameters and leave their results:
 * src/cmd/compile/abi-internal.md, "Function call argument and result passing", since Go 1.17.
 * Values are taken apart down to words; one whose words do not all find registers goes to the stack
 * whole, and the registers stay for the next. Before, all were on the stack, where debug
 * information has them.
 *
 * Parameters on the stack begin at the canonical frame address, results behind them; both are where
 * they were at the entry when the function is left, for the stack pointer is that of the entry.
 */
#include "target/convention.h"
#include "target/internal.h"

#define LEAVES_MAX 16

/* A word of a value, or a part of one, in a register. */
struct leaf {
	uint64_t at; /* bits from the begin of the value */
	unsigned bits;
	uint16_t number;
	bool is_float;
};

/* One sequence: the parameters, or the results. */
struct sequence {
	const struct machine *machine;
	struct arena *arena;
	struct target *target;
	unsigned used, floats;
	uint64_t stack; /* bytes from the canonical frame address */
};

/* What one value takes. */
struct value {
	struct sequence next; /* what is left behind it */
	struct leaf leaves[LEAVES_MAX];
	size_t n;
	unsigned depth, left; /* of the part that is being taken apart; parts that may be */
};

/* 0 is that of a function: Go's are pointers. */
static uint64_t size_of(const struct sequence *s, const struct target_type *type)
{
	return type->kind == TARGET_TYPE_FUNCTION ? s->machine->word : target_type_size(type);
}

/* Bits from the begin of the value that its words so far take. */
static uint64_t end_of(const struct value *v)
{
	return v->n ? v->leaves[v->n - 1].at + v->leaves[v->n - 1].bits : 0;
}

/* Go has no unions: what lies over something else is not of it. */
static bool take_register(struct value *v, uint64_t at, uint64_t size, bool is_float)
{
	const struct machine_go *go = &v->next.machine->go;
	struct leaf *leaf = &v->leaves[v->n];

	if (v->n == LEAVES_MAX || size > v->next.machine->word || at < end_of(v) ||
	    (is_float ? v->next.floats >= go->n_floats : v->next.used >= go->n_registers))
		return false;
	*leaf = (struct leaf){ .at = at, .bits = size * 8, .is_float = is_float };
	leaf->number =
		is_float ? go->first_float + v->next.floats++ : go->registers[v->next.used++];
	v->n++;
	return true;
}

static bool assign(struct value *v, const struct target_type *type, uint64_t at);

static bool assign_members(struct value *v, const struct target_type *type, uint64_t at)
{
	const struct target_member *members;
	size_t n = target_type_members(v->next.target, type, &members);

	for (size_t i = 0; i < n; i++)
		if (!assign(v, members[i].type, at + members[i].bit_offset))
			return false;
	return true;
}

static bool assign_one(struct value *v, const struct target_type *type, uint64_t at)
{
	const uint64_t word = v->next.machine->word;

	type = type->canonical;
	switch (type->kind) {
	case TARGET_TYPE_STRUCT:
		return assign_members(v, type, at);
	case TARGET_TYPE_ARRAY:
		return !type->count ||
		       (type->count == 1 && assign(v, target_type_pointee(type), at));
	case TARGET_TYPE_FLOAT: /* and pairs of them */
		if (size_of(&v->next, type) <= word)
			return take_register(v, at, size_of(&v->next, type), true);
		return take_register(v, at, word, true) &&
		       take_register(v, at + word * 8, word, true);
	default:
		return take_register(v, at, size_of(&v->next, type), false);
	}
}

/* false: not all of it finds a register. */
static bool assign(struct value *v, const struct target_type *type, uint64_t at)
{
	bool ret;

	if (v->depth == CONVENTION_DEPTH_MAX || !v->left)
		return false;
	v->left--;
	v->depth++;
	ret = assign_one(v, type, at);
	v->depth--;
	return ret;
}

/* LEFT: parts that may be looked at. */
static uint64_t alignment_of(struct sequence *s, const struct target_type *type, unsigned depth,
			     unsigned *left)
{
	const struct target_member *members;
	uint64_t ret = 1, size;

	type = type->canonical;
	if (depth == CONVENTION_DEPTH_MAX || !*left)
		return 1;
	--*left;
	if (type->kind == TARGET_TYPE_ARRAY)
		return alignment_of(s, target_type_pointee(type), depth + 1, left);
	if (type->kind == TARGET_TYPE_STRUCT) {
		size_t n = target_type_members(s->target, type, &members);

		for (size_t i = 0; i < n; i++) {
			uint64_t of = alignment_of(s, members[i].type, depth + 1, left);

			ret = of > ret ? of : ret;
		}
		return ret;
	}
	size = size_of(s, type);
	return !size ? 1 : size > s->machine->word ? s->machine->word : size;
}

static struct location on_stack(struct sequence *s, const struct target_type *type)
{
	uint64_t align = alignment_of(s, type, 0, &(unsigned){ CONVENTION_PARTS_MAX });
	struct fetch_program p = { 0 };

	s->stack = (s->stack + align - 1) / align * align;
	fetch_push(s->arena, &p,
		   (struct fetch_insn){ .op = FETCH_REG, .number = s->machine->stack_pointer });
	fetch_push(s->arena, &p,
		   (struct fetch_insn){ .op = FETCH_ADD,
					.value = (int64_t)(s->machine->cfa_at_entry + s->stack) });
	s->stack += size_of(s, type);
	return location_memory(p);
}

static void add_lost(struct arena *arena, struct location *l, uint64_t bits, const char *why)
{
	if (bits)
		location_add_piece(
			arena, l,
			(struct location_piece){ .bits = (unsigned)bits, .problem = why });
}

/* Is all of it in registers of floating point, which cannot be read? */
static bool is_lost(const struct value *v)
{
	size_t i = 0;

	while (i < v->n && v->leaves[i].is_float)
		i++;
	return v->n && i == v->n;
}

static struct location in_registers(struct sequence *s, const struct value *v, uint64_t size)
{
	struct location l = { 0 };
	uint64_t done = 0;

	if (is_lost(v))
		return location_lost(s->arena, s->machine, v->leaves[0].number);
	for (size_t i = 0; i < v->n; i++) {
		const struct leaf *leaf = &v->leaves[i];

		add_lost(s->arena, &l, leaf->at - done, "it is padding");
		done = leaf->at + leaf->bits;
		if (leaf->is_float) {
			add_lost(s->arena, &l, leaf->bits,
				 location_lost(s->arena, s->machine, leaf->number).problem);
			continue;
		}
		struct location_piece piece =
			location_register(s->arena, s->machine, leaf->number).pieces[0];

		piece.bits = leaf->bits;
		location_add_piece(s->arena, &l, piece);
	}
	add_lost(s->arena, &l, size * 8 - done, "it is padding");
	return l;
}

static struct location locate(struct sequence *s, const struct target_type *type)
{
	struct value v = { .next = *s, .left = CONVENTION_PARTS_MAX };

	if (!size_of(s, type) || !assign(&v, type, 0) || !v.n || end_of(&v) > size_of(s, type) * 8)
		return on_stack(s, type);
	*s = v.next;
	return in_registers(s, &v, size_of(s, type));
}

static void locate_all(struct sequence *s, struct variables *vars)
{
	vec_foreach(v, vars)
		v->location = locate(s, v->type);
	s->stack = (s->stack + s->machine->word - 1) & ~(uint64_t)(s->machine->word - 1);
}

void convention_locate_go(struct target *t, struct arena *arena, struct variables *params,
			  struct variables *results)
{
	struct sequence s = { .machine = t->machine, .arena = arena, .target = t };

	locate_all(&s, params);
	s.used = s.floats = 0;
	locate_all(&s, results);
}
