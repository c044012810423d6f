/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building the index of an executable or a shared library from its ELF file (ET_EXEC, ET_DYN):
 * symbols of .symtab and .dynsym, at link-time addresses. What the dynamic linker can find
 * (.dynsym, defined, not local) is exported. A stripped file whose package kept the names of
 * functions has them in .gnu_debugdata, an ELF file in an xz stream.
 */
#include <stdlib.h>
#include <string.h>

#include "target/index_builder.h"
#include "unpack/kernel_image.h"

/*
 * Bytes that the .gnu_debugdata of a file of LEN bytes may unpack to. It names functions that are
 * in the file: 24 bytes for each and a name, which for templates of C++ is longer than the code.
 */
#define SMALL_DEBUGINFO_MAX(len) ((32u << 20) + 4 * (size_t)(len))

/* A symbol table and its names, read in place. */
struct table {
	const Elf64_Sym *syms;
	size_t n;
	const char *names;
	size_t names_len;
};

/*
 * What one pass over a table needs. sections: the file whose section headers the symbols refer to.
 */
struct pass {
	struct builder *b;
	const struct image *sections;
	bool is_dynamic;
};

/* false when there is none, or its names are not terminated. */
static bool find_table(const struct image *img, const char *symbols, const char *strings,
		       struct table *ret)
{
	struct image_section symtab, strtab;

	if (!image_section(img, symbols, &symtab) || !image_section(img, strings, &strtab) ||
	    !symtab.data || !strtab.data || !strtab.size || strtab.data[strtab.size - 1] ||
	    (uintptr_t)symtab.data % _Alignof(Elf64_Sym))
		return false;
	*ret = (struct table){ .syms = (const Elf64_Sym *)symtab.data,
			       .n = symtab.size / sizeof(Elf64_Sym),
			       .names = (const char *)strtab.data,
			       .names_len = strtab.size };
	return true;
}

/*
 * The symbols of MiniDebugInfo; false: there are none, and *unused tells why when they cannot be
 * unpacked. RET is to be closed.
 */
static bool open_small_debuginfo(const struct image *img, struct image *ret, struct table *table,
				 struct error **unused)
{
	struct image_section s;
	char *bytes;
	size_t len;

	*unused = NULL;
	if (!image_section(img, ".gnu_debugdata", &s) || !s.data)
		return false;
	*unused = kernel_image_inflate_to(s.data, s.size, 0, SMALL_DEBUGINFO_MAX(img->map.len),
					  &bytes, &len);
	if (!*unused)
		*unused = image_open_memory(bytes, len, "what it unpacks to", ret);
	if (*unused)
		return false;
	if (find_table(ret, ".symtab", ".strtab", table))
		return true;
	image_close(ret);
	return false;
}

static void each_function(const struct table *t,
			  void (*each)(void *arg, const char *name, uint64_t addr, uint64_t size),
			  void *arg)
{
	for (size_t i = 1; i < t->n; i++) {
		const Elf64_Sym *sym = &t->syms[i];
		int type = ELF64_ST_TYPE(sym->st_info);

		if ((type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_value && sym->st_size &&
		    sym->st_shndx != SHN_UNDEF && sym->st_size < UINT32_MAX)
			each(arg, sym->st_name < t->names_len ? t->names + sym->st_name : "",
			     sym->st_value, sym->st_size);
	}
}

void file_each_function(const struct image *img,
			void (*each)(void *arg, const char *name, uint64_t addr, uint64_t size),
			void *arg)
{
	struct image small;
	struct error *unused;
	struct table t;

	if (find_table(img, ".symtab", ".strtab", &t)) {
		each_function(&t, each, arg);
		return;
	}
	if (find_table(img, ".dynsym", ".dynstr", &t))
		each_function(&t, each, arg);
	if (open_small_debuginfo(img, &small, &t, &unused)) {
		each_function(&t, each, arg);
		image_close(&small);
	}
	error_destroy(unused);
}

static bool find_thread_local(const struct table *t, const char *name, uint64_t *offset)
{
	for (size_t i = 1; i < t->n; i++) {
		const Elf64_Sym *sym = &t->syms[i];

		if (ELF64_ST_TYPE(sym->st_info) != STT_TLS || sym->st_shndx == SHN_UNDEF ||
		    sym->st_name >= t->names_len || strcmp(t->names + sym->st_name, name))
			continue;
		*offset = sym->st_value;
		return true;
	}
	return false;
}

bool file_thread_local(const struct image *img, const char *name, uint64_t *offset)
{
	struct table t;

	return (find_table(img, ".dynsym", ".dynstr", &t) && find_thread_local(&t, name, offset)) ||
	       (find_table(img, ".symtab", ".strtab", &t) && find_thread_local(&t, name, offset));
}

/* "memcpy" of "memcpy@@GLIBC_2.14": the version is not part of the name. */
static const char *plain_name(struct builder *b, const char *name)
{
	size_t n = strcspn(name, "@");

	return n && name[n] ? arena_strndup(b->arena, name, n) : name;
}

static uint32_t flags_of(const struct pass *p, const Elf64_Sym *sym)
{
	int type = ELF64_ST_TYPE(sym->st_info);
	bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
	struct image_section s;
	uint32_t flags = is_function ? SYMBOL_FUNCTION : 0;

	if (type == STT_GNU_IFUNC)
		flags |= SYMBOL_CHOOSES;

	if (is_function ||
	    (type == STT_NOTYPE && sym->st_shndx < SHN_LORESERVE &&
	     image_section_index(p->sections, sym->st_shndx, &s) && s.flags & SHF_EXECINSTR))
		flags |= SYMBOL_TEXT;
	if (p->is_dynamic && ELF64_ST_BIND(sym->st_info) != STB_LOCAL)
		flags |= SYMBOL_EXPORTED;
	return flags;
}

/* Those that are defined here and stand for code or data. */
static void collect(const struct pass *p, const struct table *t)
{
	for (size_t i = 1; i < t->n; i++) {
		const Elf64_Sym *sym = &t->syms[i];
		int type = ELF64_ST_TYPE(sym->st_info);
		struct symbol s = { .addr = sym->st_value };

		if (sym->st_name >= t->names_len || !t->names[sym->st_name] || !sym->st_value ||
		    sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE ||
		    (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE &&
		     type != STT_GNU_IFUNC))
			continue;
		s.name = plain_name(p->b, t->names + sym->st_name);
		s.flags = flags_of(p, sym);
		vec_push(p->b->arena, &p->b->symbols, s);
	}
}

/*
 * Its sections are at the same addresses as ours. What cannot be unpacked is as good as not there;
 * *unused tells why.
 */
static void collect_small_debuginfo(struct builder *b, const struct image *img,
				    struct error **unused)
{
	size_t first = b->symbols.n;
	struct image small;
	struct table t;
	struct pass p = { .b = b, .sections = &small };

	if (!open_small_debuginfo(img, &small, &t, unused))
		return;
	collect(&p, &t);
	/* the names end with the image */
	for (size_t i = first; i < b->symbols.n; i++)
		b->symbols.data[i].name = arena_strdup(b->arena, b->symbols.data[i].name);
	image_close(&small);
}

/* Of one symbol in several tables one is kept, with the flags of all. Requires them sorted. */
static void merge(struct builder *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->symbols.n; i++) {
		struct symbol *last = kept ? &b->symbols.data[kept - 1] : NULL;

		if (last && last->addr == b->symbols.data[i].addr &&
		    !strcmp(last->name, b->symbols.data[i].name))
			last->flags |= b->symbols.data[i].flags;
		else
			b->symbols.data[kept++] = b->symbols.data[i];
	}
	b->symbols.n = kept;
	vec_foreach(s, &b->symbols)
		if (builder_is_several(b, s))
			s->flags |= SYMBOL_SEVERAL;
}

/* By them a debug file is told from one of another layout. */
static void collect_sections(struct builder *b, const struct image *img)
{
	for (size_t i = 1; i < img->n_sections; i++) {
		struct image_section s;

		if (image_section_index(img, i, &s) && s.flags & SHF_ALLOC)
			vec_push(b->arena, &b->sections,
				 ((struct builder_section){ .name = s.name,
							    .addr = s.addr,
							    .size = s.size,
							    .flags = s.flags }));
	}
}

bool file_has_all_symbols(const struct image *img)
{
	struct table t;

	return find_table(img, ".symtab", ".strtab", &t);
}

/* A file without any symbols has an index too: debug information, or an address, may do. */
struct error *index_build_file(const struct image *img, const struct image *names,
			       uint64_t identity, char **ret, size_t *len, struct error **unused)
{
	struct builder b = { .image = img, .arena = arena_create(), .identity = identity };
	struct pass p = { .b = &b, .sections = img };
	struct table t;

	*unused = NULL;
	if (!file_has_all_symbols(img) && names)
		p.sections = names;
	if (find_table(p.sections, ".symtab", ".strtab", &t))
		collect(&p, &t);
	else
		collect_small_debuginfo(&b, img, unused);
	p.sections = img;
	p.is_dynamic = true;
	if (find_table(img, ".dynsym", ".dynstr", &t))
		collect(&p, &t);
	if (b.symbols.n)
		builder_sort_symbols(&b);
	merge(&b);
	collect_sections(&b, img);
	builder_debuglink(&b);
	*ret = builder_write(&b, len);
	arena_destroy(b.arena);
	return NULL;
}
