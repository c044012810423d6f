/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location descriptions to locations. The expression's stack machine is the fetch program's,
 * so most operations go over one to one; what cannot be known at run time (a register that a probe
 * has no value of, a register's value at the entry, from further in) makes the variable, or one
 * piece of it, unreadable, and so does what we do not know. Debug information comes from outside:
 * every program is verified here, and what is not one is as good as a description we do not
 * understand.
 *
 * Numbers of sections are those of DWARF version 5. Names with GNU are what GCC wrote for the same
 * before there was one (include/dwarf2.def of GCC).
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf.h"
#include "target/objects.h"
#include "target/thread_local.h"

#define WORD 64
#define NOT_UNDERSTOOD "its location is not understood"
#define ONLY_AT_ENTRY "only its value at the function's entry is known, where a probe can keep it"
#define IMPLICIT_POINTER "it was optimised into the object it points to"
#define MAX_DEPTH 4    /* expressions that refer to one another: a variable's, its frame's, ... */
#define MAX_INSNS 1024 /* of a program: far beyond what compilers write */

/* State of converting one variable's description; depth counts nested expressions. */
struct converter {
	struct dwarf *dwarf;
	const struct machine *machine;
	struct arena *arena;
	Dwarf_Die *die; /* the variable */
	Dwarf_Attribute *attr;
	Dwarf_Addr pc;
	bool at_entry, is_pointee; /* it is what an implicit pointer points to */
	int depth;
	struct fetch_program prog;
	bool is_value; /* what prog pushes is the value, not its address */
	const char *problem;
};

static bool convert_ops(struct converter *c, const Dwarf_Op *ops, size_t n);
static struct location locate_die(struct dwarf *d, struct arena *arena, Dwarf_Die *die,
				  Dwarf_Addr pc, bool entry, bool is_pointee);

/* Notes why, the first reason only; returns false. */
static bool give_up(struct converter *c, const char *problem)
{
	if (!c->problem)
		c->problem = problem;
	return false;
}

static void push(struct converter *c, struct fetch_insn insn)
{
	fetch_push(c->arena, &c->prog, insn);
}

static void push_op(struct converter *c, enum fetch_op op)
{
	push(c, (struct fetch_insn){ .op = op });
}

static void push_constant(struct converter *c, int64_t value)
{
	push(c, (struct fetch_insn){ .op = FETCH_CONST, .value = value });
}

/* What the register holds, plus OFFSET; gives up when a probe does not have its value. */
static bool push_reg(struct converter *c, uint64_t number, int64_t offset)
{
	const struct machine_register *reg = machine_register(c->machine, number);

	if (!reg || !reg->field)
		return give_up(c, location_lost(c->arena, c->machine, number).problem);
	location_push_register(c->arena, c->machine, (uint16_t)number, &c->prog);
	if (offset)
		push(c, (struct fetch_insn){ .op = FETCH_ADD, .value = offset });
	return true;
}

/* An expression that this one refers to. */
static bool convert_inner(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	bool ok;

	if (c->depth == MAX_DEPTH)
		return give_up(c, NOT_UNDERSTOOD);
	c->depth++;
	ok = convert_ops(c, ops, n);
	c->depth--;
	return ok;
}

/*
 * The canonical frame address (6.4): the stack pointer before the call. At entry the machine says
 * where that is; else the tables of frames know.
 */
static bool push_cfa(struct converter *c)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	bool ok;
	size_t n;

	if (c->at_entry)
		return push_reg(c, c->machine->stack_pointer, c->machine->cfa_at_entry);
	if (!dwarf_frame_at(c->dwarf, c->pc, &frame))
		return give_up(c, "its frame is not described");
	/* dwarf_frame_cfa answers with a DWARF expression for the address, free of frames itself */
	ok = dwarf_frame_cfa(frame, &ops, &n) == 0 && n > 0 && convert_inner(c, ops, n);
	free(frame);
	return ok || give_up(c, "its frame is not described");
}

/*
 * dwarf_getlocation_addr(). Go's linker writes expressions as blocks (cmd/internal/dwarf,
 * DW_FORM_block1) in units of version 4, where libdw takes only DW_FORM_exprloc, which has the same
 * bytes when the length is one.
 */
static bool description_at(Dwarf_Attribute *attr, Dwarf_Addr pc, Dwarf_Op **ops, size_t *n)
{
	Dwarf_Block block;

	if (attr && attr->form == DW_FORM_block1 && !dwarf_formblock(attr, &block) &&
	    block.length < 0x80)
		attr->form = DW_FORM_exprloc;
	return dwarf_getlocation_addr(attr, pc, ops, n, 1) == 1;
}

/* The innermost subprogram that the variable is in. */
static bool search_subprogram(struct converter *c, Dwarf_Die *ret)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes_die(c->die, &scopes);
	bool found = false;

	for (int i = 0; i < n && !found; i++) {
		found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
		if (found)
			*ret = scopes[i];
	}
	free(scopes);
	return found;
}

/*
 * The subprogram around the variable, for its DW_AT_frame_base (3.3.5). The index has the one whose
 * code the pc is in, but for code that is away from its entry (.cold); asking libdw for the DIEs
 * around one walks the whole unit.
 */
static bool find_subprogram(struct converter *c, Dwarf_Die *ret)
{
	struct dwarf *d = c->dwarf;
	const struct dwarf_function *record = dwarf_index_at(&d->index, c->pc);
	Dwarf_Die unit;

	if (record && dwarf_die_at(d, record->die, ret) && dwarf_tag(ret) == DW_TAG_subprogram &&
	    dwarf_haspc(ret, c->pc) == 1)
		return true;
	return (dwarf_diecu(c->die, &unit, NULL, NULL) &&
		dwarf_parted_around(d, &unit, c->pc, ret)) ||
	       search_subprogram(c, ret);
}

/* DW_OP_fbreg (2.5.1.2): relative to the frame base of the subprogram around. */
static bool push_frame_base(struct converter *c, int64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Die subprogram;
	Dwarf_Op *ops;
	size_t n;

	if (!find_subprogram(c, &subprogram) ||
	    !description_at(dwarf_attr_integrate(&subprogram, DW_AT_frame_base, &attr), c->pc, &ops,
			    &n) ||
	    !convert_inner(c, ops, n))
		return give_up(c, "its frame is not described");
	/* a register as frame base means its value */
	c->is_value = false;
	if (offset)
		push(c, (struct fetch_insn){ .op = FETCH_ADD, .value = offset });
	return true;
}

/*
 * The operand of a typed operation: offset of a base type within the unit (2.5.1.2), 0 for the
 * generic type, which is as wide as an address (2.5.1). Encodings are in 5.1.1.
 */
static bool base_type(struct converter *c, Dwarf_Word offset, unsigned *size, bool *is_signed)
{
	Dwarf_Die cu, type;
	Dwarf_Attribute attr;
	Dwarf_Word encoding;
	int bytes;

	*size = c->machine->word;
	*is_signed = false;
	if (!offset)
		return true;
	if (!dwarf_diecu(c->die, &cu, NULL, NULL) ||
	    !dwarf_offdie(dwarf_cu_getdwarf(cu.cu),
			  dwarf_dieoffset(&cu) - dwarf_cuoffset(&cu) + offset, &type))
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

/*
 * The subprogram's entry: where it begins, of one in several parts the first (GCC lists what it
 * moved away behind it).
 */
static bool entry_of(Dwarf_Die *subprogram, Dwarf_Addr *ret)
{
	Dwarf_Addr base, end;

	return (dwarf_hasattr(subprogram, DW_AT_entry_pc) && !dwarf_entrypc(subprogram, ret)) ||
	       dwarf_ranges(subprogram, 0, &base, ret, &end) > 0;
}

/* Gives up because no probe can be at the function's entry. */
static bool give_up_entry(struct converter *c, const char *why)
{
	return give_up(c, arena_concat(c->arena, ONLY_AT_ENTRY, ", but ", why, NULL));
}

/* Where in the file, or by which symbol, a probe is at the entry E->addr; false: at none. */
static bool find_entry(struct converter *c, Dwarf_Die *subprogram, struct fetch_entry *e)
{
	struct target_object *o = c->dwarf->object;
	struct target_function f = { .object = o };
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(subprogram, DW_AT_name, &attr));
	struct target_address at = target_address_in(o, e->addr);
	const char *refused;

	e->function = name ? name : "?";
	if (o->kind == OBJECT_FILE) {
		refused = target_file_unprobable(o, e->addr);
		e->object = target_object_row(o);
		if (refused)
			return give_up_entry(c, arena_concat(c->arena, "the kernel takes none at ",
							     refused, NULL));
		return target_file_offset(o, e->addr, &e->offset) ||
		       give_up_entry(c, "its entry is not in the file");
	}
	if (!target_function_set_holder(&f, e->addr) || f.holder_offset)
		return give_up_entry(c, "none is allowed there");
	e->function = f.holder;
	e->object = object_is_kernel(o) ? NULL : target_object_row(o);
	e->section = at.section;
	e->addr = at.offset;
	return true;
}

/* What the register NUMBER of a function held at its entry ADDR; NULL, given up: not to be had. */
static struct fetch_entry *make_entry(struct converter *c, Dwarf_Die *subprogram, Dwarf_Addr addr,
				      uint64_t number)
{
	struct arena *arena = c->dwarf->target->arena;
	struct fetch_entry *e = arena_new(arena, struct fetch_entry);
	const struct machine_register *reg = machine_register(c->machine, number);
	struct converter at_entry = {
		.dwarf = c->dwarf, .machine = c->machine, .arena = arena, .at_entry = true
	};

	e->addr = addr;
	if (!reg || !reg->field) {
		give_up(c, location_lost(c->arena, c->machine, number).problem);
		return NULL;
	}
	if (!find_entry(c, subprogram, e))
		return NULL;
	push_cfa(&at_entry);
	e->frame = at_entry.prog;
	at_entry.prog = (struct fetch_program){ 0 };
	push_reg(&at_entry, number, 0);
	e->value = at_entry.prog;
	return e;
}

/* One for each register and function: as many as functions have arguments. */
static struct fetch_entry *kept_entry(struct converter *c, Dwarf_Die *subprogram, Dwarf_Addr addr,
				      uint64_t number)
{
	struct map *entries = &c->dwarf->entries;
	/* addresses of one object have the highest byte in common */
	const void *key = (const void *)(uintptr_t)(addr ^ (number + 1) << 56);
	struct fetch_entry *e;

	if (!entries->arena)
		map_init(entries, c->dwarf->target->arena);
	e = map_get(entries, key);
	if (!e) {
		e = make_entry(c, subprogram, addr, number);
		if (e)
			map_put(entries, key, e);
	}
	return e;
}

/* The register that a description names, alone; false: it is something else. */
static bool only_register(const Dwarf_Op *ops, size_t n, uint64_t *number)
{
	if (n != 1)
		return false;
	if (ops->atom == DW_OP_regx) {
		*number = ops->number;
		return true;
	}
	*number = (uint64_t)ops->atom - DW_OP_reg0;
	return ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31;
}

/* Further in: what a probe at the entry kept for the call that the frame tells. */
static bool push_kept(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	struct fetch_entry *entry;
	Dwarf_Die subprogram;
	Dwarf_Addr addr;
	uint64_t number;

	if (!only_register(ops, n, &number) || number >= UINT8_MAX ||
	    !find_subprogram(c, &subprogram) || !entry_of(&subprogram, &addr))
		return give_up(c, ONLY_AT_ENTRY);
	/* of a copy that begins where the function does */
	if (addr == c->pc)
		return push_reg(c, number, 0);
	entry = kept_entry(c, &subprogram, addr, number);
	if (!entry || !push_cfa(c))
		return false;
	push(c, (struct fetch_insn){ .op = FETCH_ENTRY, .entry = entry });
	return true;
}

/* DW_OP_entry_value (2.5.1.7), a register's value when the function was entered. */
static bool convert_entry_value(struct converter *c, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_getlocation_attr(c->attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n))
		return give_up(c, NOT_UNDERSTOOD);
	if (!c->at_entry)
		return push_kept(c, ops, n);
	if (!convert_inner(c, ops, n))
		return false;
	/* the register's value is on the stack; what it means comes from outside */
	c->is_value = false;
	return true;
}

/* DW_OP_deref and its kin (2.5.1.3). */
static bool convert_deref(struct converter *c, unsigned size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return give_up(c, NOT_UNDERSTOOD);
	push(c, (struct fetch_insn){ .op = FETCH_LOAD, .size = size });
	return true;
}

/*
 * Operations that stand for one fetch operation without operands: 2.5.1.3, 2.5.1.4, and relations
 * of 2.5.1.5.
 */
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
	return give_up(c, NOT_UNDERSTOOD);
}

/* DW_OP_addrx and DW_OP_constx (2.5.1.1): entries of .debug_addr. */
static bool convert_indexed(struct converter *c, const Dwarf_Op *op)
{
	bool is_address = op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index;
	Dwarf_Attribute attr;
	Dwarf_Addr addr;
	Dwarf_Word word;

	if (dwarf_getlocation_attr(c->attr, op, &attr) ||
	    (is_address ? dwarf_formaddr(&attr, &addr) : dwarf_formudata(&attr, &word)))
		return give_up(c, NOT_UNDERSTOOD);
	push(c, is_address ? (struct fetch_insn){ .op = FETCH_ADDRESS, .value = (int64_t)addr }
			   : (struct fetch_insn){ .op = FETCH_CONST, .value = (int64_t)word });
	return true;
}

/* DW_OP_const_type (2.5.1.1): as many bytes as the base type has. */
static bool convert_typed_constant(struct converter *c, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Block block;
	int64_t value = 0;

	if (dwarf_getlocation_attr(c->attr, op, &attr) || dwarf_formblock(&attr, &block) ||
	    block.length > sizeof(value))
		return give_up(c, NOT_UNDERSTOOD);
	memcpy(&value, block.data, block.length);
	push_constant(c, value);
	return convert_type(c, op->number);
}

/* Operations with a register in their number: DW_OP_reg, DW_OP_breg and those with a literal. */
static bool convert_numbered(struct converter *c, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
		push_constant(c, atom - DW_OP_lit0);
		return true;
	}
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_reg(c, atom - DW_OP_breg0, (int64_t)op->number);
	c->is_value = true;
	return push_reg(c, atom - DW_OP_reg0, 0);
}

/*
 * DW_OP_form_tls_address (2.5.1.3): the place in the block of the file's thread-local variables is
 * on top, and known now.
 */
static bool convert_thread_local(struct converter *c)
{
	struct fetch_program *p = &c->prog;
	const struct fetch_insn *top = p->n ? &p->insns[p->n - 1] : NULL;
	const char *problem;

	if (!top || (top->op != FETCH_CONST && top->op != FETCH_ADDRESS))
		return give_up(c, NOT_UNDERSTOOD);
	p->n--;
	problem = thread_local_push(c->dwarf->object, (uint64_t)top->value, p);
	return !problem || give_up(c, problem);
}

/* Descriptions that no probe can follow. */
static const char *why_unknowable(unsigned atom)
{
	switch (atom) {
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return IMPLICIT_POINTER;
	case DW_OP_GNU_parameter_ref:
		return "only its caller knows its value";
	}
	return NULL;
}

/*
 * DW_OP_reg describes where the value is (2.6.1.1.2), DW_OP_breg pushes a sum with what the
 * register holds (2.5.1.2), DW_OP_stack_value says that what is pushed is the value (2.6.1.1.3).
 */
static bool convert_op(struct converter *c, const Dwarf_Op *op)
{
	unsigned atom = op->atom;
	const char *why = why_unknowable(atom);

	if (why)
		return give_up(c, why);
	if (c->prog.n > MAX_INSNS)
		return give_up(c, NOT_UNDERSTOOD);
	if (atom >= DW_OP_lit0 && atom <= DW_OP_breg31)
		return convert_numbered(c, op);
	if (atom >= DW_OP_const1u && atom <= DW_OP_consts) {
		push_constant(c, (int64_t)op->number);
		return true;
	}
	switch (atom) {
	case DW_OP_regx:
		c->is_value = true;
		return push_reg(c, op->number, 0);
	case DW_OP_bregx:
		return push_reg(c, op->number, (int64_t)op->number2);
	case DW_OP_addr:
		push(c, (struct fetch_insn){ .op = FETCH_ADDRESS, .value = (int64_t)op->number });
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return convert_indexed(c, op);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return convert_typed_constant(c, op);
	case DW_OP_fbreg:
		return push_frame_base(c, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(c);
	case DW_OP_plus_uconst:
		push(c, (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)op->number });
		return true;
	case DW_OP_over:
		push(c, (struct fetch_insn){ .op = FETCH_PICK, .number = 1 });
		return true;
	case DW_OP_pick:
		push(c, (struct fetch_insn){ .op = FETCH_PICK, .number = op->number });
		return true;
	case DW_OP_deref:
		return convert_deref(c, c->machine->word);
	case DW_OP_deref_size:
		return convert_deref(c, op->number);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return convert_deref(c, op->number) && convert_type(c, op->number2);
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		return push_reg(c, op->number, 0) && convert_type(c, op->number2);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
		return convert_type(c, op->number);
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
	case DW_OP_nop:
		return true;
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return convert_thread_local(c);
	case DW_OP_stack_value:
		c->is_value = true;
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return convert_entry_value(c, op);
	default:
		return convert_simple(c, atom);
	}
}

/*
 * How GCC writes a minimum, a maximum and the like (gcc/dwarf2out.cc, minmax_loc_descriptor): the
 * branch (2.5.1.5) goes over the swap to the drop behind it, so of the two words below its
 * condition one is left. Other branches are not understood: programs here have none.
 */
static bool is_choice(const Dwarf_Op *ops, size_t n)
{
	return n >= 3 && ops[0].atom == DW_OP_bra && ops[1].atom == DW_OP_swap &&
	       ops[2].atom == DW_OP_drop && (Dwarf_Sword)ops[0].number == 1;
}

/* Of the words a and b below a condition: a if it holds, else b, which is b ^ ((a ^ b) & mask). */
static void convert_choice(struct converter *c)
{
	push_constant(c, 0);
	push_op(c, FETCH_NE);
	push_op(c, FETCH_NEG);
	push(c, (struct fetch_insn){ .op = FETCH_PICK, .number = 2 });
	push(c, (struct fetch_insn){ .op = FETCH_PICK, .number = 2 });
	push_op(c, FETCH_XOR);
	push_op(c, FETCH_AND);
	push_op(c, FETCH_XOR);
	push_op(c, FETCH_SWAP);
	push_op(c, FETCH_DROP);
}

/* Appends operations to c->prog; false, with c->problem, when one cannot be converted. */
static bool convert_ops(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_choice(ops + i, n - i)) {
			convert_choice(c);
			i += 2;
		} else if (!convert_op(c, &ops[i])) {
			return false;
		}
	}
	return n > 0;
}

/* ---- location descriptions (2.6.1) ---- */

/* Does the operation end a piece? */
static bool is_piece(const Dwarf_Op *op)
{
	return op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece;
}

/* A simple description to the program c->prog; false with c->problem. */
static bool convert_simple_description(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	c->prog = (struct fetch_program){ 0 };
	c->is_value = false;
	c->problem = NULL;
	if (!convert_ops(c, ops, n))
		return give_up(c, "it was optimised out");
	if (fetch_verify(&c->prog, machine_of_kernel(c->machine), 0, c->arena))
		return give_up(c, NOT_UNDERSTOOD);
	return true;
}

/*
 * The bytes of DW_OP_implicit_value (2.6.1.1.4), at most BITS, in words. How many bits were added.
 */
static uint64_t add_implicit(struct converter *c, const Dwarf_Op *op, uint64_t bits,
			     struct location *ret)
{
	Dwarf_Block block;

	if (dwarf_getlocation_implicit_value(c->attr, op, &block))
		return 0;
	for (uint64_t at = 0; at < block.length && at * 8 < bits; at += WORD / 8) {
		struct location_piece piece = { .bits = WORD };
		uint64_t len = block.length - at < WORD / 8 ? block.length - at : WORD / 8;
		int64_t value = 0;

		if (bits - at * 8 < piece.bits)
			piece.bits = bits - at * 8;
		memcpy(&value, block.data + at, len);
		fetch_push(c->arena, &piece.prog,
			   (struct fetch_insn){ .op = FETCH_CONST, .value = value });
		location_add_piece(c->arena, ret, piece);
	}
	return bits < block.length * 8 ? bits : block.length * 8;
}

/* One piece (2.6.1.2): a simple description, an empty one for what is lost, then its size. */
static void add_piece(struct converter *c, const Dwarf_Op *ops, size_t n, const Dwarf_Op *size,
		      struct location *ret)
{
	bool in_bits = size->atom == DW_OP_bit_piece;
	uint64_t bits = in_bits ? size->number : size->number * 8;
	struct location_piece piece = { .bits = bits, .skip = in_bits ? size->number2 : 0 };

	if (n == 1 && ops[0].atom == DW_OP_implicit_value) {
		uint64_t added = add_implicit(c, ops, bits, ret);

		/* pieces behind it stay where they belong when the value is shorter */
		if (added < bits)
			location_add_piece(c->arena, ret,
					   (struct location_piece){ .bits = bits - added,
								    .problem = NOT_UNDERSTOOD });
		return;
	}
	if (!n)
		piece.problem = "a part of it was optimised out";
	else if (!convert_simple_description(c, ops, n))
		piece.problem = c->problem;
	else if (c->is_value && piece.skip + bits > WORD)
		piece.problem = NOT_UNDERSTOOD;
	piece.in_memory = !c->is_value;
	if (!piece.problem)
		piece.prog = c->prog;
	location_add_piece(c->arena, ret, piece);
}

/* Beyond any type that has a value. */
#define MAX_BITS (1u << 20)

/* A composite description (2.6.1.2). One piece in memory, or lost, is a simple location. */
static struct location locate_pieces(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	struct location l = { 0 };

	for (size_t i = 0; i < n;) {
		size_t m = i;

		while (m < n && !is_piece(&ops[m]))
			m++;
		if (m == n || ops[m].number > MAX_BITS || ops[m].number2 > MAX_BITS)
			return location_none(NOT_UNDERSTOOD);
		add_piece(c, ops + i, m - i, &ops[m], &l);
		i = m + 1;
	}
	if (l.n_pieces == 1 && l.pieces[0].in_memory && !l.pieces[0].skip && !l.pieces[0].problem)
		return location_memory(l.pieces[0].prog);
	if (l.n_pieces == 1 && l.pieces[0].problem)
		return location_none(l.pieces[0].problem);
	return l.n_pieces ? l : location_none(NULL);
}

/*
 * DW_OP_implicit_pointer (2.6.1.1.4): the DIE of what it points to, and an offset. That may be such
 * a pointer itself, of which only a value would help.
 */
static struct location locate_pointee(struct converter *c, const Dwarf_Op *op)
{
	struct location pointee;
	Dwarf_Die cu, die;

	if (!dwarf_diecu(c->die, &cu, NULL, NULL) ||
	    !dwarf_offdie(dwarf_cu_getdwarf(cu.cu), op->number, &die))
		return location_none(NOT_UNDERSTOOD);
	/* damaged information may have a circle of them */
	pointee = c->is_pointee ? location_none(IMPLICIT_POINTER)
				: locate_die(c->dwarf, c->arena, &die, c->pc, c->at_entry, true);
	return location_implicit(c->arena, &pointee, (int64_t)op->number2);
}

static bool is_implicit_pointer(const Dwarf_Op *op)
{
	return op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer;
}

/* A description of any form, by its operations. */
static struct location locate(struct converter *c, const Dwarf_Op *ops, size_t n)
{
	struct location l = { 0 };

	if (!n)
		return location_none(NULL);
	for (size_t i = 0; i < n; i++)
		if (is_piece(&ops[i]))
			return locate_pieces(c, ops, n);
	if (n == 1 && ops[0].atom == DW_OP_implicit_value) {
		add_implicit(c, ops, MAX_BITS, &l);
		return l.n_pieces ? l : location_none(NOT_UNDERSTOOD);
	}
	if (n == 1 && is_implicit_pointer(ops))
		return locate_pointee(c, ops);
	if (!convert_simple_description(c, ops, n))
		return location_none(c->problem);
	return c->is_value ? location_word(c->arena, c->prog) : location_memory(c->prog);
}

/* DW_AT_const_value (4.1): the variable has no location. */
static struct location locate_constant(struct converter *c, Dwarf_Attribute *attr)
{
	Dwarf_Sword value;

	if (dwarf_formsdata(attr, &value))
		return location_none("its constant value is not a number");
	push_constant(c, value);
	return location_word(c->arena, c->prog);
}

/* A constant goes before a location. dwarf_attr_integrate() looks through to the abstract DIE. */
static struct location locate_die(struct dwarf *d, struct arena *arena, Dwarf_Die *die,
				  Dwarf_Addr pc, bool entry, bool is_pointee)
{
	const struct machine *m = object_machine(d->object);
	struct converter c = {
		.dwarf = d,
		.machine = m,
		.arena = arena,
		.die = die,
		.pc = pc,
		.at_entry = entry,
		.is_pointee = is_pointee,
	};
	/*
	 * Past ftrace's call and the landing pad before it: a parameter's list (2.6.2) may begin
	 * only there though it has not moved.
	 */
	const Dwarf_Addr slack[] = { 0, m->fentry_size, m->landing_size + m->fentry_size };
	bool is_parameter = entry && dwarf_tag(die) == DW_TAG_formal_parameter;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_attr_integrate(die, DW_AT_const_value, &attr))
		return locate_constant(&c, &attr);
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		return location_none(NULL);
	c.attr = &attr;
	for (size_t i = 0; i < (is_parameter ? 3 : 1); i++)
		if (description_at(&attr, pc + slack[i], &ops, &n))
			return locate(&c, ops, n);
	return location_none(NULL);
}

struct location dwarf_locate(struct dwarf *d, struct arena *arena, Dwarf_Die *die, Dwarf_Addr pc,
			     bool entry)
{
	return locate_die(d, arena, die, pc, entry, false);
}

/*
 * DW_AT_data_member_location (5.7.3) finds the address of the object on the stack: a constant in
 * its place makes a whole program of it, as which it is verified.
 */
const struct fetch_program *dwarf_virtual_base(struct dwarf *d, Dwarf_Die *inheritance)
{
	struct converter c = { .dwarf = d,
			       .machine = object_machine(d->object),
			       .arena = d->target->arena,
			       .die = inheritance };
	struct fetch_program *ret = arena_new(c.arena, struct fetch_program);
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(inheritance, DW_AT_data_member_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n))
		return NULL;
	c.attr = &attr;
	push_constant(&c, 0);
	if (!convert_ops(&c, ops, n) ||
	    fetch_verify(&c.prog, machine_of_kernel(c.machine), 0, c.arena))
		return NULL;
	*ret = (struct fetch_program){ 0 };
	for (size_t i = 1; i < c.prog.n; i++)
		fetch_push(c.arena, ret, c.prog.insns[i]);
	return ret;
}
