/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The System V x86-64 calling convention as the kernel uses it: no floating point, so every value
 * is of class INTEGER or MEMORY. Six words go to registers in order; a value of two words goes
 * whole to registers or whole to the stack; a result over 16 bytes is returned through a hidden
 * first argument. At entry the stack holds the return address.
 */
#include "target/internal.h"

/* DWARF numbers of di si dx cx r8 r9 */
static const uint16_t argument_regs[] = { 5, 4, 1, 2, 8, 9 };
#define N_ARGUMENT_REGS 6
#define REG_AX 0
#define REG_DX 1
#define REG_SP 7

void place_push(struct arena *arena, struct fetch_program *p, struct fetch_insn insn)
{
	if (p->n == p->cap)
		p->insns = vec_grow(arena, p->insns, p->n, &p->cap, sizeof(*p->insns));
	p->insns[p->n++] = insn;
}

struct fetch_program place_copy(struct arena *arena, const struct fetch_program *p)
{
	struct fetch_program copy = { 0 };

	for (size_t i = 0; i < p->n; i++)
		place_push(arena, &copy, p->insns[i]);
	return copy;
}

static struct fetch_program reg(struct arena *arena, uint16_t number)
{
	struct fetch_program p = { 0 };

	place_push(arena, &p, (struct fetch_insn){ .op = FETCH_REG, .reg = number });
	return p;
}

static bool is_memory_class(const struct target_type *type)
{
	return (type_is_aggregate(type->canonical) || type->kind == TARGET_TYPE_ARRAY) &&
	       target_type_size(type) > 16;
}

void convention_place_parameters(struct arena *arena, const struct target_type *result,
				 struct variable *params, size_t n)
{
	unsigned used = is_memory_class(result) ? 1 : 0;
	uint64_t stack = 8;

	for (size_t i = 0; i < n; i++) {
		struct place *p = &params[i].place;
		uint64_t size = target_type_size(params[i].type);
		unsigned words = size > 8 ? 2 : 1;

		if (params[i].type->kind == TARGET_TYPE_FLOAT) {
			*p = (struct place){ .problem = "floating-point arguments cannot be read" };
			continue;
		}
		if (is_memory_class(params[i].type) || used + words > N_ARGUMENT_REGS) {
			*p = (struct place){ .kind = PLACE_MEMORY, .prog = reg(arena, REG_SP) };
			place_push(arena, &p->prog,
				   (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)stack });
			stack += (size + 7) & ~7ull;
			continue;
		}
		*p = (struct place){ .kind = PLACE_WORDS, .prog = reg(arena, argument_regs[used]) };
		if (words == 2)
			p->high = reg(arena, argument_regs[used + 1]);
		used += words;
	}
}

struct place convention_place_result(struct arena *arena, const struct target_type *result)
{
	struct place p = { .kind = PLACE_WORDS, .prog = reg(arena, REG_AX) };

	if (result->kind == TARGET_TYPE_FLOAT)
		return (struct place){ .problem = "floating-point results cannot be read" };
	if (is_memory_class(result))
		p.kind = PLACE_MEMORY;
	else if (target_type_size(result) > 8)
		p.high = reg(arena, REG_DX);
	return p;
}
