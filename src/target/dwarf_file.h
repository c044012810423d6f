/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of debug information, opened for libdw. That of a module is relocatable: what its .debug_
 * sections say of addresses and of each other is in relocations, which are applied here, in memory,
 * to the addresses of image.h's layout. libdwfl would do the same at five times the cost (ext4: 50
 * ms against 9).
 */
#ifndef SPILE_TARGET_DWARF_FILE_H
#define SPILE_TARGET_DWARF_FILE_H

#include <elfutils/libdw.h>

#include "base/error.h"

/* All zero: not open. */
struct dwarf_file {
	int fd;
	Elf *elf;
	Dwarf *dw;
};

/*
 * Opens PATH and, when it is relocatable, applies the relocations of its .debug_ sections. The file
 * itself is never changed. On failure *ret is untouched.
 */
struct error *dwarf_file_open(const char *path, struct dwarf_file *ret) ERROR_MUST_CHECK;
/* One that was never opened is all zero. */
void dwarf_file_close(struct dwarf_file *f);

#endif
