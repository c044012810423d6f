/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a machine's calling convention (machine/machine.h) puts parameters and results. The kernel
 * computes nothing in floating point: a parameter of such a type is in a register that has no value
 * at a probe, and takes none of the integers' registers. A value of up to two words goes whole to
 * registers or whole to the stack, whose first argument lies at the canonical frame address.
 */
#include "target/convention.h"
#include "target/internal.h"

/* Where the next parameters go. */
struct next {
	const struct machine *machine;
	struct arena *arena;
	unsigned used;   /* argument registers */
	unsigned floats; /* the same for floating point */
	uint64_t stack;  /* bytes from the stack pointer */
};

/* In memory, OFFSET bytes above what the register holds. */
static struct location word_at(struct arena *arena, const struct machine *machine, uint16_t number,
			       uint64_t offset)
{
	struct fetch_program p = { 0 };

	location_push_register(arena, machine, number, &p);
	if (offset)
		fetch_push(arena, &p,
			   (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)offset });
	return location_memory(p);
}

/* In N registers, 1 or 2, the lower word in the first. */
static struct location words_in(struct arena *arena, const struct machine *machine,
				const uint16_t *numbers, unsigned n)
{
	struct location l = location_register(arena, machine, numbers[0]);

	if (n > 1)
		location_add_piece(arena, &l,
				   location_register(arena, machine, numbers[1]).pieces[0]);
	return l;
}

/* Does it go to memory, or by reference, for its size alone? */
static bool is_large(const struct machine *machine, const struct target_type *type)
{
	return !type_by_reference(type) &&
	       (type_is_aggregate(type->canonical) || type->kind == TARGET_TYPE_ARRAY) &&
	       (machine->convention.aggregates_in_memory ||
		target_type_size(type) > 2u * machine->word);
}

/* What the words of a value of up to two are made of; depth: of the part that is looked at. */
struct classes {
	struct target *target;
	bool integers[2], floats[2];
	bool memory; /* none of it goes to registers */
	unsigned depth;
	unsigned bits; /* of a word */
};

static void classify(struct classes *c, const struct target_type *type, uint64_t at);

static void classify_members(struct classes *c, const struct target_type *type, uint64_t at)
{
	const struct target_member *members;
	size_t n = target_type_members(c->target, type, &members);

	for (size_t i = 0; i < n; i++)
		if (members[i].bits)
			c->integers[(at + members[i].bit_offset) / c->bits % 2] = true;
		else
			classify(c, members[i].type, at + members[i].bit_offset);
}

static void classify_elements(struct classes *c, const struct target_type *type, uint64_t at)
{
	const struct target_type *element = target_type_pointee(type);
	uint64_t size = target_type_size(element);

	for (uint64_t i = 0; size && i < type->count && at + i * size * 8 < 2 * c->bits; i++)
		classify(c, element, at + i * size * 8);
}

/* Of floating point: an x87 number in a structure goes to memory, as what is not aligned does. */
static void classify_scalar(struct classes *c, const struct target_type *type, uint64_t at)
{
	uint64_t size = target_type_size(type);

	c->memory = c->memory || size > c->bits / 8 || (size && at / 8 % size);
	(type->kind == TARGET_TYPE_FLOAT ? c->floats : c->integers)[at / c->bits] = true;
}

/* What begins AT bits from the begin of the value. */
static void classify(struct classes *c, const struct target_type *type, uint64_t at)
{
	type = type->canonical;
	if (c->depth == CONVENTION_DEPTH_MAX || at >= 2 * c->bits) {
		c->memory = true;
		return;
	}
	c->depth++;
	if (type_is_aggregate(type))
		classify_members(c, type, at);
	else if (type->kind == TARGET_TYPE_ARRAY)
		classify_elements(c, type, at);
	else
		classify_scalar(c, type, at);
	c->depth--;
}

/* The same in registers: words of nothing but floating point take one for it each. */
struct takes {
	unsigned words, floats;
	bool memory;
};

static struct takes takes_of(const struct machine *machine, const struct target_type *type)
{
	struct classes c = { .target = type->source->target, .bits = machine->word * 8u };
	struct takes ret = { .words = target_type_size(type) > machine->word ? 2 : 1 };

	if (!machine->convention.words_have_classes || !type_is_aggregate(type->canonical) ||
	    is_large(machine, type))
		return ret;
	classify(&c, type, 0);
	ret.words = c.integers[0] + c.integers[1];
	for (unsigned i = 0; i < 2; i++)
		ret.floats += c.floats[i] && !c.integers[i];
	ret.memory = c.memory;
	return ret;
}

/* Does it go to memory? */
static bool goes_to_memory(const struct machine *machine, const struct target_type *type)
{
	return is_large(machine, type) || takes_of(machine, type).memory;
}

/*
 * Takes the next words of the stack, all of SIZE. Where the convention says so, the argument
 * registers are used up then.
 */
static struct location on_stack(struct next *next, uint64_t size)
{
	const uint64_t word = next->machine->word;
	struct location l =
		word_at(next->arena, next->machine, next->machine->stack_pointer, next->stack);

	next->stack += (size + word - 1) & ~(word - 1);
	if (next->machine->convention.stack_is_final)
		next->used = next->machine->convention.n_arguments;
	return l;
}

/* At the address that the next register or stack word holds. */
static struct location by_address(struct next *next)
{
	const struct machine_convention *c = &next->machine->convention;
	struct location l;

	if (next->used < c->n_arguments)
		return word_at(next->arena, next->machine, c->arguments[next->used++], 0);
	l = on_stack(next, next->machine->word);
	fetch_push(next->arena, &l.address,
		   (struct fetch_insn){ .op = FETCH_LOAD, .size = next->machine->word });
	return l;
}

/* Takes the registers or stack words of the next parameter. */
static struct location locate(struct next *next, const struct target_type *type)
{
	const struct machine *machine = next->machine;
	const struct machine_convention *c = &machine->convention;
	struct takes takes = takes_of(next->machine, type);
	uint64_t size = target_type_size(type);
	struct location l;

	if (type_by_reference(type))
		return by_address(next);
	if (type->kind == TARGET_TYPE_FLOAT && size <= machine->word && next->floats < c->n_floats)
		return location_lost(next->arena, next->machine, c->first_float + next->floats++);
	if (type->kind == TARGET_TYPE_FLOAT)
		return on_stack(next, size);
	if (is_large(machine, type) && !c->large_by_reference)
		return on_stack(next, size);
	if (is_large(machine, type))
		return by_address(next);
	if (takes.words == 2 && c->pairs_are_even && !type_is_aggregate(type->canonical))
		next->used = (next->used + 1) & ~1u;
	if (takes.memory || next->used + takes.words > c->n_arguments ||
	    (takes.floats && next->floats + takes.floats > c->n_floats))
		return on_stack(next, size);
	if (takes.floats)
		l = location_lost(next->arena, next->machine, c->first_float + next->floats);
	else if (takes.words)
		l = words_in(next->arena, machine, &c->arguments[next->used], takes.words);
	else
		l = location_none("there is nothing in it");
	next->used += takes.words;
	next->floats += takes.floats;
	return l;
}

bool convention_result_in_memory(const struct machine *machine, const struct target_type *result)
{
	return goes_to_memory(machine, result) || type_by_reference(result);
}

/* A hidden first argument with the result's address takes a register before all others. */
void convention_locate_parameters(const struct machine *machine, struct arena *arena,
				  const struct target_type *result, struct variable *params,
				  size_t n)
{
	struct next next = { .machine = machine, .arena = arena, .stack = machine->cfa_at_entry };

	if (convention_result_in_memory(machine, result) &&
	    machine->convention.result_is_argument) {
		if (machine->convention.n_arguments)
			next.used = 1;
		else
			next.stack += machine->word;
	}

	for (size_t i = 0; i < n; i++)
		params[i].location = locate(&next, params[i].type);
}

struct location convention_locate_result(const struct machine *machine, struct arena *arena,
					 const struct target_type *result)
{
	const struct machine_convention *c = &machine->convention;

	if (result->kind == TARGET_TYPE_FLOAT)
		return location_lost(arena, machine, c->first_float);
	if (takes_of(machine, result).floats && !type_by_reference(result))
		return location_lost(arena, machine, c->first_float);
	if (!convention_result_in_memory(machine, result))
		return words_in(arena, machine, c->results,
				target_type_size(result) > machine->word ? 2 : 1);
	if (c->result_address < 0)
		return location_none("its address is not known any more at the return");
	return word_at(arena, machine, (uint16_t)c->result_address, 0);
}
