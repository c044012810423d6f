/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of struct module_base. Its directory, made whole under another name and renamed:
 *
 *   kernel.flags script.flags objtool.flags   one word a line, the program first
 *   tools           cc1 ("-" when unknown), as, ld
 *   kernel.h        kernel headers; kernel.h.gch: precompiled, from the first member or embedded C on
 *   stp_features.h  what this kernel has
 *   base.o          the runtime's core, meta.c and the version table, after objtool
 *   provided        the exports that table has, a newline before and behind each
 *   index           which member defines what, see units.h
 *   members/        those compiled so far, see member.h
 *   module.lds notes build.log stamp (its time: last use)
 *   seal            of what every module needs, see base/seal.h; kernel.h.gch.seal of that
 */
#ifndef SPILE_MODULE_BASE_H
#define SPILE_MODULE_BASE_H

#include "module/kernel.h"
#include "module/tool.h"
#include "module/units.h"

/*
 * Everything is in the arena but the kernel, which is the caller's. Flag lists are
 * NULL-terminated; objtool is empty when the kernel's modules are made without it.
 */
struct module_base {
	struct arena *arena;
	struct module_kernel *kernel;
	const char *id, *dir, *runtime_dir;
	const char *const *kernel_flags, *const *script_flags, *const *objtool, *const *notes;
	const char *cc1; /* NULL: go through the driver */
	const char *as, *ld;
	const char *provided, *index;
	size_t index_len;
	struct units units;
};

/*
 * RELEASE-HASH, in the arena: changes with kernel, compiler, runtime and the format of the
 * directory. Looks at the files' sizes and times, and reads none of them.
 */
struct error *base_id(struct module_kernel *kernel, const char *runtime_dir, const char *cc,
		      struct arena *arena, const char **ret) ERROR_MUST_CHECK;

/*
 * Fill DIR, an empty directory on the cache's file system. On failure DIR is left as it is then:
 * the caller removes it. progress may be NULL.
 */
struct error *base_build(struct module_kernel *kernel, const char *runtime_dir, const char *cc,
			 const char *dir, const struct module_progress *progress) ERROR_MUST_CHECK;

/*
 * Programs that a base names: an error when others could change one (flags_check_program()). cc1
 * may be NULL.
 */
struct error *base_check_tools(struct arena *arena, const char *cc1, const char *as,
			       const char *ld) ERROR_MUST_CHECK;

/*
 * The precompiled header, before something is compiled with it: when it is damaged, it is made
 * anew.
 */
struct error *base_check_headers(const struct module_base *base) ERROR_MUST_CHECK;

/*
 * Run the kernel's objtool on an object of one unit, in place; nothing when the kernel uses none.
 */
struct error *base_objtool(const struct module_base *base, const char *object) ERROR_MUST_CHECK;

#endif
