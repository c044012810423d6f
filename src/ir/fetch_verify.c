/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every fetch program holds to, by the table of operations. A program that fails here is a bug
 * in Spile: the C made of it could read the wrong memory. target/ verifies what it converts from
 * DWARF, and ir_verify() every program of the IR.
 */
#include "base/arena.h"
#include "ir/fetch.h"
#include "machine/machine.h"
#include "runtime/uapi/script.h"

_Static_assert(FETCH_TPARG_MAX == STP_TRACE_ARGS_MAX,
	       "the runtime has a callback for each number of words");

/* depth: words on the stack before the instruction. */
struct checker {
	const struct machine *machine;
	size_t n_operands;
	unsigned depth;
};

/* Sizes that a load or an extension may have, in bytes. */
static bool is_size(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Of fields that a row does not use: 0. */
static const char *check_unused(const struct fetch_insn *in, unsigned fields)
{
	if (!(fetch_ops[in->op].flags & FETCH_LINKED) && in->section)
		return "a section that is not used";
	if (!(fields & FETCH_USES_KEPT) && in->entry)
		return "an entry that is not used";
	if (!(fields & FETCH_USES_VALUE) && in->value)
		return "a value that is not used";
	if (!(fields & FETCH_USES_NUMBER) && in->number)
		return "a number that is not used";
	if (!(fields & FETCH_USES_SIZE) && in->size)
		return "a size that is not used";
	if (!(fields & FETCH_USES_BITS) && in->bits)
		return "a width that is not used";
	if (!(fields & FETCH_USES_SIGN) && in->is_signed)
		return "a sign that is not used";
	if (!(fields & FETCH_USES_SPACE) && in->space)
		return "an address space that is not used";
	return NULL;
}

/* There is a register of that number and the probe has its value. */
static const char *check_register(const struct checker *c, unsigned number)
{
	const struct machine_register *reg =
		c->machine ? machine_register(c->machine, number) : NULL;

	return reg && reg->field ? NULL : "a register without a value";
}

/* The row says what the number counts. */
static const char *check_number(const struct checker *c, const struct fetch_insn *in,
				unsigned fields)
{
	if (fields & FETCH_USES_REGISTER)
		return check_register(c, in->number);
	if (fields & FETCH_USES_WORD && in->number >= FETCH_TPARG_MAX)
		return "an argument that no tracepoint has";
	if (fields & FETCH_USES_OPERAND && in->number >= c->n_operands)
		return "an operand that is not there";
	if (fields & FETCH_USES_DEPTH && in->number >= c->depth)
		return "a word below the stack";
	return NULL;
}

/* What the fields may hold, of those that the row uses. */
static const char *check_fields(const struct checker *c, const struct fetch_insn *in)
{
	unsigned fields = fetch_ops[in->op].fields;
	const char *wrong = check_unused(in, fields);

	if (wrong)
		return wrong;
	if (fields & FETCH_USES_SIZE && !is_size(in->size))
		return "a size that is none";
	if (fields & FETCH_USES_BITS && (!in->bits || in->bits > 64 || in->value < 0 ||
					 in->value > 63 || in->bits + in->value > 64))
		return "bits outside a word";
	if (fields & FETCH_USES_KEPT && !in->entry)
		return "no entry";
	if (fields & FETCH_USES_SPACE && in->space > FETCH_PERCPU)
		return "an address space that cannot be read";
	return check_number(c, in, fields);
}

/* Takes one instruction's effect on the depth of the stack. */
static const char *check_insn(struct checker *c, const struct fetch_insn *in)
{
	const struct fetch_op_info *row;
	const char *wrong;

	if ((unsigned)in->op >= N_FETCH_OPS)
		return "no operation";
	row = &fetch_ops[in->op];
	if (c->depth < row->pops)
		return "too few words on the stack";
	wrong = check_fields(c, in);
	c->depth += row->pushes - row->pops;
	if (!wrong && c->depth > FETCH_STACK_MAX)
		return "too many words on the stack";
	return wrong;
}

/*
 * One pass is enough: programs have no jumps, so the depth of the stack is known at each
 * instruction.
 */
const char *fetch_verify(const struct fetch_program *p, const struct machine *machine,
			 size_t n_operands, struct arena *arena)
{
	struct checker c = { .machine = machine, .n_operands = n_operands };

	for (size_t i = 0; i < p->n; i++) {
		const char *wrong = check_insn(&c, &p->insns[i]);

		if (wrong)
			return arena_printf(arena, "fetch program, instruction %zu (%s): %s", i,
					    (unsigned)p->insns[i].op < N_FETCH_OPS
						    ? fetch_ops[p->insns[i].op].name
						    : "?",
					    wrong);
	}
	if (c.depth != 1)
		return arena_printf(arena, "fetch program ends with %u words", c.depth);
	return NULL;
}
