/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading relocatable ELF files. All bounds are checked in object_open(); what is checked there
 * is what the other functions rely on.
 */
#include "module/object.h"

#include <elf.h>
#include <string.h>

static const Elf64_Ehdr *header(const struct object *o)
{
	return (const Elf64_Ehdr *)o->map.data;
}

static const Elf64_Shdr *section(const struct object *o, unsigned i)
{
	return (const Elf64_Shdr *)(o->map.data + header(o)->e_shoff) + i;
}

/* Do len bytes at off lie in the file? Without overflow. */
static bool within(const struct object *o, uint64_t off, uint64_t len)
{
	return off <= o->map.len && len <= o->map.len - off;
}

/* A string table ends in a NUL, so any name that starts in it ends in it. */
static bool good_strings(const struct object *o, const Elf64_Shdr *s)
{
	return s->sh_type == SHT_STRTAB && s->sh_size &&
	       !o->map.data[s->sh_offset + s->sh_size - 1];
}

/* Contents inside the file; of a symbol table also its entries and strings. */
static bool good_section(const struct object *o, const Elf64_Shdr *s, unsigned n)
{
	if (s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL)
		return true;
	if (!within(o, s->sh_offset, s->sh_size))
		return false;
	if (s->sh_type != SHT_SYMTAB)
		return true;
	return s->sh_entsize == sizeof(Elf64_Sym) && s->sh_offset % 8 == 0 && s->sh_link < n &&
	       within(o, section(o, s->sh_link)->sh_offset, section(o, s->sh_link)->sh_size) &&
	       good_strings(o, section(o, s->sh_link));
}

static bool good(const struct object *o)
{
	const Elf64_Ehdr *h = header(o);

	if (o->map.len < sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG) ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_type != ET_REL || h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff % 8 ||
	    !within(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)) ||
	    h->e_shstrndx >= h->e_shnum)
		return false;
	for (unsigned i = 0; i < h->e_shnum; i++)
		if (!good_section(o, section(o, i), h->e_shnum))
			return false;
	return good_strings(o, section(o, h->e_shstrndx));
}

struct error *object_open(const char *path, struct object *ret)
{
	struct object o = { .path = path };
	struct error *err = file_map_open(path, &o.map);

	if (err)
		return err;
	if (!good(&o)) {
		object_close(&o);
		return error_create("%s is not a relocatable 64-bit ELF file", path);
	}
	*ret = o;
	return NULL;
}

void object_close(struct object *o)
{
	file_map_close(&o->map);
}

void object_symbols(const struct object *o, void (*each)(void *arg, const char *name, bool defined),
		    void *arg)
{
	for (unsigned i = 0; i < header(o)->e_shnum; i++) {
		const Elf64_Shdr *s = section(o, i), *strings;
		const Elf64_Sym *sym;
		size_t n;

		if (s->sh_type != SHT_SYMTAB)
			continue;
		strings = section(o, s->sh_link);
		sym = (const Elf64_Sym *)(o->map.data + s->sh_offset);
		for (n = s->sh_size / sizeof(*sym); n--; sym++) {
			bool defined = sym->st_shndx != SHN_UNDEF;

			if (!sym->st_name || sym->st_name >= strings->sh_size ||
			    ELF64_ST_BIND(sym->st_info) == STB_LOCAL ||
			    (!defined && ELF64_ST_BIND(sym->st_info) == STB_WEAK))
				continue;
			each(arg, (const char *)o->map.data + strings->sh_offset + sym->st_name,
			     defined);
		}
	}
}

const unsigned char *object_section(const struct object *o, const char *name, size_t *len)
{
	const Elf64_Shdr *names = section(o, header(o)->e_shstrndx);

	for (unsigned i = 0; i < header(o)->e_shnum; i++) {
		const Elf64_Shdr *s = section(o, i);

		if (s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL ||
		    s->sh_name >= names->sh_size ||
		    strcmp((const char *)o->map.data + names->sh_offset + s->sh_name, name))
			continue;
		*len = s->sh_size;
		return o->map.data + s->sh_offset;
	}
	return NULL;
}

void object_modinfo(const struct object *o, void (*each)(void *arg, const char *item), void *arg)
{
	size_t len, at = 0;
	const char *info = (const char *)object_section(o, ".modinfo", &len);

	if (!info || !len || info[len - 1])
		return;
	while (at < len) {
		if (info[at])
			each(arg, info + at);
		at += strlen(info + at) + 1;
	}
}
