/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a variable and a path to a fetch program. A walk holds where the value is and its
 * type; each access moves it on: a pointer is loaded and becomes the address of what it points to,
 * a member adds its offset, a subscript its multiple. What is left at the end is loaded, or its
 * address taken.
 */
#include <stdarg.h>
#include <inttypes.h>
#include <string.h>

#include "base/similar.h"
#include "diag/diag.h"
#include "target/drift.h"
#include "target/dwarf.h"
#include "target/thread_local.h"

/* Where a walk stands. location.address is a copy of its own, which push() extends. */
struct walk {
	struct target *target;
	struct arena *arena;
	const struct target_query *query;
	struct target_value *ret;
	struct location location;
	const struct target_type *type;
	enum fetch_space space; /* whose memory all of it is in */
	uint64_t piece_bit;     /* PIECES: first bit of the object that the value is in */
	unsigned bit_offset,
		bits; /* bits != 0: a bit-field, that many bits from there, or from the address */
};

/* Ends the walk with a status and the row that says why, whose arguments follow; returns false. */
static bool fail(struct walk *w, enum target_status status, const char *hint, enum diag_tag tag,
		 ...)
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

/* A bit-field in memory: the smallest aligned word that holds it whole, which a store changes as a whole. */
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
	return fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE,
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

/* The program that reads where the walk stands, extended to a word as its type says. */
static bool load_value(struct walk *w, struct fetch_program *ret)
{
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

/* The pointer here is loaded; the walk stands at what it points to. */
static bool follow_pointer(struct walk *w)
{
	enum fetch_space space = w->type->space;
	struct fetch_program address;

	if (space == FETCH_IO)
		return fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE, target_type_name(w->type),
			    "it points to the memory of a device, which reading may change");
	if (!load_value(w, &address))
		return false;
	w->location = location_memory(address);
	w->location.space = space;
	w->type = target_type_pointee(w->type);
	w->bits = w->bit_offset = w->piece_bit = 0;
	return true;
}

/* A reference of C++ stands for what it refers to when that is a pointer or an array; to a struct it leads like a pointer. */
static bool follow_reference(struct walk *w)
{
	const struct target_type *to;

	if (!w->type->is_reference)
		return true;
	to = target_type_pointee(w->type);
	return (to->kind != TARGET_TYPE_POINTER && to->kind != TARGET_TYPE_ARRAY) ||
	       follow_pointer(w);
}

static const char *member_alternatives(struct walk *w, const struct target_member *m, size_t n,
				       const char *wanted)
{
	const char **names = arena_new_array(w->arena, const char *, n + 1), *near[5], *text = "";
	size_t n_names = 0, n_near;

	for (size_t i = 0; i < n; i++)
		if (*m[i].name)
			names[n_names++] = m[i].name;
	n_near = similar_names(wanted, names, n_names, near, 5);
	if (!n_near)
		n_names = n_names < 12 ? n_names : 12;
	for (size_t i = 0; i < (n_near ? n_near : n_names); i++)
		text = arena_printf(w->arena, "%s%s%s", text, i ? " " : "",
				    n_near ? near[i] : names[i]);
	return text;
}

/* Members looked at for one name: types of programs and kernels have some hundreds, unnamed members within unnamed ones counted. */
#define MEMBERS_MAX 65536

struct member_search {
	struct target *target;
	const char *name;
	size_t left; /* members that may still be looked at; 0: given up */
};

/*
 * Finds a member in TYPE, through anonymous members; its distance is added to *bit. Damaged information may have
 * the same types within each other again and again.
 */
static const struct target_member *find_in(struct member_search *s, const struct target_type *type,
					   uint64_t *bit, int depth)
{
	const struct target_member *m, *found;
	size_t n = target_type_members(s->target, type, &m);

	for (size_t i = 0; i < n && s->left; i++) {
		s->left--;
		if (*m[i].name) {
			if (strcmp(m[i].name, s->name))
				continue;
			*bit += m[i].bit_offset;
			return &m[i];
		}
		if (depth < 16 && type_is_aggregate(m[i].type->canonical)) {
			uint64_t inner = *bit + m[i].bit_offset;

			found = find_in(s, m[i].type, &inner, depth + 1);
			if (found) {
				*bit = inner;
				return found;
			}
		}
	}
	return NULL;
}

/* GAVE_UP: it was sought no further, and may be there. */
static const struct target_member *find_member(struct target *t, const struct target_type *type,
					       const char *name, uint64_t *bit, bool *gave_up)
{
	struct member_search s = { t, name, MEMBERS_MAX };
	const struct target_member *found = find_in(&s, type, bit, 0);

	*gave_up = !found && !s.left;
	return found;
}

static bool access_member(struct walk *w, const char *name);

/* What member NAME of the struct here is called now; NULL: nothing is known, or that is not there either. */
static const struct drift *find_drift(struct walk *w, const char *name)
{
	const char *text = target_type_name(type_complete(w->type)->canonical);
	const char *tag = strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
	const struct drift *d = NULL;

	while ((d = drift_member(tag, name, d))) {
		char *first = arena_strndup(w->arena, d->path, strcspn(d->path, "."));
		uint64_t bit = 0;
		bool gave_up;

		if (find_member(w->target, type_complete(w->type), first, &bit, &gave_up))
			return d;
	}
	return NULL;
}

/* The member that stands for an older name, and a note of it. */
static bool access_drifted(struct walk *w, const struct drift *d)
{
	char *path = arena_strdup(w->arena, d->path);

	target_note(w->target, "%s.%s is %s in this kernel", d->tag, d->old, d->path);
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
		hint = arena_printf(w->arena, "%s is there in its place, and means something else",
				    d->path);
	return fail(w, TARGET_NO_MEMBER, hint, DIAG_NO_MEMBER, name, type_name(w),
		    n ? arena_printf(w->arena, " (alternatives: %s)",
				     member_alternatives(w, all, n, name))
		      : "");
}

static bool too_many_members(struct walk *w, const char *name)
{
	const char *why = arena_printf(w->arena,
				       " (given up after %d members, of unnamed ones within each "
				       "other: is the type information damaged?)",
				       MEMBERS_MAX);

	return fail(w, TARGET_NO_MEMBER, NULL, DIAG_NO_MEMBER, name, type_name(w), why);
}

/* -> of a struct, a union, or a pointer to one. */
static bool access_member(struct walk *w, const char *name)
{
	const struct target_type *type;
	const struct target_member *m, *all;
	uint64_t bit = 0;
	bool gave_up;
	size_t n;

	/* pointers to pointers are not members' owners; arrays of structs are not either */
	if (!follow_reference(w) || (w->type->kind == TARGET_TYPE_POINTER && !follow_pointer(w)))
		return false;
	if (!type_is_aggregate(w->type->canonical))
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_INVALID_ACCESS,
			    arena_printf(w->arena, "->%s", name), target_type_name(w->type), "");
	type = type_complete(w->type);
	n = target_type_members(w->target, type, &all);
	if (type->is_declaration)
		return fail(w, TARGET_NO_TYPE, NULL, DIAG_NO_TYPE, type_name(w), "");
	m = find_member(w->target, type, name, &bit, &gave_up);
	if (gave_up)
		return too_many_members(w, name);
	if (!m)
		return no_member(w, name, all, n);
	w->type = m->type;
	w->bits = m->bits;
	w->bit_offset = m->bits ? bit % 8 : 0;
	if (w->location.kind == LOCATION_PIECES)
		w->piece_bit += bit - w->bit_offset;
	else if (bit / 8)
		push(w, (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)(bit / 8) });
	return true;
}

/*
 * [] of an array, or of a pointer, which is followed first. In registers only a literal subscript
 * can be resolved.
 */
static bool access_element(struct walk *w, const struct target_access *a)
{
	const struct target_type *element;
	uint64_t size;

	if (!follow_reference(w))
		return false;
	element = target_type_pointee(w->type);
	if (!element)
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_INVALID_ACCESS, "[]", type_name(w),
			    ": not an array or pointer");
	size = target_type_size(element);
	if (w->type->kind == TARGET_TYPE_POINTER && !follow_pointer(w))
		return false;
	if (!size)
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_SUBSCRIPT,
			    arena_printf(w->arena, "'%s': the size of its elements is unknown",
					 target_type_name(element)));
	w->type = element;
	if (w->location.kind == LOCATION_PIECES) {
		if (a->operand >= 0 || a->literal < 0 || (uint64_t)a->literal > UINT32_MAX / size)
			return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_SUBSCRIPT,
				    "an array held in registers");
		w->piece_bit += a->literal * size * 8;
	} else if (a->operand >= 0) {
		push(w, (struct fetch_insn){
				.op = FETCH_INDEX, .number = a->operand, .value = (int64_t)size });
	} else if (a->literal) {
		push(w, (struct fetch_insn){ .op = FETCH_ADD,
					     .value = (int64_t)((uint64_t)a->literal * size) });
	}
	return true;
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
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_ADDRESS, "a bit-field");
	if (w->location.kind == LOCATION_PIECES)
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_ADDRESS, "a value in a register");
	w->ret->type = type_pointer_to(w->type);
	finish_at(w);
	w->ret->address = w->ret->load;
	return true;
}

/* A value of floating point is the bits of a double; others have none that fits a number. */
static bool finish_float(struct walk *w)
{
	uint64_t size = target_type_size(w->type);

	if (size != 4 && size != 8)
		return fail(w, TARGET_UNREADABLE, NULL, DIAG_UNREADABLE, type_name(w),
			    arena_printf(w->arena, "no number holds its %u bytes", (unsigned)size));
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
	switch (w->type->kind) {
	case TARGET_TYPE_STRUCT:
	case TARGET_TYPE_UNION:
		n = target_type_members(w->target, w->type, &m);
		while (n && !*m->name) /* name one that has a name */
			n--, m++;
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_STRUCT_VALUE, type_name(w),
			    n ? m->name : "x");
	case TARGET_TYPE_ARRAY:
	case TARGET_TYPE_FUNCTION:
		/* as in C, an array or function stands for its address */
		if (w->location.kind == LOCATION_PIECES)
			return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_NO_ADDRESS,
				    "an array held in registers");
		return finish_at(w);
	case TARGET_TYPE_VOID:
		return fail(w, TARGET_BAD_ACCESS, NULL, DIAG_UNREADABLE, type_name(w),
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

/* Takes the path from step FIRST on, then finishes. */
static bool follow_path(struct walk *w, size_t first)
{
	for (size_t i = first; i < w->query->n_path; i++) {
		const struct target_access *a = &w->query->path[i];

		if (a->member ? !access_member(w, a->member) : !access_element(w, a))
			return false;
	}
	return w->query->address_of ? finish_address(w) : finish_value(w);
}

/* ---- beginnings ---- */

/*
 * Where the variable was sought, for the message: by DWARF "dieoffset 0x12 in kernel, near pc 0x34 in vfs_read fs/read_write.c",
 * else the name of the function or tracepoint, or "".
 */
static const char *sought_in(struct walk *w, const struct target_scope *scope)
{
	const struct target_function *f = &scope->function;
	const struct function_info *info = f->priv;
	uint64_t pc = f->pc ? f->pc : f->inline_addr ? f->inline_addr : f->addr;

	if (!scope->where)
		return "";
	if (!info || !info->die || !f->file)
		return arena_printf(w->arena, " in %s", scope->where);
	return arena_printf(w->arena,
			    " dieoffset 0x%" PRIx64 " in %s, near pc 0x%" PRIx64 " in %s %s",
			    info->die, scope->object->name, pc, f->base_name, f->file);
}

/* Reports that the scope has no such variable, with what it has and what may help. */
static bool no_variable(struct walk *w, const struct target_scope *scope,
			const struct variables *vars)
{
	const char **names = arena_new_array(w->arena, const char *, vars->n + 1), *near;
	const char *hint = scope->hint;
	const char *text;
	size_t n = 0;

	if (!strcmp(w->query->name, "return") && scope->kind == SCOPE_RETURN && !scope->problem)
		return fail(w, TARGET_NO_RETURN, NULL, DIAG_NO_RETURN_VALUE,
			    scope->function.base_name);
	text = arena_printf(w->arena, ", [man error::dwarf]%s", sought_in(w, scope));
	if (vars->n) {
		text = arena_printf(w->arena, "%s (alternatives:", text);
		vec_foreach(v, vars) {
			if (!*v->name || v->is_unlisted)
				continue;
			text = arena_printf(w->arena, "%s $%s", text, v->name);
			names[n++] = v->name;
		}
		text = arena_printf(w->arena, "%s)", text);
	} else if (scope->problem) {
		text = arena_printf(w->arena, "%s (%s)", text, scope->problem);
	}
	if (!hint && scope->kind == SCOPE_ENTRY && !dwarf_get(scope->object))
		hint = object_debuginfo_hint(scope->object);
	/* a near name is the likelier cause, so it comes before the package */
	if (similar_names(w->query->name, names, n, &near, 1))
		hint = arena_printf(w->arena, "did you mean $%s?%s%s", near,
				    hint ? " If not: " : "", hint ? hint : "");
	return fail(w, TARGET_NO_VARIABLE, hint, DIAG_NO_LOCAL, w->query->name, text);
}

/* The named variable, or NULL; parameters without a name are never meant. */
static const struct variable *find_variable(const struct variables *vars, const char *name)
{
	vec_foreach(v, vars)
		if (*name && !strcmp(v->name, name))
			return v;
	return NULL;
}

/*
 * Of a module, whose per-CPU data the module loader allocates elsewhere (kernel/module/main.c,
 * percpu_modalloc), and to which its symbols lead. The copy is chosen before members are added: a
 * module that is not loaded has address 0, and must not be read as this CPU's first variable.
 */
static void module_address_space(struct arena *arena, struct fetch_program *address)
{
	const char *section = address->insns->section->name; /* NULL: of a program */
	struct fetch_program prog = { 0 };

	if (!section || strcmp(section, ".data..percpu"))
		return;
	for (size_t i = 0; i < address->n; i++) {
		fetch_push(arena, &prog, address->insns[i]);
		if (i == 0)
			fetch_push(arena, &prog, (struct fetch_insn){ .op = FETCH_THIS_CPU });
	}
	*address = prog;
}

/*
 * A variable that each CPU has a copy of: its section is linked at 0 (x86-64 before 6.15, commit
 * 9d7de2aa8b41), where no code ever is, or lies between these symbols and moves with the kernel.
 */
static void set_address_space(struct walk *w)
{
	struct target *t = w->target;
	struct location *l = &w->location;
	struct fetch_insn *first = l->address.insns;
	uint64_t addr;

	if (l->kind != LOCATION_MEMORY || !l->address.n || first->op != FETCH_ADDRESS)
		return;
	if (first->section) {
		module_address_space(w->arena, &l->address);
		return;
	}
	addr = (uint64_t)first->value;
	if (addr < target_symbol(t, "_stext"))
		first->op = FETCH_CONST;
	else if (addr < target_symbol(t, "__per_cpu_start") ||
		 addr >= target_symbol(t, "__per_cpu_end"))
		return;
	l->space = FETCH_PERCPU;
}

/* The walk begins at variable V. */
static bool start_at(struct walk *w, const struct variable *v)
{
	const struct location *l = &v->location;

	w->ret->type = v->type;
	w->ret->lost = l->kind == LOCATION_NONE ? v->name : NULL;
	w->space = v->type->source->space;
	if (l->kind == LOCATION_NONE)
		return fail(w, TARGET_UNREADABLE, l->hint, DIAG_UNREADABLE, v->name,
			    l->problem ? l->problem : "it was optimised out");
	w->location = *l;
	w->location.address = fetch_copy(w->arena, &l->address);
	set_address_space(w);
	w->type = v->type;
	return follow_path(w, 0);
}

/* BTF describes few globals; DWARF all. */
static bool find_global(struct walk *w, struct target_object *o, const char *file,
			const char *preferred, struct variable *ret)
{
	struct btf_types *types = &o->types;
	struct dwarf *d = dwarf_get(o);
	uint64_t addr = object_symbol(o, w->query->name);
	uint32_t id;

	if (d && dwarf_global(d, w->query->name, file, preferred, ret))
		return true;
	if (file || !addr || !o->has_types ||
	    !btf_types_find_ids(types, w->query->name, 1u << BTF_KIND_VAR, &id, 1))
		return false;
	*ret = (struct variable){ .name = w->query->name,
				  .type = type_get(&types->source, btf_type(&types->btf, id)->type),
				  .location =
					  location_relocate(o, location_linked(w->arena, addr)) };
	return true;
}

/*
 * A variable of the scope; at a function's entry else a global of that name, the function's own
 * file first.
 */
static bool resolve_local(struct walk *w, const struct target_scope *scope)
{
	const struct variable *v = find_variable(scope_variables(scope, false), w->query->name);
	const struct variables *all;
	struct variable global;

	/* DWARF is opened only for what BTF does not know */
	if (v && v->location.kind != LOCATION_NONE)
		return start_at(w, v);
	all = scope_variables(scope, true);
	v = find_variable(all, w->query->name);
	if (v)
		return start_at(w, v);
	if (scope->kind == SCOPE_ENTRY &&
	    find_global(w, scope->object, NULL, scope->function.file, &global))
		return start_at(w, &global);
	return no_variable(w, scope, all);
}

/* A program or library by its path; NULL: there is none, and the walk has failed. */
static struct target_object *named_file(struct walk *w)
{
	const struct target_object *o;
	struct error *err = target_open_program(w->target, w->query->module, &o);

	if (!err)
		return (struct target_object *)o;
	fail(w, TARGET_NO_VARIABLE, NULL, DIAG_NO_GLOBAL, w->query->name,
	     arena_printf(w->arena, ": %s", err->text));
	error_destroy(err);
	return NULL;
}

/* The object that @var names; NULL: none, and the walk has failed. */
static struct target_object *named_object(struct walk *w, const struct target_scope *scope)
{
	const char *module = w->query->module;
	struct target_object *o;

	if (!module)
		return scope->object;
	if (!strcmp(module, "kernel") || !strcmp(module, "vmlinux"))
		return &w->target->kernel;
	if (strchr(module, '/') && !strstr(module, ".ko"))
		return named_file(w);
	o = object_module(w->target, module);
	if (!o)
		fail(w, TARGET_NO_VARIABLE, NULL, DIAG_NO_GLOBAL, w->query->name,
		     arena_printf(w->arena, " in '%s': there is no such module", module));
	return o;
}

static void look_up_in(struct target_object *o, struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i].op == FETCH_ADDRESS && p->insns[i].section == &o->place)
			p->insns[i].section = &o->mapped;
}

/* The point that is hit is in another file, or in the kernel: it does not tell where a process has this one. */
static void look_it_up(struct target_object *o, struct location *l)
{
	thread_local_require_mapped(o, &l->address);
	look_up_in(o, &l->address);
	for (size_t i = 0; i < l->n_pieces; i++) {
		thread_local_require_mapped(o, &l->pieces[i].prog);
		look_up_in(o, &l->pieces[i].prog);
	}
}

/* Globals of O near to what is asked for, best first; by its DWARF, else, of the kernel, by its symbols. At most MAX, returns how many. */
static size_t similar_globals(struct walk *w, struct target_object *o, const char **ret, size_t max)
{
	struct dwarf *d = dwarf_get(o);
	const char **names;

	if (!d && object_is_kernel(o))
		return target_similar_data(w->target, w->query->name, ret, max);
	if (!d)
		return 0;
	names = arena_new_array(w->arena, const char *, d->index.n_variables + 1);
	for (size_t i = 0; i < d->index.n_variables; i++)
		names[i] = dwarf_index_string(&d->index, d->index.variables[i].name);
	return similar_names(w->query->name, names, d->index.n_variables, ret, max);
}

/* What would help who asked for a global that O does not have; NULL: nothing is known. */
static const char *global_hint(struct walk *w, struct target_object *o)
{
	const char *package = dwarf_get(o) ? NULL : object_debuginfo_hint(o), *near;

	/* as of a local: a near name comes before the package; not where it is this name, which is in another file, or not described */
	if (!similar_globals(w, o, &near, 1) || !strcmp(near, w->query->name))
		return package;
	return arena_printf(w->arena, "did you mean @var(\"%s\")?%s%s", near,
			    package ? " If not: " : "", package ? package : "");
}

/* @var: in the object named or the scope's; when none is named, also in the kernel. */
static bool resolve_global(struct walk *w, const struct target_scope *scope)
{
	struct target_object *o = named_object(w, scope), *kernel = &w->target->kernel;
	struct variable v;

	if (!o)
		return false;
	if (find_global(w, o, w->query->file, NULL, &v)) {
		if (o->kind == OBJECT_FILE && o != scope->object)
			look_it_up(o, &v.location);
		return start_at(w, &v);
	}
	if (!w->query->module && o->kind == OBJECT_MODULE &&
	    find_global(w, kernel, w->query->file, NULL, &v))
		return start_at(w, &v);
	return fail(w, TARGET_NO_VARIABLE, global_hint(w, o), DIAG_NO_GLOBAL, w->query->name,
		    arena_printf(w->arena, "%s%s%s%s", w->query->file ? " in " : "",
				 w->query->file ? w->query->file : "",
				 object_is_kernel(o)        ? ""
				 : o->kind == OBJECT_MODULE ? " of module "
							    : " of ",
				 object_is_kernel(o) ? "" : o->name));
}

/* A C int, of a process: of what no debug information describes. */
static bool int_node(struct type_source *src, uint64_t ref, struct type_node *ret)
{
	*ret = (struct type_node){ .tag = TYPE_INT, .name = "int", .size = 4, .is_signed = true };
	return true;
}

static const struct target_type *type_of_errno(struct target *t)
{
	static const struct type_ops ops = { .node = int_node };

	if (!t->errno_types.ops) {
		type_source_init(&t->errno_types, &ops, t->arena, t, NULL);
		t->errno_types.space = FETCH_USER;
	}
	return type_get(&t->errno_types, 1);
}

/* By its symbol: what it is the C standard says. */
static bool resolve_errno(struct walk *w)
{
	struct target_object *o = (struct target_object *)w->query->object;
	struct variable v = { .name = w->query->name, .type = type_of_errno(w->target) };
	struct fetch_program address = { 0 };
	const char *problem = "it has no symbol";
	uint64_t offset;

	if (file_thread_local(&o->image, v.name, &offset))
		problem = thread_local_push(o, offset, &address);
	v.location =
		problem ? location_none(problem) : location_relocate(o, location_memory(address));
	if (w->query->is_run)
		look_up_in(o, &v.location.address);
	else if (!w->query->is_here)
		look_it_up(o, &v.location);
	return start_at(w, &v);
}

/* The operand is the address of a struct, or the value of anything else; a scalar type that is
 * subscripted is what the operand points to. */
static bool resolve_cast(struct walk *w, const struct target_scope *scope)
{
	const struct target_query *q = w->query;
	struct fetch_program operand = { 0 };
	struct target_type_result found;
	const struct target_type *type = q->type;
	bool subscripted = q->n_path && !q->path[0].member, in_memory;

	if (q->name) {
		type_find(scope, q->name, q->module, &found);
		type = found.type;
	}
	if (!type) {
		w->ret->status = TARGET_NO_TYPE;
		w->ret->tag = found.tag;
		w->ret->message = found.message;
		w->ret->hint = found.hint;
		return false;
	}
	if (type->kind != TARGET_TYPE_POINTER && type->kind != TARGET_TYPE_ARRAY && subscripted)
		type = type_pointer_to(type);
	w->type = type;
	w->space = type->source->space;
	in_memory = type_is_aggregate(type->canonical) || type->kind == TARGET_TYPE_ARRAY ||
		    type->kind == TARGET_TYPE_FUNCTION || q->address_of;
	fetch_push(w->arena, &operand, (struct fetch_insn){ .op = FETCH_OPERAND });
	w->location = in_memory && type->kind != TARGET_TYPE_POINTER
			      ? location_memory(operand)
			      : location_word(w->arena, operand);
	return follow_path(w, 0);
}

/* All that a program of a process' variable loads is memory of that process. */
static void read_user(struct arena *arena, struct fetch_program *p)
{
	*p = fetch_copy(arena, p);
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i].op == FETCH_LOAD && p->insns[i].space == FETCH_KERNEL)
			p->insns[i].space = FETCH_USER;
}

/* What cannot be resolved is in ret->status, with its text. */
struct error *target_resolve(struct target *t, const struct target_scope *scope,
			     const struct target_query *q, struct target_value *ret)
{
	struct walk w = { .target = t, .arena = t->arena, .query = q, .ret = ret };
	struct error *err = scope_load(scope);

	if (err)
		return err;
	*ret = (struct target_value){ 0 };
	switch (q->base) {
	case TARGET_LOCAL:
		resolve_local(&w, scope);
		break;
	case TARGET_GLOBAL:
		resolve_global(&w, scope);
		break;
	case TARGET_CAST:
		resolve_cast(&w, scope);
		break;
	case TARGET_ERRNO:
		resolve_errno(&w);
		break;
	}
	if (w.space == FETCH_USER) {
		read_user(w.arena, &ret->load);
		read_user(w.arena, &ret->address);
	}
	/* a return probe has the result registers besides the arguments' */
	ret->full_regs =
		scope->kind != SCOPE_RETURN && fetch_needs_full_regs(&ret->load, t->machine);
	return NULL;
}

bool target_enumerator(const struct target_scope *scope, const char *name, int64_t *value)
{
	struct target *t = scope->target;
	struct dwarf *d = scope->object->kind == OBJECT_FILE ? dwarf_get(scope->object) : NULL;

	if (d && dwarf_enumerator(d, name, value))
		return true;
	if (!target_try_load(t) || !t->kernel.has_types)
		return false;
	return btf_types_enumerator(&t->kernel.types, name, value) ||
	       (scope->types && scope->types != &t->kernel.types &&
		btf_types_enumerator(scope->types, name, value));
}
