/* links: target ir base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of source files, as they are read here and as libdw gives them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "target/image.h"
#include "target/unit_files.h"

/* What a case works on: a program of two units, whose files are in two folders. */
struct fixture {
	struct arena *arena;
	char *dir;
	const char *program;
	struct dwarf_file file;
	struct unit_files files;
};

static void run(const char *dir, const char *const argv[])
{
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

static void write_file(struct fixture *f, const char *name, const char *text)
{
	assert_null(file_write_atomic(path_join(f->arena, f->dir, name), text, strlen(text), 0644));
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->arena = arena_create();
	assert_null(dir_create_temp(f->arena, "spile-files-", &f->dir));
	f->program = path_join(f->arena, f->dir, "program");
	assert_null(dir_create_all(path_join(f->arena, f->dir, "below")));
	write_file(f, "below/a.h", "static inline int copied(int x) { return x * 2; }\n");
	write_file(f, "b.c", "#include \"below/a.h\"\nint b(int x) { return copied(x); }\n");
	write_file(
		f, "main.c",
		"#include <string.h>\n#include \"below/a.h\"\nint b(int x);\n"
		"int main(void) { char t[9]; return copied(strlen(strcpy(t, \"9\"))) + b(1); }\n");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	assert_null(dir_remove_all(f->dir));
	arena_destroy(f->arena);
	free(f);
	return 0;
}

static void compile(struct fixture *f, const char *version, const char *sections)
{
	const char *const argv[] = { "gcc",   "-O1",
				     version, sections,
				     "-o",    "program",
				     "b.c",   path_join(f->arena, f->dir, "main.c"),
				     NULL };

	run(f->dir, argv);
}

static void open_program(struct fixture *f)
{
	assert_null(dwarf_file_open(f->program, &f->file));
	unit_files_init(&f->files, f->arena);
}

static void close_program(struct fixture *f)
{
	unit_files_deinit(&f->files);
	dwarf_file_close(&f->file);
}

/* Calls EACH for all DIEs below PARENT. */
static void each_die(struct fixture *f, Dwarf_Die *parent,
		     void (*each)(struct fixture *f, Dwarf_Die *die))
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		each(f, &die);
		each_die(f, &die, each);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void each_unit(struct fixture *f, void (*each)(struct fixture *f, Dwarf_Die *die))
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (dwarf_get_units(f->file.dw, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		each_die(f, &unit, each);
}

static unsigned compared;

static void compare(struct fixture *f, Dwarf_Die *die)
{
	const char *want = dwarf_declared_in(die), *got = unit_files_declared_in(&f->files, die);

	if (!want) {
		assert_null(got);
		return;
	}
	assert_string_equal(got, want);
	compared++;
}

/* Relative and absolute folders, of each version that gcc writes; strings in the table, and in a section of their own. */
static void names_are_those_of_libdw(void **state)
{
	static const char *const versions[] = { "-gdwarf-2", "-gdwarf-3", "-gdwarf-4",
						"-gdwarf-5" };
	static const char *const ways[] = { "-gz=none", "-gz=zlib", "-gno-as-loc-support",
					    "-fdebug-types-section" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		for (size_t k = 0; k < sizeof(ways) / sizeof(*ways); k++) {
			compile(f, versions[i], ways[k]);
			open_program(f);
			compared = 0;
			each_unit(f, compare);
			close_program(f);
			assert_in_range(compared, 10, 10000);
		}
}

static void ask(struct fixture *f, Dwarf_Die *die)
{
	unit_files_declared_in(&f->files, die);
}

/* Nothing is read outside, and the end is reached, with any byte of the tables wrong. */
static void damage_is_survived(void **state)
{
	static const char *const versions[] = { "-gdwarf-4", "-gdwarf-5" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct image_section s;
		struct image image;
		size_t at, size, len;
		char *bytes;

		compile(f, versions[i], "-gz=none");
		assert_null(image_open(f->program, &image));
		assert_true(image_section(&image, ".debug_line", &s));
		at = (size_t)(s.data - (const unsigned char *)image.map.data);
		size = s.size < 300 ? s.size : 300;
		image_close(&image);
		assert_null(file_read(f->program, &bytes, &len));
		for (size_t k = 0; k < size; k++) {
			char was = bytes[at + k];

			bytes[at + k] = (char)(was ^ (k % 2 ? 0xff : 0x81));
			assert_null(file_write_atomic(f->program, bytes, len, 0644));
			open_program(f);
			each_unit(f, ask);
			close_program(f);
			bytes[at + k] = was;
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_are_those_of_libdw, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_survived, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
