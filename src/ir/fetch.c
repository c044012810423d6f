/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/fetch.h"

/* DWARF numbers of the registers an argument-only ftrace entry saves on x86-64: dx cx si di bp sp
 * r8 r9 ip. */
#define ENTRY_REGS                                                                                 \
	(1u << 1 | 1u << 2 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 16)

bool fetch_needs_full_regs(const struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct fetch_insn *insn = &p->insns[i];

		if (insn->op == FETCH_REG && (insn->reg >= 32 || !(ENTRY_REGS & 1u << insn->reg)))
			return true;
	}
	return false;
}

int fetch_register(const struct fetch_program *p)
{
	if (!p->n || p->insns[0].op != FETCH_REG)
		return -1;
	for (size_t i = 1; i < p->n; i++)
		if (p->insns[i].op != FETCH_EXTEND)
			return -1;
	return p->insns[0].reg;
}

static bool insn_equal(const struct fetch_insn *a, const struct fetch_insn *b)
{
	return a->op == b->op && a->size == b->size && a->bits == b->bits &&
	       a->is_signed == b->is_signed && a->user == b->user && a->reg == b->reg &&
	       a->value == b->value;
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
