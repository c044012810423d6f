/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF as a type_source: references are BTF ids, data is a struct btf_types. Numbers of sections are
 * those of Documentation/bpf/btf.rst.
 */
#include <string.h>

#include "base/bisect.h"
#include "base/intern.h"
#include "target/btf_types.h"
#include "target/internal.h"

/*
 * Tags by kind; TYPE_VOID: not a type one can have a value of. The encoding of an integer is in the
 * word behind it (2.2.1); kind_flag tells a forward declared union from a struct (2.2.7).
 */
static enum type_tag tag_of(const struct btf *b, const struct btf_type *t)
{
	uint32_t encoding;

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		encoding = BTF_INT_ENCODING(*(const uint32_t *)(t + 1));
		if (encoding & BTF_INT_BOOL)
			return TYPE_BOOL;
		return t->size == 1 ? TYPE_CHAR : TYPE_INT;
	case BTF_KIND_FLOAT:
		return TYPE_FLOAT;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return TYPE_ENUM;
	case BTF_KIND_PTR:
		return TYPE_POINTER;
	case BTF_KIND_STRUCT:
		return TYPE_STRUCT;
	case BTF_KIND_UNION:
		return TYPE_UNION;
	case BTF_KIND_FWD:
		return BTF_INFO_KFLAG(t->info) ? TYPE_UNION : TYPE_STRUCT;
	case BTF_KIND_ARRAY:
		return TYPE_ARRAY;
	case BTF_KIND_FUNC_PROTO:
		return TYPE_FUNCTION;
	case BTF_KIND_TYPEDEF:
		return TYPE_TYPEDEF;
	case BTF_KIND_CONST:
		return TYPE_CONST;
	case BTF_KIND_VOLATILE:
		return TYPE_VOLATILE;
	case BTF_KIND_RESTRICT:
		return TYPE_RESTRICT;
	case BTF_KIND_TYPE_TAG:
		return TYPE_TAG;
	default:
		return TYPE_VOID;
	}
}

/*
 * kind_flag (2.2.6, 2.2.19); older BTF does not say whether an enum is signed: it is when a value
 * is negative.
 */
static bool enum_is_signed(const struct btf_type *t)
{
	const struct btf_enum *e = (const void *)(t + 1);

	if (BTF_INFO_KFLAG(t->info))
		return true;
	if (btf_kind(t) == BTF_KIND_ENUM)
		for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
			if (e[i].val < 0)
				return true;
	return false;
}

/* Answers from the record; nothing is followed here. */
static bool node(struct type_source *src, uint64_t ref, struct type_node *ret)
{
	const struct btf_types *types = src->data;
	const struct btf_type *t = btf_type(&types->btf, ref);
	const char *name;

	if (!t)
		return false;
	name = btf_string(&types->btf, t->name_off);
	*ret = (struct type_node){ .tag = tag_of(&types->btf, t), .name = *name ? name : NULL };
	switch (ret->tag) {
	case TYPE_INT:
	case TYPE_BOOL:
	case TYPE_CHAR:
		ret->size = t->size;
		ret->is_signed = BTF_INT_ENCODING(*(const uint32_t *)(t + 1)) & BTF_INT_SIGNED;
		break;
	case TYPE_FLOAT:
		ret->size = t->size;
		break;
	case TYPE_ENUM:
		ret->size = t->size;
		ret->is_signed = enum_is_signed(t);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		ret->is_declaration = btf_kind(t) == BTF_KIND_FWD;
		ret->size = ret->is_declaration ? 0 : t->size;
		break;
	case TYPE_POINTER:
		ret->size = 8;
		ret->next = t->type;
		break;
	case TYPE_ARRAY:
		ret->next = ((const struct btf_array *)(t + 1))->type;
		ret->count = ((const struct btf_array *)(t + 1))->nelems;
		break;
	case TYPE_FUNCTION:
	case TYPE_TYPEDEF:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		ret->next = t->type;
		break;
	case TYPE_TAG:
		ret->space = type_tag_space(name);
		ret->next = t->type;
		break;
	case TYPE_MEMBER_POINTER: /* of C++ */
	case TYPE_VOID:
		break;
	}
	return true;
}

/*
 * Offsets are in bits; with kind_flag the width of a bit-field is in the upper 8 bits of the offset
 * (2.2.4).
 */
static void members(struct type_source *src, uint64_t ref, struct type_members *ret)
{
	const struct btf *b = &((struct btf_types *)src->data)->btf;
	const struct btf_type *t = btf_type(b, ref);
	const struct btf_member *m = (const void *)(t + 1);

	/* a forward declaration has none, whatever number its record has */
	if (!t || (btf_kind(t) != BTF_KIND_STRUCT && btf_kind(t) != BTF_KIND_UNION))
		return;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		struct type_member out = { btf_string(b, m[i].name_off), m[i].type, m[i].offset,
					   0 };

		if (BTF_INFO_KFLAG(t->info)) {
			out.bit_offset = BTF_MEMBER_BIT_OFFSET(m[i].offset);
			out.bits = BTF_MEMBER_BITFIELD_SIZE(m[i].offset);
		}
		vec_push(src->arena, ret, out);
	}
}

static bool is_enum(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64;
}

/*
 * Entry I of an enumeration of 32 or 64 bits (2.2.6, 2.2.19). HAS_SIGN is its enum_is_signed(),
 * which looks at all of them.
 */
static struct target_enumerator enumerator_at(const struct btf *b, const struct btf_type *t,
					      uint32_t i, bool has_sign)
{
	const struct btf_enum *e = (const void *)(t + 1);
	const struct btf_enum64 *w = (const void *)(t + 1);

	if (btf_kind(t) == BTF_KIND_ENUM64)
		return (struct target_enumerator){ btf_string(b, w[i].name_off),
						   (int64_t)((uint64_t)w[i].val_hi32 << 32 |
							     w[i].val_lo32) };
	/* not sign-extended when the enumeration has no sign, as a fetch gives it */
	return (struct target_enumerator){ btf_string(b, e[i].name_off),
					   has_sign ? (int64_t)e[i].val
						    : (int64_t)(uint32_t)e[i].val };
}

static void enumerators(struct type_source *src, uint64_t ref, struct type_enumerators *ret)
{
	const struct btf *b = &((struct btf_types *)src->data)->btf;
	const struct btf_type *t = btf_type(b, ref);
	bool has_sign;

	if (!t || !is_enum(t))
		return;
	has_sign = enum_is_signed(t);
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
		vec_push(src->arena, ret, enumerator_at(b, t, i, has_sign));
}

/* A last parameter of type 0 stands for "..." (2.2.13). */
static void parameters(struct type_source *src, uint64_t ref, struct type_members *ret)
{
	const struct btf *b = &((struct btf_types *)src->data)->btf;
	const struct btf_type *t = btf_type(b, ref);
	const struct btf_param *p = (const void *)(t + 1);

	if (!t || btf_kind(t) != BTF_KIND_FUNC_PROTO)
		return;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
		vec_push(src->arena, ret,
			 ((struct type_member){ .name = btf_string(b, p[i].name_off),
						.ref = p[i].type }));
}

/* BTF of a module only declares what vmlinux defines: the base is looked into too. */
static const struct target_type *find(struct type_source *src, const char *name, uint32_t tags)
{
	static const uint32_t kinds[] = {
		[TYPE_INT] = 1u << BTF_KIND_INT,
		[TYPE_FLOAT] = 1u << BTF_KIND_FLOAT,
		[TYPE_ENUM] = 1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64,
		[TYPE_STRUCT] = 1u << BTF_KIND_STRUCT,
		[TYPE_UNION] = 1u << BTF_KIND_UNION,
		[TYPE_TYPEDEF] = 1u << BTF_KIND_TYPEDEF,
	};
	uint32_t wanted = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		wanted |= tags & 1u << i ? kinds[i] : 0;
	return btf_types_find(src->data, name, wanted);
}

static const struct type_ops ops = {
	.node = node,
	.members = members,
	.enumerators = enumerators,
	.parameters = parameters,
	.find = find,
};

void btf_types_init(struct btf_types *types, struct target *t)
{
	type_source_init(&types->source, &ops, t->arena, t, types);
}

size_t btf_types_find_ids(const struct btf_types *types, const char *name, uint32_t kinds,
			  uint32_t *ret, size_t max)
{
	size_t n = btf_find(&types->btf, types->names, types->n_names, name, kinds, ret, max);

	if (!n && types->base)
		n = btf_find(&types->base->btf, types->base->names, types->base->n_names, name,
			     kinds, ret, max);
	return n;
}

const struct target_type *btf_types_find(struct btf_types *types, const char *name, uint32_t kinds)
{
	uint32_t id;

	return btf_types_find_ids(types, name, kinds, &id, 1) ? type_get(&types->source, id) : NULL;
}

bool btf_types_function(struct btf_types *types, const char *name, const struct target_type **ret)
{
	const struct target_type *first = NULL, *next;
	uint32_t ids[8];
	size_t n = btf_types_find_ids(types, name, 1u << BTF_KIND_FUNC, ids, 8);

	for (size_t i = 0; i < n; i++) {
		next = type_get(&types->source, btf_type(&types->btf, ids[i])->type);
		if (next->kind != TARGET_TYPE_FUNCTION || (first && first != next))
			return false;
		first = next;
	}
	*ret = first;
	return true;
}

static bool enumerator_of(const struct btf *b, const struct btf_type *t, const char *name,
			  int64_t *value)
{
	const struct btf_enum *e = (const void *)(t + 1);
	const struct btf_enum64 *w = (const void *)(t + 1);
	bool wide = btf_kind(t) == BTF_KIND_ENUM64;

	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		if (strcmp(btf_string(b, wide ? w[i].name_off : e[i].name_off), name))
			continue;
		*value = enumerator_at(b, t, i, enum_is_signed(t)).value;
		return true;
	}
	return false;
}

/* Sorted by hash, then type: of equal names the first one wins. */
static void collect_enumerators(struct btf_types *types)
{
	const struct btf *b = &types->btf;
	VEC(struct btf_name) found = { 0 };

	for (uint32_t id = b->first_id; id < b->first_id + b->n; id++) {
		const struct btf_type *t = btf_type(b, id);

		for (uint32_t i = 0; t && is_enum(t) && i < BTF_INFO_VLEN(t->info); i++) {
			const char *name = enumerator_at(b, t, i, false).name;

			vec_push(types->source.arena, &found,
				 ((struct btf_name){ hash_bytes(name, strlen(name)), id }));
		}
	}
	btf_sort_names(found.data, found.n);
	types->enumerators = found.data;
	types->n_enumerators = found.n;
}

bool btf_types_enumerator(struct btf_types *types, const char *name, int64_t *value)
{
	const struct btf *b = &types->btf;
	const uint32_t hash = hash_bytes(name, strlen(name));

	if (!types->enumerators)
		collect_enumerators(types);
	for (size_t at = bisect(i, types->n_enumerators, types->enumerators[i].hash < hash);
	     at < types->n_enumerators && types->enumerators[at].hash == hash; at++)
		if (enumerator_of(b, btf_type(b, types->enumerators[at].id), name, value))
			return true;
	return false;
}
