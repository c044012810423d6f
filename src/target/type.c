/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types from a source's answers (type.h): handles, their C spelling, and the questions of types.h
 * about them. Chains of references are bounded by DEPTH_LIMIT, since damaged data may have loops.
 */
#include "target/type.h"

#include <string.h>

#include "base/strbuf.h"

#define DEPTH_LIMIT 32 /* of declarators; deeper is a loop in damaged data */
/*
 * Bytes of a function's parameters that are spelled: those of damaged data may have themselves as
 * parameters, several times at each depth.
 */
#define PARAMETERS_LIMIT 65536

void type_source_init(struct type_source *src, const struct type_ops *ops, struct arena *arena,
		      struct target *target, void *data)
{
	*src = (struct type_source){
		.ops = ops, .arena = arena, .data = data, .target = target, .word = 8
	};
	map_init(&src->types, arena);
}

/* Does the type stand for another one as it is? */
static bool is_transparent(enum type_tag tag)
{
	return tag == TYPE_TYPEDEF || tag == TYPE_CONST || tag == TYPE_VOLATILE ||
	       tag == TYPE_RESTRICT || tag == TYPE_TAG;
}

/* ---- spelling ---- */

static void spell(struct type_source *src, uint64_t ref, const char *inner, struct strbuf *out,
		  int depth);

/* A declarator that begins with a parenthesis is set apart: "int (*)(void)", but "int*". */
static void spell_base(const char *name, const char *inner, struct strbuf *out)
{
	strbuf_adds(out, name);
	if (*inner == '(')
		strbuf_addc(out, ' ');
	strbuf_adds(out, inner);
}

/* A last parameter without type is "...", and so are those beyond PARAMETERS_LIMIT. */
static void spell_parameters(struct type_source *src, uint64_t ref, struct strbuf *out, int depth)
{
	struct type_members params = { 0 };

	src->ops->parameters(src, ref, &params);
	strbuf_addc(out, '(');
	for (size_t i = 0; i < params.n; i++) {
		strbuf_adds(out, i ? ", " : "");
		if (out->len > PARAMETERS_LIMIT || (!params.data[i].ref && i + 1 == params.n)) {
			strbuf_adds(out, "...");
			break;
		}
		spell(src, params.data[i].ref, "", out, depth + 1);
	}
	strbuf_addc(out, ')');
}

/* The declarator INNER goes where the name would: the way of the C declaration, from inside out. */
static void spell_derived(struct type_source *src, const struct type_node *n, uint64_t ref,
			  const char *inner, struct strbuf *out, int depth)
{
	struct strbuf decl;
	struct type_node next;

	strbuf_init(&decl);
	if (n->tag == TYPE_POINTER) {
		bool wrap = n->next && src->ops->node(src, n->next, &next) &&
			    (next.tag == TYPE_FUNCTION || next.tag == TYPE_ARRAY);

		strbuf_addf(&decl, wrap ? "(%s%s)" : "%s%s",
			    n->reference == 2 ? "&&"
			    : n->reference    ? "&"
					      : "*",
			    inner);
	} else if (n->tag == TYPE_MEMBER_POINTER) {
		strbuf_addf(&decl, n->is_record ? "(%s::*%s)" : " %s::*%s",
			    n->name ? n->name : "{...}", inner);
	} else if (n->tag == TYPE_ARRAY) {
		strbuf_addf(&decl, n->count ? "%s[%llu]" : "%s[]", inner,
			    (unsigned long long)n->count);
	} else {
		strbuf_adds(&decl, inner);
		spell_parameters(src, ref, &decl, depth);
	}
	spell(src, n->next, strbuf_cstr(&decl), out, depth + 1);
	strbuf_deinit(&decl);
}

/* Type tags (user, percpu) have no spelling. */
static void spell_qualified(struct type_source *src, const struct type_node *n, const char *inner,
			    struct strbuf *out, int depth)
{
	const char *word = n->tag == TYPE_CONST      ? " const"
			   : n->tag == TYPE_VOLATILE ? " volatile"
						     : " restrict";
	struct strbuf decl;

	if (n->tag == TYPE_TAG) {
		spell(src, n->next, inner, out, depth + 1);
		return;
	}
	strbuf_init(&decl);
	strbuf_adds(&decl, word);
	strbuf_adds(&decl, inner);
	/* "char const*", "char* const": behind what it qualifies either way */
	spell(src, n->next, strbuf_cstr(&decl), out, depth + 1);
	strbuf_deinit(&decl);
}

/* Appends the C spelling of the type at REF with declarator INNER, as -L prints it. */
static void spell(struct type_source *src, uint64_t ref, const char *inner, struct strbuf *out,
		  int depth)
{
	struct type_node n = { .tag = TYPE_VOID };
	struct strbuf name;

	if (depth > DEPTH_LIMIT || (ref && !src->ops->node(src, ref, &n)))
		n = (struct type_node){ .tag = TYPE_VOID };
	switch (n.tag) {
	case TYPE_VOID:
		spell_base("void", inner, out);
		return;
	case TYPE_INT:
	case TYPE_BOOL:
	case TYPE_CHAR:
	case TYPE_FLOAT:
	case TYPE_TYPEDEF:
		spell_base(n.name ? n.name : "?", inner, out);
		return;
	case TYPE_ENUM:
	case TYPE_STRUCT:
	case TYPE_UNION:
		strbuf_init(&name);
		strbuf_adds(&name, n.tag == TYPE_ENUM    ? "enum "
				   : n.tag == TYPE_UNION ? "union "
				   : n.is_class          ? "class "
							 : "struct ");
		strbuf_adds(&name, n.name ? n.name : "{...}");
		spell_base(strbuf_cstr(&name), inner, out);
		strbuf_deinit(&name);
		return;
	case TYPE_POINTER:
	case TYPE_MEMBER_POINTER:
	case TYPE_ARRAY:
	case TYPE_FUNCTION:
		spell_derived(src, &n, ref, inner, out, depth);
		return;
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_TAG:
		spell_qualified(src, &n, inner, out, depth);
		return;
	}
}

/* Made once for each handle. */
const char *target_type_name(const struct target_type *type)
{
	struct target_type *t = (struct target_type *)type;
	struct strbuf b;

	if (t->spelling)
		return t->spelling;
	strbuf_init(&b);
	if (t->ref == TYPE_SYNTHETIC)
		strbuf_addf(&b, "%s*", target_type_name(t->pointee));
	else
		spell(t->source, t->ref, "", &b, 0);
	t->spelling = arena_strdup(t->source->arena, strbuf_cstr(&b));
	strbuf_deinit(&b);
	return t->spelling;
}

/* ---- handles ---- */

/* Typedefs and qualifiers have no kind of their own: they are looked through before. */
static enum target_type_kind kind_of(const struct type_node *n)
{
	switch (n->tag) {
	case TYPE_MEMBER_POINTER:
		return n->is_record ? TARGET_TYPE_STRUCT : TARGET_TYPE_INT;
	case TYPE_INT:
		return TARGET_TYPE_INT;
	case TYPE_BOOL:
		return TARGET_TYPE_BOOL;
	case TYPE_CHAR:
		return TARGET_TYPE_CHAR;
	case TYPE_FLOAT:
		return TARGET_TYPE_FLOAT;
	case TYPE_ENUM:
		return TARGET_TYPE_ENUM;
	case TYPE_POINTER:
		return TARGET_TYPE_POINTER;
	case TYPE_STRUCT:
		return TARGET_TYPE_STRUCT;
	case TYPE_UNION:
		return TARGET_TYPE_UNION;
	case TYPE_ARRAY:
		return TARGET_TYPE_ARRAY;
	case TYPE_FUNCTION:
		return TARGET_TYPE_FUNCTION;
	case TYPE_VOID:
	case TYPE_TYPEDEF:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_TAG:
		break;
	}
	return TARGET_TYPE_VOID;
}

/* A void handle for the reference, entered before what it refers to is looked at. */
static struct target_type *create(struct type_source *src, uint64_t ref)
{
	struct target_type *t = arena_new(src->arena, struct target_type);

	*t = (struct target_type){
		.source = src, .ref = ref, .kind = TARGET_TYPE_VOID, .canonical = t
	};
	map_put(&src->types, (void *)(uintptr_t)(ref + 1), t);
	return t;
}

enum fetch_space type_tag_space(const char *tag)
{
	static const struct {
		const char *tag;
		enum fetch_space space;
	} rows[] = {
		/*
		 * BTF_TYPE_TAG of include/linux/compiler_types.h; iomem is an address space of
		 * sparse's only, so as yet just a @cast can say it
		 */
		{ "user", FETCH_USER },
		{ "percpu", FETCH_PERCPU },
		{ "iomem", FETCH_IO },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(tag, rows[i].tag))
			return rows[i].space;
	return FETCH_KERNEL;
}

/* The space that a pointer's target is tagged with, at any depth of qualifiers. */
static enum fetch_space space_behind(struct type_source *src, uint64_t ref)
{
	struct type_node n;

	for (int depth = 0;
	     depth < DEPTH_LIMIT && ref && src->ops->node(src, ref, &n) && is_transparent(n.tag);
	     depth++) {
		if (n.tag == TYPE_TAG && n.space)
			return n.space;
		ref = n.next;
	}
	return FETCH_KERNEL;
}

/* What typedefs and qualifiers from REF on stand for; 0 when there are more than DEPTH_LIMIT. */
static uint64_t look_through(struct type_source *src, uint64_t ref)
{
	struct type_node n;

	for (int depth = 0; depth < DEPTH_LIMIT; depth++) {
		if (!ref || !src->ops->node(src, ref, &n) || !is_transparent(n.tag))
			return ref;
		ref = n.next;
	}
	return 0;
}

/* Of an array without a size of its own: that of all elements, of arrays within it too. */
static uint64_t array_size(struct type_source *src, struct type_node n)
{
	uint64_t count = 1, ref;

	for (int depth = 0; depth < DEPTH_LIMIT; depth++) {
		if (n.tag != TYPE_ARRAY || n.size)
			return count * n.size;
		count *= n.count;
		ref = look_through(src, n.next);
		if (!ref || !src->ops->node(src, ref, &n))
			return 0;
	}
	return 0;
}

const struct target_type *type_get(struct type_source *src, uint64_t ref)
{
	struct target_type *t = map_get(&src->types, (void *)(uintptr_t)(ref + 1));
	const struct target_type *under;
	struct type_node n;

	if (t)
		return t;
	t = create(src, ref);
	if (!ref || !src->ops->node(src, ref, &n))
		return t;
	if (is_transparent(n.tag)) {
		/* what this is called with is not transparent, so it goes no deeper */
		under = type_get(src, look_through(src, n.next));
		t->canonical = under;
		t->kind = under->kind;
		t->is_signed = under->is_signed;
		t->is_declaration = under->is_declaration;
		t->space = under->space;
		t->size = under->size;
		t->count = under->count;
		t->lower = under->lower;
		t->next = under->next;
		t->tag_name = under->tag_name;
		t->is_reference = under->is_reference;
		t->alignment = under->alignment;
		t->is_vector = under->is_vector;
		t->is_complex = under->is_complex;
		t->is_quad = under->is_quad;
		t->is_reversed = under->is_reversed;
		return t;
	}
	t->kind = kind_of(&n);
	t->is_signed = n.is_signed;
	t->is_declaration = n.is_declaration;
	t->size = n.size;
	t->count = n.count;
	t->lower = n.lower;
	t->next = n.next;
	t->tag_name = n.tag == TYPE_MEMBER_POINTER ? NULL : n.name;
	t->is_reference = n.reference != 0;
	t->is_vector = n.is_vector;
	t->is_complex = n.is_complex;
	t->is_quad = n.is_quad;
	t->is_reversed = n.is_reversed;
	t->alignment = n.alignment;
	if (n.tag == TYPE_POINTER)
		t->space = space_behind(src, n.next);
	if (n.tag == TYPE_ARRAY && !t->size)
		t->size = array_size(src, n);
	return t;
}

const struct target_type *type_pointer_to(const struct target_type *type)
{
	struct target_type *t = arena_new(type->source->arena, struct target_type);

	*t = (struct target_type){ .source = type->source,
				   .ref = TYPE_SYNTHETIC,
				   .kind = TARGET_TYPE_POINTER,
				   .size = type->source->word,
				   .canonical = t,
				   .pointee = type };
	return t;
}

bool type_by_reference(const struct target_type *type)
{
	struct target_type *t = (struct target_type *)type->canonical;

	if (t->passing == TYPE_NOT_ASKED)
		t->passing = type_is_aggregate(t) && t->source->ops->by_reference &&
					     t->source->ops->by_reference(t->source, t->ref)
				     ? TYPE_BY_REFERENCE
				     : TYPE_BY_VALUE;
	return t->passing == TYPE_BY_REFERENCE;
}

const struct target_type *type_result(const struct target_type *function)
{
	return type_get(function->source, function->next);
}

void type_parameters(const struct target_type *function, struct type_members *ret)
{
	function = function->canonical;
	function->source->ops->parameters(function->source, function->ref, ret);
}

/* Looked for by name where the source says, which is BTF of the kernel or module. */
const struct target_type *type_complete(const struct target_type *type)
{
	const struct target_type *whole;

	type = type->canonical;
	if (!type->is_declaration || !type->tag_name)
		return type;
	whole = type->source->ops->find(type->source, type->tag_name,
					type->kind == TARGET_TYPE_UNION ? 1u << TYPE_UNION
									: 1u << TYPE_STRUCT);
	return whole ? whole->canonical : type;
}

/* ---- the public face ---- */

enum target_type_kind target_type_kind(const struct target_type *type)
{
	return type->kind;
}

uint64_t target_type_size(const struct target_type *type)
{
	return type->is_declaration ? type_complete(type)->size : type->size;
}

bool type_fits_no_number(const struct target_type *type)
{
	uint64_t size = target_type_size(type);

	if (type->is_reversed)
		return true;
	if (type->kind == TARGET_TYPE_FLOAT)
		return size != 4 && size != 8;
	return size > sizeof(uint64_t) && !type_is_aggregate(type) &&
	       type->kind != TARGET_TYPE_ARRAY;
}

bool target_type_signed(const struct target_type *type)
{
	return type->is_signed;
}

const struct target_type *target_type_pointee(const struct target_type *type)
{
	if (type->kind != TARGET_TYPE_POINTER && type->kind != TARGET_TYPE_ARRAY)
		return NULL;
	type = type->canonical;
	return type->pointee ? type->pointee : type_get(type->source, type->next);
}

bool target_type_is_user(const struct target_type *type)
{
	return type->space == FETCH_USER || type->source->space == FETCH_USER;
}

uint64_t target_type_count(const struct target_type *type)
{
	return type->kind == TARGET_TYPE_ARRAY ? type->count : 0;
}

int64_t target_type_first(const struct target_type *type)
{
	return type->kind == TARGET_TYPE_ARRAY ? type->lower : 0;
}

size_t target_type_members(struct target *t, const struct target_type *type,
			   const struct target_member **ret)
{
	struct target_type *s = (struct target_type *)type_complete(type);
	struct type_members raw = { 0 };

	*ret = NULL;
	if (!type_is_aggregate(s))
		return 0;
	if (!s->has_members) {
		s->source->ops->members(s->source, s->ref, &raw);
		s->members = arena_new_array(s->source->arena, struct target_member, raw.n + 1);
		for (size_t i = 0; i < raw.n; i++)
			s->members[i] = (struct target_member){
				.name = raw.data[i].name ? raw.data[i].name : "",
				.type = type_get(s->source, raw.data[i].ref),
				.bit_offset = raw.data[i].bit_offset,
				.is_base = raw.data[i].is_base,
				.virtual_base = raw.data[i].virtual_base,
				.bits = raw.data[i].bits,
				.role = raw.data[i].role,
				.value = raw.data[i].value,
			};
		s->n_members = raw.n;
		s->has_members = true;
	}
	*ret = s->members;
	return s->n_members;
}

size_t target_type_enumerators(const struct target_type *type, const struct target_enumerator **ret)
{
	struct type_enumerators list = { 0 };

	type = type->canonical;
	if (type->kind == TARGET_TYPE_ENUM)
		type->source->ops->enumerators(type->source, type->ref, &list);
	*ret = list.data;
	return list.n;
}

bool target_type_is_of(const struct target_type *type, enum target_language language)
{
	type = type_complete(type);
	return language == TARGET_LANGUAGE_ANY ||
	       (type->source->ops->is_of &&
		type->source->ops->is_of(type->source, type->ref, language));
}

/* Structs without a tag are the same only if they are one and the same. */
static bool same_tag(const struct target_type *a, const struct target_type *b)
{
	if (!a->tag_name || !b->tag_name)
		return a->tag_name == b->tag_name && a->source == b->source && a->ref == b->ref;
	return !strcmp(a->tag_name, b->tag_name);
}

bool target_type_same(const struct target_type *a, const struct target_type *b)
{
	for (int depth = 0; depth < DEPTH_LIMIT; depth++) {
		a = a->canonical;
		b = b->canonical;
		if (a == b)
			return true;
		if (a->kind != b->kind)
			return false;
		switch (a->kind) {
		case TARGET_TYPE_POINTER:
			break;
		case TARGET_TYPE_ARRAY:
			if (a->count != b->count)
				return false;
			break;
		case TARGET_TYPE_STRUCT:
		case TARGET_TYPE_UNION:
		case TARGET_TYPE_ENUM:
			return same_tag(a, b);
		case TARGET_TYPE_INT:
		case TARGET_TYPE_BOOL:
		case TARGET_TYPE_CHAR:
		case TARGET_TYPE_FLOAT:
			return a->size == b->size && a->is_signed == b->is_signed;
		case TARGET_TYPE_FUNCTION:
			return !strcmp(target_type_name(a), target_type_name(b));
		case TARGET_TYPE_VOID:
			return true;
		}
		a = target_type_pointee(a);
		b = target_type_pointee(b);
	}
	return false;
}
