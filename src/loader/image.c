/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading module files. The name stands in two places: "name=" in .modinfo, and struct
 * module.name in .gnu.linkonce.this_module, which has room for 56 bytes. Our own modules leave as
 * much room in .modinfo; others may not.
 */
#include "loader/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"

/* A section header whose contents lie within the file; NULL when there is no such one. */
static const Elf64_Shdr *section_at(const struct image *img, size_t i)
{
	const Elf64_Ehdr *eh = (const void *)img->data;
	const Elf64_Shdr *sh;

	if (i >= eh->e_shnum || eh->e_shoff > img->len ||
	    (img->len - eh->e_shoff) / sizeof(*sh) < eh->e_shnum || eh->e_shoff % 8)
		return NULL;
	sh = (const Elf64_Shdr *)(const void *)(img->data + eh->e_shoff) + i;
	if (sh->sh_type == SHT_NOBITS || sh->sh_offset > img->len ||
	    sh->sh_size > img->len - sh->sh_offset)
		return NULL;
	return sh;
}

/* The contents of a section, NULL when there is none of this name. */
static char *find_section(const struct image *img, const char *name, size_t *size)
{
	const Elf64_Ehdr *eh = (const void *)img->data;
	const Elf64_Shdr *names = section_at(img, eh->e_shstrndx), *sh;
	size_t i;

	for (i = 0; names && i < eh->e_shnum; i++) {
		sh = section_at(img, i);
		if (!sh || sh->sh_name >= names->sh_size ||
		    strncmp(img->data + names->sh_offset + sh->sh_name, name,
			    names->sh_size - sh->sh_name))
			continue;
		*size = sh->sh_size;
		return img->data + sh->sh_offset;
	}
	return NULL;
}

/*
 * The value of KEY= in .modinfo, NUL-terminated; NULL when absent. *room: bytes up to the next
 * entry.
 */
static char *modinfo_value(const struct image *img, const char *key, size_t *room)
{
	size_t size, n = strlen(key), i, next;
	char *info = find_section(img, ".modinfo", &size);

	if (!info || !size || info[size - 1])
		return NULL;
	for (i = 0; i < size; i = next) {
		next = i + strlen(info + i) + 1;
		while (next < size && !info[next])
			next++;
		if (!strncmp(info + i, key, n) && info[i + n] == '=') {
			*room = next - (i + n + 1);
			return info + i + n + 1;
		}
	}
	return NULL;
}

/* As modinfo_value(), for keys that need not be there. */
static const char *modinfo_text(const struct image *img, const char *key)
{
	size_t room;
	const char *value = modinfo_value(img, key, &room);

	return value ? value : "";
}

/* Sets name and what stap wrote. A name with a slash would lead paths made of it elsewhere. */
static struct error *check_image(struct image *img)
{
	const Elf64_Ehdr *eh = (const void *)img->data;
	const char *name;
	size_t room;

	if (img->len < sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_type != ET_REL)
		return error_create("'%s' is not a 64-bit kernel module", img->path);
	name = modinfo_value(img, "name", &room);
	if (!name || !*name || strlen(name) > STP_MODULE_NAME_MAX || strchr(name, '/'))
		return error_create("'%s' is not a kernel module: it has no usable name",
				    img->path);
	strcpy(img->name, name);
	img->vermagic = modinfo_text(img, "vermagic");
	img->wire = modinfo_text(img, "stap_wire");
	img->kernel = modinfo_text(img, "stap_kernel");
	return NULL;
}

/* Where the file is, on the heap; NULL without memory. */
static char *find_file(const char *path)
{
	size_t len = strlen(path);
	struct utsname u;
	char *full;

	if (strchr(path, '/') || (len >= 3 && !strcmp(path + len - 3, ".ko")))
		return strdup(path);
	uname(&u);
	return asprintf(&full, "/lib/modules/%s/systemtap/%s.ko", u.release, path) < 0 ? NULL
										       : full;
}

struct error *image_load(struct image *img, const char *path)
{
	struct error *err;

	memset(img, 0, sizeof(*img));
	img->fd = -1;
	img->path = find_file(path);
	if (!img->path)
		return &error_no_memory;
	img->fd = open(img->path, O_RDONLY | O_CLOEXEC);
	err = img->fd < 0 ? error_create_errno(errno, "cannot open %s", img->path)
			  : file_read_fd(img->fd, img->path, &img->data, &img->len);
	if (!err)
		err = check_image(img);
	if (err)
		image_release(img);
	return err;
}

void image_release(struct image *img)
{
	if (img->fd >= 0)
		close(img->fd);
	img->fd = -1;
	free(img->path);
	img->path = NULL;
	free(img->data);
	img->data = NULL;
}

struct error *image_rename(struct image *img, const char *name)
{
	size_t len = strlen(name), room, size;
	char *info = modinfo_value(img, "name", &room);
	char *this_module = find_section(img, ".gnu.linkonce.this_module", &size), *p;

	if (len > STP_MODULE_NAME_MAX || !info || !this_module)
		return error_create("module '%s' cannot be renamed to '%s'", img->name, name);
	p = memmem(this_module, size, img->name, strlen(img->name) + 1);
	if (!p || (size_t)(this_module + size - p) < STP_MODULE_NAME_MAX + 1)
		return error_create(
			"module '%s' cannot be renamed: its name is not where it should be",
			img->name);
	/* without an entry the kernel takes the name of struct module */
	if (room > len) {
		memset(info, 0, room);
		memcpy(info, name, len);
	} else {
		memset(info - strlen("name="), 0, strlen("name=") + strlen(info));
	}
	memset(p, 0, STP_MODULE_NAME_MAX + 1);
	memcpy(p, name, len);
	strcpy(img->name, name);
	img->renamed = true;
	return NULL;
}
