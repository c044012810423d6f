/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF as a type_source: references are DIE offsets. A struct known by name only is completed from
 * BTF, which has all types of the kernel.
 */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf.h"

/* a reference counts in these which dimension of an array is meant */
#define DIMENSION (1ull << 48)

/* The DIE of a reference, without its dimension. */
static bool die_at(struct type_source *src, uint64_t ref, Dwarf_Die *ret)
{
	struct dwarf *d = src->data;

	return dwarf_offdie(d->dw, ref & (DIMENSION - 1), ret) != NULL;
}

/* The reference of its DW_AT_type; 0, which is void, when it has none. */
static uint64_t type_ref(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type)
		       ? dwarf_dieoffset(&type)
		       : 0;
}

/* DW_AT_encoding (DWARF 5, 5.1.1). One byte that is no boolean is a character. */
static enum type_tag base_tag(Dwarf_Die *die, bool *is_signed)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding = 0;
	int size = dwarf_bytesize(die);

	dwarf_formudata(dwarf_attr(die, DW_AT_encoding, &attr), &encoding);
	*is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (encoding == DW_ATE_boolean)
		return TYPE_BOOL;
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
		return TYPE_FLOAT;
	return size == 1 ? TYPE_CHAR : TYPE_INT;
}

/* Elements of dimension DIM of an array, and whether further ones follow: BTF and C nest them,
 * DWARF lists them. */
static uint64_t array_count(Dwarf_Die *array, unsigned dim, bool *more)
{
	uint64_t count = 0;
	unsigned at = 0;
	Dwarf_Die die;

	*more = false;
	if (dwarf_child(array, &die))
		return 0;
	do {
		Dwarf_Attribute attr;
		Dwarf_Word bound;

		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		*more = at > dim;
		if (at++ != dim)
			continue;
		if (dwarf_formudata(dwarf_attr(&die, DW_AT_count, &attr), &bound) == 0)
			count = bound;
		else if (dwarf_formudata(dwarf_attr(&die, DW_AT_upper_bound, &attr), &bound) == 0)
			count = bound + 1;
	} while (dwarf_siblingof(&die, &die) == 0);
	return count;
}

/*
 * The sign of an enumeration's DW_AT_type. Without that attribute, which came with DWARF 3, it is signed when a value is
 * negative, as by BTF.
 */
static bool enum_is_signed(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die under;
	bool is_signed = false;

	if (dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), &under)) {
		base_tag(&under, &is_signed);
		return is_signed;
	}
	if (dwarf_child(die, &under))
		return false;
	do {
		Dwarf_Sword value;

		is_signed |= dwarf_formsdata(dwarf_attr(&under, DW_AT_const_value, &attr),
					     &value) == 0 &&
			     value < 0;
	} while (dwarf_siblingof(&under, &under) == 0);
	return is_signed;
}

/* Answers from the DIE; a tag that is no type of C gives false. */
static bool node(struct type_source *src, uint64_t ref, struct type_node *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die die;
	bool more;
	int size;

	if (!die_at(src, ref, &die))
		return false;
	size = dwarf_bytesize(&die);
	*ret = (struct type_node){ .tag = TYPE_VOID,
				   .name = dwarf_diename(&die),
				   .size = size > 0 ? size : 0 };
	switch (dwarf_tag(&die)) {
	case DW_TAG_base_type:
		ret->tag = base_tag(&die, &ret->is_signed);
		return true;
	case DW_TAG_enumeration_type:
		ret->tag = TYPE_ENUM;
		ret->is_signed = enum_is_signed(&die);
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		ret->tag = dwarf_tag(&die) == DW_TAG_union_type ? TYPE_UNION : TYPE_STRUCT;
		ret->is_declaration = dwarf_hasattr(&die, DW_AT_declaration);
		return true;
	case DW_TAG_pointer_type:
		ret->tag = TYPE_POINTER;
		ret->size = 8;
		break;
	case DW_TAG_array_type:
		ret->tag = TYPE_ARRAY;
		ret->size = 0;
		ret->count = array_count(&die, ref / DIMENSION, &more);
		if (more) {
			ret->next = ref + DIMENSION;
			return true;
		}
		break;
	case DW_TAG_subroutine_type:
		ret->tag = TYPE_FUNCTION;
		break;
	case DW_TAG_typedef:
		ret->tag = TYPE_TYPEDEF;
		break;
	case DW_TAG_const_type:
		ret->tag = TYPE_CONST;
		break;
	case DW_TAG_volatile_type:
		ret->tag = TYPE_VOLATILE;
		break;
	case DW_TAG_restrict_type:
		ret->tag = TYPE_RESTRICT;
		break;
	case DW_TAG_atomic_type:
		ret->tag = TYPE_TAG;
		break;
	default:
		return false;
	}
	if (dwarf_attr(&die, DW_AT_type, &attr))
		ret->next = type_ref(&die);
	return true;
}

/*
 * Bits from the start of the struct. DWARF 5 has DW_AT_data_bit_offset (5.7.6); DW_AT_bit_offset of
 * DWARF 2 and 3 counts from the high end of the storage unit.
 */
static uint64_t member_bit(Dwarf_Die *die, unsigned *bits)
{
	Dwarf_Attribute attr;
	Dwarf_Word at = 0, n, from_high, unit;

	*bits = 0;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_bit_size, &attr), &n) == 0)
		*bits = n;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_data_bit_offset, &attr), &at) == 0)
		return at;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_data_member_location, &attr), &at))
		at = 0;
	at *= 8;
	if (*bits && dwarf_formudata(dwarf_attr(die, DW_AT_bit_offset, &attr), &from_high) == 0 &&
	    dwarf_formudata(dwarf_attr(die, DW_AT_byte_size, &attr), &unit) == 0)
		at += unit * 8 - from_high - *bits;
	return at;
}

static void members(struct type_source *src, uint64_t ref, struct type_members *ret)
{
	Dwarf_Die type, die;

	if (!die_at(src, ref, &type) || dwarf_child(&type, &die))
		return;
	do {
		struct type_member m;

		if (dwarf_tag(&die) != DW_TAG_member)
			continue;
		m = (struct type_member){ .name = dwarf_diename(&die), .ref = type_ref(&die) };
		m.bit_offset = member_bit(&die, &m.bits);
		vec_push(src->arena, ret, m);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void enumerators(struct type_source *src, uint64_t ref, struct type_enumerators *ret)
{
	Dwarf_Die type, die;
	bool is_signed;

	if (!die_at(src, ref, &type) || dwarf_child(&type, &die))
		return;
	is_signed = enum_is_signed(&type);
	do {
		struct target_enumerator e = { .name = dwarf_diename(&die) };
		Dwarf_Attribute attr;
		Dwarf_Sword value;
		Dwarf_Word word;

		if (dwarf_tag(&die) != DW_TAG_enumerator || !e.name ||
		    !dwarf_attr(&die, DW_AT_const_value, &attr))
			continue;
		/* the form says how wide a constant is, not whether it has a sign */
		if (is_signed ? dwarf_formsdata(&attr, &value) : dwarf_formudata(&attr, &word))
			continue;
		e.value = is_signed ? value : (int64_t)word;
		vec_push(src->arena, ret, e);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* DW_TAG_unspecified_parameters is "...", which has no type. */
static void parameters(struct type_source *src, uint64_t ref, struct type_members *ret)
{
	Dwarf_Die type, die;

	if (!die_at(src, ref, &type) || dwarf_child(&type, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_formal_parameter)
			vec_push(src->arena, ret,
				 ((struct type_member){ dwarf_diename(&die), type_ref(&die), 0,
							0 }));
		else if (dwarf_tag(&die) == DW_TAG_unspecified_parameters)
			vec_push(src->arena, ret, ((struct type_member){ 0 }));
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Only the name is looked for: a declaration says no more. */
static const struct target_type *complete(struct type_source *src, const char *name, bool is_union)
{
	struct dwarf *d = src->data;
	struct btf_types *types = object_types(d->object);

	return types ? btf_types_find(types, name,
				      1u << (is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT))
		     : NULL;
}

static const struct type_ops ops = { node, members, enumerators, parameters, complete };

void dwarf_types_init(struct dwarf *d)
{
	type_source_init(&d->source, &ops, d->target->arena, d->target, d);
	if (d->object->kind == OBJECT_FILE)
		d->source.space = FETCH_USER;
}

const struct target_type *dwarf_type_of(struct dwarf *d, Dwarf_Die *die)
{
	return type_get(&d->source, type_ref(die));
}
