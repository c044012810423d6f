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
	bool is_unsure; /* something may be on the stack or not: where what follows is there is not known */
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

/* What a word of a value is (System V ABI, AMD64 supplement, 3.2.3, "Classification"). */
enum word_class {
	CLASS_NONE, /* padding */
	CLASS_INTEGER,
	CLASS_SSE,
	CLASS_SSEUP, /* the upper half of what the word before began */
	CLASS_X87,
	CLASS_X87UP,
	CLASS_MEMORY,
};

/* The words of a value of up to two; depth: of the part that is looked at. */
struct classes {
	struct target *target;
	enum word_class words[2];
	unsigned depth;
	unsigned bits; /* of a word */
	unsigned left; /* parts that may still be looked at */
};

static void classify(struct classes *c, const struct target_type *type, uint64_t at);

/* The two are in one word: "Classification", 4. */
static enum word_class merge(enum word_class a, enum word_class b)
{
	if (a == b || b == CLASS_NONE)
		return a;
	if (a == CLASS_NONE)
		return b;
	if (a == CLASS_MEMORY || b == CLASS_MEMORY)
		return CLASS_MEMORY;
	if (a == CLASS_INTEGER || b == CLASS_INTEGER)
		return CLASS_INTEGER;
	return a == CLASS_X87 || a == CLASS_X87UP || b == CLASS_X87 || b == CLASS_X87UP
		       ? CLASS_MEMORY
		       : CLASS_SSE;
}

static void add_class(struct classes *c, uint64_t at, enum word_class class)
{
	enum word_class *word = &c->words[at / c->bits % 2];

	*word = at < 2 * c->bits ? merge(*word, class) : CLASS_MEMORY;
}

static void classify_members(struct classes *c, const struct target_type *type, uint64_t at)
{
	const struct target_member *members;
	size_t n = target_type_members(c->target, type, &members);

	for (size_t i = 0; i < n; i++)
		if (members[i].bits)
			add_class(c, at + members[i].bit_offset, CLASS_INTEGER);
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

/* One value of SIZE bytes, of up to two words; what is not aligned goes to memory. */
static void add_value(struct classes *c, uint64_t at, uint64_t size, enum word_class low,
		      enum word_class high)
{
	if (size > c->bits / 4 || (size && at / 8 % size)) {
		add_class(c, at, CLASS_MEMORY);
		return;
	}
	add_class(c, at, low);
	if (size > c->bits / 8)
		add_class(c, at + c->bits, high);
}

static void classify_scalar(struct classes *c, const struct target_type *type, uint64_t at)
{
	uint64_t size = target_type_size(type);

	if (type->is_vector) {
		add_value(c, at, size, CLASS_SSE, CLASS_SSEUP);
	} else if (type->kind != TARGET_TYPE_FLOAT) {
		add_value(c, at, size, CLASS_INTEGER, CLASS_INTEGER);
	} else if (type->is_complex && size <= c->bits / 4) {
		add_value(c, at, size / 2, CLASS_SSE, CLASS_NONE);
		add_value(c, at + size * 4, size / 2, CLASS_SSE, CLASS_NONE);
	} else if (size <= c->bits / 8 || type->is_quad) {
		add_value(c, at, size, CLASS_SSE, CLASS_SSEUP);
	} else {
		/* a pair of them is "COMPLEX_X87", which differs in nothing that is asked here */
		add_class(c, at, at ? CLASS_MEMORY : CLASS_X87);
		add_class(c, at + c->bits, CLASS_X87UP);
	}
}

/* What begins AT bits from the begin of the value. */
static void classify(struct classes *c, const struct target_type *type, uint64_t at)
{
	type = type->canonical;
	if (c->depth == CONVENTION_DEPTH_MAX || !c->left) {
		c->words[0] = CLASS_MEMORY;
		return;
	}
	c->left--;
	c->depth++;
	if (type_is_aggregate(type))
		classify_members(c, type, at);
	else if (type->kind == TARGET_TYPE_ARRAY && !type->is_vector)
		classify_elements(c, type, at);
	else
		classify_scalar(c, type, at);
	c->depth--;
}

/* The registers that a value of up to two words takes. */
struct takes {
	enum word_class words[2];
	unsigned n;                /* words */
	unsigned integers, floats; /* registers of either kind */
	bool memory;               /* it takes none */
};

/* Whatever it is made of goes to the registers of integers. */
static struct takes takes_integers(unsigned n)
{
	return (struct takes){ { CLASS_INTEGER, CLASS_INTEGER }, n, n, 0, false };
}

static struct takes takes_of(const struct machine *machine, const struct target_type *type)
{
	struct classes c = { .target = type->source->target,
			     .bits = machine->word * 8u,
			     .left = CONVENTION_PARTS_MAX };
	struct takes ret = { .n = target_type_size(type) > machine->word ? 2 : 1 };

	if (!machine->convention.words_have_classes || is_large(machine, type))
		return takes_integers(ret.n);
	classify(&c, type, 0);
	for (unsigned i = 0; i < 2; i++) {
		ret.words[i] = c.words[i];
		ret.integers += c.words[i] == CLASS_INTEGER;
		ret.floats += c.words[i] == CLASS_SSE;
		ret.memory |= c.words[i] == CLASS_MEMORY;
	}
	/* "Classification", 5: what is left of an x87 number, another thing lying over its begin */
	ret.memory |= c.words[1] == CLASS_X87UP && c.words[0] != CLASS_X87;
	return ret;
}

/* Does it go to memory? An x87 number does as a parameter only. */
static bool goes_to_memory(const struct machine *machine, const struct target_type *type)
{
	return is_large(machine, type) || takes_of(machine, type).memory;
}

#define WIDE_VECTOR "how vectors of more than 16 bytes are passed depends on how it was compiled"

/*
 * Is it a vector of more than two words, or nothing but one? Whether there are registers for it
 * depends on options of the compiler ("-mavx").
 */
static bool is_wide_vector(const struct machine *machine, const struct target_type *type)
{
	const uint64_t size = target_type_size(type);

	if (!machine->convention.words_have_classes || size <= 2u * machine->word)
		return false;
	for (unsigned depth = 0; depth < CONVENTION_DEPTH_MAX; depth++) {
		const struct target_member *m;

		type = type->canonical;
		if (!type_is_aggregate(type))
			return type->is_vector;
		if (target_type_members(type->source->target, type, &m) != 1 ||
		    target_type_size(m->type) != size)
			return false;
		type = m->type;
	}
	return false;
}

static uint64_t alignment_of(const struct target_type *type, unsigned *left);

/* A member that is not aligned as its type is packed. */
static uint64_t alignment_of_members(const struct target_type *type, unsigned *left)
{
	const struct target_member *m;
	size_t n = target_type_members(type->source->target, type, &m);
	uint64_t ret = 1, size = target_type_size(type);

	for (size_t i = 0; i < n; i++) {
		uint64_t of = m[i].bits ? 1 : alignment_of(m[i].type, left);

		if (of > ret && m[i].bit_offset / 8 % of == 0 && size % of == 0)
			ret = of;
	}
	return ret;
}

static uint64_t alignment_of(const struct target_type *type, unsigned *left)
{
	uint64_t of_members, size;

	type = type->canonical;
	if (!*left)
		return 1;
	--*left;
	if (type->kind == TARGET_TYPE_ARRAY && !type->is_vector)
		return alignment_of(target_type_pointee(type), left);
	if (type_is_aggregate(type)) {
		of_members = alignment_of_members(type, left);
		return type->alignment > of_members ? type->alignment : of_members;
	}
	size = type->is_complex ? target_type_size(type) / 2 : target_type_size(type);
	return size && !(size & (size - 1)) ? size : 1;
}

static uint64_t whole_alignment(const struct target_type *type)
{
	return alignment_of(type, &(unsigned){ CONVENTION_PARTS_MAX });
}

/*
 * Takes the next words of the stack, all of SIZE. Where the convention says so, the argument
 * registers are used up then.
 */
static struct location on_stack(struct next *next, uint64_t size, uint64_t alignment)
{
	const uint64_t word = next->machine->word, cfa = next->machine->cfa_at_entry;
	struct location l;

	if (next->is_unsure)
		return location_none("it is on the stack, behind what may be there or not");
	if (next->machine->convention.stack_is_aligned && alignment > word)
		next->stack = (next->stack - cfa + alignment - 1) / alignment * alignment + cfa;
	l = word_at(next->arena, next->machine, next->machine->stack_pointer, next->stack);
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
	l = on_stack(next, next->machine->word, 1);
	if (l.kind == LOCATION_NONE)
		return l;
	fetch_push(next->arena, &l.address,
		   (struct fetch_insn){ .op = FETCH_LOAD, .size = next->machine->word });
	return l;
}

static void add_lost(struct arena *arena, struct location *l, unsigned bits, const char *why)
{
	location_add_piece(arena, l, (struct location_piece){ .bits = bits, .problem = why });
}

/*
 * The words of TAKES, in the registers from INTEGERS and FLOAT on. A word in floating point is a
 * part that cannot be read.
 */
static struct location in_registers(struct arena *arena, const struct machine *machine,
				    const struct takes *takes, const uint16_t *integers,
				    uint16_t first_float)
{
	const char *why = "there is nothing in it", *lost = NULL;
	struct location l = { 0 };

	for (unsigned i = 0; i < takes->n; i++) {
		switch (takes->words[i]) {
		case CLASS_INTEGER:
			location_add_piece(
				arena, &l,
				location_register(arena, machine, *integers++).pieces[0]);
			continue;
		case CLASS_SSE:
			why = location_lost(arena, machine, first_float++).problem;
			break;
		case CLASS_NONE:
			why = lost ? why : "there is nothing in it";
			break;
		case CLASS_SSEUP: /* in the same register */
		case CLASS_X87:
		case CLASS_X87UP:
		case CLASS_MEMORY:
			break;
		}
		lost = lost ? lost : why;
		add_lost(arena, &l, machine->word * 8u, why);
	}
	return takes->integers ? l : location_none(lost);
}

/* By the classes of its words. */
static struct location locate_by_class(struct next *next, const struct target_type *type)
{
	const struct machine_convention *c = &next->machine->convention;
	struct takes takes = takes_of(next->machine, type);
	struct location l;

	if (is_large(next->machine, type) || takes.memory || takes.words[0] == CLASS_X87 ||
	    next->used + takes.integers > c->n_arguments ||
	    next->floats + takes.floats > c->n_floats)
		return on_stack(next, target_type_size(type), whole_alignment(type));
	l = in_registers(next->arena, next->machine, &takes, &c->arguments[next->used],
			 (uint16_t)(c->first_float + next->floats));
	next->used += takes.integers;
	next->floats += takes.floats;
	return l;
}

/* By its size, and whether it is a number in floating point. */
static struct location locate_by_size(struct next *next, const struct target_type *type)
{
	const struct machine *machine = next->machine;
	const struct machine_convention *c = &machine->convention;
	uint64_t size = target_type_size(type), alignment = whole_alignment(type);
	unsigned n = size > machine->word ? 2 : 1;
	struct location l;

	alignment = alignment < 2u * machine->word ? alignment : 2u * machine->word;

	if (type->kind == TARGET_TYPE_FLOAT && size <= machine->word && next->floats < c->n_floats)
		return location_lost(next->arena, machine, c->first_float + next->floats++);
	if (type->kind == TARGET_TYPE_FLOAT)
		return on_stack(next, size, alignment);
	if (is_large(machine, type))
		return c->large_by_reference ? by_address(next) : on_stack(next, size, alignment);
	if (n == 2 && c->pairs_are_even && !type_is_aggregate(type->canonical))
		next->used = (next->used + 1) & ~1u;
	if (next->used + n > c->n_arguments)
		return on_stack(next, size, alignment);
	l = words_in(next->arena, machine, &c->arguments[next->used], n);
	next->used += n;
	return l;
}

/* Takes the registers or stack words of the next parameter. */
static struct location locate(struct next *next, const struct target_type *type)
{
	if (type_by_reference(type))
		return by_address(next);
	if (!next->machine->convention.words_have_classes)
		return locate_by_size(next, type);
	if (!is_wide_vector(next->machine, type))
		return locate_by_class(next, type);
	next->is_unsure = true;
	return location_none(WIDE_VECTOR);
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

	if (is_wide_vector(machine, result)) {
		for (size_t i = 0; i < n; i++)
			params[i].location = location_none(WIDE_VECTOR);
		return;
	}
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

/* Is it itself passed and returned, in a word, and not its address? */
static bool is_microsoft_word(const struct target_type *type)
{
	uint64_t size = target_type_size(type);

	return !type_by_reference(type) && !type->is_complex &&
	       (size == 1 || size == 2 || size == 4 || size == 8);
}

/*
 * Each takes a register by its number, or a word of the stack, where those in registers have room
 * too.
 */
static struct location locate_microsoft(const struct machine *machine, struct arena *arena,
					const struct target_type *type, size_t number)
{
	const struct machine_convention *c = &machine->convention;
	bool is_word = is_microsoft_word(type);
	struct location l;

	if (number < c->n_microsoft && is_word && type->kind == TARGET_TYPE_FLOAT)
		return location_lost(arena, machine, c->first_float + number);
	if (number < c->n_microsoft)
		return is_word ? words_in(arena, machine, &c->microsoft[number], 1)
			       : word_at(arena, machine, c->microsoft[number], 0);
	l = word_at(arena, machine, machine->stack_pointer,
		    machine->cfa_at_entry + number * machine->word);
	if (!is_word)
		fetch_push(arena, &l.address,
			   (struct fetch_insn){ .op = FETCH_LOAD, .size = machine->word });
	return l;
}

void convention_locate_microsoft(const struct machine *machine, struct arena *arena,
				 const struct target_type *result, struct variable *params,
				 size_t n)
{
	size_t number = result->kind != TARGET_TYPE_VOID && !is_microsoft_word(result);

	for (size_t i = 0; i < n; i++)
		params[i].location = locate_microsoft(machine, arena, params[i].type, number++);
}

static struct location in_memory(const struct machine *machine, struct arena *arena)
{
	const struct machine_convention *c = &machine->convention;

	if (c->result_address < 0)
		return location_none("its address is not known any more at the return");
	return word_at(arena, machine, (uint16_t)c->result_address, 0);
}

struct location convention_locate_result(const struct machine *machine, struct arena *arena,
					 const struct target_type *result)
{
	const struct machine_convention *c = &machine->convention;
	struct takes takes;

	if (is_wide_vector(machine, result))
		return location_none(WIDE_VECTOR);
	if (convention_result_in_memory(machine, result))
		return in_memory(machine, arena);
	if (!c->words_have_classes && result->kind == TARGET_TYPE_FLOAT)
		return location_lost(arena, machine, c->first_float);
	takes = takes_of(machine, result);
	if (takes.words[0] == CLASS_X87)
		return location_lost(arena, machine, c->x87_result);
	return in_registers(arena, machine, &takes, c->results, c->first_float);
}
