/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF as a type_source: references are those of dwarf_file_ref(). A struct known by name only is
 * completed from BTF, which has all types of the kernel, and in a program from the index.
 */
#include <dwarf.h>
#include <string.h>

#include "base/bisect.h"
#include "target/dwarf.h"
#include "target/scoped_name.h"

/* a reference counts in these which dimension of an array is meant, or which part of a type */
#define DIMENSION (1ull << DWARF_REF_BITS)
/*
 * of a pointer to a member function: its words (Itanium C++ ABI, 2.3); of a null pointer's type:
 * what it is
 */
#define PART_FUNCTION 1
#define PART_OFFSET 2
#define PART_POINTER 1
#define PART_CHARACTER 1 /* of a string's type */

/*
 * The DIE of a reference, without its dimension; a type that only names the unit it is in (DWARF 5,
 * 5.7.1) is that one.
 */
static bool die_at(struct type_source *src, uint64_t ref, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (!dwarf_die_at(src->data, ref & (DIMENSION - 1), ret))
		return false;
	if (dwarf_formref_die(dwarf_attr(ret, DW_AT_signature, &attr), &whole))
		*ret = whole;
	return true;
}

/* The reference of its DW_AT_type; 0, which is void, when it has none. */
static uint64_t type_ref(struct dwarf *d, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type)
		       ? dwarf_die_ref(d, &type)
		       : 0;
}

/*
 * DW_AT_encoding (DWARF 5, 5.1.1). One byte is a character when it says so; of compilers of C it
 * does, u8 of Rust and uint8 of Go are numbers.
 */
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
	return size == 1 && encoding != DW_ATE_unsigned && encoding != DW_ATE_signed ? TYPE_CHAR
										     : TYPE_INT;
}

/*
 * A constant bound of a dimension (DWARF 5, 5.13): one with a sign says so by its form, and of
 * older compilers by its type alone, whose bits it then has. false: it is none, or not constant.
 */
static bool array_bound(Dwarf_Die *range, unsigned name, int64_t *ret)
{
	bool is_signed = false;
	Dwarf_Attribute attr;
	Dwarf_Die type;
	Dwarf_Word word;
	int size = 0;

	if (!dwarf_attr(range, name, &attr))
		return false;
	if (attr.form == DW_FORM_sdata || attr.form == DW_FORM_implicit_const)
		return dwarf_formsdata(&attr, ret) == 0;
	if (dwarf_formudata(&attr, &word))
		return false;
	if (dwarf_formref_die(dwarf_attr(range, DW_AT_type, &attr), &type)) {
		base_tag(&type, &is_signed);
		size = dwarf_bytesize(&type);
	}
	*ret = is_signed && size == 4 ? (int32_t)word : (int64_t)word;
	return true;
}

/* The subscript of an array's first element where that is not said: what the language has. */
static int64_t default_lower_bound(struct type_source *src, Dwarf_Die *die)
{
	struct dwarf *d = src->data;
	Dwarf_Sword ret;

	return dwarf_default_lower_bound(dwarf_language(&d->file, die), &ret) == 0 ? ret : 0;
}

/*
 * How many elements dimension DIM of an array has, the subscript of its first, and whether further
 * dimensions follow: BTF and C nest them, DWARF lists them.
 */
static void set_bounds(struct type_source *src, Dwarf_Die *array, unsigned dim,
		       struct type_node *ret, bool *more)
{
	unsigned at = 0;
	Dwarf_Die die;

	*more = false;
	if (dwarf_child(array, &die))
		return;
	do {
		Dwarf_Attribute attr;
		Dwarf_Word count;
		int64_t upper;

		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		*more = at > dim;
		if (at++ != dim)
			continue;
		if (!array_bound(&die, DW_AT_lower_bound, &ret->lower))
			ret->lower = default_lower_bound(src, array);
		if (dwarf_formudata(dwarf_attr(&die, DW_AT_count, &attr), &count) == 0)
			ret->count = count;
		else if (array_bound(&die, DW_AT_upper_bound, &upper) && upper >= ret->lower)
			ret->count = (uint64_t)upper - (uint64_t)ret->lower + 1;
	} while (dwarf_siblingof(&die, &die) == 0);
}

/*
 * DW_TAG_string_type (DWARF 5, 5.11), an array of characters, or these. With a length that is
 * elsewhere DW_AT_byte_size is of that; false: it is not constant.
 */
static bool set_string(struct type_source *src, Dwarf_Die *die, uint64_t ref, struct type_node *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word length = ret->size;

	if (ref / DIMENSION == PART_CHARACTER) {
		*ret = (struct type_node){ .tag = TYPE_CHAR, .name = "char", .size = 1 };
		return true;
	}
	if (dwarf_attr(die, DW_AT_string_length, &attr) && dwarf_formudata(&attr, &length))
		return false;
	*ret = (struct type_node){ .tag = TYPE_ARRAY,
				   .count = length,
				   .lower = default_lower_bound(src, die),
				   .next = ref + PART_CHARACTER * DIMENSION };
	return true;
}

/*
 * The sign of an enumeration's DW_AT_type. Without that attribute, which came with DWARF 3, it is
 * signed when a value is negative, as by BTF.
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

/* 0: not said. */
static uint64_t alignment_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word ret;

	return dwarf_formudata(dwarf_attr(die, DW_AT_alignment, &attr), &ret) == 0 ? ret : 0;
}

static void set_float(Dwarf_Die *die, struct type_node *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	ret->is_complex = !dwarf_formudata(dwarf_attr(die, DW_AT_encoding, &attr), &encoding) &&
			  encoding == DW_ATE_complex_float;
	/* "_Float128", "__float128", "complex _Float128" */
	ret->is_quad = ret->name && strstr(ret->name, "loat128");
}

/* All machines that there are have the lowest byte first. */
static bool is_reversed(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word order;

	return !dwarf_formudata(dwarf_attr(die, DW_AT_endianity, &attr), &order) &&
	       order == DW_END_big && dwarf_bytesize(die) > 1;
}

static bool points_to_function(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), &type) &&
	       dwarf_tag(&type) == DW_TAG_subroutine_type;
}

/*
 * DW_TAG_ptr_to_member_type (DWARF 5, 5.14), or a word of it. *done: it is made of no other type.
 */
static void set_member_pointer(struct type_source *src, Dwarf_Die *die, unsigned part, bool *done,
			       struct type_node *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die class;

	*done = part == PART_OFFSET;
	ret->size = src->word;
	ret->is_signed = part != PART_FUNCTION;
	if (part == PART_FUNCTION) {
		ret->tag = TYPE_POINTER;
		return;
	}
	if (part == PART_OFFSET) {
		ret->tag = TYPE_INT;
		ret->name = "long";
		return;
	}
	ret->tag = TYPE_MEMBER_POINTER;
	ret->is_record = points_to_function(die);
	if (ret->is_record)
		ret->size = 2u * src->word;
	ret->name = dwarf_formref_die(dwarf_attr(die, DW_AT_containing_type, &attr), &class)
			    ? dwarf_diename(&class)
			    : NULL;
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
		if (ret->tag == TYPE_FLOAT)
			set_float(&die, ret);
		ret->is_reversed = is_reversed(&die);
		return true;
	case DW_TAG_unspecified_type: /* std::nullptr_t: passed as a pointer */
		ret->tag = ref / DIMENSION ? TYPE_POINTER : TYPE_TYPEDEF;
		ret->size = src->word;
		ret->next = ref / DIMENSION ? 0 : ref + PART_POINTER * DIMENSION;
		return ret->name && !strcmp(ret->name, "decltype(nullptr)");
	case DW_TAG_ptr_to_member_type:
		set_member_pointer(src, &die, ref / DIMENSION, &more, ret);
		if (more)
			return true;
		break;
	case DW_TAG_enumeration_type:
		ret->tag = TYPE_ENUM;
		ret->is_signed = enum_is_signed(&die);
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		ret->tag = dwarf_tag(&die) == DW_TAG_union_type ? TYPE_UNION : TYPE_STRUCT;
		ret->is_declaration = dwarf_hasattr(&die, DW_AT_declaration);
		ret->is_class = dwarf_tag(&die) == DW_TAG_class_type;
		ret->alignment = alignment_of(&die);
		return true;
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_pointer_type:
		ret->tag = TYPE_POINTER;
		ret->reference = dwarf_tag(&die) == DW_TAG_reference_type          ? 1
				 : dwarf_tag(&die) == DW_TAG_rvalue_reference_type ? 2
										   : 0;
		ret->size = src->word;
		break;
	case DW_TAG_array_type:
		ret->tag = TYPE_ARRAY;
		ret->size = 0;
		ret->is_vector = dwarf_hasattr(&die, DW_AT_GNU_vector);
		set_bounds(src, &die, ref / DIMENSION, ret, &more);
		if (more) {
			ret->next = ref + DIMENSION;
			return true;
		}
		break;
	case DW_TAG_string_type:
		return set_string(src, &die, ref, ret);
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
		ret->next = type_ref(src->data, &die);
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

/* A base class is a member without a name. Static members are variables. */
static bool is_member(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inheritance ||
	       (dwarf_tag(die) == DW_TAG_member && !dwarf_hasattr(die, DW_AT_declaration) &&
		!dwarf_hasattr(die, DW_AT_external));
}

/* The name by which a script reads the number that tells which variant is there. */
#define DISCRIMINANT "__discriminant"

static void add_member(struct type_source *src, Dwarf_Die *die, struct type_member m,
		       struct type_members *ret)
{
	m.name = m.name ? m.name : dwarf_diename(die);
	m.ref = type_ref(src->data, die);
	m.bit_offset = member_bit(die, &m.bits);
	m.is_base = dwarf_tag(die) == DW_TAG_inheritance;
	/* a virtual one is elsewhere in each object (DWARF 5, 5.7.3) */
	if (m.is_base && dwarf_hasattr(die, DW_AT_virtuality)) {
		m.virtual_base = dwarf_virtual_base(src->data, die);
		if (!m.virtual_base)
			return;
	}
	vec_push(src->arena, ret, m);
}

/* The member of one variant (DW_TAG_variant). */
static void add_variant(struct type_source *src, Dwarf_Die *variant, bool is_signed,
			struct type_members *ret)
{
	struct type_member m = { .role = MEMBER_OTHERWISE };
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Sword svalue;
	Dwarf_Die die;

	if (dwarf_attr(variant, DW_AT_discr_value, &attr)) {
		m.role = MEMBER_VARIANT;
		if (is_signed ? dwarf_formsdata(&attr, &svalue) : dwarf_formudata(&attr, &value))
			return;
		m.value = is_signed ? svalue : (int64_t)value;
	}
	if (dwarf_child(variant, &die))
		return;
	do {
		if (is_member(&die))
			add_member(src, &die, m, ret);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* DW_TAG_variant_part: the discriminant first. One with a single variant may have none. */
static void add_variants(struct type_source *src, Dwarf_Die *part, struct type_members *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die discriminant, type, die;
	bool is_signed = false;

	if (dwarf_formref_die(dwarf_attr(part, DW_AT_discr, &attr), &discriminant)) {
		if (dwarf_formref_die(dwarf_attr(&discriminant, DW_AT_type, &attr), &type))
			base_tag(&type, &is_signed);
		add_member(
			src, &discriminant,
			(struct type_member){ .name = DISCRIMINANT, .role = MEMBER_DISCRIMINANT },
			ret);
	}
	if (dwarf_child(part, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variant)
			add_variant(src, &die, is_signed, ret);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Of a pointer to a member function, by the names that GCC has for them. */
static void add_words(struct type_source *src, uint64_t ref, struct type_members *ret)
{
	vec_push(src->arena, ret,
		 ((struct type_member){ .name = "__pfn", .ref = ref + PART_FUNCTION * DIMENSION }));
	vec_push(src->arena, ret,
		 ((struct type_member){ .name = "__delta",
					.ref = ref + PART_OFFSET * DIMENSION,
					.bit_offset = src->word * 8u }));
}

static void members(struct type_source *src, uint64_t ref, struct type_members *ret)
{
	Dwarf_Die type, die;

	if (!die_at(src, ref, &type))
		return;
	if (dwarf_tag(&type) == DW_TAG_ptr_to_member_type) {
		add_words(src, ref, ret);
		return;
	}
	if (dwarf_child(&type, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variant_part)
			add_variants(src, &die, ret);
		else if (is_member(&die))
			add_member(src, &die, (struct type_member){ 0 }, ret);
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
				 ((struct type_member){ .name = dwarf_diename(&die),
							.ref = type_ref(src->data, &die) }));
		else if (dwarf_tag(&die) == DW_TAG_unspecified_parameters)
			vec_push(src->arena, ret, ((struct type_member){ 0 }));
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Tags as bits of enum type_tag. */
static uint32_t tag_bit(unsigned tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return 1u << TYPE_STRUCT;
	case DW_TAG_union_type:
		return 1u << TYPE_UNION;
	case DW_TAG_enumeration_type:
		return 1u << TYPE_ENUM;
	case DW_TAG_typedef:
		return 1u << TYPE_TYPEDEF;
	case DW_TAG_base_type:
		return 1u << TYPE_INT | 1u << TYPE_BOOL | 1u << TYPE_CHAR | 1u << TYPE_FLOAT;
	default:
		return 0;
	}
}

/* The first type of that name in the index; n_types: all are before it. */
static size_t first_type(const struct dwarf_index *ix, const char *name)
{
	return bisect(i, ix->n_types, strcmp(dwarf_index_string(ix, ix->types[i].name), name) < 0);
}

/* One outside of all scopes comes first in the index. */
static const struct target_type *find_in_index(struct dwarf *d, const char *text, uint32_t tags)
{
	struct scoped_pattern p = scoped_pattern(d->target->arena, text);
	const struct dwarf_index *ix = &d->index;

	for (size_t i = first_type(ix, p.name); i < ix->n_types; i++) {
		const struct dwarf_type *t = &ix->types[i];

		if (strcmp(dwarf_index_string(ix, t->name), p.name))
			break;
		if (tag_bit(t->tag) & tags &&
		    scoped_matches(&p, dwarf_index_string(ix, t->scope)) && dwarf_open_dies(d))
			return type_get(&d->source, t->die);
	}
	return NULL;
}

/* The kernel's and its modules' are all in BTF. */
static const struct target_type *find(struct type_source *src, const char *name, uint32_t tags)
{
	struct dwarf *d = src->data;
	struct btf_types *types;

	if (d->object->kind == OBJECT_FILE)
		return find_in_index(d, name, tags);
	types = object_types(d->object);
	return types ? types->source.ops->find(&types->source, name, tags) : NULL;
}

static bool by_reference(struct type_source *src, uint64_t ref)
{
	Dwarf_Die die;

	return die_at(src, ref, &die) && dwarf_passed_by_reference(&die);
}

static bool is_of(struct type_source *src, uint64_t ref, enum target_language language)
{
	static const int codes[] = {
		[TARGET_LANGUAGE_GO] = DW_LANG_Go, [TARGET_LANGUAGE_RUST] = DW_LANG_Rust
	};
	struct dwarf *d = src->data;
	Dwarf_Die die;

	return die_at(src, ref, &die) && dwarf_is_of_language(&d->file, &die, codes[language]);
}

static const struct type_ops ops = {
	.node = node,
	.members = members,
	.enumerators = enumerators,
	.parameters = parameters,
	.by_reference = by_reference,
	.is_of = is_of,
	.find = find,
};

void dwarf_types_init(struct dwarf *d)
{
	type_source_init(&d->source, &ops, d->target->arena, d->target, d);
	d->source.word = object_machine(d->object)->word;
	if (d->object->kind == OBJECT_FILE)
		d->source.space = FETCH_USER;
}

const struct target_type *dwarf_type_of(struct dwarf *d, Dwarf_Die *die)
{
	return type_get(&d->source, type_ref(d, die));
}

bool dwarf_enumerator(struct dwarf *d, const char *text, int64_t *value)
{
	struct scoped_pattern p = scoped_pattern(d->target->arena, text);
	const struct dwarf_index *ix = &d->index;
	const struct target_enumerator *list;

	if (!dwarf_open_dies(d))
		return false;
	for (size_t i = 0; i < ix->n_types; i++) {
		const struct dwarf_type *t = &ix->types[i];
		const char *scope =
			arena_printf(d->target->arena, "%s%s::", dwarf_index_string(ix, t->scope),
				     dwarf_index_string(ix, t->name));
		size_t n;

		if (t->tag != DW_TAG_enumeration_type ||
		    (!scoped_matches(&p, scope) &&
		     !scoped_matches(&p, dwarf_index_string(ix, t->scope))))
			continue;
		n = target_type_enumerators(type_get(&d->source, t->die), &list);
		for (size_t k = 0; k < n; k++)
			if (!strcmp(list[k].name, p.name)) {
				*value = list[k].value;
				return true;
			}
	}
	return false;
}
