/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's initrd: a "newc" cpio archive
 * (Documentation/driver-api/early-userspace/buffer-format.rst) of the agent and the drivers through
 * which it reaches the host. What is built into the kernel is simply not among its modules.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "remote/guest_kernel.h"
#include "unpack/kernel_image.h"

/*
 * Drivers wanted, leaf last; their dependencies come before them. virtiofs is for kernels without
 * 9p.
 */
static const char *const wanted[] = { "virtio_pci", "virtio_console", "9pnet_virtio", "9p",
				      "overlay" };
static const char *const wanted_without_9p[] = { "virtio_pci", "virtio_console", "virtiofs",
						 "overlay" };

/* One header and its data, each padded to four bytes. */
static void cpio_entry(struct strbuf *out, const char *name, unsigned int mode,
		       unsigned int rdev_major, unsigned int rdev_minor, const void *data,
		       size_t len)
{
	size_t name_len = strlen(name) + 1;

	strbuf_addf(out, "070701%08x%08x%08x%08x%08x%08x%08zx%08x%08x%08x%08x%08zx%08x", 1u, mode,
		    0u, 0u, 1u, 0u, len, 0u, 0u, rdev_major, rdev_minor, name_len, 0u);
	strbuf_add(out, name, name_len);
	strbuf_add(out, "\0\0\0", -out->len & 3);
	strbuf_add(out, data, len);
	strbuf_add(out, "\0\0\0", -out->len & 3);
}

/* One module file of the kernel; names have '-' as '_'. */
struct module_file {
	const char *name, *path;
	bool added;
};

struct module_set {
	struct arena *arena;
	VEC(struct module_file) files;
	struct strbuf *out;
	unsigned int n_added;
};

/* The name of a module file, however it is compressed; NULL for other files. */
static const char *module_name(struct arena *arena, const char *file)
{
	const char *dot = strstr(file, ".ko");
	char *name;

	if (!dot || (dot[3] != '\0' && dot[3] != '.'))
		return NULL;
	name = arena_strndup(arena, file, dot - file);
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static struct module_file *find_module(struct module_set *set, const char *name)
{
	vec_foreach(f, &set->files)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/*
 * Where a dependency lives differs between kernels, so the whole tree is listed: 4,000 names, once
 * per kernel.
 */
static void scan_modules(struct module_set *set, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	while (d && (de = readdir(d)) != NULL) {
		struct module_file f = { .name = module_name(set->arena, de->d_name) };
		const char *path;

		if (de->d_name[0] == '.')
			continue;
		path = path_join(set->arena, dir, de->d_name);
		if (f.name) {
			f.path = path;
			vec_push(set->arena, &set->files, f);
		} else if (de->d_type == DT_DIR || de->d_type == DT_UNKNOWN) {
			scan_modules(set, path);
		}
	}
	if (d)
		closedir(d);
}

/* "depends=a,b" of .modinfo: found by content, since modules.dep is made at installation only. */
static const char *module_depends(const char *elf, size_t len)
{
	const char *p = memmem(elf, len, "\0depends=", 9);

	return p && memchr(p + 9, '\0', elf + len - (p + 9)) ? p + 9 : "";
}

/*
 * The module behind its dependencies, so that the agent can load them in the order of their
 * names. Each is added once.
 */
static struct error *add_module(struct module_set *set, const char *name)
{
	struct module_file *f = find_module(set, name);
	struct error *err = NULL;
	char *elf, *depends, *at, *next;
	const char *entry;
	size_t len;

	/* Not a module here: built in, or the agent says what is missing. */
	if (!f || f->added)
		return NULL;
	f->added = true;
	err = kernel_module_read(f->path, &elf, &len);
	if (err)
		return err;
	depends = arena_strdup(set->arena, module_depends(elf, len));
	for (at = depends; at && *at && !err; at = next) {
		next = strchr(at, ',');
		if (next)
			*next++ = '\0';
		for (char *p = at; *p; p++)
			if (*p == '-')
				*p = '_';
		err = add_module(set, at);
	}
	if (!err) {
		entry = arena_printf(set->arena, "mod/%02u-%s.ko", set->n_added++, name);
		cpio_entry(set->out, entry, S_IFREG | 0644, 0, 0, elf, len);
	}
	free(elf);
	return err;
}

static struct error *add_modules(struct module_set *set, const char *const *names, size_t n)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < n; i++)
		err = add_module(set, names[i]);
	return err;
}

/* Whether the kernel can reach the host's files at all. */
static struct error *check_has_files(struct module_set *set, const struct guest_kernel *kernel)
{
	if (guest_kernel_has_9p(kernel, set->arena) || find_module(set, "virtiofs"))
		return NULL;
	return error_hint(
		error_create(
			"kernel %s has neither 9p nor virtiofs to reach this machine's files with",
			kernel->release),
		"take a kernel of another flavour");
}

struct error *guest_initrd_build(const struct guest_kernel *kernel, const char *agent,
				 struct strbuf *out)
{
	static const char *const dirs[] = { "dev", "proc", "sys", "mod" };
	struct module_set set = { .arena = arena_create(), .out = out };
	struct error *err;
	size_t len;
	char *data;

	err = file_read(agent, &data, &len);
	if (err)
		goto out;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		cpio_entry(out, dirs[i], S_IFDIR | 0755, 0, 0, NULL, 0);
	cpio_entry(out, "dev/console", S_IFCHR | 0600, 5, 1, NULL, 0);
	cpio_entry(out, "init", S_IFREG | 0755, 0, 0, data, len);
	free(data);
	scan_modules(&set, path_join(set.arena, kernel->modules, "kernel"));
	err = check_has_files(&set, kernel);
	if (guest_kernel_has_9p(kernel, set.arena))
		err = err ? err : add_modules(&set, wanted, sizeof(wanted) / sizeof(wanted[0]));
	else
		err = err ? err
			  : add_modules(&set, wanted_without_9p,
					sizeof(wanted_without_9p) / sizeof(wanted_without_9p[0]));
	cpio_entry(out, "TRAILER!!!", 0, 0, 0, NULL, 0);
out:
	arena_destroy(set.arena);
	return err;
}
