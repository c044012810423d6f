/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode.h by capstone (libcapstone.so, version 4 or later; capstone/capstone.h is its manual). */
#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "target/decode.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define LIBRARY "libcapstone.so." TEXT(CS_API_MAJOR)

/* What is used of the library, by its own names. */
struct decoder {
	void *library;
	csh handle;
	cs_insn *insn;
	bool is_unknown; /* the instruction found last is none of the library's */
	cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
	cs_err (*close)(csh *handle);
	cs_err (*option)(csh handle, cs_opt_type type, size_t value);
	cs_insn *(*malloc)(csh handle);
	void (*free)(cs_insn *insn, size_t count);
	bool (*disasm_iter)(csh handle, const uint8_t **code, size_t *size, uint64_t *address,
			    cs_insn *insn);
	cs_err (*regs_access)(csh handle, const cs_insn *insn, cs_regs read, uint8_t *n_read,
			      cs_regs written, uint8_t *n_written);
	const char *(*reg_name)(csh handle, unsigned int reg);
};

/* The prefix of jumps and calls that need no landing pad (Intel SDM, volume 1, 17.3.1). */
#define NOTRACK 0x3e

static bool find_functions(struct decoder *d)
{
	const struct {
		const char *name;
		void *at;
	} functions[] = {
		{ "cs_open", &d->open },
		{ "cs_close", &d->close },
		{ "cs_option", &d->option },
		{ "cs_malloc", &d->malloc },
		{ "cs_free", &d->free },
		{ "cs_disasm_iter", &d->disasm_iter },
		{ "cs_regs_access", &d->regs_access },
		{ "cs_reg_name", &d->reg_name },
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *found = dlsym(d->library, functions[i].name);

		if (!found)
			return false;
		*(void **)functions[i].at = found;
	}
	return true;
}

static struct error *open_library(struct decoder *d)
{
	d->library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	if (!d->library)
		return error_create("no %s, by which instructions are decoded", LIBRARY);
	if (!find_functions(d) || d->open(CS_ARCH_X86, CS_MODE_64, &d->handle))
		return error_create("%s cannot be used", LIBRARY);
	d->option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->insn = d->malloc(d->handle);
	return d->insn ? NULL : error_create("%s: out of memory", LIBRARY);
}

struct error *decoder_create(struct decoder **ret)
{
	struct decoder *d = calloc(1, sizeof(*d));
	struct error *err = d ? open_library(d) : error_create("out of memory");
	if (err)
		decoder_destroy(d);
	else
		*ret = d;
	return err;
}

bool decoder_knows(const struct machine *machine)
{
	return machine->is_x86;
}

struct error *decoder_set_machine(struct decoder *d, const struct machine *machine)
{
	cs_mode mode = machine->word == 8 ? CS_MODE_64 : CS_MODE_32;

	if (decoder_knows(machine) && !d->option(d->handle, CS_OPT_MODE, mode))
		return NULL;
	return error_create("instructions of %s are not decoded", machine->name);
}

void decoder_destroy(struct decoder *d)
{
	if (d && d->insn)
		d->free(d->insn, 1);
	if (d && d->handle)
		d->close(&d->handle);
	if (d && d->library)
		dlclose(d->library);
	free(d);
}

static bool is_in(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

static uint64_t destination(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	return x86->op_count && x86->operands[0].type == X86_OP_IMM ? (uint64_t)x86->operands[0].imm
								    : 0;
}

/* Of lea of a place in the code or its data, and of mov. */
static uint64_t address_of(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;
	const cs_x86_op *from = &x86->operands[1];

	if (x86->op_count != 2 || x86->operands[0].type != X86_OP_REG)
		return 0;
	if (insn->id == X86_INS_LEA && from->mem.base == X86_REG_RIP &&
	    from->mem.index == X86_REG_INVALID)
		return insn->address + insn->size + (uint64_t)from->mem.disp;
	if (insn->id == X86_INS_MOV || insn->id == X86_INS_MOVABS)
		return from->type == X86_OP_IMM ? (uint64_t)from->imm : 0;
	return 0;
}

/*
 * RDSSP and INCSSP (Intel SDM, volume 2), which what leaves several frames at once has: capstone
 * knows them late.
 */
static unsigned size_of_shadow_stack(const unsigned char *bytes, size_t len)
{
	const struct {
		unsigned char opcode, registers;
	} rows[] = { { 0x1e, 0xc8 }, { 0xae, 0xe8 } };
	size_t at = 1;

	at += len > 1 && (bytes[1] & 0xf0) == 0x40; /* REX */
	if (len < at + 3 || bytes[0] != 0xf3 || bytes[at] != 0x0f)
		return 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (bytes[at + 1] == rows[i].opcode && (bytes[at + 2] & 0xf8) == rows[i].registers)
			return at + 3;
	return 0;
}

bool decoder_next(struct decoder *d, const unsigned char *bytes, size_t len, uint64_t addr,
		  struct decoded *ret)
{
	const cs_insn *insn = d->insn;

	*ret = (struct decoded){ .addr = addr, .size = size_of_shadow_stack(bytes, len) };
	d->is_unknown = ret->size;
	if (d->is_unknown)
		return true;
	if (!d->disasm_iter(d->handle, &bytes, &len, &addr, d->insn))
		return false;
	ret->size = insn->size;
	ret->is_nop = insn->id == X86_INS_NOP;
	ret->is_notrack = insn->id == X86_INS_JMP && insn->bytes[0] == NOTRACK;
	ret->address = address_of(insn);
	if (is_in(insn, CS_GRP_RET)) {
		ret->flow = DECODE_RETURN;
	} else if (is_in(insn, CS_GRP_CALL)) {
		ret->flow = DECODE_CALL;
		ret->to = destination(insn);
	} else if (is_in(insn, CS_GRP_JUMP) || is_in(insn, CS_GRP_BRANCH_RELATIVE)) {
		ret->flow = insn->id == X86_INS_JMP ? DECODE_JUMP : DECODE_BRANCH;
		ret->to = destination(insn);
	}
	return true;
}

/* ---- what is done to a register ---- */

/* Traps, what only systems have, and what capstone does not tell all of: they may read anything. */
static bool may_read_anything(const cs_insn *insn)
{
	static const unsigned ids[] = {
		X86_INS_SYSCALL, X86_INS_SYSENTER, X86_INS_SYSRET, X86_INS_SYSEXIT,
		X86_INS_UD2,     X86_INS_RETF,     X86_INS_RETFQ,  X86_INS_LCALL,
		X86_INS_LJMP,    X86_INS_XLATB,    X86_INS_VMCALL, X86_INS_VMMCALL,
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (insn->id == ids[i])
			return true;
	return is_in(insn, CS_GRP_INT) || is_in(insn, CS_GRP_IRET) || is_in(insn, CS_GRP_PRIVILEGE);
}

/* The row of a register as capstone counts them; NULL: it is no general one. */
static const struct machine_operand *operand_of(const struct decoder *d, const struct machine *m,
						unsigned reg)
{
	const char *name = reg ? d->reg_name(d->handle, reg) : NULL;

	return name ? machine_operand(m, name, strlen(name)) : NULL;
}

static bool has(const struct decoder *d, const struct machine *m, const cs_regs regs, uint8_t n,
		unsigned number)
{
	for (uint8_t i = 0; i < n; i++) {
		const struct machine_operand *o = operand_of(d, m, regs[i]);

		if (o && o->number == number)
			return true;
	}
	return false;
}

/*
 * Has it the register as its first operand, with no bits of it left as they were? A write of 4
 * bytes clears those above.
 */
static bool is_destination(const struct decoder *d, const struct machine *m, unsigned number)
{
	const cs_x86 *x86 = &d->insn->detail->x86;
	const struct machine_operand *o = x86->op_count && x86->operands[0].type == X86_OP_REG
						  ? operand_of(d, m, x86->operands[0].reg)
						  : NULL;

	return o && o->number == number && o->size >= 4;
}

/* xor r, r and sub r, r: whatever it was. */
static bool is_cleared(const cs_insn *insn)
{
	const cs_x86_op *op = insn->detail->x86.operands;

	return (insn->id == X86_INS_XOR || insn->id == X86_INS_SUB) &&
	       insn->detail->x86.op_count == 2 && op[1].type == X86_OP_REG &&
	       op[0].reg == op[1].reg;
}

/*
 * Those that always set their first operand, whatever capstone says of others: cmov and bsf may
 * leave it.
 */
static bool is_plain_move(const cs_insn *insn)
{
	static const unsigned ids[] = { X86_INS_MOV,   X86_INS_MOVABS, X86_INS_MOVZX,
					X86_INS_MOVSX, X86_INS_MOVSXD, X86_INS_LEA,
					X86_INS_POP };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (insn->id == ids[i])
			return true;
	return false;
}

enum decode_use decoder_use(const struct decoder *d, const struct machine *m, unsigned number)
{
	cs_regs read, written;
	uint8_t n_read, n_written;

	if (d->is_unknown)
		return DECODE_USED;
	if (d->insn->id == X86_INS_NOP)
		return DECODE_UNTOUCHED;
	if (may_read_anything(d->insn) ||
	    d->regs_access(d->handle, d->insn, read, &n_read, written, &n_written))
		return DECODE_USED;
	if (is_destination(d, m, number) && is_cleared(d->insn))
		return DECODE_OVERWRITTEN;
	if (has(d, m, read, n_read, number))
		return DECODE_USED;
	if (is_destination(d, m, number) && is_plain_move(d->insn))
		return DECODE_OVERWRITTEN;
	return has(d, m, written, n_written, number) ? DECODE_USED : DECODE_UNTOUCHED;
}
