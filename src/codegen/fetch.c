/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch programs become C by running them on a stack of expressions of type stp_u64: each operation
 * of ir/fetch_ops.def has a writer here, found by the table at the end of the first part. Loads go
 * into temporaries, so each is one line; they share one position and one check, since a load from a
 * faulty address only faults again, and the first error stays.
 *
 * A program stands inline in the body that uses it (cg_fetch), or is a case of the functions
 * that serve the rows of points (cg_point_value, cg_fetches). Programs were verified before
 * (ir_verify): what the verifier promises is asserted here, no more.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "machine/machine.h"
#include "runtime/uapi/script.h"

/* A program on its way. */
struct run {
	struct cg *cg;
	const struct ir_expr *expr;   /* whose position errors have; NULL: the caller has set it */
	const struct value *operands; /* evaluated */
	struct value stack[FETCH_STACK_MAX];
	unsigned n;
	bool last; /* the instruction that runs is the last one */
};

struct writer_row;
/* Takes its arguments from the stack of R and pushes the result; may write lines. */
typedef void write_fn(struct run *r, const struct fetch_insn *in, const struct writer_row *row);

/* How an operation is written. The operator, for those that are one in C. */
struct writer_row {
	write_fn *write;
	const char *text;
	enum precedence prec;
	bool is_signed;
};

/* The member of struct stp_regs; the verifier has made sure that there is one. */
static const char *register_field(const struct cg *cg, unsigned number)
{
	const struct machine_register *reg = machine_register(cg->program->machine, number);

	assert(reg && reg->field);
	return reg->field;
}

static void push(struct run *r, struct value v)
{
	assert(r->n < FETCH_STACK_MAX);
	r->stack[r->n++] = v;
}

/* Most results read registers or memory, or are made of what does. */
static void push_text(struct run *r, const char *text, enum precedence prec)
{
	push(r, cg_value(text, prec, V_READS));
}

static struct value pop(struct run *r)
{
	assert(r->n > 0);
	return r->stack[--r->n];
}

/* Asks for the position of the expression before a line that can fail. */
static void position(struct run *r)
{
	if (r->expr)
		cg_position(r->cg, r->expr);
}

/* As something that may be written more than once: a name or a number. */
static struct value named(struct run *r, struct value v)
{
	const char *name;

	if (v.state == V_FREE)
		return v;
	name = cg_temp_name(r->cg);
	cg_line(r->cg, "stp_u64 %s = %s;", name, v.text);
	return cg_value(name, PREC_PRIMARY, V_FREE);
}

/* Not the outcome of a comparison: compilers warn when a truth is an operand of arithmetic. */
static struct value plain(struct run *r, struct value v)
{
	return v.prec == PREC_EQUAL || v.prec == PREC_RELATION ? named(r, v) : v;
}

/*
 * One C operator on stp_u64 words. A left operand whose text is of type int or a constant is
 * made unsigned, since C would compute in int otherwise.
 */
static struct value binary(struct run *r, struct value a, const char *op, enum precedence prec,
			   struct value b)
{
	const char *left = a.prec == prec && prec >= PREC_ADD ? a.text : cg_operand(r->cg, a, prec);

	if (a.narrow || a.constant)
		left = cg_printf(r->cg, "(stp_u64)%s", cg_operand(r->cg, a, PREC_UNARY));
	return cg_at_least(
		cg_combine(cg_printf(r->cg, "%s %s %s", left, op, cg_operand(r->cg, b, prec)), prec,
			   a, b),
		V_READS);
}

static struct value signed_of(struct run *r, struct value v)
{
	return cg_around(cg_printf(r->cg, "(stp_long)%s", cg_operand(r->cg, v, PREC_UNARY)),
			 PREC_UNARY, v);
}

/* ---- what pushes a word ---- */

static void write_const(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push(r, cg_number(r->cg, in->value));
}

/*
 * Link-time addresses are moved at run time: by the section's load address, by the kernel's
 * offset, or by where the process has the file that the point is in, or another file.
 */
static void write_address(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	const char *text = in->section && in->section->is_mapped
				   ? cg_printf(r->cg, "stp_mapped_address(c, %u, 0x%" PRIx64 "ULL)",
					       cg_mapped(r->cg, in->section), (uint64_t)in->value)
			   : in->section && in->section->object->path
				   ? cg_printf(r->cg, "stp_user_address(c, 0x%" PRIx64 "ULL)",
					       (uint64_t)in->value)
			   : in->section
				   ? cg_printf(r->cg, "stp_section_address(%u, 0x%" PRIx64 "ULL)",
					       cg_section(r->cg, in->section), (uint64_t)in->value)
				   : cg_printf(r->cg, "stp_kernel_address(0x%" PRIx64 "ULL)",
					       (uint64_t)in->value);

	push_text(r, text, PREC_PRIMARY);
}

static void write_reg(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r, cg_printf(r->cg, "c->regs->%s", register_field(r->cg, in->number)),
		  PREC_PRIMARY);
}

static void write_thread(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r, "stp_thread_pointer()", PREC_PRIMARY);
}

static void write_tparg(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r, cg_printf(r->cg, "c->args[%u]", in->number), PREC_PRIMARY);
}

/* Evaluated by the caller, so that it may stand anywhere in the text. */
static void write_operand(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push(r, r->operands[in->number]);
}

/* ---- the stack ---- */

/* DUP is PICK of number 0. */
static void write_pick(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	unsigned at = r->n - 1 - in->number;

	assert(at < r->n);
	r->stack[at] = named(r, r->stack[at]);
	push(r, r->stack[at]);
}

/* Only the stack changes, no text. */
static void write_swap(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value top = pop(r), second = pop(r);

	push(r, top);
	push(r, second);
}

static void write_drop(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value v = pop(r);

	/* it may have temporaries that nothing else uses */
	if (!v.constant)
		cg_line(r->cg, "(void)%s;", cg_operand(r->cg, v, PREC_UNARY));
}

/* ---- memory ---- */

/* The run-time address of what is at ADDRESS in SPACE. */
static const char *address_in(struct run *r, enum fetch_space space, struct value address)
{
	return space == FETCH_PERCPU ? cg_printf(r->cg, "stp_percpu_address(%s)", address.text)
				     : address.text;
}

/*
 * The last load of a program is the result and so a stp_long. With --skip-badvars an unreadable
 * address gives 0 and no error.
 */
static void write_load(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	const char *address = address_in(r, in->space, pop(r)), *name = cg_temp_name(r->cg);
	const char *type = r->last ? "stp_long" : "stp_u64";
	bool user = in->space == FETCH_USER;

	if (r->cg->in->skip_badvars) {
		cg_line(r->cg, "%s %s = stp_peek(%s, %u, %d, %d);", type, name, address, in->size,
			in->is_signed, user);
	} else {
		position(r);
		cg_line(r->cg, "%s %s = stp_read_%s(c, %s, %u, %d);", type, name,
			user ? "user" : "kernel", address, in->size, in->is_signed);
		cg_may_fail(r->cg);
	}
	push(r, cg_value(name, PREC_PRIMARY, V_FREE));
}

/* From an offset within per-CPU data to this CPU's copy. */
static void write_this_cpu(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r, address_in(r, FETCH_PERCPU, pop(r)), PREC_PRIMARY);
}

/* With --skip-badvars a block that is not there is one at 0, which no read survives. */
static void write_thread_block(struct run *r, const struct fetch_insn *in,
			       const struct writer_row *row)
{
	const char *module = pop(r).text, *name = cg_temp_name(r->cg);

	if (r->cg->in->skip_badvars) {
		cg_line(r->cg, "stp_u64 %s = stp_peek_thread_block(%s);", name, module);
	} else {
		position(r);
		cg_line(r->cg, "stp_u64 %s = stp_thread_block(c, %s);", name, module);
		cg_may_fail(r->cg);
	}
	push(r, cg_value(name, PREC_PRIMARY, V_FREE));
}

/* With --skip-badvars a call whose entry nobody saw was entered with 0. */
static void write_entry(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	const char *array = cg_global(r->cg, r->cg->program->entry_values);
	const char *frame = cg_operand(r->cg, pop(r), PREC_UNARY), *name = cg_temp_name(r->cg);
	bool fails = !r->cg->in->skip_badvars;

	if (fails)
		position(r);
	cg_line(r->cg,
		"stp_u64 %s = STP_VALS(%s(c, &%s, vals), { .l = %s }, { .l = (stp_long)%s }, "
		"{ .l = %u });",
		name, fails ? "stp_entry_value" : "stp_map_get", array,
		fetch_entry_by_thread(in->entry) ? "stp_fn_tid(c)" : "0", frame, in->entry->index);
	if (fails)
		cg_may_fail(r->cg);
	push(r, cg_value(name, PREC_PRIMARY, V_FREE));
}

/* ---- what changes the top ---- */

/* Offsets of members: added to a constant at once, subtracted when negative. */
static void write_add(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value v = pop(r);
	int64_t n = in->value;

	if (v.constant)
		v = cg_number(r->cg, (int64_t)((uint64_t)v.number + (uint64_t)n));
	else if (n < 0 && n != INT64_MIN)
		v = binary(r, v, "-", PREC_ADD, cg_number(r->cg, -n));
	else if (n)
		v = binary(r, v, "+", PREC_ADD, cg_number(r->cg, n));
	push(r, v);
}

/* From the low IN->size bytes, by a cast through the C type of that size. */
static void write_extend(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	static const char *const types[2][9] = {
		{ [1] = "stp_u8", [2] = "stp_u16", [4] = "stp_u32", [8] = "stp_u64" },
		{ [1] = "signed char", [2] = "short", [4] = "int", [8] = "stp_long" },
	};
	struct value v = pop(r);

	if (in->size < 8) {
		v = cg_around(cg_printf(r->cg, "(%s)%s", types[in->is_signed][in->size],
					cg_operand(r->cg, v, PREC_UNARY)),
			      PREC_UNARY, cg_at_least(v, V_READS));
		v.narrow = true;
	}
	push(r, v);
}

/* A bit-field of IN->bits at bit IN->value; the signed one is moved to the top and back down. */
static void write_bits(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	unsigned up = 64 - in->bits - (unsigned)in->value, down = 64 - in->bits;
	struct value v = pop(r);

	if (in->is_signed) {
		push(r, cg_around(cg_printf(r->cg, "(stp_long)((stp_u64)%s << %u) >> %u",
					    cg_operand(r->cg, v, PREC_UNARY), up, down),
				  PREC_SHIFT, v));
		return;
	}
	if (in->value)
		v = binary(r, v, ">>", PREC_SHIFT, cg_number(r->cg, in->value));
	if (in->bits < 64 - in->value)
		v = binary(r, v, "&", PREC_AND,
			   cg_number(r->cg, (int64_t)((1ull << in->bits) - 1)));
	push(r, v);
}

/* Adds a subscript, scaled by the size of an element. */
static void write_index(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value v = pop(r), by = r->operands[in->number];

	if (in->value != 1)
		by = cg_around(cg_printf(r->cg, "%s * %" PRId64, cg_operand(r->cg, by, PREC_MUL),
					 in->value),
			       PREC_MUL, by);
	push(r, binary(r, v, "+", PREC_ADD, by));
}

static void write_neg(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r, cg_printf(r->cg, "-(stp_u64)%s", cg_operand(r->cg, pop(r), PREC_UNARY)),
		  PREC_UNARY);
}

static void write_not(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r,
		  cg_printf(r->cg, "~(stp_u64)%s", cg_operand(r->cg, plain(r, pop(r)), PREC_UNARY)),
		  PREC_UNARY);
}

static void write_widen(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	push_text(r, cg_printf(r->cg, "stp_float_widen(%s)", pop(r).text), PREC_PRIMARY);
}

static void write_abs(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value v = named(r, pop(r));

	if (v.constant)
		push(r, v.number < 0 ? cg_number(r->cg, (int64_t)(0 - (uint64_t)v.number)) : v);
	else
		push_text(r,
			  cg_printf(r->cg, "(stp_long)%s < 0 ? -%s : %s", v.text, v.text, v.text),
			  PREC_COND);
}

/* ---- two words to one ---- */

/* The operator and its precedence stand in the row. */
static void write_binary(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value b = pop(r), a = pop(r);

	push(r, binary(r, a, row->text, row->prec, b));
}

/* DWARF counts are taken modulo 64: beyond that C has no defined result. */
static void write_shift(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value by = pop(r), v = pop(r);

	if (by.constant)
		by = cg_number(r->cg, by.number & 63);
	else
		by = cg_around(cg_printf(r->cg, "(%s & 63)", cg_operand(r->cg, by, PREC_AND)),
			       PREC_PRIMARY, by);
	push(r, binary(r, row->is_signed ? signed_of(r, v) : v, row->text, PREC_SHIFT, by));
}

/* DWARF compares signed, whatever the types. */
static void write_relation(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value b = plain(r, pop(r)), a = plain(r, pop(r));
	struct value v = binary(r, signed_of(r, a), row->text, row->prec, signed_of(r, b));

	v.narrow = true;
	push(r, v);
}

/* DW_OP_div is signed, DW_OP_mod is not; both raise an error of their own for 0. */
static void write_divide(struct run *r, const struct fetch_insn *in, const struct writer_row *row)
{
	struct value b = pop(r), a = pop(r);
	bool by_zero = b.constant && !b.number;

	if (!b.constant || !b.number || b.number == -1) {
		b = named(r, b);
		position(r);
		cg_line(r->cg, "if (!%s)", cg_operand(r->cg, b, PREC_UNARY));
		r->cg->w.depth++;
		cg_line(r->cg, "stp_error(c, \"divide by zero in DWARF operand (DW_OP_%s)\");",
			fetch_ops[in->op].name);
		r->cg->w.depth--;
		cg_may_fail(r->cg);
		cg_check(r->cg);
		if (by_zero) {
			push(r, a); /* any: the error is set */
			return;
		}
		if (row->is_signed) {
			push_text(r, cg_printf(r->cg, "stp_div(c, %s, %s)", a.text, b.text),
				  PREC_PRIMARY);
			return;
		}
	}
	push(r, binary(r, row->is_signed ? signed_of(r, a) : a, row->text, PREC_MUL, b));
}

/* Every row of fetch_ops.def has one; a test runs them all. */
static const struct writer_row writers[N_FETCH_OPS] = {
	[FETCH_CONST] = { write_const },
	[FETCH_ADDRESS] = { write_address },
	[FETCH_REG] = { write_reg },
	[FETCH_TPARG] = { write_tparg },
	[FETCH_OPERAND] = { write_operand },
	[FETCH_DUP] = { write_pick },
	[FETCH_PICK] = { write_pick },
	[FETCH_SWAP] = { write_swap },
	[FETCH_DROP] = { write_drop },
	[FETCH_ADD] = { write_add },
	[FETCH_THIS_CPU] = { write_this_cpu },
	[FETCH_THREAD] = { write_thread },
	[FETCH_THREAD_BLOCK] = { write_thread_block },
	[FETCH_ENTRY] = { write_entry },
	[FETCH_LOAD] = { write_load },
	[FETCH_EXTEND] = { write_extend },
	[FETCH_BITS] = { write_bits },
	[FETCH_INDEX] = { write_index },
	[FETCH_WIDEN] = { write_widen },
	[FETCH_NEG] = { write_neg },
	[FETCH_NOT] = { write_not },
	[FETCH_ABS] = { write_abs },
	[FETCH_PLUS] = { write_binary, "+", PREC_ADD },
	[FETCH_MINUS] = { write_binary, "-", PREC_ADD },
	[FETCH_MUL] = { write_binary, "*", PREC_MUL },
	[FETCH_DIV] = { write_divide, "/", .is_signed = true },
	[FETCH_MOD] = { write_divide, "%" },
	[FETCH_AND] = { write_binary, "&", PREC_AND },
	[FETCH_OR] = { write_binary, "|", PREC_OR },
	[FETCH_XOR] = { write_binary, "^", PREC_XOR },
	[FETCH_SHL] = { write_shift, "<<" },
	[FETCH_SHR] = { write_shift, ">>" },
	[FETCH_SHRA] = { write_shift, ">>", .is_signed = true },
	[FETCH_EQ] = { write_relation, "==", PREC_EQUAL },
	[FETCH_NE] = { write_relation, "!=", PREC_EQUAL },
	[FETCH_LT] = { write_relation, "<", PREC_RELATION },
	[FETCH_LE] = { write_relation, "<=", PREC_RELATION },
	[FETCH_GT] = { write_relation, ">", PREC_RELATION },
	[FETCH_GE] = { write_relation, ">=", PREC_RELATION },
};

/* ---- programs ---- */

/*
 * Writes the lines of a verified program and returns what it leaves. E may be NULL: then the
 * caller sets the position.
 */
static struct value run(struct cg *cg, const struct ir_expr *e, const struct fetch_program *program,
			const struct value *operands)
{
	struct run r = { .cg = cg, .expr = e, .operands = operands };

	for (size_t i = 0; i < program->n; i++) {
		struct fetch_insn insn = program->insns[i];

		/* members of members: one offset */
		while (insn.op == FETCH_ADD && i + 1 < program->n &&
		       program->insns[i + 1].op == FETCH_ADD)
			insn.value = (int64_t)((uint64_t)insn.value +
					       (uint64_t)program->insns[++i].value);
		r.last = i + 1 == program->n;
		writers[insn.op].write(&r, &insn, &writers[insn.op]);
	}
	assert(r.n == 1);
	return r.stack[0];
}

/* What a program left, as a stp_long. */
static struct value result_of(struct cg *cg, const struct fetch_program *program,
			      struct value result)
{
	if (result.constant || program->insns[program->n - 1].op == FETCH_LOAD)
		return result;
	return cg_around(cg_printf(cg, "(stp_long)%s", cg_operand(cg, result, PREC_UNARY)),
			 PREC_UNARY, result);
}

struct value cg_program(struct cg *cg, const struct ir_expr *e, const struct fetch_program *p)
{
	const struct ir_exprs *operands = &e->fetch.operands;
	struct value *v = arena_new_array(cg->arena, struct value, operands->n + 1);

	cg_lower_list(cg, operands, v);
	cg_evaluate_list(cg, operands, v);
	return result_of(cg, p, run(cg, e, p, v));
}

/*
 * A value that the points of a handler get in different ways is asked of the point's row.
 */
struct value cg_fetch(struct cg *cg, const struct ir_expr *e)
{
	if (e->fetch.varying) {
		cg_position(cg, e);
		return cg_value(cg_printf(cg, "stp_point_value(c, %u)", e->fetch.varying->index),
				PREC_PRIMARY, V_FAILS);
	}
	return cg_program(cg, e, &e->fetch.load);
}

/* ---- values of points ---- */

/* Programs are equal when their texts are. */
static unsigned fetch_number(struct cg *cg, const struct fetch_program *program)
{
	const struct istr *key;
	struct strbuf text;
	uintptr_t number;

	strbuf_init(&text);
	fetch_text(program, NULL, &text);
	key = intern(cg->intern, strbuf_cstr(&text));
	strbuf_deinit(&text);
	number = (uintptr_t)map_get(&cg->fetch_numbers, key);
	if (!number) {
		vec_push(cg->arena, &cg->fetches, *program);
		number = cg->fetches.n;
		map_put(&cg->fetch_numbers, key, (void *)number);
	}
	return (unsigned)number;
}

const char *cg_point_value(struct cg *cg, const struct fetch_program *program)
{
	int64_t constant;

	assert(!fetch_has_operands(program));
	if (fetch_constant(program, &constant))
		return cg_printf(cg, "{ .constant = %s }", cg_number(cg, constant).text);
	return cg_printf(cg, "{ .fetch = %u }", fetch_number(cg, program));
}

/* A body without locals whose only way out, after an error, returns 0. */
static void write_case(struct cg *cg, unsigned number, const struct fetch_program *program)
{
	struct exit leave = { .text = "return 0;" };
	struct body body = { .leave = &leave, .error = &leave };
	struct emit_saved saved;

	cg_begin(cg, &body);
	emit_capture(&cg->w, &saved);
	cg->w.depth++;
	cg_line(cg, "return %s;", result_of(cg, program, run(cg, NULL, program, NULL)).text);
	cg->w.depth--;
	emit_block(&cg->w, cg_printf(cg, "case %u:", number), emit_captured(&cg->w, &saved));
	cg->body = NULL;
}

/* The function of the numbers FIRST up to END, which is not one of them. */
static void write_part(struct cg *cg, unsigned first, unsigned end)
{
	emit_line(&cg->w, "static stp_long fetch_%u(struct stp_ctx *c, stp_u32 number)",
		  first / STP_FETCH_PART);
	emit_line(&cg->w, "{");
	cg->w.depth++;
	emit_line(&cg->w, "switch (number) {");
	for (unsigned i = first; i < end; i++)
		if (i)
			write_case(cg, i, &cg->fetches.data[i - 1]);
	emit_line(&cg->w, "}");
	emit_line(&cg->w, "return 0;");
	emit_close(&cg->w, "");
	emit_blank(&cg->w);
}

/*
 * Hundreds of small functions take the compiler four times as long as their programs in a few;
 * one that has them all, twice as long.
 */
bool cg_fetches(struct cg *cg)
{
	unsigned end = (unsigned)cg->fetches.n + 1;

	if (!cg->fetches.n)
		return false;
	emit_comment(&cg->w, "values that points have of their own, by the numbers in their rows");
	for (unsigned i = 0; i < end; i += STP_FETCH_PART)
		write_part(cg, i, end < i + STP_FETCH_PART ? end : i + STP_FETCH_PART);
	emit_open(&cg->w, "static stp_point_fetch *const fetches[] =");
	for (unsigned i = 0; i < end; i += STP_FETCH_PART)
		emit_line(&cg->w, "fetch_%u,", i / STP_FETCH_PART);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
	return true;
}

/* ---- stores (guru) ---- */

/* Where the value that a program ends with was loaded from. */
static enum fetch_space space_of(const struct fetch_program *load)
{
	enum fetch_space space = FETCH_KERNEL;

	for (size_t i = 0; i < load->n; i++)
		if (load->insns[i].op == FETCH_LOAD)
			space = load->insns[i].space;
	return space;
}

/* The saved register is changed, or a field of it. */
static void store_register(struct cg *cg, const char *reg, const struct fetch_part *field,
			   struct value v)
{
	uint64_t mask = field->bits < 64 ? (1ull << field->bits) - 1 : UINT64_MAX;

	if (field->bits)
		cg_line(cg,
			"%s = (%s & ~(0x%" PRIx64 "UL << %u)) | ((unsigned long)%s & 0x%" PRIx64
			"UL) << %u;",
			reg, reg, mask, field->at, cg_operand(cg, v, PREC_UNARY), mask, field->at);
	else
		cg_line(cg, "%s = (unsigned long)%s;", reg, cg_operand(cg, v, PREC_UNARY));
}

/* A variable without an address lives in a register. */
void cg_fetch_store(struct cg *cg, const struct ir_expr *lvalue, struct value *operands,
		    struct value v)
{
	const struct fetch_program *load = &lvalue->fetch.load;
	int reg = lvalue->fetch.address.n ? -1 : fetch_register(load);
	enum fetch_space space = space_of(load);
	const struct fetch_part *field = &lvalue->fetch.field;
	const char *address;

	if (reg >= 0) {
		cg_check(cg);
		store_register(cg,
			       cg_printf(cg, "((struct stp_regs *)c->regs)->%s",
					 register_field(cg, (unsigned)reg)),
			       field, v);
		return;
	}
	address = run(cg, lvalue, &lvalue->fetch.address, operands).text;
	if (space == FETCH_PERCPU)
		address = cg_printf(cg, "stp_percpu_address(%s)", address);
	cg_check(cg);
	cg_position(cg, lvalue);
	if (field->bits)
		cg_line(cg, "stp_write_bits(c, %d, %s, (struct stp_field){ %u, %u, %u }, %s);",
			space == FETCH_USER, address, field->bits, field->at, field->size, v.text);
	else
		cg_line(cg, "stp_write_%s(c, %s, %u, %s);", space == FETCH_USER ? "user" : "kernel",
			address, lvalue->fetch.size, v.text);
	cg_may_fail(cg);
}

/* ---- @kderef, @uderef, @kregister, @uregister ---- */

/*
 * Sizes that are not constant are checked by the runtime, which fails on others than 1, 2, 4
 * and 8.
 */
struct value cg_deref_size(struct cg *cg, const struct ir_expr *e, struct value size)
{
	cg_position(cg, e);
	if (size.constant &&
	    (size.number == 1 || size.number == 2 || size.number == 4 || size.number == 8))
		return size;
	return cg_value(cg_printf(cg, "stp_access_size(c, %s)", size.text), PREC_PRIMARY, V_FAILS);
}

/*
 * Size and address are evaluated; the size is checked in the call's own line, under the same
 * position.
 */
struct value cg_deref(struct cg *cg, const struct ir_expr *e)
{
	struct ir_expr *data[] = { e->deref.size, e->deref.address };
	struct ir_exprs list = { .data = data, .n = 2 };
	struct value v[2];

	cg_lower_list(cg, &list, v);
	cg_evaluate_list(cg, &list, v);
	return cg_value(cg_printf(cg, "stp_read_%s(c, %s, %s, 0)",
				  e->deref.user ? "user" : "kernel", v[1].text,
				  cg_deref_size(cg, e, v[0]).text),
			PREC_PRIMARY, V_FAILS);
}

struct value cg_register(struct cg *cg, const struct ir_expr *e)
{
	struct value number = cg_evaluate(cg, cg_lower(cg, e->reg.number), IR_LONG);

	cg_position(cg, e);
	return cg_value(cg_printf(cg, "stp_register(c, %s, %d)", number.text, e->reg.user),
			PREC_PRIMARY, V_FAILS);
}
