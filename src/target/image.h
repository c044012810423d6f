/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An uncompressed ELF image (a vmlinux, or a module's .ko on the heap), mapped read-only, and its
 * bytes by section and by link-time address. Nothing is copied; every answer is checked against the
 * file's length. Structures and constants are those of the System V gABI, chapters 4 (Object Files)
 * and 5 (notes), as <elf.h> has them.
 *
 * A relocatable file (ET_REL: a kernel module) has no link-time addresses: its sections are laid
 * out here, in the order of their headers from IMAGE_LAYOUT_BASE on, so that one number stands for
 * a section and an offset in it. A module and its debug file have the same sections that occupy
 * memory (SHF_ALLOC), hence the same layout.
 */
#ifndef SPILE_TARGET_IMAGE_H
#define SPILE_TARGET_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"
#include "base/error.h"
#include "base/file.h"

/* Where the layout of a relocatable file begins: not at 0, which means "no address" elsewhere. */
#define IMAGE_LAYOUT_BASE 0x10000ull

struct image_wide;

/* An open image. Pointers are into its bytes. */
struct image {
	struct file_map map;
	char *heap; /* the same bytes, when they are ours and not a mapping */
	const Elf64_Ehdr *ehdr;
	const Elf64_Shdr *sections;
	size_t n_sections;
	const Elf64_Phdr *segments;
	size_t n_segments;
	/* of a file of 32 bits: its tables, in the form of 64; else NULL (image_wide.c) */
	struct image_wide *wide;
	/* ET_REL: address of each section, 0 when it occupies no memory; else NULL */
	uint64_t *layout;
	const char *section_names;
	size_t section_names_len;
	unsigned char build_id[BUILD_ID_SIZE];
	bool has_build_id;
	uint64_t build_id_at; /* its offset in the file */
};

/* A section as asked for; pointers are into the image. */
struct image_section {
	const unsigned char *data; /* NULL: SHT_NOBITS */
	uint64_t addr, size;
	size_t index;
	uint64_t flags; /* SHF_* */
	const char *name;
};

/*
 * Maps the file. Checked: ELF header (64 bits, or an executable or library of 32 bits;
 * little-endian), section headers and their names. Headers, symbols and the dynamic section of a
 * file of 32 bits are found in the form of 64. On failure *ret is untouched.
 */
struct error *image_open(const char *path, struct image *ret) ERROR_MUST_CHECK;
/* Takes over DATA (heap), also on failure. */
struct error *image_open_memory(char *data, size_t len, const char *name,
				struct image *ret) ERROR_MUST_CHECK;
/*
 * Where the code of an executable or library begins: the offset in the file, and the address it is
 * linked at. false: it has none.
 */
bool image_code(const struct image *img, uint64_t *offset, uint64_t *addr);
/* One that was never opened must be all zero. All pointers into the image end here. */
void image_close(struct image *img);

/*
 * The first section of that name in *ret; false when there is none, or its bytes are not all in the
 * file.
 */
bool image_section(const struct image *img, const char *name, struct image_section *ret);
/*
 * Has it DWARF? Under whichever name: ".zdebug_info" is compressed as gcc -gz=zlib-gnu still does
 * it.
 */
bool image_has_debug_info(const struct image *img);
/* Section INDEX, 1 to n_sections - 1; false: its bytes are not all in the file. */
bool image_section_index(const struct image *img, size_t index, struct image_section *ret);
/* ET_REL: the section that ADDR of the layout is in; false: none, or it is not all in the file. */
bool image_section_holding(const struct image *img, uint64_t addr, struct image_section *ret);
/*
 * LEN bytes at a link-time address, or one of the layout; NULL when they are not all in the file.
 */
const void *image_at(const struct image *img, uint64_t addr, size_t len);
/* The string there; NULL when not terminated within the file or longer than a name can be. */
const char *image_string(const struct image *img, uint64_t addr);
/* The same of up to MAX bytes with its NUL. */
const char *image_text(const struct image *img, uint64_t addr, size_t max);
/* Eight bytes at a link-time address, which need not be aligned; false as image_at(). */
bool image_u64(const struct image *img, uint64_t addr, uint64_t *ret);
/* The same of four bytes. */
bool image_s32(const struct image *img, uint64_t addr, int32_t *ret);
/* Is it a file of 32 bits? */
bool image_is_narrow(const struct image *img);
/* Where in the file the byte at a link-time address is; false when no segment has it from there. */
bool image_offset(const struct image *img, uint64_t addr, uint64_t *ret);
/* At which address the byte at that offset can be read; false: it is not loaded. */
bool image_address(const struct image *img, uint64_t offset, uint64_t *ret);
/* Which address of code the byte at that offset is linked for; false: none. */
bool image_code_address(const struct image *img, uint64_t offset, uint64_t *ret);

#endif
