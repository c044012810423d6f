/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the dynamic linker is told by a program: libraries it needs (System V gABI, chapter 5,
 * "Dynamic Section"), and the functions that it calls through its procedure linkage table. An entry
 * of that jumps through a word, and a relocation of that word has the function's symbol.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "target/decode.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/objects.h"
#include "runtime/uapi/dynamic_sum.h"

#define DEFAULT_ENTRY_SIZE 16

/* ---- the dynamic section ---- */

/* The string at an offset of a section; NULL: it is not terminated there. */
static const char *string_at(const struct image_section *s, uint64_t at)
{
	return s->data && at < s->size && memchr(s->data + at, '\0', s->size - at)
		       ? (const char *)s->data + at
		       : NULL;
}

void target_file_dynamic(const struct target_object *o, struct target_dynamic *ret)
{
	struct image_section dynamic, strings;

	*ret = (struct target_dynamic){ 0 };
	if (!image_section(&o->image, ".dynamic", &dynamic) || !dynamic.data ||
	    !image_section(&o->image, ".dynstr", &strings))
		return;
	for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.size; at += sizeof(Elf64_Dyn)) {
		Elf64_Dyn d;
		const char *text;

		memcpy(&d, dynamic.data + at, sizeof(d));
		if (d.d_tag == DT_NULL)
			return;
		text = string_at(&strings, d.d_un.d_val);
		if (text && d.d_tag == DT_NEEDED)
			vec_push(o->target->arena, &ret->needed, text);
		else if (text && (d.d_tag == DT_RUNPATH || d.d_tag == DT_RPATH))
			ret->path = text;
		/* linkers give DT_DEBUG to programs alone */
		ret->is_program |=
			d.d_tag == DT_DEBUG || (d.d_tag == DT_FLAGS_1 && d.d_un.d_val & DF_1_PIE);
	}
}

void file_dynamic_sum(const struct target_object *o, uint64_t *addr, uint64_t *sum)
{
	struct image_section dynamic;

	if (!image_section(&o->image, ".dynamic", &dynamic) || !dynamic.data)
		return;
	*addr = dynamic.addr;
	for (uint64_t i = 0; i < STP_DYNAMIC_MAX && (i + 1) * sizeof(Elf64_Dyn) <= dynamic.size;
	     i++) {
		Elf64_Dyn d;

		memcpy(&d, dynamic.data + i * sizeof(d), sizeof(d));
		if (d.d_tag == DT_NULL)
			return;
		if (d.d_tag != DT_DEBUG)
			*sum = stp_dynamic_sum(*sum, (uint64_t)d.d_tag, d.d_un.d_val);
	}
}

bool target_file_has_thread_local(const struct target_object *o, const char *name)
{
	uint64_t offset;

	return file_thread_local(&o->image, name, &offset);
}

bool target_file_is_decoded(const struct target_object *o)
{
	return decoder_knows(object_machine(o));
}

bool target_file_is_program(const struct target_object *o)
{
	struct target_dynamic dynamic;

	target_file_dynamic(o, &dynamic);
	return o->image.ehdr->e_type == ET_EXEC || dynamic.is_program;
}

bool target_file_throws(const struct target_object *o)
{
	/* the last is the unwinder itself, which Rust's programs need for panics */
	static const char *const libraries[] = { "libstdc++.so.*", "libc++.so.*", "libc++abi.so.*",
						 "libgcc_s.so.*" };
	struct target_dynamic dynamic;
	struct image_section unused;

	target_file_dynamic(o, &dynamic);
	vec_foreach(name, &dynamic.needed)
		for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
			if (!fnmatch(libraries[i], *name, 0))
				return true;
	/*
	 * the unwinder, and what that calls for each frame: the library's own, or linked in; with
	 * symbols stripped, what compilers leave for the latter in any language
	 */
	return image_section(&o->image, ".gcc_except_table", &unused) ||
	       index_find(&o->index, "_Unwind_RaiseException") ||
	       index_find(&o->index, "__gxx_personality_v0") ||
	       index_find(&o->index, "rust_eh_personality");
}

/* Does it take a function of one of those names from a library? */
static bool imports(const struct target_object *o, const char *const *names, size_t n)
{
	struct image_section symbols, strings;

	if (!image_section(&o->image, ".dynsym", &symbols) || !symbols.data ||
	    !image_section(&o->image, ".dynstr", &strings))
		return false;
	for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size; at += sizeof(Elf64_Sym)) {
		Elf64_Sym sym;
		const char *name;

		memcpy(&sym, symbols.data + at, sizeof(sym));
		name = sym.st_shndx == SHN_UNDEF ? string_at(&strings, sym.st_name) : NULL;
		for (size_t i = 0; name && i < n; i++)
			if (!strcmp(name, names[i]))
				return true;
	}
	return false;
}

bool target_file_switches_stacks(const struct target_object *o)
{
	/* the last is what a stack of makecontext() ends with, in the C library or linked in */
	static const char *const names[] = { "swapcontext", "setcontext", "makecontext",
					     "__start_context" };
	const size_t n = sizeof(names) / sizeof(*names);

	for (size_t i = 0; i < n; i++)
		if (index_find(&o->index, names[i]))
			return true;
	return imports(o, names, n);
}

/* ---- the procedure linkage table ---- */

/* A word that the dynamic linker puts an address into: NAME's, or what CHOOSER answers. */
struct slot {
	uint64_t addr, chooser;
	const char *name;
};

struct plt {
	const struct target_object *object;
	const char *pattern;    /* NULL: the entries without a name */
	VEC(struct slot) slots; /* by address */
	struct target_plt *ret;
};

/* The name of a relocation's symbol, by the section's links; NULL: it has none. */
static const char *symbol_name(const struct image *img, const Elf64_Shdr *rela, uint64_t number)
{
	struct image_section symbols, strings;
	Elf64_Sym sym;

	if (!number || !image_section_index(img, rela->sh_link, &symbols) || !symbols.data ||
	    number >= symbols.size / sizeof(sym) ||
	    !image_section_index(img, img->sections[rela->sh_link].sh_link, &strings))
		return NULL;
	memcpy(&sym, symbols.data + number * sizeof(sym), sizeof(sym));
	return string_at(&strings, sym.st_name);
}

static void add_slots(struct plt *p, const char *section)
{
	const uint32_t to_chosen = object_machine(p->object)->to_chosen;
	const struct image *img = &p->object->image;
	struct image_section s;

	if (!image_section(img, section, &s) || !s.data)
		return;
	for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= s.size; at += sizeof(Elf64_Rela)) {
		struct slot slot = { 0 };
		Elf64_Rela r;

		memcpy(&r, s.data + at, sizeof(r));
		slot.addr = r.r_offset;
		if (p->pattern)
			slot.name =
				symbol_name(img, &img->sections[s.index], ELF64_R_SYM(r.r_info));
		else if (to_chosen && ELF64_R_TYPE(r.r_info) == to_chosen)
			slot.chooser = (uint64_t)r.r_addend;
		if (slot.chooser || (slot.name && *slot.name))
			vec_push(p->object->target->arena, &p->slots, slot);
	}
}

static int slot_cmp(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static const struct slot *slot_at(const struct plt *p, uint64_t addr)
{
	struct slot key = { .addr = addr };

	return p->slots.n ? bsearch(&key, p->slots.data, p->slots.n, sizeof(key), slot_cmp) : NULL;
}

/* The word that an entry of SIZE bytes at ADDR jumps through; NULL: it is no such entry. */
static const struct slot *slot_of(const struct plt *p, const unsigned char *code, uint64_t size,
				  uint64_t addr)
{
	const struct machine *m = object_machine(p->object);
	size_t len = m->n_plt_jump + sizeof(int32_t);

	for (uint64_t at = 0; m->n_plt_jump && at + len <= size; at++) {
		int32_t distance;

		if (memcmp(code + at, m->plt_jump, m->n_plt_jump))
			continue;
		memcpy(&distance, code + at + m->n_plt_jump, sizeof(distance));
		return slot_at(p, addr + at + len + (int64_t)distance);
	}
	return NULL;
}

static void add_entries(struct plt *p, const char *section)
{
	const struct image *img = &p->object->image;
	struct image_section s;
	uint64_t size;

	if (!image_section(img, section, &s) || !s.data)
		return;
	size = img->sections[s.index].sh_entsize;
	if (!size || size > DEFAULT_ENTRY_SIZE)
		size = DEFAULT_ENTRY_SIZE;
	for (uint64_t at = 0; at + size <= s.size; at += size) {
		struct target_plt_entry entry = { .addr = s.addr + at };
		const struct slot *slot = slot_of(p, s.data + at, size, entry.addr);

		if (!slot || (slot->name && fnmatch(p->pattern, slot->name, 0)))
			continue;
		entry.name = slot->name;
		entry.chooser = slot->chooser;
		vec_push(p->object->target->arena, p->ret, entry);
	}
}

static int entry_cmp(const void *a, const void *b)
{
	const struct target_plt_entry *x = a, *y = b;
	int c = x->name && y->name ? strcmp(x->name, y->name) : 0;

	return c ? c : x->addr < y->addr ? -1 : x->addr > y->addr;
}

void target_find_plt(const struct target_object *o, const char *name, struct target_plt *ret)
{
	struct plt p = { .object = o, .pattern = name, .ret = ret };

	*ret = (struct target_plt){ 0 };
	add_slots(&p, ".rela.plt");
	add_slots(&p, ".rela.dyn");
	if (p.slots.n)
		qsort(p.slots.data, p.slots.n, sizeof(*p.slots.data), slot_cmp);
	/*
	 * with landing pads, callers use .plt.sec, and what is in .plt jumps through no word of a
	 * symbol
	 */
	add_entries(&p, ".plt");
	add_entries(&p, ".plt.sec");
	add_entries(&p, ".plt.got");
	if (ret->n)
		qsort(ret->data, ret->n, sizeof(*ret->data), entry_cmp);
}
