/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the files of a kernel are: below "/", as they are installed, or below a directory in which
 * its packages were unpacked. Either way the image is in boot/ or beside the modules, and modules
 * and a link to the build tree are in lib/modules/RELEASE. Newer packages have usr/lib/modules,
 * which is the same directory on a system with a merged /usr but not in an unpacked tree, where a
 * kernel may have a part of its files in each.
 *
 * Files are looked for, none is opened. ROOT is "" for this system, else a directory without '/'
 * behind. Answers are in the arena given.
 */
#ifndef SPILE_UNPACK_KERNEL_TREE_H
#define SPILE_UNPACK_KERNEL_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct arena;

/* Where directories of modules are, below a root: "lib/modules" first. NULL ends the list. */
extern const char *const kernel_tree_dirs[];

/* Releases, from old to new by kernel_release_compare(). */
struct kernel_releases {
	const char **data;
	size_t n, cap;
};
/* Those that have a directory of modules below ROOT, each once. */
void kernel_tree_releases(struct arena *arena, const char *root, struct kernel_releases *ret);

/* The first of ROOT/lib/modules/RELEASE/NAME and its like that there is; NULL: none. */
const char *kernel_tree_file(struct arena *arena, const char *root, const char *release,
			     const char *name);

/* The image that a boot loader starts; NULL: there is none. */
const char *kernel_tree_image(struct arena *arena, const char *root, const char *release);

/*
 * Cuts "ROOT/lib/modules/RELEASE", with or without something behind, into the two, as it is
 * written. False, with *root and *release untouched: PATH is of another form.
 */
bool kernel_tree_split(struct arena *arena, const char *path, const char **root,
		       const char **release);

/*
 * Which kernel PATH means: a directory of unpacked packages with one kernel in it, or
 * ROOT/lib/modules/RELEASE. *root has no links. An error, with both untouched: there is none, or
 * there are several.
 */
struct error *kernel_tree_find(struct arena *arena, const char *path, const char **root,
			       const char **release) ERROR_MUST_CHECK;

/* As the names of releases order: digits by value, the rest by character. Like strcmp. */
int kernel_release_compare(const char *a, const char *b);

#endif
