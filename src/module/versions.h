/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version table of CONFIG_MODVERSIONS: struct modversion_info (include/linux/module.h), a CRC
 * and a name for each export that a module uses. Each object that is linked brings the rows it
 * needs beyond those of base.o; a name that stands twice does no harm. Kernels without MODVERSIONS
 * get none.
 */
#ifndef SPILE_MODULE_VERSIONS_H
#define SPILE_MODULE_VERSIONS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "module/object.h"

struct module_kernel;

/* The table of versions (CRCs) of a module's imports, being written. */
struct versions {
	/* exports that are known to be there, a newline before and behind each */
	struct strbuf names;
	struct strbuf entries; /* assembler rows of them */
};

/* Begin and end of a table; nothing else releases it. */
void versions_init(struct versions *v);
void versions_deinit(struct versions *v);

/*
 * Takes in an export, unless it is in v or in `already` (as names), does not exist, or is in a
 * namespace.
 */
struct error *versions_add(struct versions *v, struct module_kernel *kernel, const char *already,
			   const char *name) ERROR_MUST_CHECK;
/* All that an object uses. */
struct error *versions_add_object(struct versions *v, struct module_kernel *kernel,
				  const char *already,
				  const struct object *object) ERROR_MUST_CHECK;

/* One row in assembler. A name too long for a row has none. */
void versions_entry(struct strbuf *out, const char *name, unsigned crc);

/* Make an object of rows at OUT, with the assembler AS. What it printed is part of the error. */
struct error *versions_assemble(const struct module_kernel *kernel, const char *as,
				const char *entries, const char *out) ERROR_MUST_CHECK;

#endif
