/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a case may ask of a kernel and of this machine: one row a word. */
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

static bool holds_btf(struct arena *arena, const struct test_kernel *kernel, const char *rest)
{
	return configured(kernel, "CONFIG_DEBUG_INFO_BTF");
}

static bool holds_fprobe(struct arena *arena, const struct test_kernel *kernel, const char *rest)
{
	return configured(kernel, "CONFIG_FPROBE");
}

static bool holds_debuginfo(struct arena *arena, const struct test_kernel *kernel, const char *rest)
{
	return kernel->debuginfo != NULL;
}

static bool holds_option(struct arena *arena, const struct test_kernel *kernel, const char *rest)
{
	return configured(kernel, rest - strlen("CONFIG_"));
}

static bool holds_program(struct arena *arena, const struct test_kernel *kernel, const char *rest)
{
	return in_path(arena, rest);
}

static bool holds_kernel(struct arena *arena, const struct test_kernel *kernel, const char *rest)
{
	return kernel_is(kernel->release, rest);
}

/* The file vmlinux alone is not enough for functions of modules. */
static bool holds_modules_debuginfo(struct arena *arena, const struct test_kernel *kernel,
				    const char *rest)
{
	return kernel->debuginfo && file_exists(arena_printf(arena, "%s/lib/modules/%s/kernel",
							     kernel->debuginfo, kernel->release));
}

/* A condition and a version: >=6.1 */
static bool is_condition(const char *rest)
{
	size_t op = strspn(rest, "<>=");

	return op >= 1 && op <= 2 && (op == 1 || rest[1] == '=') && rest[op] >= '0' &&
	       rest[op] <= '9' && !rest[op + strspn(rest + op, "0123456789.")];
}

static bool is_name(const char *rest)
{
	return *rest != '\0';
}

/* The words of requires:, each with the form of what follows it; NULL: nothing does. */
static const struct {
	const char *prefix;
	bool (*is_rest)(const char *rest);
	bool (*holds)(struct arena *arena, const struct test_kernel *kernel, const char *rest);
} words_known[] = {
	{ "btf", NULL, holds_btf },
	{ "fprobe", NULL, holds_fprobe },
	{ "debuginfo", NULL, holds_debuginfo },
	{ "modules-debuginfo", NULL, holds_modules_debuginfo },
	{ "CONFIG_", is_name, holds_option },
	{ "program:", is_name, holds_program },
	{ "kernel", is_condition, holds_kernel },
};

#define N_WORDS (sizeof(words_known) / sizeof(words_known[0]))

/* The row of WORD, or N_WORDS. */
static size_t find_word(const char *word)
{
	for (size_t i = 0; i < N_WORDS; i++) {
		size_t n = strlen(words_known[i].prefix);

		if (strncmp(word, words_known[i].prefix, n) == 0 &&
		    (words_known[i].is_rest ? words_known[i].is_rest(word + n) : !word[n]))
			return i;
	}
	return N_WORDS;
}

static bool holds(struct arena *arena, const struct test_kernel *kernel, const char *word)
{
	size_t i;

	if (word[0] == '!')
		return !holds(arena, kernel, word + 1);
	i = find_word(word);
	return i < N_WORDS &&
	       words_known[i].holds(arena, kernel, word + strlen(words_known[i].prefix));
}

bool test_requires_has(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = words; *p; p += strspn(p, ", \t")) {
		size_t len = strcspn(p, ", \t");

		if (len == n && memcmp(p, word, n) == 0)
			return true;
		p += len;
	}
	return false;
}

const char *test_requires_unknown(struct arena *arena, const char *words)
{
	char *copy = arena_strdup(arena, words), *save = NULL;

	for (char *word = strtok_r(copy, ", \t", &save); word; word = strtok_r(NULL, ", \t", &save))
		if (find_word(word + (word[0] == '!')) == N_WORDS)
			return word;
	return NULL;
}

const char *test_requires(struct arena *arena, const struct test_kernel *kernel, const char *words)
{
	char *copy = arena_strdup(arena, words), *save = NULL;

	for (char *word = strtok_r(copy, ", \t", &save); word; word = strtok_r(NULL, ", \t", &save))
		if (!holds(arena, kernel, word))
			return word;
	return NULL;
}
