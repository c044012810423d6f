/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building the index of a module from its ELF file (ET_REL): symbols from .symtab, which has every
 * local one too; what ftrace reaches from the relocations of __mcount_loc; what kprobes must not
 * touch from the sections that kernel/kprobes.c refuses (add_module_kprobe_blacklist) and the
 * relocations of _kprobe_blacklist; what it exports and its tracepoints from those of their tables;
 * types from split BTF.
 */
#include <string.h>

#include "target/index_builder.h"

/* The builder, and the module's symbol table, read in place. */
struct module_builder {
	struct builder b;
	const struct image *image;
	const Elf64_Sym *syms;
	size_t n_syms;
	const char *names;
	size_t names_len;
};

/* Code that no probe may be in: see include/asm-generic/vmlinux.lds.h and kernel/kprobes.c. */
static const char *const forbidden_sections[] = { ".kprobes.text", ".noinstr.text", ".entry.text",
						  ".cpuidle.text" };
/* Executable, but patched in place or copied elsewhere: no function is called there by name. */
static const char *const patch_sections[] = { ".altinstr_replacement", ".static_call.text" };

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}
#define IS_ONE_OF(name, list) is_one_of(name, list, sizeof(list) / sizeof(*(list)))

/* In the order of their headers, which is that of their addresses. */
static void collect_sections(struct module_builder *m)
{
	for (size_t i = 1; i < m->image->n_sections; i++) {
		struct image_section s;

		if (image_section_index(m->image, i, &s) && s.flags & SHF_ALLOC)
			vec_push(m->b.arena, &m->b.sections,
				 ((struct builder_section){ .name = s.name,
							    .addr = s.addr,
							    .size = s.size,
							    .flags = s.flags }));
	}
}

/* The address SYM stands for in our layout; 0: it is none of this file. */
static uint64_t symbol_addr(const struct module_builder *m, const Elf64_Sym *sym,
			    struct image_section *section)
{
	if (sym->st_shndx >= SHN_LORESERVE ||
	    !image_section_index(m->image, sym->st_shndx, section) ||
	    !(section->flags & SHF_ALLOC) || sym->st_value > section->size)
		return 0;
	return section->addr + sym->st_value;
}

/* What the section and the symbol's own type say; the rest is set_flags(). */
static uint32_t symbol_flags(const Elf64_Sym *sym, const struct image_section *section)
{
	uint32_t flags = ELF64_ST_TYPE(sym->st_info) == STT_FUNC ? SYMBOL_FUNCTION : 0;

	if (section->flags & SHF_EXECINSTR && !IS_ONE_OF(section->name, patch_sections))
		flags |= SYMBOL_TEXT;
	if (IS_ONE_OF(section->name, forbidden_sections))
		flags |= SYMBOL_FORBIDDEN;
	return flags;
}

/* Those of code, data and labels that lie in a section of the module. */
static void collect_symbols(struct module_builder *m)
{
	for (size_t i = 1; i < m->n_syms; i++) {
		const Elf64_Sym *sym = &m->syms[i];
		struct image_section section;
		struct symbol s = { 0 };
		int type = ELF64_ST_TYPE(sym->st_info);

		if (sym->st_name >= m->names_len ||
		    (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE))
			continue;
		s.addr = symbol_addr(m, sym, &section);
		s.name = m->names + sym->st_name;
		if (!s.addr || !*s.name)
			continue;
		s.flags = symbol_flags(sym, &section);
		vec_push(m->b.arena, &m->b.symbols, s);
	}
}

/* What the relocations of section NAME point to is added to RET, without order. */
static void add_relocated(struct module_builder *m, const char *name, struct addresses *ret)
{
	const char *rela = arena_printf(m->b.arena, ".rela%s", name);
	struct image_section s, section;

	if (!image_section(m->image, rela, &s) || !s.data)
		return;
	for (size_t i = 0; i < s.size / sizeof(Elf64_Rela); i++) {
		const Elf64_Rela *r = (const Elf64_Rela *)s.data + i;
		size_t sym = ELF64_R_SYM(r->r_info);
		uint64_t addr = sym < m->n_syms ? symbol_addr(m, &m->syms[sym], &section) : 0;

		if (addr)
			vec_push(m->b.arena, ret, addr + r->r_addend);
	}
}

/* The table of addresses that the kernel will find in section NAME. */
static struct addresses relocated_table(struct module_builder *m, const char *name)
{
	struct addresses ret = { 0 };

	add_relocated(m, name, &ret);
	addresses_sort(&ret);
	return ret;
}

/*
 * What struct kernel_symbol of <linux/export.h> points to: the symbol, and its name, which no
 * function begins at.
 */
static struct addresses exported_addresses(struct module_builder *m)
{
	struct addresses ret = { 0 };

	add_relocated(m, "__ksymtab", &ret);
	add_relocated(m, "__ksymtab_gpl", &ret);
	addresses_sort(&ret);
	return ret;
}

/*
 * module_init() makes a second name for its function (include/linux/module.h); a pattern is to find
 * it once.
 */
static bool is_alias(const struct builder *b, const struct symbol *s)
{
	if (strcmp(s->name, "init_module") && strcmp(s->name, "cleanup_module"))
		return false;
	vec_foreach(other, &b->symbols)
		if (other != s && other->addr == s->addr && other->flags & SYMBOL_FUNCTION)
			return true;
	return false;
}

/* As builder_set_flags(), for symbols whose section has been looked at already. */
static void set_flags(struct builder *b)
{
	vec_foreach(s, &b->symbols) {
		if (builder_is_several(b, s))
			s->flags |= SYMBOL_SEVERAL;
		if (!(s->flags & SYMBOL_TEXT))
			continue;
		if (is_alias(b, s))
			s->flags |= SYMBOL_ALIAS;
		/* the call of __fentry__ comes first, or behind a 4-byte ENDBR */
		if (addresses_have(&b->traceable, s->addr, 4))
			s->flags |= SYMBOL_TRACEABLE;
		if (addresses_have(&b->exported, s->addr, 0))
			s->flags |= SYMBOL_EXPORTED;
		if (addresses_have(&b->blacklist, s->addr, 0))
			s->flags |= SYMBOL_FORBIDDEN;
		if (builder_is_in_btf(b, s))
			s->flags |= SYMBOL_IN_BTF;
	}
}

/* Types that cannot be read cost the types, not the module: the index says why. */
static void collect_types(struct module_builder *m, const struct index_types *base)
{
	struct image_section s;
	unsigned char *bytes;
	struct error *err;

	if (!base || !image_section(m->image, ".BTF", &s) || !s.data)
		return;
	bytes = arena_alloc(m->b.arena, s.size); /* the section may begin anywhere */
	memcpy(bytes, s.data, s.size);
	err = btf_open(bytes, s.size, base->btf, NULL, 0, m->b.arena, &m->b.btf);
	if (err) {
		m->b.problem = arena_strdup(m->b.arena, err->text);
		error_destroy(err);
		return;
	}
	m->b.btf_bytes = bytes;
	m->b.btf_len = s.size;
	m->b.n_btf_names = btf_names(&m->b.btf, m->b.arena, &m->b.btf_names);
}

/* false when there is none, or its names are not terminated. */
static bool find_symbol_table(struct module_builder *m)
{
	struct image_section symtab, strtab;

	if (!image_section(m->image, ".symtab", &symtab) ||
	    !image_section(m->image, ".strtab", &strtab) || !symtab.data || !strtab.data ||
	    !strtab.size || strtab.data[strtab.size - 1])
		return false;
	m->syms = (const Elf64_Sym *)symtab.data;
	m->n_syms = symtab.size / sizeof(Elf64_Sym);
	m->names = (const char *)strtab.data;
	m->names_len = strtab.size;
	return true;
}

/*
 * What a relocation puts at ADDR of the module's data: a pointer to something of its own. Of the
 * builder of a module_builder.
 */
static bool pointer_at(const struct builder *b, uint64_t addr, uint64_t *ret)
{
	const struct module_builder *m = (const struct module_builder *)b;
	struct image_section holder, rela, section;

	if (!image_section_holding(b->image, addr, &holder) ||
	    !image_section(b->image, arena_printf(b->arena, ".rela%s", holder.name), &rela) ||
	    !rela.data)
		return false;
	for (size_t i = 0; i < rela.size / sizeof(Elf64_Rela); i++) {
		const Elf64_Rela *r = (const Elf64_Rela *)rela.data + i;
		size_t sym = ELF64_R_SYM(r->r_info);

		if (r->r_offset != addr - holder.addr || sym >= m->n_syms)
			continue;
		*ret = symbol_addr(m, &m->syms[sym], &section);
		*ret += *ret ? r->r_addend : 0;
		return *ret != 0;
	}
	return false;
}

bool index_has_tracepoints(const struct image *img)
{
	struct image_section s;

	return image_section(img, "__tracepoints_ptrs", &s) && s.size;
}

static void collect_tracepoints(struct module_builder *m, const struct index_types *base)
{
	static const struct index_types none = { 0 };
	const struct addresses events = relocated_table(m, "_ftrace_events");
	const struct addresses all = relocated_table(m, "__tracepoints_ptrs");

	builder_collect_tracepoints(&m->b, base ? base : &none, pointer_at, &events, &all);
}

struct error *index_build_module(const struct image *img, uint64_t identity,
				 const struct index_types *base, char **ret, size_t *len)
{
	struct module_builder m = {
		.b = { .image = img, .arena = arena_create(), .identity = identity }, .image = img
	};

	if (!find_symbol_table(&m)) {
		arena_destroy(m.b.arena);
		return error_create("it has no symbol table, or a damaged one");
	}
	collect_sections(&m);
	collect_symbols(&m);
	if (m.b.symbols.n)
		builder_sort_symbols(&m.b);
	collect_types(&m, base);
	m.b.traceable = relocated_table(&m, "__mcount_loc");
	if (!m.b.traceable.n) /* arm64: scripts/module.lds.S has the table under this name */
		m.b.traceable = relocated_table(&m, "__patchable_function_entries");
	m.b.exported = exported_addresses(&m);
	m.b.blacklist = relocated_table(&m, "_kprobe_blacklist");
	set_flags(&m.b);
	if (index_has_tracepoints(img))
		collect_tracepoints(&m, base);
	builder_debuglink(&m.b);
	*ret = builder_write(&m.b, len);
	arena_destroy(m.b.arena);
	return NULL;
}
