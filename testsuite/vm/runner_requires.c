/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "runner.h"

static bool configured(const struct test_kernel *kernel, const char *option)
{
	const char *at = kernel->config;
	size_t n = strlen(option);

	while ((at = strstr(at, option)) != NULL) {
		if ((at == kernel->config || at[-1] == '\n') && at[n] == '=' &&
		    (at[n + 1] == 'y' || at[n + 1] == 'm'))
			return true;
		at += n;
	}
	return false;
}

static bool in_path(struct arena *arena, const char *program)
{
	const char *path = getenv("PATH"), *end;

	for (; path && *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		if (access(arena_printf(arena, "%.*s/%s", (int)(end - path), path, program),
			   X_OK) == 0)
			return true;
	}
	return false;
}

/* By numbers, as far as the wanted version is written: 6.1 is any 6.1.x. */
static int version_compare(const char *release, const char *wanted)
{
	while (*wanted) {
		char *end_release, *end_wanted;
		unsigned long x = strtoul(release, &end_release, 10),
			      y = strtoul(wanted, &end_wanted, 10);

		if (x != y)
			return x < y ? -1 : 1;
		if (*end_wanted != '.')
			return 0;
		wanted = end_wanted + 1;
		release = *end_release == '.' ? end_release + 1 : "";
	}
	return 0;
}

/* The condition after "kernel": >=6.1 and the like. */
static bool kernel_is(const char *release, const char *condition)
{
	size_t op = strspn(condition, "<>=");
	int order = version_compare(release, condition + op);
	bool or_equal = op == 2 && condition[1] == '=';

	switch (condition[0]) {
	case '>':
		return order > 0 || (or_equal && order == 0);
	case '<':
		return order < 0 || (or_equal && order == 0);
	default:
		return order == 0;
	}
}

static bool has_debuginfo(struct arena *arena, const struct test_kernel *kernel)
{
	return file_exists(
		       arena_printf(arena, "/usr/lib/debug/boot/vmlinux-%s", kernel->release)) ||
	       file_exists(arena_printf(arena, "/usr/lib/debug/lib/modules/%s/vmlinux",
					kernel->release)) ||
	       file_exists(arena_printf(arena, "%s/../../../usr/lib/debug/boot/vmlinux-%s",
					kernel->modules, kernel->release));
}

static bool holds(struct arena *arena, const struct test_kernel *kernel, const char *word)
{
	if (word[0] == '!')
		return !holds(arena, kernel, word + 1);
	if (strcmp(word, "btf") == 0)
		return configured(kernel, "CONFIG_DEBUG_INFO_BTF");
	if (strcmp(word, "fprobe") == 0)
		return configured(kernel, "CONFIG_FPROBE");
	if (strcmp(word, "debuginfo") == 0)
		return has_debuginfo(arena, kernel);
	if (strncmp(word, "CONFIG_", 7) == 0)
		return configured(kernel, word);
	if (strncmp(word, "program:", 8) == 0)
		return in_path(arena, word + 8);
	if (strncmp(word, "kernel", 6) == 0 && strchr("<>=", word[6]))
		return kernel_is(kernel->release, word + 6);
	return false;
}

const char *test_requires(struct arena *arena, const struct test_kernel *kernel, const char *words)
{
	char *copy = arena_strdup(arena, words), *save = NULL;

	for (char *word = strtok_r(copy, ", \t", &save); word; word = strtok_r(NULL, ", \t", &save))
		if (!holds(arena, kernel, word))
			return word;
	return NULL;
}
