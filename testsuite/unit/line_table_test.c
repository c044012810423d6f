/* links: target ir base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of source lines of programs that are compiled here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/subprocess.h"
#include "target/line_table.h"

/* A function of more than a page, which nothing calls. */
static void write_unused(const char *path)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_adds(&text,
		    "static inline __attribute__((always_inline)) void copied(volatile int *p)\n"
		    "{\n*p = 2;\n}\nvoid unused(volatile int *p)\n{\n");
	for (int i = 0; i < 1500; i++)
		strbuf_adds(&text, i % 100 ? "*p = 1;\n" : "copied(p);\n");
	strbuf_adds(&text, "}\n");
	assert_null(file_write_atomic(path, text.s, text.len, 0644));
	strbuf_deinit(&text);
}

static void compile(const char *dir, const char *version)
{
	const char *const argv[] = { "gcc",
				     version,
				     "-ffunction-sections",
				     "-Wl,--gc-sections",
				     "-o",
				     "program",
				     "unused.c",
				     "main.c",
				     NULL };
	struct subprocess sp = {
		.argv = argv, .cwd = dir, .in = SUBPROCESS_NULL, .out = SUBPROCESS_NULL
	};
	char *out, *messages;
	size_t len;
	int status;

	assert_null(subprocess_capture(&sp, &out, &len, &messages, &status));
	assert_int_equal(status, 0);
	free(out);
	free(messages);
}

/* Has the table TEXT, which may be a name of it? */
static bool mentions(struct arena *arena, const char *dir, enum line_table_kind kind,
		     const char *text)
{
	static const unsigned char id[BUILD_ID_SIZE];
	struct line_table_source source = { path_join(arena, dir, "program"), id, true };
	const char *kept = path_join(arena, dir, "table");
	char *bytes;
	size_t len;
	bool ret;

	assert_null(line_table_make(&source, kind, kept));
	assert_null(file_read(kept, &bytes, &len));
	ret = memmem(bytes, len, text, strlen(text));
	free(bytes);
	return ret;
}

/* Its rows begin at 0 and reach to where there is code. */
static void drops_what_the_linker_dropped(void **state)
{
	static const char *const versions[] = { "-gdwarf-4", "-gdwarf-5" };
	static const char main_c[] =
		"static inline __attribute__((always_inline)) void shown(volatile int *p)\n"
		"{\n*p = 3;\n}\n"
		"int main(void) { int i; shown(&i); return 0; }\n";
	struct arena *arena = arena_create();
	char *dir;

	assert_null(dir_create_temp(arena, "spile-lines-", &dir));
	write_unused(path_join(arena, dir, "unused.c"));
	assert_null(
		file_write_atomic(path_join(arena, dir, "main.c"), main_c, strlen(main_c), 0644));
	for (int i = 0; i < 2; i++) {
		compile(dir, versions[i]);
		assert_true(mentions(arena, dir, LINE_TABLE_LINES, "main.c"));
		assert_false(mentions(arena, dir, LINE_TABLE_LINES, "unused.c"));
		assert_true(mentions(arena, dir, LINE_TABLE_INLINES, "shown"));
		assert_false(mentions(arena, dir, LINE_TABLE_INLINES, "copied"));
	}
	assert_null(dir_remove_all(dir));
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drops_what_the_linker_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
