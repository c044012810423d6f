/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of Rust's calling convention. It is nobody's promise (The Rust Reference, "ABI"),
 * and debug information does not say whether a function is extern "C" besides, so a place is known
 * only where all that rustc does agree with C's convention:
 *
 *   - a number, a pointer, or what is nothing but one: a register;
 *   - two integers or pointers that are the two words (&str, &[T], Option<u64>) and aligned as
 *   such: a register each, while there are
 *     two left;
 *   - a result of more than two words: in memory, whose address comes as the first argument; it
 *   need not be returned.
 *
 * What has no size is not passed. Another result of two words (Result<u64, u32>, [u64; 2], what is
 * packed or aligned to 16) is in memory or in registers as the version of rustc has it, so nothing
 * is known of the parameters beside it. Pairs within a word have a register each in Rust, and one
 * in C; what is larger than two words is passed by its address in Rust, and on the stack in C;
 * numbers in floating point have registers of their own in both, but not within arrays. Behind a
 * parameter that they do not agree on, no other is known.
 *
 * What a closure captured comes before its parameters, or the address of that, and debug
 * information does not say which; async functions and blocks are closures too. Nothing is known of
 * those.
 */
#include "target/convention.h"
#include "target/internal.h"

#define UNKNOWN "Rust does not say how it is passed"
#define CAPTURED "Rust does not say how what the closure captured is passed before it"

/* What a value is made of, as far as it matters. */
struct shape {
	struct target *target;
	uint64_t size, word; /* bytes: of all of it, of a word */
	bool other;          /* something that is treated differently */
	/* so is a number in floating point, whose place in memory is as any other's */
	bool floating;
	bool in_first;   /* something that begins in the first word and is not all of the value */
	uint64_t second; /* bytes of what begins with the second word; 0: nothing does */
	unsigned depth, left; /* of the part that is looked at; parts that may be */
};

static void look_at(struct shape *s, const struct target_type *type, uint64_t at)
{
	const struct target_member *members;
	size_t n;

	type = type->canonical;
	if (!s->left) {
		s->other = true;
		return;
	}
	s->left--;
	if (type_is_aggregate(type) && s->depth < CONVENTION_DEPTH_MAX) {
		s->depth++;
		s->other |= type->kind == TARGET_TYPE_UNION && s->size > s->word;
		n = target_type_members(s->target, type, &members);
		for (size_t i = 0; i < n; i++) {
			s->other |= members[i].bits;
			look_at(s, members[i].type, at + members[i].bit_offset / 8);
		}
		s->depth--;
		return;
	}
	if (!target_type_size(type) && !type_is_aggregate(type))
		return;
	s->other |= type_is_aggregate(type) || type->kind == TARGET_TYPE_ARRAY ||
		    target_type_size(type) > s->word;
	s->floating |= type->kind == TARGET_TYPE_FLOAT;
	s->in_first |= at < s->word && target_type_size(type) != s->size;
	if (at < s->word)
		s->other |= at && s->size > s->word;
	else
		s->other |= at != s->word || (s->second && s->second != target_type_size(type));
	if (at == s->word)
		s->second = target_type_size(type);
}

static bool is_single(const struct target_type *type)
{
	return !type_is_aggregate(type->canonical) && type->kind != TARGET_TYPE_ARRAY;
}

static struct shape shape_of(const struct machine *machine, const struct target_type *type)
{
	struct shape s = { .target = type->source->target,
			   .size = target_type_size(type),
			   .word = machine->word,
			   .left = CONVENTION_PARTS_MAX };

	look_at(&s, type, 0);
	return s;
}

/* Is it two numbers or pointers of a word each, and nothing else? */
static bool is_pair(const struct shape *s, const struct target_type *type)
{
	return !s->other && s->size == 2 * s->word && s->second &&
	       (!type->alignment || type->alignment == s->word);
}

/* Is it where C's convention has it, in LOCATION? */
static bool is_agreed(const struct machine *machine, const struct target_type *type,
		      const struct location *location)
{
	struct shape s;

	if (is_single(type))
		return target_type_size(type) <= machine->word;
	if (!target_type_size(type))
		return true;
	s = shape_of(machine, type);
	if (s.other || s.floating)
		return false;
	return s.size <= s.word ? !s.in_first : is_pair(&s, type) && location->n_pieces == 2;
}

/* Do both have the address of such a result as the first argument, or both not? */
static bool result_is_agreed(const struct machine *machine, const struct target_type *type)
{
	uint64_t size = target_type_size(type);
	struct shape s;

	if (is_single(type) || size > 2u * machine->word)
		return true;
	if (convention_result_in_memory(machine, type))
		return false;
	if (size <= machine->word)
		return true;
	s = shape_of(machine, type);
	return is_pair(&s, type);
}

void convention_locate_rust(const struct machine *machine, struct arena *arena,
			    const struct target_type *result, bool captures,
			    struct variables *params)
{
	struct variables passed = { 0 };
	bool known = result_is_agreed(machine, result);
	size_t next = 0;

	vec_foreach(v, params)
		if (target_type_size(v->type))
			vec_push(arena, &passed, *v);
	convention_locate_parameters(machine, arena, result, passed.data, passed.n);
	vec_foreach(v, params) {
		if (!target_type_size(v->type)) {
			v->location = location_none("there is nothing in it");
			continue;
		}
		v->location = passed.data[next++].location;
		known = known && !captures && is_agreed(machine, v->type, &v->location);
		if (!known)
			v->location = location_none(captures ? CAPTURED : UNKNOWN);
	}
}

struct location convention_locate_rust_result(const struct machine *machine, struct arena *arena,
					      const struct target_type *result)
{
	struct location l = convention_locate_result(machine, arena, result);

	return is_agreed(machine, result, &l)
		       ? l
		       : location_none("Rust does not say how it is returned");
}
