/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of functions and inlined copies, and globals, by DWARF. Where a parameter is at a
 * function's entry is taken from its DIE when that speaks of the entry, and else from the calling
 * convention, since location lists may begin behind the entry, when the compiler kept the
 * function's form; everything else from its DIE.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/dwarf.h"
#include "target/scoped_name.h"

/*
 * The DIE of a function or inlined copy, as noted when it was found or by its entry; false when
 * there is none.
 */
static bool die_of(struct dwarf *d, const struct target_function *f, Dwarf_Die *ret)
{
	const struct function_info *info = f->priv;
	const struct dwarf_function *record;
	uint64_t ref = info ? info->die : 0;

	if (!ref && f->addr) {
		record = dwarf_index_at(&d->index, f->addr);
		ref = record && record->pc == f->addr ? record->die : 0;
	}
	return ref && dwarf_die_at(d, ref, ret);
}

/* Where the probe is, and whether that is the entry of a function of its own. */
static Dwarf_Addr pc_of(const struct target_function *f, bool *entry)
{
	Dwarf_Addr begin = f->inline_addr ? f->inline_addr : f->addr;

	*entry = !f->inline_addr && (!f->pc || f->pc == f->addr);
	return f->pc ? f->pc : begin;
}

/* The variable of that name, or NULL. */
static const struct variable *find(const struct variables *vars, const char *name)
{
	vec_foreach(v, vars)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

/* NULL: it has none. Looks through to the abstract DIE. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

/* Of Go: a result is listed as a parameter (DWARF 5, 4.1: DW_AT_variable_parameter). */
static bool is_result(struct dwarf *d, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool ret = false;

	return d->object->is_go &&
	       !dwarf_formflag(dwarf_attr_integrate(die, DW_AT_variable_parameter, &attr), &ret) &&
	       ret;
}

/* Has the copy a parameter made from that one? */
static bool keeps(Dwarf_Die *copy, Dwarf_Die *parameter)
{
	Dwarf_Attribute attr;
	Dwarf_Die child, origin;

	if (dwarf_child(copy, &child))
		return false;
	do {
		if (dwarf_formref_die(dwarf_attr(&child, DW_AT_abstract_origin, &attr), &origin) &&
		    dwarf_dieoffset(&origin) == dwarf_dieoffset(parameter))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/*
 * Is it never passed to COPY? A constructor or destructor has the parameters that the compiler made
 * up in some of its copies only (Itanium C++ ABI, 5.1.4.3: C1 and C2): GCC's __vtt_parm, and
 * __in_chrg in none.
 */
static bool is_not_passed(Dwarf_Die *copy, Dwarf_Die *parameter)
{
	return dwarf_hasattr(parameter, DW_AT_artificial) && !keeps(copy, parameter);
}

/*
 * Parameters, or RESULTS of Go, in the order of the declaration: copies list theirs in the order in
 * which the compiler kept them.
 */
static void list_parameters(struct dwarf *d, const struct target_scope *s, Dwarf_Die *function,
			    bool results, struct variables *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin, child, *copy = NULL;

	if (dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin, &attr), &origin)) {
		copy = function;
		function = &origin;
	}
	if (dwarf_child(function, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    is_result(d, &child) == results && !(copy && is_not_passed(copy, &child)))
			vec_push(s->arena, ret,
				 ((struct variable){ .name = name_of(&child),
						     .type = dwarf_type_of(d, &child),
						     .is_param = true,
						     .location = location_none(NULL) }));
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* dwarf_locate(), with the addresses of a module relocated. */
static struct location locate(struct dwarf *d, struct arena *arena, Dwarf_Die *die, Dwarf_Addr pc,
			      bool entry)
{
	return location_relocate(d->object, dwarf_locate(d, arena, die, pc, entry));
}

/* A name already there hides an outer one. */
static void add_variable(struct dwarf *d, const struct target_scope *s, Dwarf_Die *die,
			 Dwarf_Addr pc, bool entry, struct variables *vars)
{
	struct variable v = { .name = name_of(die),
			      .is_param = dwarf_tag(die) == DW_TAG_formal_parameter };

	if (!v.name || find(vars, v.name))
		return;
	/* "extern int x;" in a block means a global, which is no local to be listed */
	if (dwarf_hasattr(die, DW_AT_declaration)) {
		if (!dwarf_global(d, v.name, NULL, &s->function, &v))
			return;
		v.is_unlisted = true;
		vec_push(s->arena, vars, v);
		return;
	}
	v.type = dwarf_type_of(d, die);
	v.location = locate(d, s->arena, die, pc, entry);
	vec_push(s->arena, vars, v);
}

/*
 * Variables of static storage of one block, or function, that was copied: what is the same in all
 * copies only the original has (DWARF 5, 3.3.8.2).
 */
static void add_statics(struct dwarf *d, const struct target_scope *s, Dwarf_Die *copy,
			Dwarf_Addr pc, struct variables *vars)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin, die;

	if (!dwarf_formref_die(dwarf_attr(copy, DW_AT_abstract_origin, &attr), &origin) ||
	    dwarf_child(&origin, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable && dwarf_hasattr(&die, DW_AT_location))
			add_variable(d, s, &die, pc, false, vars);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Parameters or locals of one block. */
static void add_block(struct dwarf *d, const struct target_scope *s, Dwarf_Die *block, int tag,
		      Dwarf_Addr pc, bool entry, struct variables *vars)
{
	Dwarf_Die die;

	if (dwarf_child(block, &die) == 0) {
		do {
			if (dwarf_tag(&die) == tag)
				add_variable(d, s, &die, pc, entry, vars);
		} while (dwarf_siblingof(&die, &die) == 0);
	}
	if (tag == DW_TAG_variable)
		add_statics(d, s, block, pc, vars);
}

/* Blocks within PARENT that hold PC, innermost first: their locals are visible too. */
static void add_inner_blocks(struct dwarf *d, const struct target_scope *s, Dwarf_Die *parent,
			     Dwarf_Addr pc, struct variables *vars)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) != DW_TAG_lexical_block || dwarf_haspc(&die, pc) != 1)
			continue;
		add_inner_blocks(d, s, &die, pc, vars);
		add_block(d, s, &die, DW_TAG_variable, pc, false, vars);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static bool is_by_gnu(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die cu;
	const char *producer = dwarf_diecu(die, &cu, NULL, NULL)
				       ? dwarf_formstring(dwarf_attr(&cu, DW_AT_producer, &attr))
				       : NULL;

	return producer && !strncmp(producer, "GNU ", 4);
}

/* Is a part of the variable nowhere at PC: a piece without a description (DWARF 5, 2.6.1.2)? */
static bool lacks_piece(Dwarf_Die *variable, Dwarf_Addr pc)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_getlocation_addr(dwarf_attr(variable, DW_AT_location, &attr), pc, &ops, &n, 1) !=
	    1)
		return false;
	for (size_t i = 0; i < n; i++)
		if (ops[i].atom == DW_OP_piece && (!i || ops[i - 1].atom == DW_OP_piece))
			return true;
	return false;
}

static bool lacks_parameter(Dwarf_Die *function, Dwarf_Addr pc)
{
	Dwarf_Die child;

	if (dwarf_child(function, &child))
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    (!dwarf_hasattr(&child, DW_AT_location) || lacks_piece(&child, pc)))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* Does the compiler say that callers do something else (DWARF 5, 3.3.1.1: DW_CC_nocall)? */
static bool is_called_otherwise(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Word how;

	return !dwarf_formudata(dwarf_attr_integrate(function, DW_AT_calling_convention, &attr),
				&how) &&
	       how == DW_CC_nocall;
}

static bool lies_in_function(Dwarf_Die *die)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes_die(die, &scopes);
	bool ret = false;

	for (int i = 1; i < n && !ret; i++)
		ret = dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
	free(scopes);
	return ret;
}

/*
 * Is the function in the body of another? GCC tells such of the same name apart by a number behind
 * it (GNU C, Ada, Fortran).
 */
static bool is_nested(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return lies_in_function(die) ||
	       (dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin) &&
		lies_in_function(&origin));
}

/* Does the name say that the compiler changed the function? */
static bool is_changed(const struct target_function *f, Dwarf_Die *die)
{
	const char *suffix = f->name + symbol_base_length(f->name);

	return *suffix && (suffix[1 + strspn(suffix + 1, "0123456789")] || !is_nested(die));
}

/*
 * Is the function called as it was declared? GCC gives another name to one that it changed. LLVM,
 * thus Rust, does not (llvm/lib/Transforms/IPO, ArgumentPromotion.cpp): there a parameter that is
 * nowhere, or a part of one, says that others may stand in its place.
 */
static bool has_convention(const struct target_function *f, Dwarf_Die *die, Dwarf_Addr pc)
{
	return !is_changed(f, die) && !is_called_otherwise(die) &&
	       (is_by_gnu(die) || !lacks_parameter(die, pc));
}

static bool is_rust(struct dwarf *d, Dwarf_Die *die)
{
	return dwarf_is_of_language(&d->file, die, DW_LANG_Rust);
}

/* Of Rust: {closure#0}, {{closure}} of older compilers, {async_fn#0}. */
static bool is_closure(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name && *name == '{';
}

/* The description of a parameter's place at PC; false: it has none there. */
static bool described_at(Dwarf_Die *parameter, Dwarf_Addr pc, Dwarf_Attribute *attr, Dwarf_Op **ops,
			 size_t *n)
{
	return dwarf_getlocation_addr(dwarf_attr(parameter, DW_AT_location, attr), pc, ops, n, 1) ==
		       1 &&
	       *n;
}

/* Is the function's frame counted from where the caller's ends? */
static bool has_cfa_base(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return !dwarf_getlocation(dwarf_attr_integrate(function, DW_AT_frame_base, &attr), &ops,
				  &n) &&
	       n == 1 && ops[0].atom == DW_OP_call_frame_cfa;
}

/*
 * Does the function keep its first parameter in the caller's frame that the convention has in a
 * register? Microsoft's has room there for those in registers; debug information of GCC names no
 * other convention.
 */
static bool is_microsoft(const struct machine *machine, Dwarf_Die *function, Dwarf_Addr pc,
			 const struct target_type *result, const struct variables *params)
{
	uint64_t first = convention_result_in_memory(machine, result) ? machine->word : 0;
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Op *ops;
	size_t n;

	if (!machine->convention.n_microsoft || !params->n ||
	    params->data[0].location.kind != LOCATION_PIECES || !has_cfa_base(function) ||
	    dwarf_child(function, &child))
		return false;
	while (dwarf_tag(&child) != DW_TAG_formal_parameter)
		if (dwarf_siblingof(&child, &child))
			return false;
	return described_at(&child, pc, &attr, &ops, &n) && ops[0].atom == DW_OP_fbreg &&
	       ops[0].number == first;
}

/*
 * By the convention of the function's language. Is that all there is to say at the entry? Where
 * Microsoft's has room for registers, nothing is stored yet.
 */
static bool locate_by_convention(struct dwarf *d, const struct target_scope *s, Dwarf_Die *die,
				 Dwarf_Addr pc, struct variables *params)
{
	const struct machine *machine = object_machine(d->object);
	const struct target_type *result = dwarf_type_of(d, die);

	if (is_rust(d, die)) {
		convention_locate_rust(machine, s->arena, result, is_closure(die), params);
		return false;
	}
	convention_locate_parameters(machine, s->arena, result, params->data, params->n);
	if (!is_microsoft(machine, die, pc, result, params))
		return false;
	convention_locate_microsoft(machine, s->arena, result, params->data, params->n);
	return true;
}

/* Does the operation mean a register that functions of this machine are entered with? */
static bool is_of_argument(const struct machine *machine, const Dwarf_Op *op)
{
	const struct machine_convention *c = &machine->convention;
	unsigned number = op->atom >= DW_OP_breg0 ? op->atom - DW_OP_breg0 : op->atom - DW_OP_reg0;

	for (unsigned i = 0; i < c->n_arguments; i++)
		if (c->arguments[i] == number)
			return true;
	for (unsigned i = 0; i < c->n_asked; i++)
		if (c->asked[i] == number)
			return true;
	return false;
}

/*
 * Is what the operation means the same at the entry as in all of the function? The frame of the
 * caller is, where arguments are on the stack; what the function keeps in its own is not there yet.
 */
static bool is_true_at_entry(const struct machine *machine, Dwarf_Die *function, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_breg31)
		return is_of_argument(machine, op);
	switch (op->atom) {
	case DW_OP_fbreg:
		return (Dwarf_Sword)op->number >= 0 && has_cfa_base(function);
	case DW_OP_regx:
	case DW_OP_bregx:
		return false;
	default:
		return true;
	}
}

/*
 * Has the attribute a location for each range of addresses, and not one for all (DWARF 5, 7.5.5)?
 */
static bool is_list(Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_sec_offset:
	case DW_FORM_loclistx:
	case DW_FORM_data4:
	case DW_FORM_data8:
		return true;
	default:
		return false;
	}
}

/* What the location that a parameter's DIE gives is worth at the entry. */
enum worth {
	NOT_SAID, /* nothing is said of this very address */
	NOT_YET,  /* it is of all the function, and true only behind the prologue */
	KNOWN,
};

/*
 * A list has what is known for this very address. A single location is of all the function, and
 * true there if the parameter stays where it came; a constant is anywhere.
 */
static enum worth worth_at(const struct machine *machine, Dwarf_Die *function, const char *name,
			   Dwarf_Addr pc)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_child(function, &child))
		return NOT_SAID;
	do {
		const char *own = name_of(&child);

		if (dwarf_tag(&child) != DW_TAG_formal_parameter || !own || strcmp(own, name))
			continue;
		if (dwarf_hasattr_integrate(&child, DW_AT_const_value))
			return KNOWN;
		if (!described_at(&child, pc, &attr, &ops, &n))
			return NOT_SAID;
		for (size_t i = 0; i < n && !is_list(&attr); i++)
			if (!is_true_at_entry(machine, function, &ops[i]))
				return NOT_YET;
		return KNOWN;
	} while (dwarf_siblingof(&child, &child) == 0);
	return NOT_SAID;
}

/*
 * Is what the DIE says, KNOWN, to be taken for V? At an entry only what is true there, and of Rust
 * only what is true for certain: its programs are often not optimised.
 */
static bool is_better(struct dwarf *d, const struct target_scope *s, Dwarf_Die *die,
		      const struct variable *v, const struct variable *known, Dwarf_Addr pc,
		      bool entry)
{
	bool guessed = v->location.kind == LOCATION_NONE;
	enum worth worth;

	if (!entry)
		return guessed;
	worth = worth_at(object_machine(d->object), die, v->name, pc);
	if (guessed && !is_rust(d, die))
		return worth != NOT_YET;
	return known->location.kind != LOCATION_NONE && worth == KNOWN;
}

/*
 * Go's function for all types of one shape takes a dictionary before what it declares, of a method
 * before or behind the receiver (cmd/compile, from 1.18 on), and debug information of optimised
 * code does not list it. Where the parameters are at the entry, that has in its lists.
 */
static bool hides_dictionary(const struct target_function *f, const struct variables *params)
{
	return strstr(f->name, "[go.shape.") && !find(params, ".dict");
}

/* Is a value of each of them known? */
static bool all_located(const struct variables *params)
{
	vec_foreach(v, params)
		if (v->location.kind == LOCATION_NONE)
			return false;
	return true;
}

#define NOT_STORED "at the function's entry it is not yet stored where debug information has it"

/*
 * Appends the parameters to the scope. What a DIE says of a function's entry is true: GCC passes
 * arguments of functions that nobody else calls as it likes (i386), and does not always note that a
 * class is passed by its address. Else, at the entry of a function the compiler did not change, the
 * calling convention decides; of clones, inlined copies and what the convention cannot locate, the
 * DIE.
 */
static void locate_parameters(struct dwarf *d, Dwarf_Die *die, struct target_scope *s,
			      Dwarf_Addr pc, bool entry)
{
	const struct target_function *f = &s->function;
	struct variables params = { 0 }, located = { 0 }, results = { 0 };
	enum ir_go go = file_go_kind(d->object, f->name);
	bool is_final = false, by_convention = entry && !go && has_convention(f, die, pc);

	list_parameters(d, s, die, false, &params);
	if (go && !entry)
		list_parameters(d, s, die, true, &params);
	else if (go == IR_GO_REGISTER && !hides_dictionary(f, &params))
		convention_locate_go(d->target, s->arena, &params, &results);
	else if (by_convention)
		is_final = locate_by_convention(d, s, die, pc, &params);
	/* reading where each parameter is takes a third of the time of a list */
	if (!(s->names_only && all_located(&params)))
		add_block(d, s, die, DW_TAG_formal_parameter, pc, entry, &located);
	vec_foreach(v, &params) {
		const struct variable *known = v->name ? find(&located, v->name) : NULL;

		if (!v->name || find(&s->variables, v->name))
			continue;
		if (known && !is_final && is_better(d, s, die, v, known, pc, entry && !go))
			v->location = known->location;
		else if (known && entry && !go && !by_convention)
			v->location = location_none(NOT_STORED);
		vec_push(s->arena, &s->variables, *v);
	}
}

/*
 * The last N, which are parameters, are hidden by variables of inner blocks: "let n = n.unwrap()"
 * of Rust.
 */
static void hide_parameters(struct target_scope *s, size_t n, const struct variables *of_blocks)
{
	for (size_t i = s->variables.n - n; i < s->variables.n; i++) {
		const struct variable *v = find(of_blocks, s->variables.data[i].name);

		if (v)
			s->variables.data[i] = *v;
	}
}

/* The parameter of FUNCTION that it keeps at OFFSET of its frame, as the scope has it; or NULL. */
static const struct variable *kept_at(const struct target_scope *s, Dwarf_Die *function,
				      Dwarf_Addr pc, uint64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_child(function, &child))
		return NULL;
	do {
		const char *name = name_of(&child);

		if (name && dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    described_at(&child, pc, &attr, &ops, &n) && n == 1 &&
		    ops[0].atom == DW_OP_fbreg && ops[0].number == offset)
			return find(&s->variables, name);
	} while (dwarf_siblingof(&child, &child) == 0);
	return NULL;
}

/* What OPS read of memory that a parameter points to, which is in a register; else NONE. */
static struct location by_parameter(const struct target_scope *s, Dwarf_Die *function,
				    Dwarf_Addr pc, const Dwarf_Op *ops, size_t n)
{
	const struct location none = location_none(NOT_STORED);
	const struct variable *p;
	struct fetch_program address = { 0 };

	if (n < 2 || n > 3 || ops[1].atom != DW_OP_deref ||
	    (n == 3 && ops[2].atom != DW_OP_plus_uconst))
		return none;
	p = kept_at(s, function, pc, ops[0].number);
	if (!p || p->location.kind != LOCATION_PIECES || p->location.n_pieces != 1 ||
	    p->location.pieces[0].in_memory || p->location.pieces[0].problem)
		return none;
	fetch_append(s->arena, &address, &p->location.pieces[0].prog);
	if (n == 3)
		fetch_push(s->arena, &address,
			   (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)ops[2].number });
	return location_memory(address);
}

/*
 * What a lambda captured is an artificial variable of GCC's, read by way of the closure: a
 * parameter, which at the entry is not yet where the frame will have it.
 */
static void locate_captures(const struct target_scope *s, Dwarf_Die *function, Dwarf_Addr pc,
			    struct variables *locals)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_child(function, &child))
		return;
	do {
		struct variable *v =
			dwarf_tag(&child) == DW_TAG_variable && name_of(&child) &&
					dwarf_hasattr_integrate(&child, DW_AT_artificial)
				? (struct variable *)find(locals, name_of(&child))
				: NULL;

		if (v && described_at(&child, pc, &attr, &ops, &n) && !is_list(&attr) &&
		    ops[0].atom == DW_OP_fbreg)
			v->location = by_parameter(s, function, pc, ops, n);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* Names that are there already (parameters of a system call) stay as they are. */
static bool fill_entry(struct dwarf *d, struct target_scope *s)
{
	const struct target_function *f = &s->function;
	size_t n_before = s->variables.n;
	bool entry;
	Dwarf_Addr pc = pc_of(f, &entry);
	struct variables locals = { 0 };
	Dwarf_Die die;

	if (!die_of(d, f, &die))
		return false;
	locate_parameters(d, &die, s, pc, entry);
	add_inner_blocks(d, s, &die, pc, &locals);
	/* at an entry nothing of a block is set, wherever the compiler has it begin */
	if (f->pc && f->pc != (f->inline_addr ? f->inline_addr : f->addr))
		hide_parameters(s, s->variables.n - n_before, &locals);
	add_block(d, s, &die, DW_TAG_variable, pc, entry, &locals);
	if (entry && !strcmp(f->base_name, "operator()"))
		locate_captures(s, &die, pc, &locals);
	vec_foreach(v, &locals)
		if (!find(&s->variables, v->name))
			vec_push(s->arena, &s->variables, *v);
	return true;
}

/* Drops the variables that OTHER does not have by name and type. */
static void keep_common(struct target_scope *s, const struct target_scope *other)
{
	size_t n = 0;

	vec_foreach(v, &s->variables) {
		const struct variable *same = find(&other->variables, v->name);

		if (same && !strcmp(target_type_name(v->type), target_type_name(same->type)))
			s->variables.data[n++] = *v;
	}
	s->variables.n = n;
}

/* What all inlined copies of F have that may be probed. */
static void keep_shared_by_copies(struct dwarf *d, struct target_scope *s,
				  const struct dwarf_function *f)
{
	const struct dwarf_index *ix = &d->index;

	for (uint32_t i = f->first_copy;
	     i < f->first_copy + f->n_copies && i < ix->n_copies && s->variables.n; i++) {
		struct function_info info = { .die = ix->copies[i].die };
		struct target_scope other = *s;

		other.function.inline_addr = ix->copies[i].pc;
		other.function.priv = &info;
		other.variables = (struct variables){ 0 };
		if (ix->copies[i].pc != s->function.inline_addr &&
		    target_function_set_holder(&other.function, ix->copies[i].pc) &&
		    fill_entry(d, &other))
			keep_common(s, &other);
	}
}

bool dwarf_fill_entry(struct dwarf *d, struct target_scope *s)
{
	const struct function_info *info = s->function.priv;

	if (!fill_entry(d, s))
		return false;
	if (info && info->stands_for)
		keep_shared_by_copies(d, s, info->stands_for);
	return true;
}

/*
 * By debug information, of programs whose results are all on the stack: where they are for the
 * caller, at the entry too.
 */
static void locate_go_results(struct dwarf *d, const struct target_scope *s, Dwarf_Die *die,
			      struct variables *results)
{
	struct variables located = { 0 };

	add_block(d, s, die, DW_TAG_formal_parameter, s->function.addr, true, &located);
	vec_foreach(v, results) {
		const struct variable *known = v->name ? find(&located, v->name) : NULL;

		if (known)
			v->location = known->location;
	}
}

/*
 * Each result by its name, $rN where the compiler has made one up (~rN); and the first as $return.
 */
static void fill_go_results(struct dwarf *d, Dwarf_Die *die, struct target_scope *s)
{
	struct variables params = { 0 }, results = { 0 };

	list_parameters(d, s, die, false, &params);
	list_parameters(d, s, die, true, &results);
	if (file_go_kind(d->object, s->function.name) == IR_GO_REGISTER)
		convention_locate_go(d->target, s->arena, &params, &results);
	else
		locate_go_results(d, s, die, &results);
	vec_foreach(v, &results) {
		struct variable first = *v;

		v->is_param = first.is_param = false;
		first.name = "return";
		if (v == results.data)
			vec_push(s->arena, &s->variables, first);
		if (v->name && *v->name == '~')
			v->name++;
		if (v->name)
			vec_push(s->arena, &s->variables, *v);
	}
}

/* The type is that of the DIE; the location that of the calling convention. */
bool dwarf_fill_return(struct dwarf *d, struct target_scope *s)
{
	struct variable v = { .name = "return" };
	Dwarf_Die die;

	if (!die_of(d, &s->function, &die))
		return false;
	if (file_go_kind(d->object, s->function.name)) {
		fill_go_results(d, &die, s);
		return true;
	}
	v.type = dwarf_type_of(d, &die);
	if (v.type->kind == TARGET_TYPE_VOID)
		return true;
	v.location = (is_rust(d, &die) ? convention_locate_rust_result : convention_locate_result)(
		object_machine(d->object), s->arena, v.type);
	vec_push(s->arena, &s->variables, v);
	return true;
}

bool dwarf_function_parameters(struct dwarf *d, const struct target_scope *s, const char *name,
			       struct variables *ret)
{
	size_t i = dwarf_index_lower_bound(&d->index, name);
	const struct dwarf_function *f = &d->index.functions[i];
	Dwarf_Die die;

	if (i >= d->index.n_functions || strcmp(dwarf_index_string(&d->index, f->name), name) ||
	    !f->die || !dwarf_open_dies(d) || !dwarf_offdie(d->dw, f->die, &die))
		return false;
	list_parameters(d, s, &die, false, ret);
	return true;
}

/* ---- globals ---- */

/* Is SUFFIX the end of PATH, beginning at a directory? */
static bool path_ends(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return m <= n && !strcmp(path + n - m, suffix) && (m == n || path[n - m - 1] == '/');
}

/* The unit that DIE is written in, which is not that of a copy of it. */
static Dwarf_CU *unit_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin) ? origin.cu
											 : die->cu;
}

/* The unit of a function; NULL: it is not known. */
static Dwarf_CU *unit_of_function(struct dwarf *d, const struct target_function *f)
{
	Dwarf_Die die;

	return f && die_of(d, f, &die) ? unit_of(&die) : NULL;
}

static bool is_of_unit(struct dwarf *d, const struct dwarf_variable *v, Dwarf_CU *unit)
{
	Dwarf_Die die;

	return unit && dwarf_die_at(d, v->die, &die) && unit_of(&die) == unit;
}

/*
 * Of several with one name: the one in FILE, or else in UNIT, or else in the unit with the shortest
 * path.
 */
static const struct dwarf_variable *choose_global(struct dwarf *d, const char *text,
						  const char *file, Dwarf_CU *unit)
{
	struct scoped_pattern p = scoped_pattern(d->target->arena, text);
	const char *name = p.name;
	const struct dwarf_index *ix = &d->index;
	const struct dwarf_variable *best = NULL;
	size_t low = dwarf_index_lower_variable(ix, name), length = SIZE_MAX;

	for (; low < ix->n_variables &&
	       !strcmp(dwarf_index_string(ix, ix->variables[low].name), name);
	     low++) {
		const struct dwarf_variable *v = &ix->variables[low];
		const char *path = dwarf_index_string(ix, v->file);

		if ((file && !path_ends(path, file)) ||
		    !scoped_matches(&p, dwarf_index_string(ix, v->scope)))
			continue;
		/*
		 * the shortest path wins; a declaration (no unit) only when there is no definition
		 */
		if (!*path && best)
			continue;
		if (*path && is_of_unit(d, v, unit))
			return v;
		if (strlen(path) < length || !*dwarf_index_string(ix, best->file)) {
			length = strlen(path);
			best = v;
		}
	}
	return best;
}

static void describe_global(struct dwarf *d, const char *name, Dwarf_Die *die, struct variable *ret)
{
	*ret = (struct variable){ .name = name,
				  .type = dwarf_type_of(d, die),
				  .location = locate(d, d->target->arena, die, 0, false) };
	/* some are defined by the linker script ("jiffies"): the symbol table knows where */
	if (dwarf_hasattr(die, DW_AT_declaration)) {
		uint64_t addr = object_symbol(d->object, name);

		ret->location =
			addr ? location_relocate(d->object, location_linked(d->target->arena, addr))
			     : location_none(arena_printf(d->target->arena,
							  "%s has no symbol for it",
							  d->object->name));
	}
}

bool dwarf_global(struct dwarf *d, const char *name, const char *file,
		  const struct target_function *near, struct variable *ret)
{
	const struct dwarf_variable *v =
		choose_global(d, name, file, file ? NULL : unit_of_function(d, near));
	Dwarf_Die die;

	if (!v || !dwarf_die_at(d, v->die, &die))
		return false;
	describe_global(d, name, &die, ret);
	return true;
}

/* Does UNIT declare a global of that name? */
static bool unit_declares(Dwarf_CU *unit, const char *name)
{
	Dwarf_Die root, die;
	int more;

	if (!dwarf_cu_die(unit, &root, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	for (more = dwarf_child(&root, &die); !more; more = dwarf_siblingof(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_variable && dwarf_hasattr(&die, DW_AT_external) &&
		    dwarf_diename(&die) && !strcmp(dwarf_diename(&die), name))
			return true;
	return false;
}

bool dwarf_global_seen(struct dwarf *d, const char *name, const struct target_function *f,
		       struct variable *ret)
{
	Dwarf_CU *unit = unit_of_function(d, f);
	const struct dwarf_variable *v = unit ? choose_global(d, name, NULL, unit) : NULL;
	Dwarf_Die die;

	if (!v || !dwarf_die_at(d, v->die, &die) ||
	    (unit_of(&die) != unit && !unit_declares(unit, name)))
		return false;
	describe_global(d, name, &die, ret);
	return true;
}
