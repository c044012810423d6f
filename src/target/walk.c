/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See walk.h. */
#include "target/walk.h"

#include <stdarg.h>
#include <string.h>

#include "base/similar.h"
#include "target/drift.h"

bool walk_fail(struct walk *w, enum target_status status, const char *hint, enum diag_tag tag, ...)
{
	va_list ap;

	va_start(ap, tag);
	w->ret->status = status;
	w->ret->tag = tag;
	w->ret->message = diag_vtext(w->arena, tag, ap);
	w->ret->hint = hint;
	va_end(ap);
	return false;
}

/* Appends to the address of where the walk stands, which must be in memory. */
static void push(struct walk *w, struct fetch_insn insn)
{
	fetch_push(w->arena, &w->location.address, insn);
}

/* For messages: a struct by its tag, whatever typedef was used. */
static const char *type_name(const struct walk *w)
{
	return target_type_name(type_is_aggregate(w->type->canonical) ? w->type->canonical
								      : w->type);
}

/* ---- values ---- */

/* Bytes that are loaded for a value of that type: 1, 2, 4 or 8. */
static unsigned scalar_size(const struct target_type *type)
{
	uint64_t size = target_type_size(type);

	return size == 1 || size == 2 || size == 4 ? size : 8;
}

/*
 * A bit-field in memory: the smallest aligned word that holds it whole, which a store changes as a
 * whole.
 */
static struct fetch_program load_bits(struct walk *w)
{
	struct fetch_program p = fetch_copy(w->arena, &w->location.address);
	unsigned size = 8, at = w->bit_offset / 8;

	for (unsigned s = 1; s <= 8; s *= 2)
		if (w->bit_offset % (s * 8) + w->bits <= s * 8) {
			size = s;
			at = w->bit_offset / (s * 8) * s;
			break;
		}
	if (at)
		fetch_push(w->arena, &p, (struct fetch_insn){ .op = FETCH_ADD, .value = at });
	w->ret->address = fetch_copy(w->arena, &p);
	w->ret->field =
		(struct fetch_part){ .bits = w->bits, .at = w->bit_offset - at * 8, .size = size };
	fetch_push(
		w->arena, &p,
		(struct fetch_insn){ .op = FETCH_LOAD, .size = size, .space = w->location.space });
	fetch_push(w->arena, &p,
		   (struct fetch_insn){ .op = FETCH_BITS,
					.value = w->bit_offset - at * 8,
					.bits = w->bits,
					.is_signed = w->type->is_signed });
	return p;
}

/* A value, or a bit-field of one, that is in registers or in parts. */
static bool load_pieces(struct walk *w, struct fetch_program *ret)
{
	unsigned bits = w->bits ? w->bits : scalar_size(w->type) * 8;
	const char *problem;

	if (location_read_bits(w->arena, &w->location, w->piece_bit + w->bit_offset, bits,
			       w->type->is_signed, ret, &problem))
		return true;
	return walk_fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE,
			 w->query->name ? w->query->name : type_name(w), problem);
}

/* A member of a struct in one register: what the load picks of it. */
static struct fetch_part field_of_register(const struct fetch_program *load)
{
	const struct fetch_insn *pick = &load->insns[1];

	if (load->n != 2 || load->insns[0].op != FETCH_REG)
		return (struct fetch_part){ 0 };
	return pick->op == FETCH_BITS
		       ? (struct fetch_part){ .bits = pick->bits, .at = pick->value, .size = 8 }
		       : (struct fetch_part){ .bits = pick->size * 8, .size = 8 };
}

static bool fail_implicit(struct walk *w)
{
	w->ret->type = w->type;
	w->ret->is_implicit = true;
	return walk_fail(
		w, TARGET_UNREADABLE,
		"what it points to is known: name a member, or print it with a $ behind it",
		DIAG_UNREADABLE, w->query->name ? w->query->name : type_name(w),
		"the pointer was optimised away");
}

/* The program that reads where the walk stands, extended to a word as its type says. */
static bool load_value(struct walk *w, struct fetch_program *ret)
{
	if (w->location.kind == LOCATION_IMPLICIT)
		return fail_implicit(w);
	if (w->location.kind == LOCATION_PIECES)
		return load_pieces(w, ret);
	if (w->bits) {
		*ret = load_bits(w);
		return true;
	}
	*ret = fetch_copy(w->arena, &w->location.address);
	fetch_push(w->arena, ret,
		   (struct fetch_insn){ .op = FETCH_LOAD,
					.size = scalar_size(w->type),
					.is_signed = w->type->is_signed,
					.space = w->location.space });
	return true;
}

/* ---- accesses ---- */

/* The pointer here has no value; the walk stands at what it points to. */
static bool follow_implicit(struct walk *w)
{
	int64_t offset = w->location.offset;

	w->location = *w->location.pointee;
	w->location.address = fetch_copy(w->arena, &w->location.address);
	w->type = target_type_pointee(w->type);
	w->bits = w->bit_offset = w->piece_bit = 0;
	if (w->location.kind == LOCATION_PIECES && offset < 0)
		return walk_fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE, w->query->name,
				 "it points to a place before a value in registers");
	if (w->location.kind == LOCATION_PIECES)
		w->piece_bit = (uint64_t)offset * 8;
	else if (offset)
		push(w, (struct fetch_insn){ .op = FETCH_ADD, .value = offset });
	return true;
}

/* The pointer here is loaded; the walk stands at what it points to. */
static bool follow_pointer(struct walk *w)
{
	enum fetch_space space = w->type->space;
	struct fetch_program address;

	if (space == FETCH_IO)
		return walk_fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE,
				 target_type_name(w->type),
				 "it points to the memory of a device, which reading may change");
	if (w->location.kind == LOCATION_IMPLICIT)
		return follow_implicit(w);
	if (!load_value(w, &address))
		return false;
	w->location = location_memory(address);
	w->location.space = space;
	w->type = target_type_pointee(w->type);
	w->bits = w->bit_offset = w->piece_bit = 0;
	return true;
}

/*
 * A reference of C++ stands for what it refers to when that is a pointer or an array; to a struct
 * it leads like a pointer.
 */
static bool follow_reference(struct walk *w)
{
	const struct target_type *to;

	if (!w->type->is_reference)
		return true;
	to = target_type_pointee(w->type);
	return (to->kind != TARGET_TYPE_POINTER && to->kind != TARGET_TYPE_ARRAY) ||
	       follow_pointer(w);
}

/* Names near to what was wanted, or the first ones; before them FIRST, unless it is NULL. */
static const char *member_alternatives(struct walk *w, const struct target_member *m, size_t n,
				       const char *wanted, const char *first)
{
	const char **names = arena_new_array(w->arena, const char *, n + 1), *near[5];
	const char *text = first ? first : "";
	size_t n_names = 0, n_near;

	for (size_t i = 0; i < n; i++)
		if (*m[i].name && (!first || strcmp(m[i].name, first)))
			names[n_names++] = m[i].name;
	n_near = similar_names(wanted, names, n_names, near, 5);
	if (!n_near)
		n_names = n_names < 12 ? n_names : 12;
	for (size_t i = 0; i < (n_near ? n_near : n_names); i++)
		text = arena_printf(w->arena, "%s%s%s", text, *text ? " " : "",
				    n_near ? near[i] : names[i]);
	return text;
}

/*
 * Members looked at for one name: types of programs and kernels have some hundreds, unnamed members
 * within unnamed ones counted.
 */
#define MEMBERS_MAX 65536
#define UNNAMED_MAX 16 /* of them, within each other */

struct member_search {
	struct target *target;
	const char *name;
	size_t left; /* members that may still be looked at; 0: given up */
	/* once found: the unnamed members that lead to it, and itself */
	const struct target_member *path[UNNAMED_MAX + 1];
	size_t n;
};

static bool find_in(struct member_search *s, const struct target_type *type, size_t depth);

/*
 * The same in those of N members that have no name: base classes, or anonymous structs and unions.
 */
static bool find_in_unnamed(struct member_search *s, const struct target_member *m, size_t n,
			    bool bases, size_t depth)
{
	for (size_t i = 0; i < n && s->left; i++) {
		if (*m[i].name || m[i].is_base != bases || !type_is_aggregate(m[i].type->canonical))
			continue;
		s->path[depth] = &m[i];
		if (find_in(s, m[i].type, depth + 1))
			return true;
	}
	return false;
}

/*
 * Finds a member in TYPE, DEPTH members deep: a name of the type itself, anonymous structs and
 * unions included, hides those of its base classes (C++17, 6.4.5 and 13.2). Damaged information may
 * have the same types within each other again and again.
 */
static bool find_in(struct member_search *s, const struct target_type *type, size_t depth)
{
	const struct target_member *m;
	size_t n = target_type_members(s->target, type, &m);

	for (size_t i = 0; i < n && s->left; i++) {
		s->left--;
		if (!strcmp(m[i].name, s->name)) {
			s->path[depth] = &m[i];
			s->n = depth + 1;
			return true;
		}
	}
	return depth < UNNAMED_MAX &&
	       (find_in_unnamed(s, m, n, false, depth) || find_in_unnamed(s, m, n, true, depth));
}

static bool access_member(struct walk *w, const char *name);

/*
 * What member NAME of the struct here is called now; NULL: nothing is known, or that is not there
 * either.
 */
static const struct drift *find_drift(struct walk *w, const char *name)
{
	const char *text = target_type_name(type_complete(w->type)->canonical);
	const char *tag = strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
	const struct drift *d = NULL;

	while ((d = drift_member(tag, name, d))) {
		const char *path = d->path ? d->path : "";
		char *first = arena_strndup(w->arena, path, strcspn(path, "."));
		struct member_search s = { .target = w->target,
					   .name = first,
					   .left = MEMBERS_MAX };

		if (!d->path || find_in(&s, type_complete(w->type), 0))
			return d;
	}
	return NULL;
}

/* The member that stands for an older name, and a note of it. */
static bool access_drifted(struct walk *w, const struct drift *d)
{
	char *path = arena_strdup(w->arena, d->path);

	target_note(w->target, "%s.%s is %s in this kernel%s", d->tag, d->old, d->path,
		    drift_since(w->arena, d));
	for (char *next; path; path = next) {
		next = strchr(path, '.');
		if (next)
			*next++ = '\0';
		if (!access_member(w, path))
			return false;
	}
	return true;
}

/* A name that the struct does not have: the successor comes before near names. */
static bool no_member(struct walk *w, const char *name, const struct target_member *all, size_t n)
{
	const struct drift *d = find_drift(w, name);
	const char *hint = NULL;

	if (d && d->same)
		return access_drifted(w, d);
	if (d)
		hint = d->path ? arena_printf(
					 w->arena,
					 "%s is there in its place%s, and means something else",
					 d->path, drift_since(w->arena, d))
			       : arena_printf(w->arena, "it is gone%s; %s",
					      drift_since(w->arena, d), d->instead);
	return walk_fail(w, TARGET_NO_MEMBER, hint, DIAG_NO_MEMBER, name, type_name(w),
			 n ? arena_printf(w->arena, " (alternatives: %s)",
					  member_alternatives(w, all, n, name, d ? d->path : NULL))
			   : "");
}

static bool too_many_members(struct walk *w, const char *name)
{
	const char *why = arena_printf(w->arena,
				       " (given up after %d members, of unnamed ones within each "
				       "other: is the type information damaged?)",
				       MEMBERS_MAX);

	return walk_fail(w, TARGET_NO_MEMBER, NULL, DIAG_NO_MEMBER, name, type_name(w), why);
}

/* From the address of an object to that of a virtual base class of it. */
static void push_virtual_base(struct walk *w, const struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct fetch_insn insn = p->insns[i];

		if (insn.op == FETCH_LOAD)
			insn.space = w->location.space;
		push(w, insn);
	}
}

static void push_offset(struct walk *w, uint64_t bit)
{
	if (bit / 8)
		push(w, (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)(bit / 8) });
}

/* The walk moves to a member of the struct here, along N members, each within the one before. */
static bool follow_members(struct walk *w, const struct target_member *const *path, size_t n)
{
	const struct target_member *m = path[n - 1];
	uint64_t bit = 0;

	for (size_t i = 0; i < n; i++) {
		if (path[i]->virtual_base && w->location.kind == LOCATION_PIECES)
			return walk_fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE, type_name(w),
					 "it has a virtual base class, but no address");
		if (path[i]->virtual_base) {
			push_offset(w, bit);
			push_virtual_base(w, path[i]->virtual_base);
			bit = 0;
		}
		bit += path[i]->bit_offset;
	}
	w->type = m->type;
	w->bits = m->bits;
	w->bit_offset = m->bits ? bit % 8 : 0;
	if (w->location.kind == LOCATION_PIECES)
		w->piece_bit += bit - w->bit_offset;
	else
		push_offset(w, bit);
	return true;
}

/* The walk moves to the struct or union whose member is WHAT, following a pointer to it. */
static bool enter_aggregate(struct walk *w, const char *what)
{
	const struct target_type *to;
	const char *hint = NULL;

	/* pointers to pointers are not members' owners; arrays of structs are not either */
	if (!follow_reference(w) || (w->type->kind == TARGET_TYPE_POINTER && !follow_pointer(w)))
		return false;
	if (type_is_aggregate(w->type->canonical))
		return true;
	to = target_type_pointee(w->type);
	if (to && type_is_aggregate(to->canonical))
		hint = arena_printf(w->arena, "[0]->%s is of the first that is there", what);
	return walk_fail(w, TARGET_BAD_ACCESS, hint, DIAG_INVALID_ACCESS,
			 arena_printf(w->arena, "->%s", what), target_type_name(w->type), "");
}

/* -> of a struct, a union, or a pointer to one. */
static bool access_member(struct walk *w, const char *name)
{
	struct member_search s = { .target = w->target, .name = name, .left = MEMBERS_MAX };
	const struct target_type *type;
	const struct target_member *all;
	size_t n;

	if (!enter_aggregate(w, name))
		return false;
	type = type_complete(w->type);
	n = target_type_members(w->target, type, &all);
	if (type->is_declaration)
		return walk_fail(w, TARGET_NO_TYPE, NULL, DIAG_NO_TYPE, type_name(w), "");
	if (find_in(&s, type, 0))
		return follow_members(w, s.path, s.n);
	return s.left ? no_member(w, name, all, n) : too_many_members(w, name);
}

/* The member that is at PLACE, counted from 0, of the same. */
static bool access_numbered(struct walk *w, size_t number)
{
	const struct target_member *all, *m;
	size_t n;

	if (!enter_aggregate(w, ""))
		return false;
	n = target_type_members(w->target, w->type, &all);
	if (number >= n)
		return walk_fail(w, TARGET_NO_MEMBER, NULL, DIAG_NO_MEMBER, "", type_name(w), "");
	m = &all[number];
	return follow_members(w, &m, 1);
}

/* The walk moves by as many elements of SIZE bytes as the subscript is behind FIRST. */
static bool move_by_subscript(struct walk *w, const struct target_access *a, uint64_t first,
			      uint64_t size)
{
	uint64_t number = (uint64_t)a->literal - first;

	if (w->location.kind == LOCATION_PIECES) {
		if (a->operand >= 0 || number > UINT32_MAX / size)
			return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_SUBSCRIPT,
					 "an array held in registers");
		w->piece_bit += number * size * 8;
		return true;
	}
	if (a->operand >= 0) {
		push(w, (struct fetch_insn){
				.op = FETCH_INDEX, .number = a->operand, .value = (int64_t)size });
		number = -first;
	}
	if (number)
		push(w, (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)(number * size) });
	return true;
}

/*
 * [] of an array, whose first element has the subscript that its language or declaration says, or
 * of a pointer, which is followed first. In registers only a literal subscript can be resolved.
 */
static bool access_element(struct walk *w, const struct target_access *a)
{
	const struct target_type *element;
	uint64_t size, first;

	if (!follow_reference(w))
		return false;
	element = target_type_pointee(w->type);
	if (!element)
		return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_INVALID_ACCESS, "[]",
				 type_name(w), ": not an array or pointer");
	size = target_type_size(element);
	first = (uint64_t)target_type_first(w->type);
	if (w->type->kind == TARGET_TYPE_POINTER && !follow_pointer(w))
		return false;
	if (!size)
		return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_SUBSCRIPT,
				 arena_printf(w->arena, "'%s': the size of its elements is unknown",
					      target_type_name(element)));
	w->type = element;
	return move_by_subscript(w, a, first, size);
}

/* ---- the end of the path ---- */

/* The value is the address of what the walk stands at, which is in memory. */
static bool finish_at(struct walk *w)
{
	w->ret->load = w->location.address;
	if (w->location.space == FETCH_PERCPU) {
		w->ret->load = fetch_copy(w->arena, &w->location.address);
		fetch_push(w->arena, &w->ret->load, (struct fetch_insn){ .op = FETCH_THIS_CPU });
	}
	w->ret->size = 8;
	return true;
}

/* The path ends with &: the answer is a pointer. */
static bool finish_address(struct walk *w)
{
	if (w->bits)
		return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_ADDRESS, "a bit-field");
	if (w->location.kind == LOCATION_PIECES)
		return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_ADDRESS,
				 "a value in a register");
	w->ret->type = type_pointer_to(w->type);
	finish_at(w);
	w->ret->address = w->ret->load;
	return true;
}

/* Numbers have 64 bits: what has more is shown neither whole nor in part. */
static bool no_number(struct walk *w)
{
	if (w->type->is_reversed)
		return walk_fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE, type_name(w),
				 "its bytes are stored in the other order");
	return walk_fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE, type_name(w),
			 arena_printf(w->arena, "no number holds its %u bytes",
				      (unsigned)target_type_size(w->type)));
}

/* A value of floating point is the bits of a double; others have none that fits a number. */
static bool finish_float(struct walk *w)
{
	uint64_t size = target_type_size(w->type);

	if (!load_value(w, &w->ret->load))
		return false;
	w->ret->size = (uint8_t)size;
	if (size == 8)
		return true;
	fetch_push(w->arena, &w->ret->load, (struct fetch_insn){ .op = FETCH_WIDEN });
	/* what is stored would have to be narrowed */
	w->ret->address.n = 0;
	return true;
}

/*
 * The path ends in a value: scalars are loaded, arrays and functions are their addresses, structs
 * have no value.
 */
static bool finish_value(struct walk *w)
{
	const struct target_member *m;
	size_t n;

	w->ret->type = w->type;
	if (w->location.kind == LOCATION_MEMORY && !w->bits)
		w->ret->address = w->location.address;
	else if (w->location.kind == LOCATION_PIECES && !w->query->n_path)
		w->ret->address = w->location.stored;
	if (type_fits_no_number(w->type))
		return no_number(w);
	switch (w->type->kind) {
	case TARGET_TYPE_STRUCT:
	case TARGET_TYPE_UNION:
		n = target_type_members(w->target, w->type, &m);
		while (n && !*m->name) /* name one that has a name */
			n--, m++;
		return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_STRUCT_VALUE, type_name(w),
				 n ? m->name : "x");
	case TARGET_TYPE_ARRAY:
	case TARGET_TYPE_FUNCTION:
		/* as in C, an array or function stands for its address */
		if (w->location.kind == LOCATION_PIECES)
			return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_ADDRESS,
					 "an array held in registers");
		return finish_at(w);
	case TARGET_TYPE_VOID:
		return walk_fail(w, TARGET_BAD_ACCESS, NULL, DIAG_UNREADABLE, type_name(w),
				 "a void object has no value");
	case TARGET_TYPE_INT:
	case TARGET_TYPE_BOOL:
	case TARGET_TYPE_CHAR:
	case TARGET_TYPE_ENUM:
	case TARGET_TYPE_POINTER:
		break;
	case TARGET_TYPE_FLOAT:
		return finish_float(w);
	}
	if (!load_value(w, &w->ret->load))
		return false;
	w->ret->size = scalar_size(w->type);
	if (w->location.kind == LOCATION_PIECES && w->query->n_path)
		w->ret->field = field_of_register(&w->ret->load);
	w->ret->is_signed = w->type->is_signed;
	return true;
}

bool walk_path(struct walk *w)
{
	for (size_t i = 0; i < w->query->n_path; i++) {
		const struct target_access *a = &w->query->path[i];

		if (a->member   ? !access_member(w, a->member)
		    : a->number ? !access_numbered(w, a->number - 1)
				: !access_element(w, a))
			return false;
	}
	return w->query->address_of ? finish_address(w) : finish_value(w);
}
