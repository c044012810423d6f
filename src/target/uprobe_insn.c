/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that the kernel takes no uprobe at (arch/x86/kernel/uprobes.c, uprobe_init_insn()).
 * It says so when a process has the code mapped; of a process that maps it later it says nothing,
 * and the probe is never hit. So it is told here, by what that function looks at: the prefixes, and
 * the first byte of the opcode, which of an instruction with a VEX or EVEX prefix is the one behind
 * that.
 *
 * By that byte alone it chooses too what it does in place of the instruction. Of some with such a
 * prefix it does what another instruction with that byte does (branch_setup_xol_ops(), the switch
 * of arch_uprobe_analyze_insn()): vpor is a jump to it, vpsubsb a call, and behind vcmpps it leaves
 * the process in its own page. A program would go on with wrong values, or crash: no probe is put
 * there either.
 */
#include <string.h>

#include "machine/machine.h"
#include "target/internal.h"
#include "target/objects.h"

/* No instruction is longer (Intel SDM, 2.3.11). */
#define LENGTH_MAX 15

/* Opcodes that are not taken, as one byte. */
static const struct refused {
	unsigned char first, last;
	bool wide_only; /* of 64-bit programs */
} refused[] = {
	{ 0x06, 0x06, true },  { 0x07, 0x07, false }, { 0x0e, 0x0e, true },  { 0x16, 0x16, true },
	{ 0x17, 0x17, false }, { 0x1e, 0x1e, true },  { 0x1f, 0x1f, false }, { 0x27, 0x27, true },
	{ 0x2f, 0x2f, true },  { 0x37, 0x37, true },  { 0x3f, 0x3f, true },  { 0x60, 0x62, true },
	{ 0x6c, 0x6f, false }, { 0x82, 0x82, true },  { 0x9a, 0x9a, true },  { 0xcc, 0xcf, false },
	{ 0xd4, 0xd6, true },  { 0xe4, 0xe7, false }, { 0xea, 0xea, true },  { 0xec, 0xef, false },
	{ 0xf1, 0xf1, false }, { 0xf4, 0xf4, false }, { 0xfa, 0xfb, false },
};
/* Those that are taken for another instruction when they stand behind a VEX or EVEX prefix. */
static const struct refused mistaken[] = {
	{ 0x70, 0x7f, false }, { 0x90, 0x90, false }, { 0x9d, 0x9d, false }, { 0xc2, 0xc3, false },
	{ 0xca, 0xcb, false }, { 0xe8, 0xe9, false }, { 0xeb, 0xeb, false },
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* An instruction as far as its opcode. */
struct insn {
	bool has_segment, has_lock, has_16_bits;
	const char *vector; /* "VEX", "EVEX", or NULL: it is none */
	unsigned char opcode, next;
	size_t len; /* bytes up to the opcode, with it */
};

static bool is_in(const struct refused *list, size_t n, unsigned char opcode, bool is_wide)
{
	for (size_t i = 0; i < n; i++)
		if (opcode >= list[i].first && opcode <= list[i].last &&
		    (is_wide || !list[i].wide_only))
			return true;
	return false;
}

/* false: it is no prefix. */
static bool take_prefix(struct insn *insn, unsigned char byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		insn->has_segment = true;
		return true;
	case 0xf0:
		insn->has_lock = true;
		return true;
	case 0x66:
		insn->has_16_bits = true;
		return true;
	case 0x64:
	case 0x65:
	case 0x67:
	case 0xf2:
	case 0xf3:
		return true;
	}
	return false;
}

/* How long the VEX or EVEX prefix is that CODE begins with; 0: it is none. */
static size_t vector_prefix(const unsigned char *code, bool is_wide, const char **name)
{
	/* in 32 bits these are les, lds and bound, which need an operand in memory */
	if (!is_wide && code[1] < 0xc0)
		return 0;
	*name = code[0] == 0x62 ? "EVEX" : "VEX";
	return code[0] == 0xc5 ? 2 : code[0] == 0xc4 ? 3 : code[0] == 0x62 ? 4 : 0;
}

/* CODE has LENGTH_MAX bytes, behind which there may be nothing. */
static bool parse(const unsigned char *code, bool is_wide, struct insn *ret)
{
	size_t at = 0, n;
	const char *name;

	*ret = (struct insn){ 0 };
	while (at < LENGTH_MAX && take_prefix(ret, code[at]))
		at++;
	if (is_wide && at < LENGTH_MAX && (code[at] & 0xf0) == 0x40)
		at++;
	if (at + 6 > LENGTH_MAX)
		return false;
	n = vector_prefix(code + at, is_wide, &name);
	if (n)
		ret->vector = name;
	ret->opcode = code[at + n];
	ret->next = code[at + n + 1];
	ret->len = at + n + 1;
	return true;
}

static bool is_branch(const struct insn *insn)
{
	unsigned char near = insn->opcode == 0x0f ? insn->next - 0x10 : insn->opcode;

	return (near & 0xf0) == 0x70 || insn->opcode == 0xe8 || insn->opcode == 0xe9 ||
	       insn->opcode == 0xeb;
}

/* What is wrong with it, for a message; NULL: nothing. */
static const char *problem_of(struct arena *arena, const struct insn *insn, bool is_wide)
{
	if (insn->has_lock)
		return "an instruction with a LOCK prefix";
	if (insn->has_segment)
		return "an instruction with a segment prefix";
	if (insn->opcode == 0x8e && (insn->next >> 3 & 7) == 2)
		return "a move to SS";
	if (insn->vector && (is_in(mistaken, COUNT(mistaken), insn->opcode, is_wide) ||
			     is_in(refused, COUNT(refused), insn->opcode, is_wide)))
		return arena_printf(arena, "a vector instruction (%s)", insn->vector);
	if (!insn->vector && is_branch(insn) && insn->has_16_bits)
		return "a branch with an operand-size prefix";
	if (!insn->vector && is_in(refused, COUNT(refused), insn->opcode, is_wide))
		return "an instruction for the system, or that is none";
	return NULL;
}

const char *target_file_unprobable(const struct target_object *o, uint64_t addr)
{
	const struct machine *machine = object_machine(o);
	struct arena *arena = o->target->arena;
	unsigned char code[LENGTH_MAX] = { 0 };
	const unsigned char *bytes;
	const char *problem, *text = "";
	size_t n = LENGTH_MAX;
	struct insn insn;

	if (!machine->is_x86)
		return NULL;
	while (n && !(bytes = image_at(&o->image, addr, n)))
		n--;
	if (!n)
		return NULL;
	memcpy(code, bytes, n);
	if (!parse(code, machine->word == 8, &insn))
		return NULL;
	problem = problem_of(arena, &insn, machine->word == 8);
	for (size_t i = 0; problem && i < insn.len; i++)
		text = arena_printf(arena, "%s%s%02x", text, i ? " " : "", code[i]);
	return problem ? arena_printf(arena, "%s, %s", problem, text) : NULL;
}
