/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a variable and a path to a fetch program. A walk holds where the value is (a place) and its
 * type; each access moves it on: a pointer is loaded and becomes the address of what it points to,
 * a member adds its offset, a subscript its multiple. What is left at the end is loaded, or its
 * address taken.
 */
#include <string.h>

#include "base/similar.h"
#include "target/dwarf.h"

struct walk {
	struct target *target;
	struct arena *arena;
	const struct target_query *query;
	struct target_value *ret;
	struct place place;
	const struct target_type *type;
	uint64_t word_bit; /* PLACE_WORDS: first bit of the value in the words */
	unsigned bit_offset,
		bits; /* bits != 0: a bit-field; MEMORY: first bit behind the address */
};

static bool fail(struct walk *w, enum target_status status, const char *hint, const char *message)
{
	w->ret->status = status;
	w->ret->message = message;
	w->ret->hint = hint;
	return false;
}

static void push(struct walk *w, struct fetch_insn insn)
{
	place_push(w->arena, &w->place.prog, insn);
}

static const char *type_name(const struct walk *w)
{
	return target_type_name(type_is_aggregate(w->type->canonical) ? w->type->canonical
								      : w->type);
}

/* ---- values ---- */

static unsigned scalar_size(const struct target_type *type)
{
	uint64_t size = target_type_size(type);

	return size == 1 || size == 2 || size == 4 ? size : 8;
}

/* A bit-field in memory: the smallest aligned word that holds it whole. */
static struct fetch_program load_bits(struct walk *w)
{
	struct fetch_program p = place_copy(w->arena, &w->place.prog);
	unsigned size = 8, at = w->bit_offset / 8;

	for (unsigned s = 1; s <= 8; s *= 2)
		if (w->bit_offset % (s * 8) + w->bits <= s * 8) {
			size = s;
			at = w->bit_offset / (s * 8) * s;
			break;
		}
	if (at)
		place_push(w->arena, &p, (struct fetch_insn){ .op = FETCH_ADD, .value = at });
	place_push(w->arena, &p,
		   (struct fetch_insn){ .op = FETCH_LOAD, .size = size, .user = w->place.user });
	place_push(w->arena, &p,
		   (struct fetch_insn){ .op = FETCH_BITS,
					.value = w->bit_offset - at * 8,
					.bits = w->bits,
					.is_signed = w->type->is_signed });
	return p;
}

static struct fetch_program load_words(struct walk *w)
{
	unsigned bits = w->bits ? w->bits : scalar_size(w->type) * 8,
		 at = w->word_bit + w->bit_offset;
	struct fetch_program p = place_copy(w->arena, at >= 64 ? &w->place.high : &w->place.prog);

	at %= 64;
	if (at || w->bits)
		place_push(w->arena, &p,
			   (struct fetch_insn){ .op = FETCH_BITS,
						.value = at,
						.bits = bits,
						.is_signed = w->type->is_signed });
	else if (bits < 64)
		place_push(w->arena, &p,
			   (struct fetch_insn){ .op = FETCH_EXTEND,
						.size = bits / 8,
						.is_signed = w->type->is_signed });
	return p;
}

static struct fetch_program load_value(struct walk *w)
{
	struct fetch_program p;

	if (w->place.kind == PLACE_WORDS)
		return load_words(w);
	if (w->bits)
		return load_bits(w);
	p = place_copy(w->arena, &w->place.prog);
	place_push(w->arena, &p,
		   (struct fetch_insn){ .op = FETCH_LOAD,
					.size = scalar_size(w->type),
					.is_signed = w->type->is_signed,
					.user = w->place.user });
	return p;
}

/* ---- accesses ---- */

/* The pointer here is loaded; the walk stands at what it points to. */
static bool follow_pointer(struct walk *w)
{
	bool user = w->type->is_user;
	const struct target_type *to = target_type_pointee(w->type);

	w->place = (struct place){ .kind = PLACE_MEMORY, .prog = load_value(w), .user = user };
	w->type = to;
	w->bits = w->bit_offset = w->word_bit = 0;
	return true;
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

/* Finds NAME in TYPE, through anonymous members; its distance is added to *bit. */
static const struct target_member *find_member(struct target *t, const struct target_type *type,
					       const char *name, uint64_t *bit, int depth)
{
	const struct target_member *m, *found;
	size_t n = target_type_members(t, type, &m);

	for (size_t i = 0; i < n; i++) {
		if (*m[i].name) {
			if (strcmp(m[i].name, name))
				continue;
			*bit += m[i].bit_offset;
			return &m[i];
		}
		if (depth < 16 && type_is_aggregate(m[i].type->canonical)) {
			uint64_t inner = *bit + m[i].bit_offset;

			found = find_member(t, m[i].type, name, &inner, depth + 1);
			if (found) {
				*bit = inner;
				return found;
			}
		}
	}
	return NULL;
}

static bool access_member(struct walk *w, const char *name)
{
	const struct target_type *type;
	const struct target_member *m, *all;
	uint64_t bit = 0;
	size_t n;

	/* pointers to pointers are not members' owners; arrays of structs are not either */
	if (w->type->kind == TARGET_TYPE_POINTER)
		follow_pointer(w);
	if (!type_is_aggregate(w->type->canonical))
		return fail(w, TARGET_BAD_ACCESS, NULL,
			    arena_printf(w->arena, "invalid access '->%s' vs '%s'", name,
					 target_type_name(w->type)));
	type = type_complete(w->type);
	n = target_type_members(w->target, type, &all);
	if (type->is_declaration)
		return fail(w, TARGET_NO_TYPE, NULL,
			    arena_printf(w->arena, "type definition '%s' not found", type_name(w)));
	m = find_member(w->target, type, name, &bit, 0);
	if (!m)
		return fail(w, TARGET_NO_MEMBER, NULL,
			    arena_printf(w->arena, "unable to find member '%s' for %s%s", name,
					 type_name(w),
					 n ? arena_printf(w->arena, " (alternatives: %s)",
							  member_alternatives(w, all, n, name))
					   : ""));
	w->type = m->type;
	w->bits = m->bits;
	w->bit_offset = m->bits ? bit % 8 : 0;
	if (w->place.kind == PLACE_WORDS)
		w->word_bit += bit - w->bit_offset;
	else if (bit / 8)
		push(w, (struct fetch_insn){ .op = FETCH_ADD, .value = (int64_t)(bit / 8) });
	return true;
}

static bool access_element(struct walk *w, const struct target_access *a)
{
	const struct target_type *element = target_type_pointee(w->type);
	uint64_t size;

	if (!element)
		return fail(w, TARGET_BAD_ACCESS, NULL,
			    arena_printf(w->arena,
					 "invalid access '[]' vs '%s': not an array or pointer",
					 type_name(w)));
	size = target_type_size(element);
	if (w->type->kind == TARGET_TYPE_POINTER)
		follow_pointer(w);
	if (!size)
		return fail(
			w, TARGET_BAD_ACCESS, NULL,
			arena_printf(w->arena,
				     "cannot subscript '%s': the size of its elements is unknown",
				     target_type_name(element)));
	w->type = element;
	if (w->place.kind == PLACE_WORDS) {
		if (a->operand >= 0 || a->literal < 0 ||
		    w->word_bit + (a->literal + 1) * size * 8 > 128)
			return fail(w, TARGET_BAD_ACCESS, NULL,
				    "cannot subscript an array held in registers");
		w->word_bit += a->literal * size * 8;
	} else if (a->operand >= 0) {
		push(w, (struct fetch_insn){
				.op = FETCH_INDEX, .reg = a->operand, .value = (int64_t)size });
	} else if (a->literal) {
		push(w, (struct fetch_insn){ .op = FETCH_ADD,
					     .value = (int64_t)((uint64_t)a->literal * size) });
	}
	return true;
}

/* ---- the end of the path ---- */

static bool finish_address(struct walk *w)
{
	if (w->bits)
		return fail(w, TARGET_BAD_ACCESS, NULL, "cannot take the address of a bit-field");
	if (w->place.kind == PLACE_WORDS)
		return fail(w, TARGET_BAD_ACCESS, NULL,
			    "cannot take the address of a value in a register");
	w->ret->load = w->ret->address = w->place.prog;
	w->ret->type = type_pointer_to(w->type);
	w->ret->size = 8;
	return true;
}

static bool finish_value(struct walk *w)
{
	const struct target_member *m;
	size_t n;

	w->ret->type = w->type;
	if (w->place.kind == PLACE_MEMORY && !w->bits)
		w->ret->address = w->place.prog;
	switch (w->type->kind) {
	case TARGET_TYPE_STRUCT:
	case TARGET_TYPE_UNION:
		n = target_type_members(w->target, w->type, &m);
		while (n && !*m->name) /* name one that has a name */
			n--, m++;
		return fail(
			w, TARGET_BAD_ACCESS, NULL,
			arena_printf(w->arena,
				     "'%s' is being accessed instead of a member such as '->%s'",
				     type_name(w), n ? m->name : "x"));
	case TARGET_TYPE_ARRAY:
	case TARGET_TYPE_FUNCTION:
		/* as in C, an array or function stands for its address */
		if (w->place.kind == PLACE_WORDS)
			return fail(w, TARGET_BAD_ACCESS, NULL,
				    "an array held in registers has no address");
		w->ret->load = w->place.prog;
		w->ret->size = 8;
		return true;
	case TARGET_TYPE_VOID:
		return fail(w, TARGET_BAD_ACCESS, NULL, "a void object has no value");
	case TARGET_TYPE_INT:
	case TARGET_TYPE_BOOL:
	case TARGET_TYPE_CHAR:
	case TARGET_TYPE_ENUM:
	case TARGET_TYPE_FLOAT:
	case TARGET_TYPE_POINTER:
		break;
	}
	w->ret->load = load_value(w);
	w->ret->size = scalar_size(w->type);
	w->ret->is_signed = w->type->is_signed;
	return true;
}

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

static bool no_variable(struct walk *w, const struct target_scope *scope,
			const struct variables *vars)
{
	const char **names = arena_new_array(w->arena, const char *, vars->n + 1), *near;
	const char *hint = scope->hint;
	const char *text;
	size_t n = 0;

	if (!strcmp(w->query->name, "return") && scope->kind == SCOPE_RETURN && !scope->problem)
		return fail(w, TARGET_NO_RETURN, NULL,
			    arena_printf(w->arena, "function %s has no return value",
					 scope->function.base_name));
	text = arena_printf(w->arena, "unable to find local '%s', [man error::dwarf]%s%s",
			    w->query->name, scope->where ? " in " : "",
			    scope->where ? scope->where : "");
	if (vars->n) {
		text = arena_printf(w->arena, "%s (alternatives:", text);
		vec_foreach(v, vars) {
			if (!*v->name)
				continue;
			text = arena_printf(w->arena, "%s $%s", text, v->name);
			names[n++] = v->name;
		}
		text = arena_printf(w->arena, "%s)", text);
	} else if (scope->problem) {
		text = arena_printf(w->arena, "%s (%s)", text, scope->problem);
	}
	if (!hint && scope->kind == SCOPE_ENTRY && !target_has_dwarf(w->target))
		hint = target_debuginfo_hint(w->target);
	/* a slip of the keyboard is likelier than a wish for local variables */
	if (similar_names(w->query->name, names, n, &near, 1))
		hint = arena_printf(w->arena, "did you mean $%s?%s%s", near,
				    hint ? " If not: " : "", hint ? hint : "");
	return fail(w, TARGET_NO_VARIABLE, hint, text);
}

static const struct variable *find_variable(const struct variables *vars, const char *name)
{
	vec_foreach(v, vars)
		if (*name && !strcmp(v->name, name))
			return v;
	return NULL;
}

static bool start_at(struct walk *w, const struct variable *v)
{
	w->ret->type = v->type;
	if (v->place.kind == PLACE_NONE)
		return fail(
			w, TARGET_UNREADABLE, v->place.hint,
			arena_printf(w->arena, "cannot read '%s' here: %s", v->name,
				     v->place.problem ? v->place.problem : "it was optimised out"));
	w->place = v->place;
	w->place.prog = place_copy(w->arena, &v->place.prog);
	w->type = v->type;
	return follow_path(w, 0);
}

/* A variable of each CPU lies elsewhere on each; its address is no address. */
static bool is_percpu(struct target *t, uint64_t addr)
{
	uint64_t start = target_symbol(t, "__per_cpu_start"),
		 end = target_symbol(t, "__per_cpu_end");

	return addr < target_symbol(t, "_stext") || (addr >= start && addr < end);
}

static bool is_percpu_place(struct target *t, const struct place *p)
{
	return p->prog.n && p->prog.insns[0].op == FETCH_ADDRESS &&
	       is_percpu(t, p->prog.insns[0].value);
}

/* BTF describes few globals; DWARF all. */
static bool find_global(struct walk *w, const char *file, const char *preferred,
			struct variable *ret)
{
	struct btf_types *types = &w->target->types;
	struct dwarf *d = dwarf_get(w->target);
	uint64_t addr = target_symbol(w->target, w->query->name);
	uint32_t id;

	if (d && dwarf_global(d, w->query->name, file, preferred, ret))
		return true;
	if (file || !addr || !btf_types_find_ids(types, w->query->name, 1u << BTF_KIND_VAR, &id, 1))
		return false;
	*ret = (struct variable){ .name = w->query->name,
				  .type = type_get(&types->source, btf_type(&types->btf, id)->type),
				  .place = { .kind = PLACE_MEMORY } };
	place_push(w->arena, &ret->place.prog,
		   (struct fetch_insn){ .op = FETCH_ADDRESS, .value = (int64_t)addr });
	return true;
}

static bool start_at_global(struct walk *w, struct variable *v)
{
	if (is_percpu_place(w->target, &v->place))
		v->place = (struct place){ .problem = "each CPU has its own" };
	return start_at(w, v);
}

static bool resolve_local(struct walk *w, const struct target_scope *scope)
{
	const struct variable *v = find_variable(scope_variables(scope, false), w->query->name);
	const struct variables *all;
	struct variable global;

	/* DWARF is opened only for what BTF does not know */
	if (v && v->place.kind != PLACE_NONE)
		return start_at(w, v);
	all = scope_variables(scope, true);
	v = find_variable(all, w->query->name);
	if (v)
		return start_at(w, v);
	if (scope->kind == SCOPE_ENTRY && find_global(w, NULL, scope->function.file, &global))
		return start_at_global(w, &global);
	return no_variable(w, scope, all);
}

static bool resolve_global(struct walk *w)
{
	const char *module = w->query->module;
	struct variable v;

	if (module && strcmp(module, "kernel") && strcmp(module, "vmlinux"))
		return fail(w, TARGET_NO_VARIABLE,
			    "variables of modules and programs are not built yet",
			    arena_printf(w->arena, "unable to find global '%s' in '%s'",
					 w->query->name, module));
	if (find_global(w, w->query->file, NULL, &v))
		return start_at_global(w, &v);
	return fail(w, TARGET_NO_VARIABLE,
		    target_has_dwarf(w->target) ? NULL : target_debuginfo_hint(w->target),
		    arena_printf(w->arena, "unable to find global '%s'%s%s", w->query->name,
				 w->query->file ? " in " : "",
				 w->query->file ? w->query->file : ""));
}

/* The operand is the address of a struct, or the value of anything else; a scalar type that is
 * subscripted is what the operand points to. */
static bool resolve_cast(struct walk *w, const struct target_scope *scope)
{
	const struct target_query *q = w->query;
	struct fetch_insn operand = { .op = FETCH_OPERAND };
	struct target_type_result found;
	const struct target_type *type = q->type;
	bool subscripted = q->n_path && !q->path[0].member;

	if (q->name) {
		type_find(scope, q->name, q->module, &found);
		type = found.type;
	}
	if (!type)
		return fail(w, TARGET_NO_TYPE, found.hint, found.message);
	if (type->kind != TARGET_TYPE_POINTER && type->kind != TARGET_TYPE_ARRAY && subscripted)
		type = type_pointer_to(type);
	w->type = type;
	w->place.kind = type_is_aggregate(type->canonical) || type->kind == TARGET_TYPE_ARRAY ||
					type->kind == TARGET_TYPE_FUNCTION || q->address_of
				? PLACE_MEMORY
				: PLACE_WORDS;
	if (type->kind == TARGET_TYPE_POINTER)
		w->place.kind = PLACE_WORDS;
	push(w, operand);
	return follow_path(w, 0);
}

struct error *target_resolve(struct target *t, const struct target_scope *scope,
			     const struct target_query *q, struct target_value *ret)
{
	struct walk w = { .target = t, .arena = t->arena, .query = q, .ret = ret };
	struct error *err = target_load(t);

	if (err)
		return err;
	*ret = (struct target_value){ 0 };
	switch (q->base) {
	case TARGET_LOCAL:
		resolve_local(&w, scope);
		break;
	case TARGET_GLOBAL:
		resolve_global(&w);
		break;
	case TARGET_CAST:
		resolve_cast(&w, scope);
		break;
	}
	/* a return probe has the result registers besides the arguments' */
	ret->full_regs = scope->kind != SCOPE_RETURN && fetch_needs_full_regs(&ret->load);
	return NULL;
}

bool target_enumerator(const struct target_scope *scope, const char *name, int64_t *value)
{
	struct target *t = scope->target;

	if (!target_try_load(t) || !t->has_types)
		return false;
	return btf_types_enumerator(&t->types, name, value) ||
	       (scope->types && scope->types != &t->types &&
		btf_types_enumerator(scope->types, name, value));
}
