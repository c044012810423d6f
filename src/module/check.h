/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Will the kernel link this module? insmod says only "Unknown symbol" in the log and ENOENT; here the symbol is named, and why
 * it cannot be had. Answers come from base.o first and from Module.symvers for the rest.
 */
#ifndef SPILE_MODULE_CHECK_H
#define SPILE_MODULE_CHECK_H

#include "base/error.h"
#include "base/strbuf.h"
#include "module/object.h"

struct module_kernel;

/*
 * objects[0 .. n-1] are the module's own units, base what they are linked with. provided: exports that base.o's own version table has
 * already (newline-separated), each preceded by a newline. extra receives assembler lines for a version table of
 * the others; it stays empty when nothing is missing or the kernel has no MODVERSIONS.
 */
struct error *check_symbols(struct module_kernel *kernel, const struct object *base,
			    const struct object *objects, unsigned n, const char *provided,
			    struct strbuf *extra) ERROR_MUST_CHECK;

/* One entry of the version table in assembler. */
void check_version_entry(struct strbuf *out, const char *name, unsigned crc);
extern const char check_version_section[]; /* the line before the first entry */

#endif
