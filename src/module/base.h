/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of struct module_base. Its directory, made whole under another name and renamed:
 *
 *   kernel.flags script.flags objtool.flags   one word a line, the program first
 *   tools           cc1 ("-" when unknown), as, ld
 *   kernel.h[.gch]  kernel headers, precompiled
 *   stp_features.h  what this kernel has
 *   runtime.o base.o  the runtime; with meta.o, after objtool, and the version table
 *   provided        the exports that table has, a newline before and behind each
 *   module.lds notes build.log stamp (its time: last use)
 */
#ifndef SPILE_MODULE_BASE_H
#define SPILE_MODULE_BASE_H

#include "module/kernel.h"
#include "module/tool.h"

struct module_base {
	struct arena *arena;
	struct module_kernel *kernel;
	const char *id, *dir, *runtime_dir;
	const char *const *kernel_flags, *const *script_flags, *const *objtool, *const *notes;
	const char *cc1; /* NULL: go through the driver */
	const char *as, *ld;
	const char *provided;
};

/* RELEASE-HASH: changes with kernel, compiler, runtime and the format of the directory. */
struct error *base_id(struct module_kernel *kernel, const char *runtime_dir, const char *cc,
		      struct arena *arena, const char **ret) ERROR_MUST_CHECK;

/* Fill DIR, an empty directory. */
struct error *base_build(struct module_kernel *kernel, const char *runtime_dir, const char *cc,
			 const char *dir, const struct module_progress *progress) ERROR_MUST_CHECK;

#endif
