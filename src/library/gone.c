/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aliases of the language's library that a kernel has no target for, and why (gone.def).
 */
#include <fnmatch.h>
#include <string.h>

#include "library/files.h"

#define ANY NULL
static const struct row {
	const char *machine, *names, *why;
} gone[] = {
#define GONE(machine, names, why) { machine, names, why },
#include "library/gone.def"
#undef GONE
};
#undef ANY

/* Is the row about kernels of the library's machine? */
static bool applies(const struct library *lib, const struct row *row)
{
	return !row->machine || (lib->arch && !strcmp(row->machine, lib->arch));
}

/* NAME without what a row means as well: the tier of a system call, and .return. */
static const char *row_name(struct arena *arena, const char *name)
{
	static const char *const tiers[] = { "nd_syscall.", "dw_syscall.", "tp_syscall." };
	static const char leaving[] = ".return";
	size_t len;

	for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++)
		if (!strncmp(name, tiers[i], strlen(tiers[i])))
			name = strchr(name, '_') + 1;
	len = strlen(name);
	if (len >= sizeof(leaving) && !strcmp(name + len - strlen(leaving), leaving))
		len -= strlen(leaving);
	return arena_strndup(arena, name, len);
}

const char *library_why_gone(const struct library *lib, const char *name, bool patterns)
{
	name = row_name(lib->arena, name);
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		for (const char *p = gone[i].names; *p; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");

			if (!applies(lib, &gone[i]))
				break;
			if (patterns ? !fnmatch(arena_strndup(lib->arena, p, len), name, 0)
				     : !strncmp(p, name, len) && !name[len])
				return gone[i].why;
			p += len;
		}
	return NULL;
}

size_t library_gone_names(const struct library *lib, const char *const **ret)
{
	VEC(const char *) names = { 0 };

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		for (const char *p = gone[i].names; *p; p += strspn(p, " ")) {
			const char *name = arena_strndup(lib->arena, p, strcspn(p, " "));

			if (applies(lib, &gone[i]) && !strpbrk(name, "*?["))
				vec_push(lib->arena, &names, name);
			p += strlen(name);
		}
	*ret = names.data;
	return names.n;
}
