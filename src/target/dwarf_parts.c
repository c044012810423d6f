/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions in several parts: the compiler puts what is seldom run away from the rest (.cold). The
 * index has the first part of each; of code in another libdw tells the function by a walk over the
 * unit. Here one walk lists the parts of all its functions.
 */
#include <dwarf.h>

#include "target/dwarf.h"

#define MAX_DEPTH 32 /* of functions in functions, types and namespaces */

struct part {
	Dwarf_Addr low, high;
	uint64_t die;
};

/* Of one unit. */
struct parts {
	VEC(struct part) list;
};

static void add_parts(struct dwarf *d, Dwarf_Die *subprogram, struct parts *ret)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	if (!dwarf_hasattr(subprogram, DW_AT_ranges))
		return;
	while ((at = dwarf_ranges(subprogram, at, &base, &low, &high)) > 0)
		vec_push(d->target->arena, &ret->list,
			 ((struct part){ low, high, dwarf_die_ref(d, subprogram) }));
}

/* May functions be within it? In the kernel, which is C, none are in bodies and types. */
static bool may_hold(const struct dwarf *d, int tag)
{
	return tag == DW_TAG_namespace ||
	       (d->object->kind == OBJECT_FILE &&
		(tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
		 tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		 tag == DW_TAG_union_type || tag == DW_TAG_module));
}

static void list_parts(struct dwarf *d, Dwarf_Die *parent, int depth, struct parts *ret)
{
	Dwarf_Die die;

	if (depth == MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			add_parts(d, &die, ret);
		if (may_hold(d, tag))
			list_parts(d, &die, depth + 1, ret);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* What is split off of a unit has its functions. */
static const struct parts *parts_of(struct dwarf *d, Dwarf_Die *unit)
{
	const void *key = (const void *)(uintptr_t)dwarf_die_ref(d, unit);
	struct parts *ret;
	Dwarf_Die split;
	uint8_t type;

	if (!d->parts.arena)
		map_init(&d->parts, d->target->arena);
	ret = map_get(&d->parts, key);
	if (ret)
		return ret;
	ret = arena_new(d->target->arena, struct parts);
	map_put(&d->parts, key, ret);
	if (!dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) &&
	    type == DW_UT_skeleton && split.cu)
		unit = &split;
	list_parts(d, unit, 0, ret);
	return ret;
}

bool dwarf_parted_around(struct dwarf *d, Dwarf_Die *unit, Dwarf_Addr addr, Dwarf_Die *ret)
{
	const struct parts *parts = parts_of(d, unit);

	vec_foreach(p, &parts->list)
		if (addr >= p->low && addr < p->high)
			return dwarf_die_at(d, p->die, ret);
	return false;
}
