/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Will the kernel link this module? insmod says only "Unknown symbol" in the log and ENOENT; here
 * the symbol is named, and why it cannot be had. Answers come from base.o first and from
 * Module.symvers for the rest.
 */
#ifndef SPILE_MODULE_CHECK_H
#define SPILE_MODULE_CHECK_H

#include "base/error.h"
#include "base/strbuf.h"
#include "module/object.h"

struct module_kernel;

/*
 * objects[0 .. n-1] are what is linked with base; base may be NULL. provided: exports that the
 * version tables of base.o and of members have already, a newline before and behind each. extra
 * receives the version entries of the others; it stays empty when nothing is missing or the
 * kernel has no MODVERSIONS. The first symbol that cannot be had is the error; its hint says why.
 * missing: gets its name, the caller's to free; NULL: not wanted.
 */
struct error *check_symbols(struct module_kernel *kernel, const struct object *base,
			    const struct object *const *objects, unsigned n, const char *provided,
			    struct strbuf *extra, char **missing) ERROR_MUST_CHECK;

/*
 * What OWN defines may be defined by none of the N others: the linker would name files that nobody
 * wrote. *ret gets the name of the error, the caller's to free.
 */
struct error *check_definitions(const struct object *own, const struct object *const *others,
				unsigned n, char **ret) ERROR_MUST_CHECK;

#endif
