/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch programs become C by running them on a stack of expressions of type stp_u64. Loads go
 * into temporaries, so each is one line; they share one site and one check, since a load from a
 * faulty address only faults again, and the first error stays.
 */
#include <assert.h>
#include <inttypes.h>

#include "codegen/internal.h"

#define STACK_MAX 64

struct machine {
	struct cg *cg;
	const struct ir_expr *expr;
	const struct value *operands;
	struct value stack[STACK_MAX];
	unsigned n;
	bool last; /* the instruction that runs is the last one */
};

static const char *register_name(unsigned dwarf)
{
	static const char *const names[] = { "ax",  "dx",  "cx",  "bx",  "si",  "di",
					     "bp",  "sp",  "r8",  "r9",  "r10", "r11",
					     "r12", "r13", "r14", "r15", "ip" };

	return dwarf < sizeof(names) / sizeof(names[0]) ? names[dwarf] : NULL;
}

static void push(struct machine *m, struct value v)
{
	assert(m->n < STACK_MAX);
	m->stack[m->n++] = v;
}

static struct value pop(struct machine *m)
{
	assert(m->n > 0);
	return m->stack[--m->n];
}

/* As something that may be written more than once: a name or a number. */
static struct value named(struct machine *m, struct value v)
{
	const char *name;

	if (v.flags & V_NUMBER || !(v.flags & V_VAR))
		return v;
	name = cg_temp_name(m->cg);
	cg_line(m->cg, "stp_u64 %s = %s;", name, v.text);
	return cg_value(name, PREC_PRIMARY, 0);
}

static struct value binary(struct machine *m, struct value a, const char *op, enum precedence prec,
			   struct value b)
{
	const char *left = a.prec == prec && prec >= PREC_ADD ? a.text : cg_operand(m->cg, a, prec);

	if (a.flags & V_INT)
		left = cg_printf(m->cg, "(stp_u64)%s", cg_operand(m->cg, a, PREC_UNARY));
	return cg_value(cg_printf(m->cg, "%s %s %s", left, op, cg_operand(m->cg, b, prec)), prec,
			V_VAR | ((a.flags | b.flags) & V_SOFT));
}

static struct value signed_of(struct machine *m, struct value v)
{
	return cg_value(cg_printf(m->cg, "(stp_long)%s", cg_operand(m->cg, v, PREC_UNARY)),
			PREC_UNARY, v.flags & ~(V_NUMBER | V_INT));
}

static struct value add(struct machine *m, struct value v, int64_t n)
{
	if (!n)
		return v;
	if (v.flags & V_NUMBER)
		return cg_number(m->cg, v.number + (uint64_t)n);
	if (n < 0 && n != INT64_MIN)
		return binary(m, v, "-", PREC_ADD, cg_number(m->cg, -n));
	return binary(m, v, "+", PREC_ADD, cg_number(m->cg, n));
}

static void load(struct machine *m, const struct fetch_insn *in)
{
	struct value address = pop(m);
	const char *name = cg_temp_name(m->cg);

	if (m->cg->in->skip_badvars) {
		cg_line(m->cg, "%s %s = stp_peek(%s, %u, %d, %d);",
			m->last ? "stp_long" : "stp_u64", name, address.text, in->size,
			in->is_signed, in->user);
	} else {
		cg_site(m->cg, m->expr);
		cg_line(m->cg, "%s %s = stp_read_%s(c, %s, %u, %d);",
			m->last ? "stp_long" : "stp_u64", name, in->user ? "user" : "kernel",
			address.text, in->size, in->is_signed);
		m->cg->unchecked = true;
	}
	push(m, cg_value(name, PREC_PRIMARY, 0));
}

static struct value extend(struct machine *m, const struct fetch_insn *in, struct value v)
{
	static const char *const types[2][9] = {
		{ [1] = "stp_u8", [2] = "stp_u16", [4] = "stp_u32", [8] = "stp_u64" },
		{ [1] = "signed char", [2] = "short", [4] = "int", [8] = "stp_long" },
	};

	if (in->size == 8)
		return v;
	return cg_value(cg_printf(m->cg, "(%s)%s", types[in->is_signed][in->size],
				  cg_operand(m->cg, v, PREC_UNARY)),
			PREC_UNARY, (v.flags & ~V_NUMBER) | V_VAR | V_INT);
}

static struct value bits(struct machine *m, const struct fetch_insn *in, struct value v)
{
	unsigned up = 64 - in->bits - (unsigned)in->value, down = 64 - in->bits;

	if (in->is_signed)
		return cg_value(cg_printf(m->cg, "(stp_long)((stp_u64)%s << %u) >> %u",
					  cg_operand(m->cg, v, PREC_UNARY), up, down),
				PREC_SHIFT, v.flags & ~(V_NUMBER | V_INT));
	if (in->value)
		v = binary(m, v, ">>", PREC_SHIFT, cg_number(m->cg, in->value));
	if (in->bits == 64)
		return v;
	return binary(m, v, "&", PREC_AND, cg_number(m->cg, (int64_t)((1ull << in->bits) - 1)));
}

/* DW_OP_div is signed, DW_OP_mod is not; both raise an error of their own for 0. */
static struct value divide(struct machine *m, enum fetch_op op, struct value a, struct value b)
{
	bool mod = op == FETCH_MOD;

	if (b.flags & V_NUMBER && b.number && b.number != -1)
		return mod ? binary(m, a, "%", PREC_MUL, b)
			   : binary(m, signed_of(m, a), "/", PREC_MUL, b);
	b = named(m, b);
	cg_site(m->cg, m->expr);
	cg_line(m->cg, "if (!%s)", cg_operand(m->cg, b, PREC_UNARY));
	m->cg->w.depth++;
	cg_line(m->cg, "stp_error(c, \"divide by zero in DWARF operand (DW_OP_%s)\");",
		mod ? "mod" : "div");
	m->cg->w.depth--;
	m->cg->unchecked = true;
	cg_check(m->cg);
	if (mod)
		return binary(m, a, "%", PREC_MUL, b);
	return cg_value(cg_printf(m->cg, "stp_div(c, %s, %s)", a.text, b.text), PREC_PRIMARY,
			V_VAR);
}

static void one_operand(struct machine *m, const struct fetch_insn *in)
{
	struct value v = pop(m);
	const char *operand;

	switch ((int)in->op) {
	case FETCH_ADD:
		v = add(m, v, in->value);
		break;
	case FETCH_EXTEND:
		v = extend(m, in, v);
		break;
	case FETCH_BITS:
		v = bits(m, in, v);
		break;
	case FETCH_INDEX:
		operand = cg_operand(m->cg, m->operands[in->reg], PREC_MUL);
		v = binary(m, v, "+", PREC_ADD,
			   in->value == 1
				   ? m->operands[in->reg]
				   : cg_value(cg_printf(m->cg, "%s * %" PRId64, operand, in->value),
					      PREC_MUL, V_VAR));
		break;
	case FETCH_NEG:
		v = cg_value(cg_printf(m->cg, "-(stp_u64)%s", cg_operand(m->cg, v, PREC_UNARY)),
			     PREC_UNARY, V_VAR);
		break;
	case FETCH_NOT:
		v = cg_value(cg_printf(m->cg, "~(stp_u64)%s", cg_operand(m->cg, v, PREC_UNARY)),
			     PREC_UNARY, V_VAR);
		break;
	case FETCH_ABS:
		v = named(m, v);
		v = cg_value(
			cg_printf(m->cg, "(stp_long)%s < 0 ? -%s : %s", v.text, v.text, v.text),
			PREC_COND, V_VAR);
		break;
	}
	push(m, v);
}

static void two_operands(struct machine *m, const struct fetch_insn *in)
{
	static const struct {
		const char *text;
		enum precedence prec;
		bool is_signed;
	} ops[] = {
		[FETCH_PLUS] = { "+", PREC_ADD, false },
		[FETCH_MINUS] = { "-", PREC_ADD, false },
		[FETCH_MUL] = { "*", PREC_MUL, false },
		[FETCH_AND] = { "&", PREC_AND, false },
		[FETCH_OR] = { "|", PREC_OR, false },
		[FETCH_XOR] = { "^", PREC_XOR, false },
		[FETCH_SHL] = { "<<", PREC_SHIFT, false },
		[FETCH_SHR] = { ">>", PREC_SHIFT, false },
		[FETCH_SHRA] = { ">>", PREC_SHIFT, true },
		[FETCH_EQ] = { "==", PREC_EQUAL, true },
		[FETCH_NE] = { "!=", PREC_EQUAL, true },
		[FETCH_LT] = { "<", PREC_RELATION, true },
		[FETCH_LE] = { "<=", PREC_RELATION, true },
		[FETCH_GT] = { ">", PREC_RELATION, true },
		[FETCH_GE] = { ">=", PREC_RELATION, true },
	};
	struct value b = pop(m), a = pop(m);
	bool shifts = in->op == FETCH_SHL || in->op == FETCH_SHR || in->op == FETCH_SHRA;

	if (in->op == FETCH_DIV || in->op == FETCH_MOD) {
		push(m, divide(m, in->op, a, b));
		return;
	}
	if (shifts && b.flags & V_NUMBER)
		b = cg_number(m->cg, b.number & 63);
	else if (shifts)
		b = cg_value(cg_printf(m->cg, "(%s & 63)", cg_operand(m->cg, b, PREC_AND)),
			     PREC_PRIMARY, V_VAR);
	if (ops[in->op].is_signed) {
		a = signed_of(m, a);
		b = shifts ? b : signed_of(m, b);
	}
	a = binary(m, a, ops[in->op].text, ops[in->op].prec, b);
	a.flags |= ops[in->op].prec == PREC_EQUAL || ops[in->op].prec == PREC_RELATION ? V_INT : 0;
	push(m, a);
}

static void step(struct machine *m, const struct fetch_insn *in)
{
	struct value v;

	switch ((int)in->op) {
	case FETCH_CONST:
		push(m, cg_number(m->cg, in->value));
		break;
	case FETCH_ADDRESS:
		push(m, cg_value(cg_printf(m->cg, "stp_kernel_address(0x%" PRIx64 "ULL)",
					   (uint64_t)in->value),
				 PREC_PRIMARY, V_VAR));
		break;
	case FETCH_REG:
		assert(register_name(in->reg));
		push(m, cg_value(cg_printf(m->cg, "c->regs->%s", register_name(in->reg)),
				 PREC_PRIMARY, V_VAR));
		break;
	case FETCH_TPARG:
		push(m, cg_value(cg_printf(m->cg, "c->args[%u]", in->reg), PREC_PRIMARY, V_VAR));
		break;
	case FETCH_OPERAND:
		push(m, m->operands[in->reg]);
		break;
	case FETCH_DUP:
	case FETCH_PICK: {
		unsigned at = m->n - 1 - (in->op == FETCH_PICK ? (unsigned)in->value : 0);

		assert(at < m->n);
		m->stack[at] = named(m, m->stack[at]);
		push(m, m->stack[at]);
		break;
	}
	case FETCH_SWAP:
		assert(m->n > 1);
		v = m->stack[m->n - 1];
		m->stack[m->n - 1] = m->stack[m->n - 2];
		m->stack[m->n - 2] = v;
		break;
	case FETCH_DROP:
		pop(m);
		break;
	case FETCH_LOAD:
		load(m, in);
		break;
	default:
		if (in->op < FETCH_SWAP)
			one_operand(m, in);
		else
			two_operands(m, in);
	}
}

static struct value run(struct cg *cg, const struct ir_expr *e, const struct fetch_program *program,
			const struct value *operands)
{
	struct machine m = { .cg = cg, .expr = e, .operands = operands };

	for (size_t i = 0; i < program->n; i++) {
		struct fetch_insn insn = program->insns[i];

		/* members of members: one offset */
		while (insn.op == FETCH_ADD && i + 1 < program->n &&
		       program->insns[i + 1].op == FETCH_ADD)
			insn.value += (uint64_t)program->insns[++i].value;
		m.last = i + 1 == program->n;
		step(&m, &insn);
	}
	assert(m.n == 1);
	return m.stack[0];
}

struct value cg_fetch(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_exprs *operands = &e->fetch.operands;
	struct value *v = arena_new_array(cg->arena, struct value, operands->n + 1), result;

	cg_lower_list(cg, operands, v);
	cg_settle_list(cg, operands, v);
	result = run(cg, e, &e->fetch.load, v);
	if (result.flags & V_NUMBER || e->fetch.load.insns[e->fetch.load.n - 1].op == FETCH_LOAD)
		return result;
	return cg_value(cg_printf(cg, "(stp_long)%s", cg_operand(cg, result, PREC_UNARY)),
			PREC_UNARY, result.flags & ~V_INT);
}

void cg_fetch_store(struct cg *cg, const struct ir_expr *lvalue, struct value *operands,
		    struct value v)
{
	const struct fetch_program *load_program = &lvalue->fetch.load;
	int reg = lvalue->fetch.address.n ? -1 : fetch_register(load_program);
	struct value address;
	bool user = false;

	if (reg >= 0) {
		cg_check(cg);
		cg_line(cg, "((struct stp_regs *)c->regs)->%s = (unsigned long)%s;",
			register_name((unsigned)reg), cg_operand(cg, v, PREC_UNARY));
		return;
	}
	address = run(cg, lvalue, &lvalue->fetch.address, operands);
	for (size_t i = 0; i < load_program->n; i++)
		if (load_program->insns[i].op == FETCH_LOAD)
			user = load_program->insns[i].user;
	cg_check(cg);
	cg_site(cg, lvalue);
	cg_line(cg, "stp_write_%s(c, %s, %u, %s);", user ? "user" : "kernel", address.text,
		lvalue->fetch.size, v.text);
	cg->unchecked = true;
}

struct value cg_deref_size(struct cg *cg, const struct ir_expr *e, struct value size)
{
	cg_site(cg, e);
	if (size.flags & V_NUMBER &&
	    (size.number == 1 || size.number == 2 || size.number == 4 || size.number == 8))
		return size;
	return cg_value(cg_printf(cg, "stp_access_size(c, %s)", size.text), PREC_PRIMARY, V_FAILS);
}

struct value cg_deref(struct cg *cg, const struct ir_expr *e)
{
	struct ir_expr *data[] = { e->deref.size, e->deref.address };
	struct ir_exprs list = { .data = data, .n = 2 };
	struct value v[2];

	cg_lower_list(cg, &list, v);
	cg_settle_list(cg, &list, v);
	return cg_value(cg_printf(cg, "stp_read_%s(c, %s, %s, 0)",
				  e->deref.user ? "user" : "kernel", v[1].text,
				  cg_deref_size(cg, e, v[0]).text),
			PREC_PRIMARY, V_VAR | V_FAILS);
}

struct value cg_register(struct cg *cg, const struct ir_expr *e)
{
	struct value number = cg_settle(cg, cg_lower(cg, e->reg.number), IR_LONG);

	cg_site(cg, e);
	return cg_value(cg_printf(cg, "stp_register(c, %s, %d)", number.text, e->reg.user),
			PREC_PRIMARY, V_VAR | V_FAILS);
}
