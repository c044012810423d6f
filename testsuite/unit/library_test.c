/* links: library */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "library/library.h"
#include "parse/parse.h"

struct fixture {
	struct arena *arena;
	char *root;
	const char *dirs[2], *cache, *arch;
	/* one session at a time */
	struct arena *session;
	struct interner *in;
	struct diag_sink *sink;
	struct parser *parser;
	struct library *lib;
};

static void put(struct fixture *f, const char *path, const char *text)
{
	const char *full = path_join(f->arena, f->root, path);
	char *dir = arena_strndup(f->arena, full, (size_t)(path_base(full) - full));

	assert_null(dir_create_all(dir));
	assert_null(file_write_atomic(full, text, strlen(text), 0644));
}

static void open_library(struct fixture *f)
{
	struct library_options options = {
		.dirs = f->dirs,
		.n_dirs = 2,
		.release = "6.1.0-56-amd64",
		.arch = f->arch,
		.cache_dir = f->cache,
	};
	const struct parse_env env = { .kernel_vr = "6.1.0-56-amd64",
				       .arch = f->arch,
				       .compatible = "5.6" };

	if (f->session)
		arena_destroy(f->session);
	f->session = arena_create();
	f->in = interner_create(f->session);
	f->sink = diag_sink_create(f->session, source_map_create(f->session));
	f->parser = parser_create(f->session, f->in, f->sink, &env);
	assert_null(library_open(f->session, f->in, f->parser, &options, &f->lib));
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->arena = arena_create();
	assert_null(dir_create_temp(f->arena, "spile-library-", &f->root));
	f->dirs[0] = path_join(f->arena, f->root, "mine");
	f->dirs[1] = path_join(f->arena, f->root, "tapset");
	f->cache = path_join(f->arena, f->root, "cache/deep");
	f->arch = "x86_64";
	put(f, "tapset/macros.stpm", "@define five %( 5 %)\n@define who %( \"plain\" %)\n");
	put(f, "tapset/linux/macros2.stpm", "@define who %( \"linux\" %)\n");
	put(f, "tapset/a.stp",
	    "global ga, gb[5]\nfunction fa() { return @five }\nprivate function hidden() { }\n"
	    "probe al.one = begin { } probe al.two.three = al.one { } probe never { }\n");
	put(f, "tapset/b.stp",
	    "%( arch == \"x86_64\" %? function fx() { } %: function fy() { } %)\n"
	    "function fa(x) { } probe other = begin { } probe {p,q}.r = begin { }\n");
	put(f, "tapset/pages.stp",
	    "# first\nfunction fpage1() { }\n\f\nprobe pg.one = begin { }\n\f\nprobe pg.two = begin { }\n");
	put(f, "tapset/bad.stp", "function fbad( { }\nfunction fbad2() { }\n");
	put(f, "tapset/linux/x86_64/arch.stp", "function farch() { }");
	put(f, "tapset/i386/arch32.stp", "function fi386() { }");
	put(f, "tapset/v.stp", "function version:string() { return \"any\" }");
	put(f, "tapset/6.1/v.stp", "function version:string() { return \"6.1\" }");
	put(f, "tapset/PATH/usr/bin/tool.stp", "probe tool.start = process(\"tool\").begin { }");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	error_destroy(dir_remove_all(f->root));
	arena_destroy(f->session);
	arena_destroy(f->arena);
	free(f);
	return 0;
}

static size_t functions(struct fixture *f, const char *name, struct ast_files *files)
{
	memset(files, 0, sizeof(*files));
	library_find_function(f->lib, intern(f->in, name), files);
	return files->n;
}

static size_t aliases(struct fixture *f, const char *point)
{
	struct ast_files files = { 0 };
	struct ast_file *file = parse_probe_text(f->parser, "<test>", point, strlen(point));

	assert_non_null(file);
	library_find_alias(f->lib, file->probes.data[0]->points.data[0], &files);
	return files.n;
}

/* A file is cut at form feeds; only pages that are asked for are parsed. b.stp is always among the aliases. */
static void check_pages(struct fixture *f)
{
	struct ast_files files;

	assert_int_equal(functions(f, "fpage1", &files), 1);
	assert_int_equal(files.data[0]->functions.n, 1);
	assert_int_equal(files.data[0]->aliases.n, 0);
	assert_int_equal(aliases(f, "pg.two"), 2);
	assert_int_equal(aliases(f, "pg.*"), 3);
	assert_int_equal(aliases(f, "p*.one"), 2);
}

static bool has_suffix(const char *s, const char *suffix)
{
	return strlen(s) >= strlen(suffix) && !strcmp(s + strlen(s) - strlen(suffix), suffix);
}

static void check_symbols(struct fixture *f)
{
	struct ast_files files, globals = { 0 };
	const char *const *names;

	check_pages(f);
	assert_int_equal(functions(f, "fa", &files), 2);
	assert_int_equal(functions(f, "hidden", &files), 0);
	assert_int_equal(functions(f, "farch", &files), 1);
	assert_int_equal(functions(f, "fi386", &files), 0);
	assert_int_equal(functions(f, "version", &files), 1);
	assert_true(has_suffix(files.data[0]->name, "/6.1/v.stp"));
	/* both arms are indexed: the file is read, and sema finds no such function in it */
	assert_int_equal(functions(f, "fy", &files), 1);
	assert_int_equal(files.data[0]->functions.n, 2);
	library_find_global(f->lib, intern(f->in, "gb"), &globals);
	assert_int_equal(globals.n, 1);
	assert_true(library_function_names(f->lib, &names) >= 6);
	assert_int_equal(diag_count(f->sink), 0);
}

static void test_find(void **state)
{
	struct fixture *f = *state;

	open_library(f);
	check_symbols(f);
	/* and again, from the stored index */
	open_library(f);
	check_symbols(f);
}

static void test_aliases(void **state)
{
	struct fixture *f = *state;

	open_library(f);
	/* b.stp has a name in braces, which could be anything, so it is always there */
	assert_int_equal(aliases(f, "al.one"), 2);
	assert_int_equal(aliases(f, "al.one.return.maxactive(5)"), 2);
	assert_int_equal(aliases(f, "al.two"), 1);
	assert_int_equal(aliases(f, "al.*"), 2);
	assert_int_equal(aliases(f, "a*.two.th*"), 2);
	assert_int_equal(aliases(f, "al.**"), 2);
	assert_int_equal(aliases(f, "**ee"), 2);
	assert_int_equal(aliases(f, "al(\"x\").one"), 1);
	assert_int_equal(aliases(f, "tool.start"), 2);
	assert_int_equal(aliases(f, "nothing"), 1);
	assert_int_equal(diag_error_count(f->sink), 0);
}

static void test_macros(void **state)
{
	static const char text[] = "probe begin { x = @who }";
	struct fixture *f = *state;
	struct ast_file *file;

	open_library(f);
	file = parse_text(f->parser, "<input>", text, sizeof(text) - 1, false);
	assert_non_null(file);
	/* linux/ is more specific */
	assert_string_equal(file->probes.data[0]
				    ->body->block.list.data[0]
				    ->expr.expr->assign.right->string.value->text,
			    "linux");
}

static void test_bad_file(void **state)
{
	struct fixture *f = *state;
	struct ast_files files;

	open_library(f);
	assert_int_equal(functions(f, "fbad2", &files), 0);
	assert_int_equal(functions(f, "fbad", &files), 0);
	assert_int_equal(diag_error_count(f->sink), 0);
	assert_int_equal(diag_count(f->sink), 1);
	assert_int_equal(diag_get(f->sink, 0)->tag, DIAG_LIBRARY_SKIPPED);
}

static void test_change(void **state)
{
	struct fixture *f = *state;
	struct ast_files files;

	open_library(f);
	assert_int_equal(functions(f, "fresh", &files), 0);
	put(f, "tapset/new.stp", "function fresh() { }");
	open_library(f);
	assert_int_equal(functions(f, "fresh", &files), 1);
	/* a copy in an earlier directory hides the file */
	put(f, "mine/new.stp", "function fresher() { }");
	open_library(f);
	assert_int_equal(functions(f, "fresh", &files), 0);
	assert_int_equal(functions(f, "fresher", &files), 1);
	/* the same size, another time */
	put(f, "mine/new.stp", "function freshes() { }");
	open_library(f);
	assert_int_equal(functions(f, "fresher", &files), 0);
	assert_int_equal(functions(f, "freshes", &files), 1);
}

/* The only index file. */
static const char *index_path(struct fixture *f)
{
	const char *path = NULL;
	struct dirent *d;
	DIR *dir = opendir(f->cache);

	assert_non_null(dir);
	while ((d = readdir(dir))) {
		if (d->d_name[0] != '.' && !path_has_suffix(d->d_name, ".seal"))
			path = path_join(f->arena, f->cache, d->d_name);
	}
	closedir(dir);
	return path;
}

static void test_corrupt_index(void **state)
{
	struct fixture *f = *state;
	const char *path;
	char *text, *bad;
	size_t len;

	open_library(f);
	path = index_path(f);
	assert_null(file_read(path, &text, &len));
	bad = malloc(len);
	for (size_t i = 0; i < len; i += 1 + len / 200) {
		memcpy(bad, text, len);
		bad[i] ^= 0x41;
		assert_null(file_write_atomic(path, bad, len, 0644));
		open_library(f);
		check_symbols(f);
		assert_null(file_write_atomic(path, text, i, 0644));
		open_library(f);
		check_symbols(f);
	}
	free(bad);
	free(text);
}

/* Numbers that point nowhere, in an index whose seal holds. */
static void test_wrong_numbers(void **state)
{
	struct fixture *f = *state;
	const uint32_t wrong = 0xffffffff;
	uint64_t n_bytes;
	const char *path;
	char *text, *bad;
	size_t len, names;

	open_library(f);
	path = index_path(f);
	assert_null(file_read(path, &text, &len));
	/* the names are the rest, and have the last number of the header */
	memcpy(&n_bytes, text + 6 * sizeof(n_bytes), sizeof(n_bytes));
	names = len - n_bytes;
	bad = malloc(len);
	assert_true(names > 100 && names < len);
	for (size_t i = 0; i + sizeof(wrong) <= names; i += sizeof(wrong)) {
		memcpy(bad, text, len);
		memcpy(bad + i, &wrong, sizeof(wrong));
		assert_null(seal_write_data(path, bad, len));
		open_library(f);
		check_symbols(f);
	}
	free(bad);
	free(text);
}

/* A file that became shorter since it was found. */
static void test_shorter_file(void **state)
{
	struct fixture *f = *state;
	struct ast_files files;

	open_library(f);
	put(f, "tapset/pages.stp", "# f\n");
	assert_int_equal(functions(f, "fpage1", &files), 0);
	assert_int_equal(diag_count(f->sink), 1);
	assert_int_equal(diag_get(f->sink, 0)->tag, DIAG_LIBRARY_SKIPPED);
}

static bool is_name(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* A row about one machine's kernels is told of those alone. */
static void test_gone(void **state)
{
	struct fixture *f = *state;
	const char *const *names;
	size_t n;

	open_library(f);
	assert_non_null(library_why_gone(f->lib, "nd_syscall.recv.return", false));
	assert_non_null(library_why_gone(f->lib, "syscall.mseal", false));
	assert_null(library_why_gone(f->lib, "scsi.ioentry", false));
	assert_non_null(library_why_gone(f->lib, "scsi.ioentry", true));
	n = library_gone_names(f->lib, &names);
	assert_true(is_name(names, n, "syscall.recv") && is_name(names, n, "syscall.mseal"));
	assert_false(is_name(names, n, "scsi.*"));
	f->arch = "aarch64";
	open_library(f);
	assert_null(library_why_gone(f->lib, "nd_syscall.recv.return", false));
	assert_non_null(library_why_gone(f->lib, "syscall.mseal", false));
	n = library_gone_names(f->lib, &names);
	assert_true(!is_name(names, n, "syscall.recv") && is_name(names, n, "syscall.mseal"));
}

static void test_no_cache(void **state)
{
	struct fixture *f = *state;

	f->cache = NULL;
	open_library(f);
	check_symbols(f);
	f->cache = "/proc/cannot/be/made";
	open_library(f);
	check_symbols(f);
}

/* Several processes build and read the index at once. */
static void test_concurrent(void **state)
{
	struct fixture *f = *state;
	pid_t pids[8];

	for (int i = 0; i < 8; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i])
			continue;
		for (int j = 0; j < 20; j++) {
			struct ast_files files;
			const char *path;

			open_library(f);
			if (functions(f, "fa", &files) != 2)
				_exit(1);
			path = index_path(f);
			if (j % 5 == 0 && path)
				unlink(path);
		}
		_exit(0);
	}
	for (int i = 0; i < 8; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}

static void test_all_files(void **state)
{
	struct ast_files files = { 0 };
	struct fixture *f = *state;

	open_library(f);
	library_all_files(f->lib, &files);
	assert_int_equal(library_file_count(f->lib), 9);
	assert_int_equal(files.n, 8); /* not the macros, not the bad one; pages each */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_find),          TEST(test_aliases),      TEST(test_macros),
		TEST(test_bad_file),      TEST(test_change),       TEST(test_no_cache),
		TEST(test_concurrent),    TEST(test_all_files),    TEST(test_corrupt_index),
		TEST(test_wrong_numbers), TEST(test_shorter_file), TEST(test_gone),
	};

	return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
