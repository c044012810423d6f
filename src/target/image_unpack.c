/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the file, the unpacked bytes of each section behind it, and its header changed to lead
 * there (image_unpack.h).
 */
#include "target/image_unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "target/image.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2 /* elf.h has it from glibc 2.37 on */
#endif
#define SECTION_ALIGN 16u
#define SECTION_MAX (1ull << 32) /* more is damage */

/* A section of zstd: what is packed, and what its header (Elf64_Chdr, Elf32_Chdr) says of that. */
struct packed {
	const unsigned char *data;
	size_t len;
	uint64_t size, align;
};

/* false: the section is no such. */
static bool find_packed(const struct image *img, const Elf64_Shdr *s, struct packed *ret)
{
	const unsigned char *at;
	Elf64_Chdr head = { 0 };
	Elf32_Chdr narrow;
	size_t len = image_is_narrow(img) ? sizeof(narrow) : sizeof(head);

	if (!(s->sh_flags & SHF_COMPRESSED) || s->sh_type == SHT_NOBITS || s->sh_size < len ||
	    s->sh_offset > img->map.len || s->sh_size > img->map.len - s->sh_offset)
		return false;
	at = img->map.data + s->sh_offset;
	if (image_is_narrow(img)) {
		memcpy(&narrow, at, len);
		head.ch_type = narrow.ch_type;
		head.ch_size = narrow.ch_size;
		head.ch_addralign = narrow.ch_addralign;
	} else {
		memcpy(&head, at, len);
	}
	*ret = (struct packed){ at + len, s->sh_size - len, head.ch_size, head.ch_addralign };
	return head.ch_type == ELFCOMPRESS_ZSTD;
}

static size_t align_up(size_t n)
{
	return (n + SECTION_ALIGN - 1) & ~(size_t)(SECTION_ALIGN - 1);
}

/* Bytes of the file with all of them unpacked; 0: one is too large. *n: how many there are. */
static size_t whole_size(const struct image *img, size_t *n)
{
	size_t size = align_up(img->map.len);
	struct packed p;

	*n = 0;
	for (size_t i = 1; i < img->n_sections; i++) {
		if (!find_packed(img, &img->sections[i], &p))
			continue;
		if (p.size > SECTION_MAX)
			return 0;
		size += align_up(p.size);
		++*n;
	}
	return size;
}

/* The header of section I of the copy leads to AT. */
static void lead_to(const struct image *img, char *copy, size_t i, size_t at,
		    const struct packed *p)
{
	char *header = copy + img->ehdr->e_shoff;
	Elf32_Shdr narrow;
	Elf64_Shdr s;

	if (image_is_narrow(img)) {
		header += i * sizeof(narrow);
		memcpy(&narrow, header, sizeof(narrow));
		narrow.sh_flags &= ~(Elf32_Word)SHF_COMPRESSED;
		narrow.sh_offset = (Elf32_Off)at;
		narrow.sh_size = (Elf32_Word)p->size;
		narrow.sh_addralign = (Elf32_Word)p->align;
		memcpy(header, &narrow, sizeof(narrow));
		return;
	}
	header += i * sizeof(s);
	memcpy(&s, header, sizeof(s));
	s.sh_flags &= ~(Elf64_Xword)SHF_COMPRESSED;
	s.sh_offset = at;
	s.sh_size = p->size;
	s.sh_addralign = p->align;
	memcpy(header, &s, sizeof(s));
}

/* Unpacks all into COPY, which begins with the file; the damaged section, or 0. */
static size_t unpack_all(const struct image *img, char *copy)
{
	size_t at = align_up(img->map.len);
	struct packed p;

	for (size_t i = 1; i < img->n_sections; i++) {
		if (!find_packed(img, &img->sections[i], &p))
			continue;
		if (ZSTD_decompress(copy + at, p.size, p.data, p.len) != p.size)
			return i;
		lead_to(img, copy, i, at, &p);
		at += align_up(p.size);
	}
	return 0;
}

struct error *image_unpack(const struct image *img, char **ret, size_t *len)
{
	size_t n, size = whole_size(img, &n), damaged;
	struct image_section s = { .name = "?" };
	char *copy;

	*ret = NULL;
	if (!size)
		return error_create("a section that is compressed with zstd is damaged");
	if (!n)
		return NULL;
	copy = malloc(size);
	if (!copy)
		return &error_no_memory;
	memcpy(copy, img->map.data, img->map.len);
	damaged = unpack_all(img, copy);
	if (damaged) {
		free(copy);
		image_section_index(img, damaged, &s);
		return error_create("section %s, which is compressed with zstd, is damaged",
				    s.name);
	}
	*ret = copy;
	*len = size;
	return NULL;
}
