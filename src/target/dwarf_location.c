/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location expressions to places. The expression's stack machine is the fetch program's, so
 * most operations go over one to one; what cannot be known at run time (a register's value at the
 * entry, from further in) makes the variable unreadable, and so does what we do not know.
 *
 * Numbers of sections are those of DWARF version 5. Names with GNU are what GCC wrote for the same
 * before there was one (include/dwarf2.def of GCC).
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf.h"

struct converter {
	struct dwarf *dwarf;
	struct arena *arena;
	Dwarf_Die *die; /* the variable */
	Dwarf_Attribute *attr;
	Dwarf_Addr pc;
	bool at_entry;
	int depth;
	struct fetch_program prog;
	bool is_value; /* what prog pushes is the value, not its address */
	const char *problem;
};

static bool convert_ops(struct converter *c, const Dwarf_Op *ops, size_t n);

static bool give_up(struct converter *c, const char *problem)
{
	if (!c->problem)
		c->problem = problem;
	return false;
}

static void push(struct converter *c, struct fetch_insn insn)
{
	place_push(c->arena, &c->prog, insn);
}

static void push_op(struct converter *c, enum fetch_op op)
{
	push(c, (struct fetch_insn){ .op = op });
}

static void push_reg(struct converter *c, unsigned reg, int64_t offset)
{
	push(c, (struct fetch_insn){ .op = FETCH_REG, .reg = reg });
	if (offset)
		push(c, (struct fetch_insn){ .op = FETCH_ADD, .value = offset });
}

/*
 * The canonical frame address (6.4): the stack pointer before the call. At entry that is register 7,
 * sp, + 8, the return address (psABI for x86-64, figures 3.3 and 3.36); else .debug_frame knows.
 */
static bool push_cfa(struct converter *c)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	bool ok;
	size_t n;

	if (c->at_entry) {
		push_reg(c, 7, 8);
		return true;
	}
	if (!c->dwarf->has_cfi) {
		c->dwarf->cfi = dwarf_getcfi(c->dwarf->dw);
		c->dwarf->has_cfi = true;
	}
	if (!c->dwarf->cfi || dwarf_cfi_addrframe(c->dwarf->cfi, c->pc, &frame))
		return give_up(c, "its frame is not described");
	ok = dwarf_frame_cfa(frame, &ops, &n) == 0 && n > 0;
	/* dwarf_frame_cfa answers with a DWARF expression for the address, free of frames itself */
	ok = ok && c->depth < 4 ? (c->depth++, convert_ops(c, ops, n))
				: give_up(c, "its frame is not described");
	free(frame);
	return ok;
}

/* DW_OP_fbreg (2.5.1.2): relative to the DW_AT_frame_base of the subprogram around (3.3.5). */
static bool push_frame_base(struct converter *c, int64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Die *scopes = NULL;
	Dwarf_Op *ops;
	bool ok = false;
	size_t n;
	int n_scopes = dwarf_getscopes_die(c->die, &scopes);

	for (int i = 0; i < n_scopes && !ok; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_subprogram)
			continue;
		ok = dwarf_getlocation_addr(
			     dwarf_attr_integrate(&scopes[i], DW_AT_frame_base, &attr), c->pc, &ops,
			     &n, 1) == 1;
		if (ok && c->depth < 4) {
			c->depth++;
			ok = convert_ops(c, ops, n);
		}
		break;
	}
	free(scopes);
	if (!ok)
		return give_up(c, "its frame is not described");
	/* a register as frame base means its value */
	c->is_value = false;
	if (offset)
		push(c, (struct fetch_insn){ .op = FETCH_ADD, .value = offset });
	return true;
}

/*
 * The operand of a typed operation: offset of a base type within the unit (2.5.1.2), 0 for the generic
 * type, which is as wide as an address (2.5.1). Encodings are in 5.1.1.
 */
static bool base_type(struct converter *c, Dwarf_Word offset, unsigned *size, bool *is_signed)
{
	Dwarf_Die cu, type;
	Dwarf_Attribute attr;
	Dwarf_Word encoding;
	int bytes;

	*size = 8;
	*is_signed = false;
	if (!offset)
		return true;
	if (!dwarf_diecu(c->die, &cu, NULL, NULL) ||
	    !dwarf_offdie(c->dwarf->dw, dwarf_dieoffset(&cu) - dwarf_cuoffset(&cu) + offset, &type))
		return false;
	bytes = dwarf_bytesize(&type);
	if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) ||
	    dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &attr), &encoding) ||
	    encoding == DW_ATE_float)
		return false;
	*size = bytes;
	*is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return true;
}

/* The value on top becomes one of that type (2.5.1.6). */
static bool convert_type(struct converter *c, Dwarf_Word type)
{
	unsigned size;
	bool is_signed;

	if (!base_type(c, type, &size, &is_signed))
		return give_up(c, "its location needs a type we cannot compute with");
	if (size < 8)
		push(c, (struct fetch_insn){
				.op = FETCH_EXTEND, .size = size, .is_signed = is_signed });
	return true;
}

/* DW_OP_entry_value (2.5.1.7), a register's value when the function was entered: known only there. */
static bool convert_entry_value(struct converter *c, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t n;

	if (!c->at_entry)
		return give_up(c, "only its value at the function's entry is known");
	if (c->depth >= 4 || dwarf_getlocation_attr(c->attr, op, &inner) ||
	    dwarf_getlocation(&inner, &ops, &n))
		return give_up(c, "its location is not understood");
	c->depth++;
	if (!convert_ops(c, ops, n))
		return false;
	/* the register's value is on the stack; what it means comes from outside */
	c->is_value = false;
	return true;
}

/* DW_OP_deref and its kin (2.5.1.3). */
static bool convert_deref(struct converter *c, unsigned size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return give_up(c, "its location is not understood");
	push(c, (struct fetch_insn){ .op = FETCH_LOAD, .size = size });
	return true;
}

/* Operations that stand for one fetch operation without operands: 2.5.1.3, 2.5.1.4, and relations of 2.5.1.5. */
static bool convert_simple(struct converter *c, unsigned atom)
{
	static const struct {
		uint8_t atom, op;
	} rows[] = {
		{ DW_OP_dup, FETCH_DUP }, { DW_OP_drop, FETCH_DROP }, { DW_OP_swap, FETCH_SWAP },
		{ DW_OP_abs, FETCH_ABS }, { DW_OP_neg, FETCH_NEG },   { DW_OP_not, FETCH_NOT },
		{ DW_OP_and, FETCH_AND }, { DW_OP_or, FETCH_OR },     { DW_OP_xor, FETCH_XOR },
		{ DW_OP_div, FETCH_DIV }, { DW_OP_mod, FETCH_MOD },   { DW_OP_minus, FETCH_MINUS },
		{ DW_OP_mul, FETCH_MUL }, { DW_OP_plus, FETCH_PLUS }, { DW_OP_shl, FETCH_SHL },
		{ DW_OP_shr, FETCH_SHR }, { DW_OP_shra, FETCH_SHRA }, { DW_OP_eq, FETCH_EQ },
		{ DW_OP_ne, FETCH_NE },   { DW_OP_lt, FETCH_LT },     { DW_OP_le, FETCH_LE },
		{ DW_OP_gt, FETCH_GT },   { DW_OP_ge, FETCH_GE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].atom == atom) {
			push_op(c, rows[i].op);
			return true;
		}
	return give_up(c, "its location is not understood");
}

/* Literals (2.5.1.1). */
static bool convert_constant(struct converter *c, const Dwarf_Op *op)
{
	int64_t value = (int64_t)op->number;

	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		value = op->atom - DW_OP_lit0;
	push(c, (struct fetch_insn){ .op = FETCH_CONST, .value = value });
	return true;
}

/*
 * DW_OP_reg describes where the value is (2.6.1.1.2), DW_OP_breg pushes a sum with what the register
 * holds (2.5.1.2), DW_OP_stack_value says that what is pushed is the value (2.6.1.1.3).
 */
static bool convert_op(struct converter *c, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
		push_reg(c, atom - DW_OP_reg0, 0);
		c->is_value = true;
		return true;
	}
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		push_reg(c, atom - DW_OP_breg0, (int64_t)op->number);
		return true;
	}
	if ((atom >= DW_OP_lit0 && atom <= DW_OP_lit31) ||
	    (atom >= DW_OP_const1u && atom <= DW_OP_consts))
		return convert_constant(c, op);
	switch (atom) {
	case DW_OP_regx:
		push_reg(c, op->number, 0);
		c->is_value = true;
		return true;
	case DW_OP_bregx:
		push_reg(c, op->number, (int64_t)op->number2);
		return true;
	case DW_OP_addr:
		push(c, (struct fetch_insn){ .op = FETCH_ADDRESS, .value = (int64_t)op->number });
		return true;
	case DW_OP_fbreg:
		return push_frame_base(c, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(c);
	case DW_OP_plus_uconst:
		push(c, (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)op->number });
		return true;
	case DW_OP_over:
		push(c, (struct fetch_insn){ .op = FETCH_PICK, .value = 1 });
		return true;
	case DW_OP_pick:
		push(c, (struct fetch_insn){ .op = FETCH_PICK, .value = (int64_t)op->number });
		return true;
	case DW_OP_deref:
		return convert_deref(c, 8);
	case DW_OP_deref_size:
		return convert_deref(c, op->number);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return convert_deref(c, op->number) && convert_type(c, op->number2);
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		push_reg(c, op->number, 0);
		return convert_type(c, op->number2);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
		return convert_type(c, op->number);
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
	case DW_OP_nop:
		return true;
	case DW_OP_stack_value:
		c->is_value = true;
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return convert_entry_value(c, op);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return give_up(c, "it was optimised into the object it points to");
	case DW_OP_GNU_parameter_ref:
		return give_up(c, "only its caller knows its value");
	default:
		return convert_simple(c, atom);
	}
}

static bool convert_ops(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!convert_op(c, &ops[i]))
			return false;
	return n > 0;
}

static struct place nowhere(const char *problem)
{
	return (struct place){ .problem = problem ? problem : "it was optimised out" };
}

static bool is_piece(const Dwarf_Op *op)
{
	return op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece;
}

/* A value in pieces (2.6.1.2): read when it is at most two whole words, each a value of its own. */
static struct place place_pieces(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	struct place p = { .kind = PLACE_WORDS };
	unsigned words = 0;

	for (size_t i = 0; i < n;) {
		size_t m = i;

		while (m < n && !is_piece(&ops[m]))
			m++;
		if (m == n || ops[m].atom != DW_OP_piece || words == 2 ||
		    (ops[m].number != 8 && m + 1 < n))
			return nowhere("it is kept in pieces");
		c->prog = (struct fetch_program){ 0 };
		c->is_value = false;
		if (m == i || !convert_ops(c, ops + i, m - i))
			return nowhere(c->problem ? c->problem : "a part of it was optimised out");
		if (!c->is_value)
			push(c, (struct fetch_insn){ .op = FETCH_LOAD, .size = 8 });
		*(words++ ? &p.high : &p.prog) = c->prog;
		i = m + 1;
	}
	return p;
}

/* A location description, simple or composite (2.6.1). */
static struct place place_expression(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	if (!n)
		return nowhere(NULL);
	for (size_t i = 0; i < n; i++)
		if (is_piece(&ops[i]))
			return place_pieces(c, ops, n);
	if (n == 1 && ops[0].atom == DW_OP_implicit_value) {
		Dwarf_Block block;
		int64_t value = 0;

		if (dwarf_getlocation_implicit_value(c->attr, ops, &block) || block.length > 8)
			return nowhere("its constant value is too wide");
		memcpy(&value, block.data, block.length);
		push(c, (struct fetch_insn){ .op = FETCH_CONST, .value = value });
		return (struct place){ .kind = PLACE_WORDS, .prog = c->prog };
	}
	if (!convert_ops(c, ops, n))
		return nowhere(c->problem);
	return (struct place){ .kind = c->is_value ? PLACE_WORDS : PLACE_MEMORY, .prog = c->prog };
}

/* DW_AT_const_value (4.1): the variable has no location. */
static bool place_constant(struct converter *c, Dwarf_Attribute *attr, struct place *ret)
{
	Dwarf_Sword value;

	if (dwarf_formsdata(attr, &value)) {
		*ret = nowhere("its constant value is not a number");
		return true;
	}
	push(c, (struct fetch_insn){ .op = FETCH_CONST, .value = value });
	*ret = (struct place){ .kind = PLACE_WORDS, .prog = c->prog };
	return true;
}

/*
 * Past "call __fentry__" (5 bytes) and the ENDBR64 (4) before it: a parameter's list (2.6.2) may begin
 * only there though it has not moved.
 */
static const Dwarf_Addr entry_slack[] = { 0, 5, 9 };

struct place dwarf_place(struct dwarf *d, Dwarf_Die *die, Dwarf_Addr pc, bool entry)
{
	struct converter c = {
		.dwarf = d, .arena = d->target->arena, .die = die, .pc = pc, .at_entry = entry
	};
	Dwarf_Attribute attr;
	struct place p;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_attr_integrate(die, DW_AT_const_value, &attr) && place_constant(&c, &attr, &p))
		return p;
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		return nowhere(NULL);
	c.attr = &attr;
	for (size_t i = 0; i < (entry && dwarf_tag(die) == DW_TAG_formal_parameter ? 3 : 1); i++)
		if (dwarf_getlocation_addr(&attr, pc + entry_slack[i], &ops, &n, 1) == 1)
			return place_expression(&c, ops, n);
	return nowhere(NULL);
}
