/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments of marks, as the assembler wrote them: N@OPERAND, apart by blanks, where N is the size
 * in bytes, negative when signed, with an f behind it of floating point. An operand alone is a
 * word. Operands are those of the machine's assembler:
 *
 *	x86-64, i386 (GNU as, AT&T syntax)	%reg  $number  disp(%base,%index,scale)  symbol+n(%rip)
 *	aarch64				reg  number  [reg]  [reg, number]  [reg, reg]
 *
 * Blanks may stand within an operand: in brackets, and beside what joins its parts.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "target/internal.h"
#include "target/marks.h"
#include "target/object.h"

#define VALUE_SIZE 8 /* bytes of a value of a fetch program, whatever the machine's word */

/* One operand on its way. */
struct operand {
	const struct target_object *object;
	struct arena *arena;
	const struct machine *machine;
	const char *text; /* what is left of it */
	struct fetch_program prog;
	const char *problem;
};

static bool give_up(struct operand *o, const char *problem)
{
	if (!o->problem)
		o->problem = problem;
	return false;
}

static void push(struct operand *o, struct fetch_insn insn)
{
	fetch_push(o->arena, &o->prog, insn);
}

static void skip_blanks(struct operand *o)
{
	o->text += strspn(o->text, " \t");
}

/* Is C next? Then it is taken. */
static bool take(struct operand *o, char c)
{
	skip_blanks(o);
	if (*o->text != c)
		return false;
	o->text++;
	return true;
}

static bool take_number(struct operand *o, int64_t *ret)
{
	char *end;

	skip_blanks(o);
	*ret = (int64_t)strtoull(o->text, &end, 0);
	if (end == o->text)
		return false;
	o->text = end;
	return true;
}

/*
 * A register by its name: the whole of it is pushed. NULL: there is none, or it has no value at a
 * probe.
 */
static const struct machine_operand *take_register(struct operand *o)
{
	const struct machine_operand *reg;
	size_t n = 0;

	skip_blanks(o);
	while (isalnum((unsigned char)o->text[n]))
		n++;
	reg = machine_operand(o->machine, o->text, n);
	if (!reg) {
		give_up(o, arena_printf(o->arena,
					"it is in register %.*s, which a probe does not have the "
					"value of",
					(int)n, o->text));
		return NULL;
	}
	o->text += n;
	location_push_register(o->arena, o->machine, reg->number, &o->prog);
	return reg;
}

static void push_sum(struct operand *o)
{
	push(o, (struct fetch_insn){ .op = FETCH_PLUS });
}

/* The part of a register that its name means, as the argument's type says. */
static void push_part(struct operand *o, const struct machine_operand *reg, unsigned size,
		      bool is_signed)
{
	if (reg->size < size)
		size = reg->size;
	if (reg->shift)
		push(o, (struct fetch_insn){ .op = FETCH_BITS,
					     .value = reg->shift,
					     .bits = size * 8,
					     .is_signed = is_signed });
	else if (size < VALUE_SIZE)
		push(o, (struct fetch_insn){
				.op = FETCH_EXTEND, .size = size, .is_signed = is_signed });
}

static void push_load(struct operand *o, unsigned size, bool is_signed)
{
	push(o,
	     (struct fetch_insn){
		     .op = FETCH_LOAD, .size = size, .is_signed = is_signed, .space = FETCH_USER });
}

/* A number in the program's text, as wide as the argument's type. */
static void push_constant(struct operand *o, int64_t value, unsigned size, bool is_signed)
{
	unsigned shift = 64 - size * 8;
	uint64_t top = (uint64_t)value << shift;

	push(o, (struct fetch_insn){ .op = FETCH_CONST,
				     .value = is_signed ? (int64_t)top >> shift
							: (int64_t)(top >> shift) });
}

/* ,%index,scale behind a base */
static bool take_index(struct operand *o, bool has_base)
{
	int64_t scale = 1;

	if (!take(o, '%') || !take_register(o))
		return give_up(o, "its index is not understood");
	if (take(o, ',') &&
	    (!take_number(o, &scale) || (scale != 1 && scale != 2 && scale != 4 && scale != 8)))
		return give_up(o, "its scale is not understood");
	push(o, (struct fetch_insn){ .op = FETCH_CONST, .value = scale });
	push(o, (struct fetch_insn){ .op = FETCH_MUL });
	if (has_base)
		push_sum(o);
	return true;
}

/*
 * symbol, symbol+n or symbol-n: its link-time address is pushed. With @GOTOFF behind the symbol,
 * what the text adds to a register that has the global offset table's address: *is_relative then
 * (ABI, Intel386 supplement, "Relocation").
 */
static bool take_symbol(struct operand *o, bool *is_relative)
{
	size_t n = strcspn(o->text, "@+-( ");
	const char *name = arena_strndup(o->arena, o->text, n);
	uint64_t addr = object_symbol((struct target_object *)o->object, name);
	int64_t more = 0;
	bool is_less;

	o->text += n;
	*is_relative = !strncmp(o->text, "@GOTOFF", 7);
	if (*is_relative)
		o->text += 7;
	is_less = take(o, '-');
	if ((is_less || take(o, '+')) && !take_number(o, &more))
		return give_up(o, "its address is not understood");
	if (is_less)
		more = -more;
	if (!addr)
		return give_up(o, arena_printf(o->arena,
					       "it is at the symbol '%s', which the file does not "
					       "have any more",
					       name));
	push(o, (struct fetch_insn){ .op = FETCH_ADDRESS,
				     .value = (int64_t)(addr + (uint64_t)more),
				     .section = &o->object->as_linked });
	return true;
}

/*
 * The base in parentheses, if there is one; not pushed when the symbol's address is known without.
 */
static bool take_base(struct operand *o, bool has_symbol, bool is_relative, bool *has_base)
{
	size_t n = o->prog.n;

	if (!strncmp(o->text, "%rip", 4)) { /* what a symbol is relative to */
		o->text += 4;
		return has_symbol || give_up(o, "its address is not understood");
	}
	if (!take(o, '%'))
		return true;
	if (!take_register(o))
		return false;
	if (is_relative)
		o->prog.n = n;
	else if (has_symbol)
		push_sum(o);
	*has_base = true;
	return true;
}

/* "8", or a sum as compilers leave it to the assembler: "4+4", "-4-4+8"; "4+" of "4+symbol". */
static bool take_displacement(struct operand *o, int64_t *ret)
{
	bool any = false;
	int64_t n;

	for (; take_number(o, &n); any = true) {
		*ret = (int64_t)((uint64_t)*ret + (uint64_t)n);
		take(o, '+');
	}
	return any;
}

/* The address that a memory operand of x86 means is pushed. */
static bool take_memory(struct operand *o)
{
	int64_t disp = 0;
	bool has_number = take_displacement(o, &disp), is_relative = false;
	bool has_symbol =
		has_number ? isalpha((unsigned char)*o->text) || *o->text == '_' : *o->text != '(';
	bool has_base = has_symbol;

	if (has_symbol && !take_symbol(o, &is_relative))
		return false;
	if (!take(o, '('))
		return has_symbol || give_up(o, "its address is not understood");
	if (!take_base(o, has_symbol, is_relative, &has_base) ||
	    (take(o, ',') && !take_index(o, has_base)))
		return false;
	if (!take(o, ')') || !o->prog.n)
		return give_up(o, "its address is not understood");
	if (disp)
		push(o, (struct fetch_insn){ .op = FETCH_ADD, .value = disp });
	if (o->machine->word < VALUE_SIZE)
		push(o, (struct fetch_insn){ .op = FETCH_EXTEND, .size = o->machine->word });
	return true;
}

/* An operand of x86. */
static bool take_att(struct operand *o, unsigned size, bool is_signed)
{
	const struct machine_operand *reg;
	int64_t value;

	if (take(o, '$')) {
		if (!take_number(o, &value))
			return give_up(o, "its value is not understood");
		push_constant(o, value, size, is_signed);
		return true;
	}
	if (take(o, '%')) {
		reg = take_register(o);
		if (reg)
			push_part(o, reg, size, is_signed);
		return reg;
	}
	if (!take_memory(o))
		return false;
	push_load(o, size, is_signed);
	return true;
}

/* [reg], [reg, number] or [reg, reg] of aarch64: the address is pushed. */
static bool take_bracket(struct operand *o)
{
	int64_t disp;

	if (!take_register(o))
		return false;
	if (take(o, ',')) {
		take(o, '#');
		if (take_number(o, &disp)) {
			push(o, (struct fetch_insn){ .op = FETCH_ADD, .value = disp });
		} else {
			if (!take_register(o))
				return false;
			push_sum(o);
		}
	}
	return take(o, ']') || give_up(o, "its address is not understood");
}

/* An operand of aarch64. */
static bool take_arm(struct operand *o, unsigned size, bool is_signed)
{
	const struct machine_operand *reg;
	int64_t value;

	if (take(o, '[')) {
		if (!take_bracket(o))
			return false;
		push_load(o, size, is_signed);
		return true;
	}
	take(o, '#');
	if (take_number(o, &value)) {
		push_constant(o, value, size, is_signed);
		return true;
	}
	reg = take_register(o);
	if (reg)
		push_part(o, reg, size, is_signed);
	return reg;
}

/* Does N@ or Nf@ begin at TEXT? */
static bool has_size(const char *text)
{
	text += *text == '-';
	if (!isdigit((unsigned char)*text))
		return false;
	text += strspn(text, "0123456789");
	text += *text == 'f';
	return *text == '@';
}

/* Is the operand that ends before the blank AT, behind LAST, gone on with: "a - 4", "x0, 8"? */
static bool goes_on(const char *at, char last)
{
	at += strspn(at, " ");
	return strchr("+-,", last) || (*at && strchr("+,", *at)) || (at[0] == '-' && at[1] == ' ');
}

/* Where the argument after TEXT begins, or the end. */
static const char *next_argument(const char *text)
{
	unsigned depth = 0;

	for (const char *p = text; *p; p++) {
		if (*p == '(' || *p == '[')
			depth++;
		else if (depth && (*p == ')' || *p == ']'))
			depth--;
		else if (*p == ' ' && p > text &&
			 (has_size(p + 1) || (!depth && p[1] != ' ' && !goes_on(p, p[-1]))))
			return p + 1;
	}
	return text + strlen(text);
}

/*
 * N@ in front of an operand: size and sign; false, with a problem, when no number holds the value.
 */
static bool take_size(struct operand *o, struct target_mark_argument *ret)
{
	size_t n = strspn(o->text, "-0123456789");
	int64_t size;

	ret->size = o->machine->word;
	if (!has_size(o->text)) /* assembly and older tools have the operand alone */
		return true;
	take_number(o, &size);
	ret->is_signed = size < 0;
	size = size < 0 ? -size : size;
	if (*o->text == 'f')
		return give_up(o, "it is a floating-point number");
	if (n > 2 || (size != 1 && size != 2 && size != 4 && size != 8))
		return give_up(o, "its size is not understood");
	ret->size = (uint8_t)size;
	o->text++;
	skip_blanks(o);
	return *o->text || give_up(o, "its operand is empty");
}

/* In the syntax of the machine, a value of the size and sign of A. */
static bool take_operand(struct operand *o, const struct target_mark_argument *a)
{
	switch (o->machine->syntax) {
	case MACHINE_SYNTAX_ATT:
		return take_att(o, a->size, a->is_signed);
	case MACHINE_SYNTAX_ARM:
		return take_arm(o, a->size, a->is_signed);
	case MACHINE_SYNTAX_UNKNOWN:
		break;
	}
	return give_up(o, "operands of this machine are not understood");
}

static struct target_mark_argument argument(const struct target_object *object, const char *text)
{
	struct target_mark_argument ret = { 0 };
	struct operand o = { .object = object,
			     .arena = object->target->arena,
			     .machine = object_machine(object),
			     .text = text };
	bool ok = take_size(&o, &ret) && take_operand(&o, &ret);

	skip_blanks(&o);
	if (ok && *o.text)
		ok = give_up(&o, "its operand is not understood");
	if (ok)
		ret.load = o.prog;
	else
		ret.problem = o.problem;
	return ret;
}

size_t target_mark_arguments(const struct target_object *o, const struct target_mark *mark,
			     struct target_mark_argument *ret, size_t max)
{
	const char *at = mark->arguments + strspn(mark->arguments, " ");
	size_t n = 0;

	while (*at && n < max) {
		const char *end = next_argument(at);

		ret[n++] = argument(o, arena_strndup(o->target->arena, at, end - at));
		at = end;
	}
	return n;
}
