/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The global symbols and the modinfo of a relocatable 64-bit ELF file: the little that linking
 * needs to know. ELF is as the System V gABI, chapter 4, has it; modinfo is the kernel's
 * (include/linux/moduleparam.h): "name=value" texts.
 */
#ifndef SPILE_MODULE_OBJECT_H
#define SPILE_MODULE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/file.h"

/*
 * An object file, mapped read-only. The caller owns it between object_open() and object_close().
 */
struct object {
	struct file_map map;
	const char *path; /* borrowed */
};

/*
 * Checks every header that the functions below use, so they need no errors. Anything but a
 * little-endian, relocatable 64-bit ELF file is an error; *ret is untouched then.
 */
struct error *object_open(const char *path, struct object *ret) ERROR_MUST_CHECK;
/* Names and sections got from it are invalid then. */
void object_close(struct object *object);

/*
 * Calls each for every named symbol that is not local; weak undefined symbols are left out: they
 * may stay so.
 */
void object_symbols(const struct object *object,
		    void (*each)(void *arg, const char *name, bool defined), void *arg);

/*
 * A section's bytes in the mapping, and their number in *len; NULL, and *len untouched, when
 * there is none of this name.
 */
const unsigned char *object_section(const struct object *object, const char *name, size_t *len);

/*
 * Calls each for every "tag=value" of .modinfo. Nothing for an object without one, or one that is
 * not NUL-terminated.
 */
void object_modinfo(const struct object *object, void (*each)(void *arg, const char *item),
		    void *arg);

#endif
