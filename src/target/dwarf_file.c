/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening a debug file for libdw and, for a module, applying its relocations (dwarf_file.h).
 * Sections are found by target/image.h, which lays them out; libelf gives the writable copy of
 * their bytes.
 */
#include "target/dwarf_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "machine/machine.h"
#include "target/image.h"
#include "target/image_unpack.h"

/* ---- relocations ---- */

/*
 * The row of relocations of TYPE; NULL: MACHINE, which may be NULL, has none. Others do not occur
 * in debug sections.
 */
static const struct machine_relocation *find_relocation(const struct machine *machine,
							uint32_t type)
{
	for (uint8_t i = 0; machine && i < machine->n_relocations; i++)
		if (machine->relocations[i].type == type)
			return &machine->relocations[i];
	return NULL;
}

/* What relocations of one file need. target: the section that is written to. */
struct relocation {
	const struct image *image;
	const struct machine *machine;
	const unsigned char *syms;
	size_t n_syms;
	Elf_Data *target;
};

/* A section of debug information is at 0: references into it are offsets. */
static uint64_t symbol_value(const struct relocation *r, size_t index)
{
	Elf64_Sym sym;
	struct image_section s;

	if (index >= r->n_syms)
		return 0;
	memcpy(&sym, r->syms + index * sizeof(sym), sizeof(sym));
	if (sym.st_shndx == SHN_ABS)
		return sym.st_value;
	return sym.st_shndx < SHN_LORESERVE && image_section_index(r->image, sym.st_shndx, &s)
		       ? s.addr + sym.st_value
		       : 0;
}

/*
 * One relocation: symbol + addend, into a field of 4 or 8 bytes. false: it is damaged or of an
 * unknown type.
 */
static bool apply(const struct relocation *r, const Elf64_Rela *rela)
{
	const struct machine_relocation *row =
		find_relocation(r->machine, ELF64_R_TYPE(rela->r_info));
	uint64_t value;

	if (!row)
		return false;
	if (rela->r_offset > r->target->d_size || r->target->d_size - rela->r_offset < row->width)
		return false;
	value = symbol_value(r, ELF64_R_SYM(rela->r_info)) + rela->r_addend;
	memcpy((char *)r->target->d_buf + rela->r_offset, &value, row->width);
	return true;
}

/*
 * All relocations in section RELA of section TARGET, when that is of debug information; others are
 * left alone. Compressed sections are unpacked first: offsets are of the unpacked bytes.
 */
static bool relocate_section(Elf *elf, struct relocation *r, const struct image_section *rela,
			     size_t target)
{
	struct image_section what;
	GElf_Shdr header;
	Elf_Scn *scn;

	if (!image_section_index(r->image, target, &what) || strncmp(what.name, ".debug_", 7))
		return true;
	scn = elf_getscn(elf, target);
	if (!gelf_getshdr(scn, &header) ||
	    (header.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0))
		return false;
	r->target = elf_getdata(scn, NULL);
	if (!r->target || !r->target->d_buf || !rela->data)
		return false;
	for (size_t i = 0; i < rela->size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela one;

		memcpy(&one, rela->data + i * sizeof(one), sizeof(one));
		if (!apply(r, &one))
			return false;
	}
	return true;
}

/* All relocations of the file. IMAGE: the same file. */
static struct error *relocate(const char *path, Elf *elf, const struct image *image)
{
	struct relocation r = { .image = image, .machine = machine_by_elf(image->ehdr->e_machine) };
	struct image_section symtab;

	if (!image_section(image, ".symtab", &symtab) || !symtab.data)
		return error_create("%s: it has no symbol table", path);
	r.syms = symtab.data;
	r.n_syms = symtab.size / sizeof(Elf64_Sym);
	for (size_t i = 1; i < image->n_sections; i++) {
		struct image_section s;

		if (image->sections[i].sh_type == SHT_RELA && image_section_index(image, i, &s) &&
		    !relocate_section(elf, &r, &s, image->sections[i].sh_info))
			return error_create("%s: the relocations of its debug information are "
					    "damaged or of an unknown type",
					    path);
	}
	return NULL;
}

/* ---- the file ---- */

/*
 * Where distributions have debug files: a link to one that several share (.gnu_debugaltlink) begins
 * with it.
 */
#define DEBUG_TREE "/usr/lib/debug/"

/* PATH is TREE/.build-id/...: the file that the link names, in the same tree. */
static bool alternate_path(const char *path, const char *link, char ret[PATH_MAX])
{
	const char *end = strstr(path, "/.build-id/");

	return end && !strncmp(link, DEBUG_TREE, strlen(DEBUG_TREE)) &&
	       snprintf(ret, PATH_MAX, "%.*s/%s", (int)(end - path), path,
			link + strlen(DEBUG_TREE)) < PATH_MAX;
}

/* Has DW that build-id? */
static bool is_build(Dwarf *dw, const void *id, ssize_t n)
{
	const void *theirs;

	return dwelf_elf_gnu_build_id(dwarf_getelf(dw), &theirs) == n && !memcmp(theirs, id, n);
}

/*
 * libdw looks for the alternate file in the usual folders; a tree of debug files elsewhere has its
 * own.
 */
static void open_alternate(const char *path, struct dwarf_file *f)
{
	char other[PATH_MAX];
	const char *link;
	const void *id;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dw, &link, &id);
	Dwarf *alternate;
	int fd;

	if (n <= 0 || dwarf_getalt(f->dw) || !alternate_path(path, link, other))
		return;
	fd = file_open_regular(other);
	alternate = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (alternate && is_build(alternate, id, n)) {
		f->alternate = alternate;
		f->alternate_fd = fd;
		dwarf_setalt(f->dw, alternate);
		return;
	}
	if (alternate)
		dwarf_end(alternate);
	if (fd >= 0)
		close(fd);
}

/* ---- memory ---- */

/* Bytes that are given back at once: a call for each unit would cost more than it is worth. */
#define RELEASE_STEP ((size_t)8 << 20)

static uintptr_t page_size(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

/*
 * Bytes that were unpacked or relocated are ours, and would be lost; so would they in a file that
 * libelf has read instead of mapped.
 */
static void find_info(const struct image *image, struct dwarf_file *f)
{
	struct image_section s;
	size_t size, at;
	Elf_Data *data;
	char *file;

	if (f->unpacked || image->ehdr->e_type == ET_REL ||
	    !image_section(image, ".debug_info", &s))
		return;
	file = elf_rawfile(f->elf, &size);
	data = elf_getdata(elf_getscn(f->elf, s.index), NULL);
	if (!file || (uintptr_t)file % page_size() || !data || !data->d_buf)
		return;
	at = (uintptr_t)data->d_buf - (uintptr_t)file;
	if (at < size && data->d_size <= size - at) {
		f->info = data->d_buf;
		f->info_len = data->d_size;
	}
}

void dwarf_file_release(struct dwarf_file *f, uint64_t offset)
{
	uintptr_t page = page_size(), from, to;

	if (!f->info || offset > f->info_len || offset < f->released + RELEASE_STEP)
		return;
	from = ((uintptr_t)f->info + page - 1) & ~(page - 1);
	to = ((uintptr_t)f->info + offset) & ~(page - 1);
	/* from the start each time: what is referred to from far behind has come back */
	madvise((void *)from, to - from, MADV_DONTNEED);
	f->released = offset;
}

/* ---- opening ---- */

/* Fills F step by step; on failure the caller closes what is open. */
static struct error *open_elf(const char *path, const struct image *image, struct dwarf_file *f)
{
	struct error *err = NULL;
	bool is_relocatable = image->ehdr->e_type == ET_REL;
	size_t len;

	elf_version(EV_CURRENT);
	f->fd = file_open_regular(path);
	if (f->fd < 0)
		return error_create_errno(errno, "%s", path);
	err = image_unpack(image, &f->unpacked, &len);
	if (err)
		return error_context(err, "%s", path);
	/* private: relocations are written into our copy of its pages */
	f->elf = f->unpacked ? elf_memory(f->unpacked, len)
			     : elf_begin(f->fd,
					 is_relocatable ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ_MMAP,
					 NULL);
	if (!f->elf)
		return error_create("%s: %s", path, elf_errmsg(-1));
	if (is_relocatable)
		err = relocate(path, f->elf, image);
	if (err)
		return err;
	f->dw = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (!f->dw)
		return error_create("%s: %s", path, dwarf_errmsg(-1));
	open_alternate(path, f);
	find_info(image, f);
	return NULL;
}

struct error *dwarf_file_open(const char *path, struct dwarf_file *ret)
{
	struct dwarf_file f = { .fd = -1 };
	struct image image;
	struct error *err = image_open(path, &image);

	if (err)
		return err;
	err = open_elf(path, &image, &f);
	image_close(&image);
	if (err) {
		dwarf_file_close(&f);
		return err;
	}
	*ret = f;
	return NULL;
}

void dwarf_file_close(struct dwarf_file *f)
{
	free(f->split);
	if (f->dw)
		dwarf_end(f->dw);
	if (f->alternate) {
		dwarf_end(f->alternate);
		close(f->alternate_fd);
	}
	if (f->elf)
		elf_end(f->elf);
	free(f->unpacked);
	if (f->elf || f->fd > 0)
		close(f->fd);
	*f = (struct dwarf_file){ 0 };
}
