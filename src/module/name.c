/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name stands twice: as "name=..." in .modinfo, and in struct module, where its offset depends
 * on the kernel. The old name is read from .modinfo; its bytes are then sought in
 * .gnu.linkonce.this_module. Both fields keep 56 bytes, whatever the name's length: the kernel
 * skips the NULs between two items of .modinfo.
 */
#include "module/name.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "module/module.h"
#include "module/object.h"
#include "runtime/uapi/wire.h"

bool module_name_valid(const char *name)
{
	size_t n = 0;

	for (; name[n]; n++)
		if (!isalnum((unsigned char)name[n]) && name[n] != '_')
			return false;
	return n && n <= STP_MODULE_NAME_MAX && !isdigit((unsigned char)name[0]);
}

/* Offsets in the file of both fields, or false. */
static bool find_fields(const struct object *o, size_t at[2])
{
	size_t info_len, mod_len, n;
	const unsigned char *info = object_section(o, ".modinfo", &info_len);
	const unsigned char *mod = object_section(o, ".gnu.linkonce.this_module", &mod_len);
	const unsigned char *p = info, *old, *end;

	if (!info || !mod)
		return false;
	end = info + info_len;
	while ((p = memmem(p, (size_t)(end - p), "name=", 5)) && p > info && p[-1])
		p++; /* inside another item */
	if (!p || end - p < 5 + STP_MODULE_NAME_MAX + 1)
		return false;
	old = p + 5;
	n = strnlen((const char *)old, STP_MODULE_NAME_MAX + 1);
	if (!n || n > STP_MODULE_NAME_MAX)
		return false;
	/* with its NUL: the name of the struct's field ends there too */
	p = memmem(mod, mod_len, old, n + 1);
	if (!p || (size_t)(mod + mod_len - p) < STP_MODULE_NAME_MAX + 1)
		return false;
	at[0] = (size_t)(old - o->map.data);
	at[1] = (size_t)(p - o->map.data);
	return true;
}

struct error *module_rename(const char *path, const char *name)
{
	char field[STP_MODULE_NAME_MAX + 1] = { 0 };
	struct object object;
	size_t at[2];
	struct error *err;
	bool found;
	int fd;

	if (!module_name_valid(name))
		return error_create(
			"\"%s\" is not a module name: 1 to %d letters, digits and underscores",
			name, STP_MODULE_NAME_MAX);
	memcpy(field, name, strlen(name));
	err = object_open(path, &object);
	if (err)
		return err;
	found = find_fields(&object, at);
	object_close(&object);
	if (!found)
		return error_create("%s is not a module made here: its name cannot be changed",
				    path);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return error_create_errno(errno, "cannot change %s", path);
	for (unsigned i = 0; i < 2 && !err; i++)
		if (pwrite(fd, field, sizeof(field), (off_t)at[i]) != (ssize_t)sizeof(field))
			err = error_create_errno(errno, "cannot change %s", path);
	close(fd);
	return err;
}
