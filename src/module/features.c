/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests of what a kernel has. Presence is found by compiling a snippet or by the list of exports,
 * never by the kernel's version; the results are the macros of stp_features.h.
 */
#include "module/features.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "module/kernel.h"

/* One line of the table; it is cut up in place. */
static struct error *add_line(struct features *f, const char *dir, char *line, const char *path,
			      unsigned number)
{
	struct feature feature = { 0 };
	char *save, *name = strtok_r(line, " \t", &save), *test;

	if (!name || *name == '#')
		return NULL;
	test = strtok_r(NULL, " \t", &save);
	if (!test || strtok_r(NULL, " \t", &save))
		return error_create("%s:%u: expected NAME and one test", path, number);
	feature.name = arena_strdup(f->arena, name);
	if (!strncmp(test, "symbol:", 7))
		feature.symbol = arena_strdup(f->arena, test + 7);
	else
		feature.snippet = path_join(f->arena, dir, test);
	if (feature.snippet && !file_exists(feature.snippet))
		return error_create("%s:%u: there is no %s", path, number, feature.snippet);
	vec_push(f->arena, &f->list, feature);
	return NULL;
}

struct error *features_read(const char *dir, struct arena *arena, struct features *ret)
{
	const char *path = path_join(arena, dir, "features.def");
	struct error *err = NULL;
	char *text, *line, *save;
	unsigned number = 0;
	size_t len;

	memset(ret, 0, sizeof(*ret));
	ret->arena = arena;
	if (!file_exists(path))
		return NULL;
	err = file_read(path, &text, &len);
	if (err)
		return err;
	for (save = text; !err && (line = strsep(&save, "\n"));)
		err = add_line(ret, dir, line, path, ++number);
	free(text);
	return err;
}

static void snippet_done(void *arg, int status, char *text)
{
	((struct feature *)arg)->have = !status;
	free(text);
}

struct error *features_test(struct features *f, struct module_kernel *kernel,
			    const char *const *compile, void (*step)(void *arg), void *arg)
{
	/* a call of a function that is gone must fail, whatever the compiler's defaults */
	static const char *const strict[] = { "-Werror=implicit-function-declaration",
					      "-Werror=implicit-int",
					      "-Werror=int-conversion",
					      "-Werror=incompatible-pointer-types",
					      "-fsyntax-only",
					      NULL };
	struct tool_pool pool = { 0 };
	struct error *err = NULL, *wait_err;

	vec_foreach(feature, &f->list) {
		struct symvers *symvers;
		struct symvers_entry entry;
		struct argv argv;

		if (feature->symbol) {
			err = kernel_symvers(kernel, &symvers);
			if (err)
				break;
			feature->have = symvers_find(symvers, feature->symbol, &entry);
			continue;
		}
		step(arg);
		argv_init(&argv, f->arena);
		argv_add_all(&argv, compile);
		argv_add_all(&argv, strict);
		argv_add(&argv, feature->snippet);
		err = tool_pool_add(&pool, argv_done(&argv), snippet_done, feature);
		if (err)
			break;
	}
	wait_err = tool_pool_wait(&pool);
	if (err)
		error_destroy(wait_err);
	else
		err = wait_err;
	return err;
}

struct error *features_write(const struct features *f, const char *path)
{
	struct strbuf b;
	struct error *err;

	strbuf_init(&b);
	strbuf_adds(&b, "/* what this kernel has, found by the tests in runtime/features */\n");
	vec_foreach(feature, &f->list)
		if (feature->have)
			strbuf_addf(&b, "#define STP_HAVE_%s 1\n", feature->name);
	err = file_write_atomic(path, b.s, b.len, 0644);
	strbuf_deinit(&b);
	return err;
}
