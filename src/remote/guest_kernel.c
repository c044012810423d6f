/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding kernels, installed or unpacked, and choosing what QEMU boots: the vmlinux inside where
 * it has a PVH entry, because it need not be unpacked in the guest, else the bzImage.
 */
#include "remote/guest_kernel.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "unpack/kernel_image.h"
#include "unpack/kernel_tree.h"

#define PVH_NOTE_TYPE 18 /* XEN_ELFNOTE_PHYS32_ENTRY, owner "Xen" */

/* Every offset is checked against the size of the image. */
static bool has_pvh_note(const unsigned char *p, size_t len)
{
	const Elf64_Ehdr *eh = (const void *)p;

	if (len < sizeof(*eh) || eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_phoff > len ||
	    eh->e_phnum > (len - eh->e_phoff) / sizeof(Elf64_Phdr))
		return false;
	for (size_t i = 0; i < eh->e_phnum; i++) {
		const Elf64_Phdr *ph = (const Elf64_Phdr *)(p + eh->e_phoff) + i;
		size_t pos = 0;

		if (ph->p_type != PT_NOTE || ph->p_offset > len ||
		    ph->p_filesz > len - ph->p_offset)
			continue;
		while (pos + sizeof(Elf64_Nhdr) + 4 <= ph->p_filesz) {
			const Elf64_Nhdr *nh = (const void *)(p + ph->p_offset + pos);

			if (nh->n_type == PVH_NOTE_TYPE && nh->n_namesz == 4 &&
			    memcmp(nh + 1, "Xen", 4) == 0)
				return true;
			pos += sizeof(*nh) + ((nh->n_namesz + 3ul) & ~3ul) +
			       ((nh->n_descsz + 3ul) & ~3ul);
		}
	}
	return false;
}

/*
 * KASAN kernels carry the note too, but fault in the early code it leads to, before their shadow is
 * mapped.
 */
static bool is_kasan(const struct guest_kernel *kernel, struct arena *arena)
{
	const char *slash = strrchr(kernel->vmlinuz, '/');
	const char *config = arena_printf(arena, "%.*s/config-%s", (int)(slash - kernel->vmlinuz),
					  kernel->vmlinuz, kernel->release);
	struct error *err;
	char *text;
	size_t len;
	bool yes;

	err = file_read(config, &text, &len);
	if (err) {
		error_destroy(err);
		return false;
	}
	yes = strstr(text, "\nCONFIG_KASAN=y") != NULL;
	free(text);
	return yes;
}

static struct error *choose_image(struct guest_kernel *kernel, const char *cache_dir,
				  struct arena *arena)
{
	const char *vmlinux;
	struct file_map map;
	struct error *err;

	if (access(kernel->vmlinuz, R_OK) < 0)
		return error_hint(error_create_errno(errno, "cannot read the kernel image %s",
						     kernel->vmlinuz),
				  "as root: chmod a+r %s", kernel->vmlinuz);
	err = kernel_image_unpack(kernel->vmlinuz, cache_dir, arena, &vmlinux);
	if (err)
		return err;
	err = file_map_open(vmlinux, &map);
	if (err)
		return err;
	kernel->image = has_pvh_note(map.data, map.len) && !is_kasan(kernel, arena)
				? vmlinux
				: kernel->vmlinuz;
	file_map_close(&map);
	return NULL;
}

/* The newest release below ROOT that has an image; else the newest; NULL: there is none. */
static const char *newest_in(const char *root, struct arena *arena)
{
	struct kernel_releases there;

	kernel_tree_releases(arena, root, &there);
	for (size_t i = there.n; i > 0; i--)
		if (kernel_tree_image(arena, root, there.data[i - 1]))
			return there.data[i - 1];
	return there.n ? there.data[there.n - 1] : NULL;
}

/* Adds the hint for all that is missing. */
static struct error *no_kernel(struct error *err)
{
	return error_hint(
		err,
		"install the package linux-image-amd64, or name an unpacked kernel's directory");
}

/* Its directory of modules, where depmod has left its lists; NULL: there is none. */
static const char *find_modules(const char *root, const char *release, struct arena *arena)
{
	const char *path = kernel_tree_file(arena, root, release, "modules.builtin");

	if (!path)
		path = kernel_tree_file(arena, root, release, ".");
	return path ? arena_strndup(arena, path, (size_t)(path_base(path) - path) - 1) : NULL;
}

/* Packages unpacked below DIR, or one kernel of them: DIR/lib/modules/RELEASE. */
static struct error *find_in_tree(const char *dir, struct arena *arena, struct guest_kernel *ret)
{
	const char *root = dir, *release = NULL;

	if (!kernel_tree_split(arena, dir, &root, &release))
		release = newest_in(dir, arena);
	if (!release)
		return no_kernel(error_create("%s holds no kernel: neither lib/modules nor "
					      "usr/lib/modules has a release",
					      dir));
	ret->release = release;
	ret->modules = find_modules(root, release, arena);
	ret->vmlinuz = kernel_tree_image(arena, root, release);
	if (!ret->modules)
		return no_kernel(error_create("%s holds no kernel %s", root, release));
	if (!ret->vmlinuz)
		return no_kernel(
			error_create("%s has modules for %s but no kernel image (boot/vmlinuz-%s)",
				     dir, release, release));
	return NULL;
}

/* Image and modules where distributions install them. */
static struct error *find_installed(const char *release, struct arena *arena,
				    struct guest_kernel *ret)
{
	ret->installed = true;
	ret->release = release;
	ret->vmlinuz = kernel_tree_image(arena, "", release);
	ret->modules = find_modules("", release, arena);
	if (!ret->vmlinuz)
		return no_kernel(
			error_create("no kernel %s is installed: /boot/vmlinuz-%s is not there",
				     release, release));
	if (!ret->modules)
		return no_kernel(
			error_create("kernel %s has no modules: /lib/modules/%s is not there",
				     release, release));
	return NULL;
}

struct error *guest_kernel_find(const char *name, const char *cache_dir, struct arena *arena,
				struct guest_kernel *ret)
{
	struct guest_kernel kernel = { 0 };
	struct error *err;
	char real[4096];

	if (name && strchr(name, '/')) {
		if (!realpath(name, real))
			return no_kernel(error_create_errno(errno, "%s", name));
		err = find_in_tree(arena_strdup(arena, real), arena, &kernel);
	} else {
		const char *release = name ? name : newest_in("", arena);

		if (!release)
			return no_kernel(error_create(
				"no kernel is installed: /lib/modules has no release"));
		err = find_installed(release, arena, &kernel);
	}
	if (!err)
		err = choose_image(&kernel, cache_dir, arena);
	if (err)
		return err;
	*ret = kernel;
	return NULL;
}

bool guest_kernel_has_9p(const struct guest_kernel *kernel, struct arena *arena)
{
	static const char *const endings[] = { "", ".xz", ".zst", ".gz" };
	struct error *err;
	bool has = false;
	char *text;
	size_t len;

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (file_exists(arena_printf(arena, "%s/kernel/fs/9p/9p.ko%s", kernel->modules,
					     endings[i])))
			return true;
	err = file_read(path_join(arena, kernel->modules, "modules.builtin"), &text, &len);
	if (!err) {
		has = strstr(text, "/9p.ko") != NULL;
		free(text);
	}
	error_destroy(err);
	return has;
}
