/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which classes C++ passes and returns by address whatever their size: those that are not trivial
 * for the purposes of calls (Itanium C++ ABI, 1.1), since copying or destroying one is more than
 * moving its bytes. Clang notes it of each class (DWARF 5, 5.7.1), GCC of none, so it is found here
 * from what the class declares and is made of.
 */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf.h"

/* Damaged data may nest without end, or share parts so that walking them never ends. */
#define DEPTH_MAX 32
#define DIES_MAX 20000

struct inquiry {
	unsigned depth, dies;
};

static bool says_by_reference(struct inquiry *inquiry, Dwarf_Die *class);

static bool has_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool is_set;

	return !dwarf_formflag(dwarf_attr(die, name, &attr), &is_set) && is_set;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word ret;

	return dwarf_formudata(dwarf_attr(die, name, &attr), &ret) ? 0 : ret;
}

/* One DIE more; false when these are enough. */
static bool charge(struct inquiry *inquiry)
{
	if (inquiry->dies == DIES_MAX)
		return false;
	inquiry->dies++;
	return true;
}

static bool is_transparent(int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return true;
	default:
		return false;
	}
}

/*
 * The type behind DW_AT_type, typedefs and qualifiers. Not by dwarf_peel_type(), which follows a
 * typedef of itself for ever.
 */
static bool type_of(struct inquiry *inquiry, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die at = *die, whole;

	do {
		if (!charge(inquiry) || !dwarf_formref_die(dwarf_attr(&at, DW_AT_type, &attr), &at))
			return false;
	} while (is_transparent(dwarf_tag(&at)));
	*ret = at;
	if (dwarf_formref_die(dwarf_attr(&at, DW_AT_signature, &attr), &whole))
		*ret = whole;
	return true;
}

/* Does a parameter take a reference to CLASS? */
static bool takes_reference(struct inquiry *inquiry, Dwarf_Die *parameter, Dwarf_Die *class)
{
	Dwarf_Die reference, type;

	return type_of(inquiry, parameter, &reference) &&
	       (dwarf_tag(&reference) == DW_TAG_reference_type ||
		dwarf_tag(&reference) == DW_TAG_rvalue_reference_type) &&
	       type_of(inquiry, &reference, &type) && type.addr == class->addr;
}

/* Without the object itself, FUNCTION has one parameter, a reference to CLASS. */
static bool takes_its_like(struct inquiry *inquiry, Dwarf_Die *function, Dwarf_Die *class)
{
	Dwarf_Die die;
	unsigned n = 0;
	bool ret = false;

	if (dwarf_child(function, &die))
		return false;
	do {
		if (dwarf_tag(&die) != DW_TAG_formal_parameter || has_flag(&die, DW_AT_artificial))
			continue;
		ret = !n++ && takes_reference(inquiry, &die, class);
	} while (n < 2 && charge(inquiry) && dwarf_siblingof(&die, &die) == 0);
	return ret;
}

/* NAME is that of the class, without the arguments of a template. */
static bool is_constructor(const char *name, const char *class)
{
	size_t len = class ? strcspn(class, "<") : 0;

	return len && !strncmp(name, class, len) && !name[len];
}

/* What a class declares itself. */
struct declared {
	bool by_hand; /* a copy, a move or the end, with code of its own */
	bool deleted; /* a copy or a move that must not be used */
	bool usable;  /* one that may be */
};

/* What the compiler makes, asked for or not, does what the members' own functions do. */
static void look_at_function(struct inquiry *inquiry, Dwarf_Die *function, Dwarf_Die *class,
			     struct declared *d)
{
	const char *name = dwarf_diename(function);
	bool made = has_flag(function, DW_AT_artificial) ||
		    number_of(function, DW_AT_defaulted) == DW_DEFAULTED_in_class;

	if (!name)
		return;
	if (name[0] == '~') {
		d->by_hand |= !made;
		return;
	}
	if (!is_constructor(name, dwarf_diename(class)) ||
	    !takes_its_like(inquiry, function, class))
		return;
	if (has_flag(function, DW_AT_deleted)) {
		d->deleted = true;
		return;
	}
	d->usable = true;
	d->by_hand |= !made;
}

/* A member or base, of a class or an array of them. */
static bool part_by_reference(struct inquiry *inquiry, Dwarf_Die *part)
{
	Dwarf_Die type;

	if (!type_of(inquiry, part, &type))
		return false;
	while (dwarf_tag(&type) == DW_TAG_array_type)
		if (!type_of(inquiry, &type, &type))
			return false;
	switch (dwarf_tag(&type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return says_by_reference(inquiry, &type);
	default:
		return false;
	}
}

/* Static members are no part of the object (DWARF 5, 5.7.7; before it they were members). */
static bool is_part(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inheritance ||
	       (dwarf_tag(die) == DW_TAG_member && !has_flag(die, DW_AT_external) &&
		!has_flag(die, DW_AT_declaration));
}

static bool look_at_class(struct inquiry *inquiry, Dwarf_Die *class)
{
	struct declared d = { 0 };
	Dwarf_Die die;

	if (dwarf_child(class, &die))
		return false;
	do {
		if (!charge(inquiry))
			return false;
		/* virtual functions and bases, thus a pointer to their table */
		if (number_of(&die, DW_AT_virtuality))
			return true;
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			look_at_function(inquiry, &die, class, &d);
		else if (is_part(&die) && part_by_reference(inquiry, &die))
			return true;
	} while (!d.by_hand && dwarf_siblingof(&die, &die) == 0);
	return d.by_hand || (d.deleted && !d.usable);
}

static bool says_by_reference(struct inquiry *inquiry, Dwarf_Die *class)
{
	Dwarf_Word said = number_of(class, DW_AT_calling_convention);
	bool ret;

	if (said || inquiry->depth == DEPTH_MAX)
		return said == DW_CC_pass_by_reference;
	inquiry->depth++;
	ret = look_at_class(inquiry, class);
	inquiry->depth--;
	return ret;
}

bool dwarf_passed_by_reference(Dwarf_Die *class)
{
	return says_by_reference(&(struct inquiry){ 0 }, class);
}
