/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of struct module_kernel, for this folder: where a kernel's build tree is, and what
 * was found out about it. All texts are in its arena, which also serves as scratch memory of the
 * functions here.
 */
#ifndef SPILE_MODULE_KERNEL_H
#define SPILE_MODULE_KERNEL_H

#include "base/arena.h"
#include "base/file.h"
#include "module/module.h"
#include "module/symvers.h"

/* What differs between machines when modules are built. */
struct module_arch {
	const char *machine; /* uname -m */
	const char *srcarch; /* arch/SRCARCH */
	const char *config;  /* the option that tells such a kernel */
	const char *ld_emulation;
	/*
	 * The loader of programs, from the top of a tree that has the machine's C library, and the
	 * directory of its libraries as Debian names it. Programs of an unpacked tree are started
	 * by it.
	 */
	const char *loader, *triplet;
	const char *const *as_flags; /* NULL-terminated */
	/* exports that compilers call by themselves; those that exist get a version beforehand */
	const char *const *compiler_symbols;
};

/* A kernel to build for: its tree, read-only. Strings are the arena's, which it owns. */
struct module_kernel {
	struct arena *arena;
	const char *release;
	const char *root;  /* "" or a directory in front of absolute paths */
	const char *build; /* absolute, no link */
	const struct module_arch *arch;
	const char *const *make_variables; /* NAME=VALUE, n_make_variables; borrowed */
	size_t n_make_variables;
	struct file_map config;
	char *symvers_path;
	struct symvers *symvers; /* read on first need */
};

/*
 * The exports, read on first need; they belong to the kernel. After a failure the next call tries
 * again.
 */
struct error *kernel_symvers(struct module_kernel *kernel, struct symvers **ret) ERROR_MUST_CHECK;

#endif
