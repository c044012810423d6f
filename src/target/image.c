/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading an ELF image in place (image.h). Offsets and sizes come from the file, so each is checked
 * against its length before it is used; what does not fit is absent.
 */
#include "target/image.h"

#include <stdlib.h>
#include <string.h>

#include "target/image_wide.h"

/* Longer than any name in a kernel (KSYM_NAME_LEN is 512). */
#define STRING_LIMIT 4096

/* LEN bytes at OFF of the file, NULL when they are not all there. */
static const void *at_offset(const struct image *img, uint64_t off, uint64_t len)
{
	if (off > img->map.len || len > img->map.len - off)
		return NULL;
	return img->map.data + off;
}

/* "" when the header's offset is outside the names, which are terminated. */
static const char *section_name(const struct image *img, const Elf64_Shdr *s)
{
	return s->sh_name < img->section_names_len ? img->section_names + s->sh_name : "";
}

/* Of a relocatable file as lay_out() placed it; 0 when the section occupies no memory. */
static uint64_t section_addr(const struct image *img, const Elf64_Shdr *s)
{
	return img->layout ? img->layout[s - img->sections] : s->sh_addr;
}

/* Tables are read in place, as the gABI allows: it aligns them. */
static bool is_misaligned(const Elf64_Shdr *s)
{
	if (s->sh_type == SHT_NOTE)
		return s->sh_offset % 4;
	return (s->sh_type == SHT_SYMTAB || s->sh_type == SHT_RELA) && s->sh_offset % 8;
}

/* Fills *ret; false when bytes the section should have are not in the file. */
static bool section_data(const struct image *img, const Elf64_Shdr *s, struct image_section *ret)
{
	*ret = (struct image_section){ .addr = section_addr(img, s),
				       .size = s->sh_size,
				       .index = s - img->sections,
				       .flags = s->sh_flags,
				       .name = section_name(img, s) };
	if (s->sh_type == SHT_NOBITS)
		return true;
	ret->data = image_wide_section(img->wide, ret->index);
	if (ret->data)
		return true;
	if (is_misaligned(s))
		return false;
	ret->data = at_offset(img, s->sh_offset, s->sh_size);
	return ret->data != NULL;
}

bool image_section(const struct image *img, const char *name, struct image_section *ret)
{
	for (size_t i = 1; i < img->n_sections; i++)
		if (!strcmp(section_name(img, &img->sections[i]), name))
			return section_data(img, &img->sections[i], ret);
	return false;
}

bool image_has_debug_info(const struct image *img)
{
	struct image_section info;

	return (image_section(img, ".debug_info", &info) ||
		image_section(img, ".zdebug_info", &info)) &&
	       info.size;
}

bool image_section_index(const struct image *img, size_t index, struct image_section *ret)
{
	return index > 0 && index < img->n_sections &&
	       section_data(img, &img->sections[index], ret);
}

/*
 * Gives each section that occupies memory an address (image.h). Sections are apart by a byte at
 * least, so that the end of one is not the start of the next.
 */
static struct error *lay_out(struct image *img)
{
	uint64_t at = IMAGE_LAYOUT_BASE;

	img->layout = calloc(img->n_sections + 1, sizeof(*img->layout));
	if (!img->layout)
		return &error_no_memory;
	for (size_t i = 1; i < img->n_sections; i++) {
		const Elf64_Shdr *s = &img->sections[i];
		uint64_t align = s->sh_addralign ? s->sh_addralign : 1;

		if (!(s->sh_flags & SHF_ALLOC))
			continue;
		if (align & (align - 1) || align > 1 << 20 || s->sh_size > 1ull << 32)
			return error_create("section %s is damaged", section_name(img, s));
		at = (at + align - 1) & ~(align - 1);
		img->layout[i] = at;
		at += s->sh_size + 1;
	}
	return NULL;
}

static void find_build_id(struct image *img)
{
	for (size_t i = 1; i < img->n_sections && !img->has_build_id; i++) {
		struct image_section s;

		if (img->sections[i].sh_type != SHT_NOTE ||
		    !section_data(img, &img->sections[i], &s) ||
		    !build_id_find(s.data, s.size, img->build_id))
			continue;
		img->has_build_id = true;
		img->build_id_at = (const unsigned char *)memmem(s.data, s.size, img->build_id,
								 BUILD_ID_SIZE) -
				   img->map.data;
	}
}

/* ehdr, sections and segments of a file of 64 bits; what is not there, or misaligned, is NULL. */
static void find_headers(struct image *img)
{
	const Elf64_Ehdr *e = at_offset(img, 0, sizeof(*e));

	img->ehdr = e;
	if (!e)
		return;
	if (e->e_shoff % 8 == 0)
		img->sections =
			at_offset(img, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf64_Shdr));
	if (e->e_phoff % 8 == 0)
		img->segments =
			at_offset(img, e->e_phoff, (uint64_t)e->e_phnum * sizeof(Elf64_Phdr));
}

/* The same of any class; false: no ELF file that is read here. */
static bool open_headers(struct image *img, struct error **err)
{
	const unsigned char *ident = at_offset(img, 0, EI_NIDENT);

	if (!ident || memcmp(ident, ELFMAG, SELFMAG) || ident[EI_DATA] != ELFDATA2LSB)
		return false;
	if (ident[EI_CLASS] == ELFCLASS64)
		find_headers(img);
	else if (ident[EI_CLASS] == ELFCLASS32)
		*err = image_widen(img);
	return *err || img->ehdr;
}

/* Fills all of *img but map and heap. After a failure the caller closes it. */
static struct error *check(struct image *img, const char *path)
{
	struct error *err = NULL;
	const Elf64_Ehdr *e;
	const Elf64_Shdr *names;

	if (!open_headers(img, &err))
		return error_create("%s: not a 64-bit little-endian ELF file, nor a program of "
				    "32 bits",
				    path);
	if (err)
		return error_context(err, "%s", path);
	e = img->ehdr;
	if (!img->sections || e->e_shstrndx >= e->e_shnum)
		return error_create("%s: section headers are missing or damaged", path);
	img->n_sections = e->e_shnum;
	img->n_segments = img->segments ? e->e_phnum : 0;
	names = &img->sections[e->e_shstrndx];
	img->section_names = at_offset(img, names->sh_offset, names->sh_size);
	if (!img->section_names || !names->sh_size || img->section_names[names->sh_size - 1])
		return error_create("%s: section names are damaged", path);
	img->section_names_len = names->sh_size;
	find_build_id(img);
	return e->e_type == ET_REL ? error_context(lay_out(img), "%s", path) : NULL;
}

struct error *image_open(const char *path, struct image *ret)
{
	struct image img = { 0 };
	struct error *err = file_map_open(path, &img.map);

	if (err)
		return err;
	err = check(&img, path);
	if (err) {
		image_close(&img);
		return err;
	}
	*ret = img;
	return NULL;
}

struct error *image_open_memory(char *data, size_t len, const char *name, struct image *ret)
{
	struct image img = { .map = { (const unsigned char *)data, len }, .heap = data };
	struct error *err = check(&img, name);

	if (err) {
		image_close(&img);
		return err;
	}
	*ret = img;
	return NULL;
}

void image_close(struct image *img)
{
	free(img->layout);
	image_wide_destroy(img->wide);
	if (img->heap)
		free(img->heap);
	else if (img->map.data)
		file_map_close(&img->map);
	*img = (struct image){ 0 };
}

bool image_section_holding(const struct image *img, uint64_t addr, struct image_section *ret)
{
	for (size_t i = 1; img->layout && i < img->n_sections; i++)
		if (img->layout[i] && addr >= img->layout[i] &&
		    addr - img->layout[i] < img->sections[i].sh_size)
			return image_section_index(img, i, ret);
	return false;
}

/* In a relocatable file, whose sections have the addresses of our layout. */
static const void *at_in_layout(const struct image *img, uint64_t addr, size_t len)
{
	struct image_section s;

	if (!image_section_holding(img, addr, &s) || !s.data || len > s.size - (addr - s.addr))
		return NULL;
	return s.data + (addr - s.addr);
}

const void *image_at(const struct image *img, uint64_t addr, size_t len)
{
	const Elf64_Phdr *ph = img->segments;

	if (img->layout)
		return at_in_layout(img, addr, len);
	for (size_t i = 0; i < img->n_segments; i++) {
		/* the per-CPU segment lies at 0: no pointer leads there */
		if (ph[i].p_type != PT_LOAD || !ph[i].p_vaddr || addr < ph[i].p_vaddr)
			continue;
		if (addr - ph[i].p_vaddr <= ph[i].p_filesz &&
		    len <= ph[i].p_filesz - (addr - ph[i].p_vaddr))
			return at_offset(img, ph[i].p_offset + (addr - ph[i].p_vaddr), len);
	}
	return NULL;
}

const char *image_text(const struct image *img, uint64_t addr, size_t max)
{
	const char *s = image_at(img, addr, 1);
	size_t room;

	if (!s)
		return NULL;
	room = (const char *)img->map.data + img->map.len - s;
	return memchr(s, '\0', room < max ? room : max) ? s : NULL;
}

const char *image_string(const struct image *img, uint64_t addr)
{
	return image_text(img, addr, STRING_LIMIT);
}

bool image_u64(const struct image *img, uint64_t addr, uint64_t *ret)
{
	const void *p = image_at(img, addr, sizeof(*ret));

	if (p)
		memcpy(ret, p, sizeof(*ret));
	return p != NULL;
}

bool image_s32(const struct image *img, uint64_t addr, int32_t *ret)
{
	const void *p = image_at(img, addr, sizeof(*ret));

	if (p)
		memcpy(ret, p, sizeof(*ret));
	return p != NULL;
}

bool image_is_narrow(const struct image *img)
{
	return img->wide;
}

bool image_offset(const struct image *img, uint64_t addr, uint64_t *ret)
{
	const Elf64_Phdr *ph = img->segments;

	for (size_t i = 0; i < img->n_segments; i++) {
		if (ph[i].p_type != PT_LOAD || addr - ph[i].p_vaddr >= ph[i].p_filesz)
			continue;
		*ret = ph[i].p_offset + (addr - ph[i].p_vaddr);
		return *ret < img->map.len;
	}
	return false;
}

/* In a segment with those flags. */
static bool address_in(const struct image *img, uint64_t offset, uint32_t flags, uint64_t *ret)
{
	const Elf64_Phdr *ph = img->segments;

	for (size_t i = 0; i < img->n_segments; i++) {
		if (ph[i].p_type != PT_LOAD || (ph[i].p_flags & flags) != flags ||
		    offset - ph[i].p_offset >= ph[i].p_filesz)
			continue;
		*ret = ph[i].p_vaddr + (offset - ph[i].p_offset);
		return true;
	}
	return false;
}

bool image_address(const struct image *img, uint64_t offset, uint64_t *ret)
{
	return address_in(img, offset, PF_R, ret);
}

bool image_code_address(const struct image *img, uint64_t offset, uint64_t *ret)
{
	return address_in(img, offset, PF_X, ret);
}

bool image_code(const struct image *img, uint64_t *offset, uint64_t *addr)
{
	const Elf64_Phdr *ph = img->segments;

	for (size_t i = 0; i < img->n_segments; i++) {
		if (ph[i].p_type != PT_LOAD || !(ph[i].p_flags & PF_X))
			continue;
		*offset = ph[i].p_offset;
		*addr = ph[i].p_vaddr;
		return true;
	}
	return false;
}
