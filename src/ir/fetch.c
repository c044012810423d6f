/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fetch programs: the table of operations, making, comparing and asking about programs. */
#include "ir/fetch.h"

#include "base/vec.h"
#include "ir/object.h"
#include "machine/machine.h"

/* Words of fetch_ops.def's columns. */
#define VALUE FETCH_USES_VALUE
#define SIZE FETCH_USES_SIZE
#define BITS FETCH_USES_BITS
#define SIGN FETCH_USES_SIGN
#define SPACE FETCH_USES_SPACE
#define REGISTER FETCH_USES_REGISTER
#define WORD FETCH_USES_WORD
#define OPERAND FETCH_USES_OPERAND
#define DEPTH FETCH_USES_DEPTH
#define KEPT FETCH_USES_KEPT
#define FAILS FETCH_FAILS
#define LINKED FETCH_LINKED

const struct fetch_op_info fetch_ops[N_FETCH_OPS] = {
#define OP(name, text, pops, pushes, fields, flags)                                                \
	[FETCH_##name] = { text, pops, pushes, fields, flags },
#include "ir/fetch_ops.def"
#undef OP
};

void fetch_push(struct arena *arena, struct fetch_program *p, struct fetch_insn insn)
{
	if (p->n == p->cap)
		p->insns = vec_grow(arena, p->insns, p->n, &p->cap, sizeof(*p->insns));
	p->insns[p->n++] = insn;
}

/* FROM is not P: its instructions may move while P grows. */
void fetch_append(struct arena *arena, struct fetch_program *p, const struct fetch_program *from)
{
	for (size_t i = 0; i < from->n; i++)
		fetch_push(arena, p, from->insns[i]);
}

struct fetch_program fetch_copy(struct arena *arena, const struct fetch_program *p)
{
	struct fetch_program copy = { 0 };

	fetch_append(arena, &copy, p);
	return copy;
}

/* By field: padding of the structure is not defined. */
static bool insn_equal(const struct fetch_insn *a, const struct fetch_insn *b)
{
	return a->op == b->op && a->space == b->space && a->size == b->size && a->bits == b->bits &&
	       a->is_signed == b->is_signed && a->number == b->number && a->value == b->value &&
	       a->section == b->section && a->entry == b->entry;
}

bool fetch_equal(const struct fetch_program *a, const struct fetch_program *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!insn_equal(&a->insns[i], &b->insns[i]))
			return false;
	return true;
}

/* Has one of the operations the flag in its row? */
static bool has_flag(const struct fetch_program *p, enum fetch_flag flag)
{
	for (size_t i = 0; i < p->n; i++)
		if (fetch_ops[p->insns[i].op].flags & flag)
			return true;
	return false;
}

bool fetch_can_fail(const struct fetch_program *p)
{
	return has_flag(p, FETCH_FAILS);
}

bool fetch_has_address(const struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct fetch_insn *in = &p->insns[i];

		if (fetch_ops[in->op].flags & FETCH_LINKED &&
		    !(in->section && in->section->object->path))
			return true;
	}
	return false;
}

bool fetch_has_operands(const struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (fetch_ops[p->insns[i].op].fields & FETCH_USES_OPERAND)
			return true;
	return false;
}

/* A register that is unknown counts as one that is not saved. */
bool fetch_needs_full_regs(const struct fetch_program *p, const struct machine *machine)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct machine_register *reg;

		if (p->insns[i].op != FETCH_REG)
			continue;
		reg = machine_register(machine, p->insns[i].number);
		if (!reg || !reg->at_entry)
			return true;
	}
	return false;
}

/*
 * FETCH_EXTEND and FETCH_BITS only pick of what the register holds; any other operation makes
 * another value.
 */
int fetch_register(const struct fetch_program *p)
{
	if (!p->n || p->insns[0].op != FETCH_REG)
		return -1;
	for (size_t i = 1; i < p->n; i++)
		if (p->insns[i].op != FETCH_EXTEND && p->insns[i].op != FETCH_BITS)
			return -1;
	return p->insns[0].number;
}

/* As a load of that size from where it is stored, at the value's low end. */
static int64_t extended(int64_t value, const struct fetch_insn *in)
{
	unsigned shift = 64 - 8 * (unsigned)in->size;

	return in->is_signed ? (int64_t)((uint64_t)value << shift) >> shift
			     : (int64_t)((uint64_t)value << shift >> shift);
}

/* What parameters of inlined functions are made of; others are left to the compiler. */
bool fetch_constant(const struct fetch_program *p, int64_t *ret)
{
	int64_t value;

	if (!p->n || p->insns[0].op != FETCH_CONST)
		return false;
	value = p->insns[0].value;
	for (size_t i = 1; i < p->n; i++) {
		if (p->insns[i].op == FETCH_EXTEND)
			value = extended(value, &p->insns[i]);
		else if (p->insns[i].op == FETCH_ADD)
			value = (int64_t)((uint64_t)value + (uint64_t)p->insns[i].value);
		else
			return false;
	}
	*ret = value;
	return true;
}

bool fetch_entry_by_thread(const struct fetch_entry *entry)
{
	return entry->object && entry->object->path;
}
