/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a function calls: functions by its call sites (DWARF 5, 3.4; DW_TAG_GNU_call_site before
 * that) and copies inlined into it. What is inlined into a function is part of its code, so calls
 * made there are the function's. Calls through pointers name nobody, and a tail call returns to
 * somebody else: neither is found.
 */
#include <dwarf.h>
#include <fnmatch.h>
#include <string.h>

#include "target/dwarf.h"
#include "target/objects.h"
#include "target/scoped_name.h"

/* One query; objects change on the way down. */
struct call_search {
	struct target *target;
	const struct target_function_query *callee;
	struct scoped_pattern name; /* its name */
	struct target_functions *ret;
};

/* The code of one caller. */
struct calls {
	struct call_search *search;
	struct dwarf *dwarf;
	const struct target_function *caller;
	const struct ir_text_ranges *callers; /* of target_function */
	struct fetch_program called_from;
	struct map seen; /* entry -> callee of this caller */
};

/* ---- the condition ---- */

static void push(struct arena *arena, struct fetch_program *p, enum fetch_op op, int64_t value)
{
	fetch_push(arena, p, (struct fetch_insn){ .op = op, .value = value });
}

/* The word where the callee's caller goes on, as the callee's entry finds it. */
static void push_return_address(const struct target *t, const struct target_object *o,
				struct fetch_program *p)
{
	const struct machine *m = object_machine(o);

	location_push_register(t->arena, m, m->return_address, p);
	if (m->cfa_at_entry)
		fetch_push(t->arena, p,
			   (struct fetch_insn){
				   .op = FETCH_LOAD, .size = m->word, .space = FETCH_USER });
}

/*
 * 0 < return address - LOW <= HIGH - LOW: a call may be the last instruction, and the address is
 * that behind it.
 */
static void push_within(const struct target *t, const struct target_object *o, Dwarf_Addr low,
			Dwarf_Addr high, struct fetch_program *p)
{
	push_return_address(t, o, p);
	push(t->arena, p, FETCH_ADDRESS, (int64_t)low);
	push(t->arena, p, FETCH_MINUS, 0);
	push(t->arena, p, FETCH_DUP, 0);
	push(t->arena, p, FETCH_CONST, 0);
	push(t->arena, p, FETCH_GT, 0);
	push(t->arena, p, FETCH_SWAP, 0);
	push(t->arena, p, FETCH_CONST, (int64_t)(high - low));
	push(t->arena, p, FETCH_LE, 0);
	push(t->arena, p, FETCH_AND, 0);
}

/* The caller's code in the kernel. false: where it is in the loaded module cannot be known. */
static bool find_code(struct calls *c, Dwarf_Die *die)
{
	const struct target_object *o = c->dwarf->object;
	struct arena *arena = c->search->target->arena;
	struct ir_text_ranges *codes = arena_new(arena, struct ir_text_ranges);
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		struct target_address from = target_address_in(o, low);

		if (!object_is_kernel(o) && (!from.section || !from.section->anchor))
			return false;
		vec_push(arena, codes,
			 ((struct ir_text_range){ from.section, from.offset, high - low }));
	}
	c->callers = codes;
	return codes->n;
}

/* false: it has no code. */
static bool make_condition(struct calls *c, Dwarf_Die *die)
{
	struct target *t = c->search->target;
	Dwarf_Addr base, low, high;
	struct fetch_program p = { 0 };
	struct location l;
	ptrdiff_t at = 0;
	bool more = false;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		push_within(t, c->dwarf->object, low, high, &p);
		if (more)
			push(t->arena, &p, FETCH_OR, 0);
		more = true;
	}
	if (!more)
		return false;
	l = location_relocate(c->dwarf->object, location_memory(p));
	c->called_from = l.address;
	return l.kind == LOCATION_MEMORY;
}

/* ---- callees ---- */

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

static void add(struct calls *c, struct target_function *f)
{
	const void *key = (const void *)(uintptr_t)(f->inline_addr ? f->inline_addr : f->addr);

	if (map_has(&c->seen, key))
		return;
	map_put(&c->seen, key, f);
	f->caller = c->caller;
	if (!f->inline_addr) {
		f->callers = c->callers;
		f->called_from = c->called_from;
	}
	vec_push(c->search->target->arena, c->search->ret, *f);
}

static bool name_is_meant(const struct call_search *s, const char *name)
{
	return !fnmatch(s->name.name, name, 0);
}

/* Is it of the scope, file and lines asked for? */
static bool is_meant(const struct call_search *s, struct dwarf *d,
		     const struct dwarf_function *record)
{
	const struct target_lines *lines = &s->callee->lines;

	return scoped_matches(&s->name, dwarf_index_string(&d->index, record->scope)) &&
	       dwarf_file_matches(s->callee->file, dwarf_index_string(&d->index, record->file)) &&
	       (!lines->n || dwarf_has_lines(d, record, lines));
}

/* Is RECORD the code of the function whose DIE, abstract, declared or with code, is ORIGIN? */
static bool is_code_of(struct dwarf *d, const struct dwarf_function *record, Dwarf_Die *origin)
{
	uint64_t wanted = dwarf_die_ref(d, origin);
	Dwarf_Attribute attr;
	Dwarf_Die die, abstract;

	if (record->die == wanted)
		return true;
	if (!dwarf_die_at(d, record->die, &die))
		return false;
	if (dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attr), &abstract) &&
	    dwarf_die_ref(d, &abstract) == wanted)
		return true;
	return dwarf_hasattr(origin, DW_AT_declaration) &&
	       dwarf_hasattr_integrate(&die, DW_AT_external);
}

/* What ORIGIN names in the caller's own object; returns how many were found. */
static size_t add_own(struct calls *c, const char *name, Dwarf_Die *origin)
{
	const struct dwarf_index *ix = &c->dwarf->index;
	size_t found = 0;

	for (size_t i = dwarf_index_lower_bound(ix, name); i < ix->n_functions; i++) {
		const struct dwarf_function *record = &ix->functions[i];
		struct target_function f;

		if (strcmp(dwarf_index_string(ix, record->name), name))
			break;
		if (!record->pc || !is_code_of(c->dwarf, record, origin))
			continue;
		found++;
		if (is_meant(c->search, c->dwarf, record) &&
		    dwarf_out_of_line(c->dwarf, record, &f))
			add(c, &f);
	}
	return found;
}

/* A module calls functions of vmlinux, which are in another object than the call. */
static void add_exported(struct calls *c, const char *name)
{
	struct target_object *kernel = &c->search->target->kernel;
	uint64_t addr = c->dwarf->object->kind == OBJECT_MODULE ? object_symbol(kernel, name) : 0;
	const struct dwarf_function *record = NULL;
	struct target_function f;

	if (!addr || !target_function_at(kernel, addr, &f))
		return;
	if (dwarf_get(kernel)) {
		dwarf_annotate(kernel->dwarf, &f);
		record = dwarf_index_at(&kernel->dwarf->index, addr);
	}
	if (record ? is_meant(c->search, kernel->dwarf, record) : !c->search->callee->file)
		add(c, &f);
}

static void add_call(struct calls *c, Dwarf_Die *site)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	const char *name;

	if (dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call))
		return;
	if (!dwarf_formref_die(dwarf_attr(site, DW_AT_call_origin, &attr), &origin) &&
	    !dwarf_formref_die(dwarf_attr(site, DW_AT_abstract_origin, &attr), &origin))
		return;
	name = name_of(&origin);
	if (name && name_is_meant(c->search, name) && !add_own(c, name, &origin))
		add_exported(c, name);
}

/* The record of an inlined function has its copies by their entries. */
static void add_copy(struct calls *c, Dwarf_Die *die)
{
	const struct dwarf_index *ix = &c->dwarf->index;
	const char *name = name_of(die);
	uint64_t ref = dwarf_die_ref(c->dwarf, die);

	if (!name || !name_is_meant(c->search, name))
		return;
	for (size_t i = dwarf_index_lower_bound(ix, name); i < ix->n_functions; i++) {
		const struct dwarf_function *f = &ix->functions[i];
		struct target_function out;

		if (strcmp(dwarf_index_string(ix, f->name), name))
			break;
		if (!is_meant(c->search, c->dwarf, f))
			continue;
		for (uint32_t k = f->first_copy; k < f->first_copy + f->n_copies; k++)
			if (k < ix->n_copies && ix->copies[k].die == ref &&
			    dwarf_copy(c->dwarf, f, &ix->copies[k], &out))
				add(c, &out);
	}
}

static void walk(struct calls *c, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
			add_call(c, &die);
		if (tag == DW_TAG_inlined_subroutine)
			add_copy(c, &die);
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			walk(c, &die);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* CALLER was found by DWARF. */
static void find_calls(struct call_search *s, const struct target_function *caller)
{
	const struct function_info *info = caller->priv;
	struct calls c = { .search = s,
			   .dwarf = dwarf_get((struct target_object *)caller->object) };
	struct target_function *kept;
	Dwarf_Die die;

	if (!c.dwarf || !info->die || !dwarf_die_at(c.dwarf, info->die, &die))
		return;
	kept = arena_new(s->target->arena, struct target_function);
	*kept = *caller;
	c.caller = kept;
	map_init(&c.seen, s->target->arena);
	if (c.dwarf->object->kind == OBJECT_FILE ? make_condition(&c, &die) : find_code(&c, &die))
		walk(&c, &die);
}

/* ---- levels ---- */

/*
 * A function is looked into once, whoever calls it; copies are part of their callers, which were.
 */
static bool is_next(struct map *known, const struct target_function *f)
{
	const void *key = (const void *)(uintptr_t)f->addr;

	if (f->inline_addr || map_has(known, key))
		return false;
	map_put(known, key, (void *)f->name);
	return true;
}

void dwarf_find_callees(struct target *t, const struct target_functions *callers,
			const struct target_function_query *callee, unsigned depth,
			struct target_functions *ret)
{
	struct call_search s = { t, callee, scoped_pattern(t->arena, callee->name), ret };
	struct map known;
	size_t begin = 0;

	map_init(&known, t->arena);
	vec_foreach(f, callers) {
		is_next(&known, f);
		find_calls(&s, f);
	}
	while (--depth && begin < ret->n) {
		size_t end = ret->n;

		for (; begin < end; begin++) {
			struct target_function f = ret->data[begin];

			if (is_next(&known, &f))
				find_calls(&s, &f);
		}
	}
}
