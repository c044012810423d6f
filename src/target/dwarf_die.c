/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DIEs as numbers, over all files that debug information is spread over; see dwarf_file.h. */
#include <dwarf.h>
#include <stdlib.h>

#include "base/arena.h"
#include "target/dwarf_file.h"

#define OFFSET_BITS 40
#define OFFSET_MASK ((1ull << OFFSET_BITS) - 1)
#define PART_ALTERNATE 1u
#define PART_SPLIT 2u
#define PART_TYPES 0x8000u

/* The number among the split files; n_split: it is none of them. */
static size_t split_number(const struct dwarf_file *f, const Dwarf *dw)
{
	size_t i;

	for (i = 0; i < f->n_split && f->split[i] != dw; i++)
		;
	return i;
}

static void add_split(struct dwarf_file *f, Dwarf *dw)
{
	Dwarf **grown;

	if (split_number(f, dw) < f->n_split)
		return;
	grown = realloc(f->split, (f->n_split + 1) * sizeof(*grown));
	if (!grown)
		arena_out_of_memory();
	f->split = grown;
	f->split[f->n_split++] = dw;
}

/* Opens the files of all skeleton units; those that are not there are left out. */
static void list_split(struct dwarf_file *f)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	uint8_t type;

	if (f->has_split)
		return;
	f->has_split = true;
	while (dwarf_get_units(f->dw, cu, &cu, NULL, &type, &unit, &split) == 0)
		if (type == DW_UT_skeleton && split.cu)
			add_split(f, dwarf_cu_getdwarf(split.cu));
}

/* Only before DWARF 5 types with a signature have a section of their own. */
static bool is_in_types(const Dwarf_Die *die)
{
	Dwarf_Half version;
	uint8_t type;

	return !dwarf_cu_info(die->cu, &version, &type, NULL, NULL, NULL, NULL, NULL) &&
	       version < 5 && type == DW_UT_type;
}

uint64_t dwarf_file_ref(struct dwarf_file *f, Dwarf_Die *die)
{
	Dwarf *dw = dwarf_cu_getdwarf(die->cu);
	uint64_t part = 0;

	if (dw != f->dw && dw == dwarf_getalt(f->dw)) {
		part = PART_ALTERNATE;
	} else if (dw != f->dw) {
		list_split(f);
		part = PART_SPLIT + split_number(f, dw);
	}
	if (is_in_types(die))
		part |= PART_TYPES;
	return part << OFFSET_BITS | (dwarf_dieoffset(die) & OFFSET_MASK);
}

bool dwarf_file_die(struct dwarf_file *f, uint64_t ref, Dwarf_Die *ret)
{
	uint64_t part = ref >> OFFSET_BITS & ~(uint64_t)PART_TYPES;
	bool types = ref >> OFFSET_BITS & PART_TYPES;
	Dwarf *dw = f->dw;

	if (part == PART_ALTERNATE) {
		dw = dwarf_getalt(f->dw);
	} else if (part >= PART_SPLIT) {
		list_split(f);
		if (part - PART_SPLIT >= f->n_split)
			return false;
		dw = f->split[part - PART_SPLIT];
	}
	if (!ref || !dw)
		return false;
	return (types ? dwarf_offdie_types : dwarf_offdie)(dw, ref & OFFSET_MASK, ret) != NULL;
}

bool dwarf_declared_number(Dwarf_Die *die, Dwarf_Die *unit, Dwarf_Word *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Half version;

	return !dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), ret) &&
	       dwarf_cu_die(attr.cu, unit, &version, NULL, NULL, NULL, NULL, NULL) &&
	       (*ret || version >= 5);
}

bool dwarf_is_of_language(struct dwarf_file *f, Dwarf_Die *die, int language)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int own = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : 0;

	if (own > 0)
		return own == language;
	while (dwarf_get_units(f->dw, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		if (dwarf_srclang(&unit) == language)
			return true;
	return false;
}

int dwarf_language(struct dwarf_file *f, Dwarf_Die *die)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int ret = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : 0;

	while (ret <= 0 && dwarf_get_units(f->dw, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		ret = dwarf_srclang(&unit);
	return ret;
}

/* Where its code begins: the first part that is listed (DWARF 5, 2.18). 0: it has none. */
static uint64_t first_part(Dwarf_Die *die)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &begin, &end)) > 0)
		if (begin < end)
			return begin;
	return 0;
}

/* GCC may have the entry of a copy where it has no instruction, in an empty part. */
uint64_t dwarf_entry(Dwarf_Die *die)
{
	Dwarf_Addr entry;
	uint64_t other;

	if (dwarf_entrypc(die, &entry))
		return first_part(die);
	other = dwarf_haspc(die, entry) == 1 ? 0 : first_part(die);
	return other ? other : entry;
}

Dwarf_Line *dwarf_entry_row(Dwarf_Die *die)
{
	uint64_t pc = dwarf_entry(die);
	Dwarf_Die unit;

	return pc && dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_getsrc_die(&unit, pc) : NULL;
}

const char *dwarf_declared_in(Dwarf_Die *die)
{
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t n;

	if (!dwarf_declared_number(die, &unit, &number) || dwarf_getsrcfiles(&unit, &files, &n) ||
	    number >= n)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

const char *dwarf_called_in(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t n;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &number) ||
	    !dwarf_diecu(die, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &n) ||
	    number >= n)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}
