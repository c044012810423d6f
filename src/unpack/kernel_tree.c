/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directories of installed and unpacked kernels, as Debian, Fedora and kernel builds have them.
 */
#include "unpack/kernel_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"

const char *const kernel_tree_dirs[] = { "lib/modules", "usr/lib/modules", NULL };

int kernel_release_compare(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			char *end_a, *end_b;
			unsigned long x = strtoul(a, &end_a, 10), y = strtoul(b, &end_b, 10);

			if (x != y)
				return x < y ? -1 : 1;
			a = end_a;
			b = end_b;
		} else if (*a != *b) {
			return *a < *b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a != 0) - (*b != 0);
}

static int by_release(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int c = kernel_release_compare(x, y);

	return c ? c : strcmp(x, y);
}

void kernel_tree_releases(struct arena *arena, const char *root, struct kernel_releases *ret)
{
	size_t n = 0;

	*ret = (struct kernel_releases){ 0 };
	for (size_t i = 0; kernel_tree_dirs[i]; i++) {
		DIR *d = opendir(arena_printf(arena, "%s/%s", root, kernel_tree_dirs[i]));
		struct dirent *e;

		while (d && (e = readdir(d)) != NULL)
			if (e->d_name[0] != '.')
				vec_push(arena, ret, arena_strdup(arena, e->d_name));
		if (d)
			closedir(d);
	}
	if (ret->n)
		qsort(ret->data, ret->n, sizeof(*ret->data), by_release);
	for (size_t i = 0; i < ret->n; i++)
		if (!n || strcmp(ret->data[n - 1], ret->data[i]))
			ret->data[n++] = ret->data[i];
	ret->n = n;
}

const char *kernel_tree_file(struct arena *arena, const char *root, const char *release,
			     const char *name)
{
	for (size_t i = 0; kernel_tree_dirs[i]; i++) {
		const char *path = arena_printf(arena, "%s/%s/%s/%s", root, kernel_tree_dirs[i],
						release, name);

		if (file_exists(path))
			return path;
	}
	return NULL;
}

const char *kernel_tree_image(struct arena *arena, const char *root, const char *release)
{
	const char *path = arena_printf(arena, "%s/boot/vmlinuz-%s", root, release);

	return file_exists(path) ? path : kernel_tree_file(arena, root, release, "vmlinuz");
}

bool kernel_tree_split(struct arena *arena, const char *path, const char **root,
		       const char **release)
{
	const char *at = NULL, *behind = NULL, *begin = NULL;

	for (const char *p = strstr(path, "/lib/modules/"); p; p = strstr(p + 1, "/lib/modules/"))
		at = p;
	if (at) {
		behind = at + strlen("/lib/modules/");
		begin = at - path >= 4 && !strncmp(at - 4, "/usr", 4) ? at - 4 : at;
	}
	if (!at || !strcspn(behind, "/"))
		return false;
	*root = arena_strndup(arena, path, (size_t)(begin - path));
	*release = arena_strndup(arena, behind, strcspn(behind, "/"));
	return true;
}

struct error *kernel_tree_find(struct arena *arena, const char *path, const char **root,
			       const char **release)
{
	struct kernel_releases there = { 0 };
	const char *top = path, *one = NULL;
	char *real;

	kernel_tree_split(arena, path, &top, &one);
	real = realpath(*top ? top : "/", NULL);
	if (!real)
		return error_create_errno(errno, "%s", path);
	top = strcmp(real, "/") ? arena_strdup(arena, real) : "";
	free(real);
	if (!one) {
		kernel_tree_releases(arena, top, &there);
		if (!there.n)
			return error_hint(error_create("%s holds no kernel: neither lib/modules "
						       "nor usr/lib/modules has a release",
						       path),
					  "name the directory of unpacked packages");
		if (there.n > 1)
			return error_hint(error_create("%s holds several kernels", path),
					  "name one: %s/lib/modules/%s or %s/lib/modules/%s", path,
					  there.data[0], path, there.data[there.n - 1]);
		one = there.data[0];
	}
	*root = top;
	*release = one;
	return NULL;
}
