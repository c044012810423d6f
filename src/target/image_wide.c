/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image_wide.h: each structure is copied member by member. */
#include "target/image_wide.h"

#include <stdlib.h>
#include <string.h>

static void widen_symbol(const void *from, void *to)
{
	const Elf32_Sym *s = from;

	*(Elf64_Sym *)to = (Elf64_Sym){ .st_name = s->st_name,
					.st_info = s->st_info,
					.st_other = s->st_other,
					.st_shndx = s->st_shndx,
					.st_value = s->st_value,
					.st_size = s->st_size };
}

static void widen_dynamic(const void *from, void *to)
{
	const Elf32_Dyn *d = from;

	*(Elf64_Dyn *)to = (Elf64_Dyn){ .d_tag = d->d_tag, .d_un.d_val = d->d_un.d_val };
}

/* Sections that are tables. */
static const struct table {
	uint32_t type;         /* SHT_* */
	uint32_t narrow, wide; /* bytes of an entry */
	void (*widen)(const void *from, void *to);
} tables[] = {
	{ SHT_SYMTAB, sizeof(Elf32_Sym), sizeof(Elf64_Sym), widen_symbol },
	{ SHT_DYNSYM, sizeof(Elf32_Sym), sizeof(Elf64_Sym), widen_symbol },
	{ SHT_DYNAMIC, sizeof(Elf32_Dyn), sizeof(Elf64_Dyn), widen_dynamic },
};
#define N_TABLES (sizeof(tables) / sizeof(*tables))

struct image_wide {
	Elf64_Ehdr ehdr;
	Elf64_Shdr *sections;
	Elf64_Phdr *segments;
	/*
	 * of each row of tables[]: the entries of the first such section, and which that is; 0:
	 * there is none
	 */
	unsigned char *entries[N_TABLES];
	size_t index[N_TABLES];
};

/* LEN bytes at OFF of the file, aligned as its structures are; NULL when they are not all there. */
static const void *at_offset(const struct image *img, uint64_t off, uint64_t len)
{
	if (off % 4 || off > img->map.len || len > img->map.len - off)
		return NULL;
	return img->map.data + off;
}

static void widen_header(const Elf32_Ehdr *e, Elf64_Ehdr *ret)
{
	*ret = (Elf64_Ehdr){ .e_type = e->e_type,
			     .e_machine = e->e_machine,
			     .e_version = e->e_version,
			     .e_entry = e->e_entry,
			     .e_phoff = e->e_phoff,
			     .e_shoff = e->e_shoff,
			     .e_flags = e->e_flags,
			     .e_phnum = e->e_phnum,
			     .e_shnum = e->e_shnum,
			     .e_shstrndx = e->e_shstrndx };
	memcpy(ret->e_ident, e->e_ident, EI_NIDENT);
}

/* The section headers; NULL: they are not in the file, or *err says that there is no memory. */
static Elf64_Shdr *widen_sections(const struct image *img, const Elf32_Ehdr *e, struct error **err)
{
	const Elf32_Shdr *s = at_offset(img, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf32_Shdr));
	Elf64_Shdr *ret = s ? calloc(e->e_shnum + 1u, sizeof(*ret)) : NULL;

	if (s && !ret)
		*err = &error_no_memory;
	for (size_t i = 0; ret && i < e->e_shnum; i++)
		ret[i] = (Elf64_Shdr){ .sh_name = s[i].sh_name,
				       .sh_type = s[i].sh_type,
				       .sh_flags = s[i].sh_flags,
				       .sh_addr = s[i].sh_addr,
				       .sh_offset = s[i].sh_offset,
				       .sh_size = s[i].sh_size,
				       .sh_link = s[i].sh_link,
				       .sh_info = s[i].sh_info,
				       .sh_addralign = s[i].sh_addralign,
				       .sh_entsize = s[i].sh_entsize };
	return ret;
}

/* The program headers, in the same way. */
static Elf64_Phdr *widen_segments(const struct image *img, const Elf32_Ehdr *e, struct error **err)
{
	const Elf32_Phdr *p = at_offset(img, e->e_phoff, (uint64_t)e->e_phnum * sizeof(Elf32_Phdr));
	Elf64_Phdr *ret = p ? calloc(e->e_phnum + 1u, sizeof(*ret)) : NULL;

	if (p && !ret)
		*err = &error_no_memory;
	for (size_t i = 0; ret && i < e->e_phnum; i++)
		ret[i] = (Elf64_Phdr){ .p_type = p[i].p_type,
				       .p_flags = p[i].p_flags,
				       .p_offset = p[i].p_offset,
				       .p_vaddr = p[i].p_vaddr,
				       .p_paddr = p[i].p_paddr,
				       .p_filesz = p[i].p_filesz,
				       .p_memsz = p[i].p_memsz,
				       .p_align = p[i].p_align };
	return ret;
}

/*
 * The entries of one table, whose header then has their size; one that is not all in the file stays
 * as it is.
 */
static struct error *widen_table(const struct image *img, struct image_wide *w, size_t number,
				 size_t index)
{
	const struct table *t = &tables[number];
	Elf64_Shdr *s = &w->sections[index];
	const unsigned char *from = at_offset(img, s->sh_offset, s->sh_size);
	size_t n = s->sh_size / t->narrow;

	if (!from)
		return NULL;
	w->entries[number] = calloc(n + 1, t->wide);
	if (!w->entries[number])
		return &error_no_memory;
	for (size_t i = 0; i < n; i++)
		t->widen(from + i * t->narrow, w->entries[number] + i * t->wide);
	w->index[number] = index;
	s->sh_size = n * t->wide;
	s->sh_entsize = t->wide;
	return NULL;
}

static struct error *widen_tables(const struct image *img, struct image_wide *w)
{
	struct error *err = NULL;

	for (size_t i = 1; w->sections && i < w->ehdr.e_shnum && !err; i++)
		for (size_t t = 0; t < N_TABLES && !err; t++)
			if (w->sections[i].sh_type == tables[t].type && !w->entries[t])
				err = widen_table(img, w, t, i);
	return err;
}

struct error *image_widen(struct image *img)
{
	const Elf32_Ehdr *e = at_offset(img, 0, sizeof(*e));
	struct error *err = NULL;
	struct image_wide *w;

	if (!e || (e->e_type != ET_EXEC && e->e_type != ET_DYN))
		return NULL;
	w = calloc(1, sizeof(*w));
	if (!w)
		return &error_no_memory;
	img->wide = w;
	widen_header(e, &w->ehdr);
	w->sections = widen_sections(img, e, &err);
	if (!err)
		w->segments = widen_segments(img, e, &err);
	if (!err)
		err = widen_tables(img, w);
	img->ehdr = &w->ehdr;
	img->sections = w->sections;
	img->segments = w->segments;
	return err;
}

void image_wide_destroy(struct image_wide *w)
{
	if (!w)
		return;
	for (size_t t = 0; t < N_TABLES; t++)
		free(w->entries[t]);
	free(w->sections);
	free(w->segments);
	free(w);
}

const unsigned char *image_wide_section(const struct image_wide *w, size_t index)
{
	for (size_t t = 0; w && index && t < N_TABLES; t++)
		if (w->index[t] == index)
			return w->entries[t];
	return NULL;
}
