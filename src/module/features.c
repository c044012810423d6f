/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests of what a kernel has. Presence is found by compiling a snippet or by the list of exports,
 * never by the kernel's version; the results are the macros of stp_features.h.
 */
#include "module/features.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* All of them are one text: most of a snippet's cost is parsing headers, which they share. */
static char *snippets_text(const struct features *f)
{
	struct strbuf b;
	unsigned n = 0;

	strbuf_init(&b);
	vec_foreach(feature, &f->list)
		if (feature->open)
			strbuf_addf(&b, "#define test test_%u\n#include \"%s\"\n#undef test\n", n++,
				    feature->snippet);
	strbuf_cstr(&b);
	return strbuf_steal(&b);
}

/* Parses what is open. *text: the compiler's messages, heap. */
static struct error *parse_open(struct features *f, const char *const *compile, char **text,
				int *status)
{
	/* a call of a function that is gone must fail, whatever the compiler's defaults */
	static const char *const strict[] = { "-Werror=implicit-function-declaration",
					      "-Werror=implicit-int",
					      "-Werror=int-conversion",
					      "-Werror=incompatible-pointer-types",
					      "-fsyntax-only",
					      "-x",
					      "c",
					      "-",
					      NULL };
	char *snippets = snippets_text(f);
	int in, err_fd;
	struct argv argv;
	pid_t pid;
	struct error *err = tool_memory_file(snippets, &in);

	free(snippets);
	if (err)
		return err;
	err = tool_memory_file("", &err_fd);
	if (err) {
		close(in);
		return err;
	}
	argv_init(&argv, f->arena);
	argv_add_all(&argv, compile);
	argv_add_all(&argv, strict);
	err = tool_start(argv_done(&argv), NULL, in, err_fd, err_fd, &pid);
	close(in);
	if (!err)
		err = tool_wait(pid, status);
	*text = tool_collect(err_fd);
	return err;
}

/* Is a line of the messages an error in the file, or in what it includes? */
static bool is_named(const char *text, const char *path)
{
	static const char included[] = "In file included from ";

	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		size_t len;

		end = strchrnul(line, '\n');
		len = (size_t)(end - line);
		if (memmem(line, len, path, strlen(path)) &&
		    (memmem(line, len, "error:", 6) || !strncmp(line, included, strlen(included))))
			return true;
	}
	return false;
}

/* Those the messages of a failed compiler name are decided; false when there is none such. */
static bool drop_named(struct features *f, const char *text)
{
	bool ret = false;

	vec_foreach(feature, &f->list) {
		if (!feature->open || !is_named(text, feature->snippet))
			continue;
		feature->open = false;
		ret = true;
	}
	return ret;
}

static void have_open(struct features *f)
{
	vec_foreach(feature, &f->list) {
		feature->have |= feature->open;
		feature->open = false;
	}
}

/*
 * Once over all, and again over the rest where the compiler gave up early, at a header that is
 * missing. Messages that name no snippet decide against all that are left.
 */
static struct error *test_snippets(struct features *f, const char *const *compile)
{
	bool again = true;

	while (again) {
		int status = 0;
		char *text = NULL;
		bool named, early;
		struct error *err = parse_open(f, compile, &text, &status);

		if (err) {
			free(text);
			return err;
		}
		named = status && drop_named(f, text);
		early = strstr(text, "fatal error:") != NULL;
		free(text);
		if (!status || (named && !early))
			have_open(f);
		again = named && early;
	}
	return NULL;
}

struct error *features_test(struct features *f, struct module_kernel *kernel,
			    const char *const *compile)
{
	struct symvers *symvers;
	struct symvers_entry entry;
	bool any = false;

	vec_foreach(feature, &f->list) {
		struct error *err;

		feature->open = feature->snippet != NULL;
		any |= feature->open;
		if (!feature->symbol)
			continue;
		err = kernel_symvers(kernel, &symvers);
		if (err)
			return err;
		feature->have = symvers_find(symvers, feature->symbol, &entry);
	}
	return any ? test_snippets(f, compile) : NULL;
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
