/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding kernels, installed or unpacked, and choosing what QEMU boots: the vmlinux inside where
 * it has a PVH entry, because it need not be unpacked in the guest, else the bzImage.
 */
#include "remote/guest_kernel.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "unpack/kernel_image.h"

#define PVH_NOTE_TYPE 18 /* XEN_ELFNOTE_PHYS32_ENTRY, owner "Xen" */

int guest_release_compare(const char *a, const char *b)
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

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * The newest release among the entries of DIR that begin with PREFIX; in the arena, NULL without
 * one.
 */
static const char *newest_in(const char *dir, const char *prefix, struct arena *arena)
{
	DIR *d = opendir(dir);
	const char *best = NULL;
	struct dirent *de;

	while (d && (de = readdir(d)) != NULL) {
		const char *name = de->d_name + strlen(prefix);

		if (strncmp(de->d_name, prefix, strlen(prefix)) != 0 || name[0] == '.')
			continue;
		if (!best || guest_release_compare(name, best) > 0)
			best = arena_strdup(arena, name);
	}
	if (d)
		closedir(d);
	return best;
}

/* Adds the hint for all that is missing. */
static struct error *no_kernel(struct error *err)
{
	return error_hint(
		err,
		"install the package linux-image-amd64, or name an unpacked kernel's directory");
}

/*
 * An unpacked package tree: DIR/boot/vmlinuz-R with DIR/lib/modules/R, or all of it in
 * DIR/usr/lib/modules/R.
 */
static struct error *find_in_tree(const char *dir, struct arena *arena, struct guest_kernel *ret)
{
	static const char *const tops[] = { "lib/modules", "usr/lib/modules" };

	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		const char *top = path_join(arena, dir, tops[i]);
		const char *release = newest_in(top, "", arena), *image;

		if (!release)
			continue;
		ret->release = release;
		ret->modules = path_join(arena, top, release);
		image = arena_printf(arena, "%s/boot/vmlinuz-%s", dir, release);
		if (!file_exists(image))
			image = path_join(arena, ret->modules, "vmlinuz");
		ret->vmlinuz = image;
		if (file_exists(image))
			return NULL;
		return no_kernel(
			error_create("%s has modules for %s but no kernel image (boot/vmlinuz-%s)",
				     dir, release, release));
	}
	return no_kernel(error_create(
		"%s holds no kernel: neither lib/modules nor usr/lib/modules is there", dir));
}

/* Image and modules where distributions install them. */
static struct error *find_installed(const char *release, struct arena *arena,
				    struct guest_kernel *ret)
{
	ret->installed = true;
	ret->release = release;
	ret->vmlinuz = arena_printf(arena, "/boot/vmlinuz-%s", release);
	ret->modules = arena_printf(arena, "/lib/modules/%s", release);
	if (!file_exists(ret->vmlinuz))
		ret->vmlinuz = arena_printf(arena, "/usr/lib/modules/%s/vmlinuz", release);
	if (!file_exists(ret->vmlinuz))
		return no_kernel(
			error_create("no kernel %s is installed: /boot/vmlinuz-%s is not there",
				     release, release));
	if (!is_directory(ret->modules))
		return no_kernel(error_create("kernel %s has no modules: %s is not there", release,
					      ret->modules));
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
		const char *release = name ? name : newest_in("/boot", "vmlinuz-", arena);

		if (!release)
			release = newest_in("/usr/lib/modules", "", arena);
		if (!release)
			return no_kernel(
				error_create("no kernel is installed: /boot holds no vmlinuz-*"));
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
