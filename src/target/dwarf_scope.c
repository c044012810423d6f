/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables of functions and inlined copies, and globals, by DWARF. */
#include <dwarf.h>
#include <string.h>

#include "target/dwarf.h"

static bool die_of(struct dwarf *d, const struct target_function *f, Dwarf_Die *ret)
{
	const struct function_info *info = f->priv;
	const struct dwarf_function *record;
	uint32_t offset = info ? info->die : 0;

	if (!offset && f->addr && !f->module) {
		record = dwarf_index_at(&d->index, f->addr);
		offset = record && record->pc == f->addr ? record->die : 0;
	}
	return offset && dwarf_open_dies(d) && dwarf_offdie(d->dw, offset, ret) != NULL;
}

static bool has_name(const struct variables *vars, const char *name)
{
	vec_foreach(v, vars)
		if (!strcmp(v->name, name))
			return true;
	return false;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

/* Parameters or locals of one block; a name already there hides an outer one. */
static void add_block(struct dwarf *d, Dwarf_Die *block, int tag, Dwarf_Addr pc, bool entry, struct variables *vars)
{
	Dwarf_Die die;

	if (dwarf_child(block, &die))
		return;
	do {
		struct variable v = { .is_param = tag == DW_TAG_formal_parameter };

		if (dwarf_tag(&die) != tag)
			continue;
		v.name = name_of(&die);
		if (!v.name || has_name(vars, v.name))
			continue;
		v.type = dwarf_type_of(d, &die);
		v.place = dwarf_place(d, &die, pc, entry);
		vec_push(d->target->arena, vars, v);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Blocks within PARENT that hold PC, innermost first: their locals are visible too. */
static void add_inner_blocks(struct dwarf *d, Dwarf_Die *parent, Dwarf_Addr pc, struct variables *vars)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) != DW_TAG_lexical_block || dwarf_haspc(&die, pc) != 1)
			continue;
		add_inner_blocks(d, &die, pc, vars);
		add_block(d, &die, DW_TAG_variable, pc, false, vars);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Rules 2 and 3: at the entry of a function the compiler did not change, the calling convention knows best. */
static void apply_convention(struct dwarf *d, Dwarf_Die *die, const struct target_function *f, struct variables *vars)
{
	struct variables params = { 0 };
	size_t i = 0;
	Dwarf_Die child;

	if (f->name[symbol_base_length(f->name)] || dwarf_child(die, &child))
		return;
	/* by position: a parameter without a name takes its register too */
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			vec_push(d->target->arena, &params,
				 ((struct variable){ .name = name_of(&child), .type = dwarf_type_of(d, &child) }));
	} while (dwarf_siblingof(&child, &child) == 0);
	convention_place_parameters(d->target->arena, dwarf_type_of(d, die), params.data, params.n);
	vec_foreach(v, vars) {
		if (!v->is_param)
			continue;
		while (i < params.n && (!params.data[i].name || strcmp(params.data[i].name, v->name)))
			i++;
		if (i < params.n && params.data[i].place.kind != PLACE_NONE)
			v->place = params.data[i].place;
	}
}

bool dwarf_fill_entry(struct dwarf *d, struct target_scope *s)
{
	const struct target_function *f = &s->function;
	bool entry = !f->inline_addr;
	Dwarf_Addr pc = entry ? f->addr : f->inline_addr;
	struct variables vars = { 0 };
	Dwarf_Die die;

	if (!die_of(d, f, &die))
		return false;
	add_block(d, &die, DW_TAG_formal_parameter, pc, entry, &vars);
	if (entry)
		apply_convention(d, &die, f, &vars);
	add_inner_blocks(d, &die, pc, &vars);
	add_block(d, &die, DW_TAG_variable, pc, entry, &vars);
	vec_foreach(v, &vars)
		if (!has_name(&s->variables, v->name))
			vec_push(d->target->arena, &s->variables, *v);
	return true;
}

bool dwarf_fill_return(struct dwarf *d, struct target_scope *s)
{
	struct variable v = { .name = "return" };
	Dwarf_Die die;

	if (!die_of(d, &s->function, &die))
		return false;
	v.type = dwarf_type_of(d, &die);
	if (v.type->kind == TARGET_TYPE_VOID)
		return true;
	v.place = convention_place_result(d->target->arena, v.type);
	vec_push(d->target->arena, &s->variables, v);
	return true;
}

/* ---- globals ---- */

/* Is SUFFIX the end of PATH, beginning at a directory? */
static bool path_ends(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return m <= n && !strcmp(path + n - m, suffix) && (m == n || path[n - m - 1] == '/');
}

static const struct dwarf_variable *choose_global(struct dwarf *d, const char *name, const char *file, const char *preferred)
{
	const struct dwarf_index *ix = &d->index;
	const struct dwarf_variable *best = NULL;
	size_t low = 0, high = ix->n_variables, length = SIZE_MAX;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(dwarf_index_string(ix, ix->variables[mid].name), name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < ix->n_variables && !strcmp(dwarf_index_string(ix, ix->variables[low].name), name); low++) {
		const char *unit = dwarf_index_string(ix, ix->variables[low].file);

		if (file && !path_ends(unit, file))
			continue;
		if (!file && preferred && !strcmp(unit, preferred))
			return &ix->variables[low];
		/* the shortest path wins */
		if (strlen(unit) < length) {
			length = strlen(unit);
			best = &ix->variables[low];
		}
	}
	return best;
}

bool dwarf_global(struct dwarf *d, const char *name, const char *file, const char *preferred, struct variable *ret)
{
	const struct dwarf_variable *v = choose_global(d, name, file, preferred);
	Dwarf_Die die;

	if (!v || !dwarf_open_dies(d) || !dwarf_offdie(d->dw, v->die, &die))
		return false;
	*ret = (struct variable){ .name = name, .type = dwarf_type_of(d, &die), .place = dwarf_place(d, &die, 0, false) };
	return true;
}
