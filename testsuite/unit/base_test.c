/* links: base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
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

#include "base/arena.h"
#include "base/build_id.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/subprocess.h"
#include "base/vec.h"

/* What a text that did not fit left in a block is not seen by who gets the rest of it. */
static void test_arena_rest(void **state)
{
	for (size_t rest = 0; rest < 128; rest += 16) {
		struct arena *a = arena_create();
		char *text;

		arena_alloc(a, ((size_t)16 << 10) - rest); /* the first block's size */
		text = arena_printf(a, "%0100d", 7);
		assert_int_equal(strlen(text), 100);
		assert_string_equal(text + 98, "07");
		for (size_t i = 0; i < rest; i += 16) {
			const char *more = arena_alloc(a, 16);

			for (size_t k = 0; k < 16; k++)
				assert_int_equal(more[k], 0);
		}
		arena_destroy(a);
	}
}

static void test_arena(void **state)
{
	struct arena *a = arena_create();
	char *first = arena_alloc(a, 0), *second = arena_alloc(a, 0);

	assert_non_null(first);
	assert_ptr_not_equal(first, second);
	for (size_t size = 1; size < 3000000; size = size * 3 + 1) {
		unsigned char *p = arena_alloc(a, size);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i += 97)
			assert_int_equal(p[i], 0);
		memset(p, 0xa5, size);
	}
	assert_string_equal(arena_printf(a, "%d-%s", 5, "x"), "5-x");
	assert_string_equal(arena_concat(a, "ab", "", "c", NULL), "abc");
	assert_string_equal(arena_concat(a, "", NULL), "");
	assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
	assert_true(arena_used(a) > 3000000);
	arena_destroy(a);
	arena_destroy(NULL);
}

static void test_vec(void **state)
{
	struct arena *a = arena_create();
	VEC(int) v = { 0 };
	int sum = 0;

	vec_foreach(it, &v)
		sum++;
	assert_int_equal(sum, 0);
	for (int i = 0; i < 1000; i++)
		vec_push(a, &v, i);
	vec_foreach(it, &v)
		sum += *it;
	assert_int_equal(v.n, 1000);
	assert_int_equal(sum, 499500);
	arena_destroy(a);
}

static void test_strbuf(void **state)
{
	struct strbuf b;
	char *s;

	strbuf_init(&b);
	assert_string_equal(strbuf_cstr(&b), "");
	for (int i = 0; i < 500; i++)
		strbuf_addf(&b, "%03d,", i);
	assert_int_equal(b.len, 2000);
	assert_memory_equal(b.s, "000,001,", 8);
	strbuf_reset(&b);
	assert_string_equal(strbuf_cstr(&b), "");
	strbuf_add(&b, "a\0b", 3);
	strbuf_addc(&b, 'c');
	assert_int_equal(b.len, 4);
	strbuf_adds(&b, "xyz");
	strbuf_truncate(&b, 4);
	s = strbuf_steal(&b);
	assert_memory_equal(s, "a\0bc", 5);
	free(s);
	s = strbuf_steal(&b);
	assert_string_equal(s, "");
	free(s);
	strbuf_deinit(&b);
}

static void test_intern(void **state)
{
	struct arena *a = arena_create();
	struct interner *in = interner_create(a);
	const struct istr *all[2000];
	char name[32];

	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "name%d", i);
		all[i] = intern(in, name);
	}
	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "name%d", i);
		assert_ptr_equal(intern(in, name), all[i]);
		assert_string_equal(all[i]->text, name);
	}
	assert_ptr_not_equal(intern_n(in, "a\0b", 3), intern_n(in, "a\0c", 3));
	assert_int_equal(intern_n(in, "a\0b", 3)->len, 3);
	assert_ptr_equal(intern(in, ""), intern_n(in, "xyz", 0));
	/* the hash is part of file formats: FNV-1a */
	assert_int_equal(hash_bytes("a", 1), 0xe40c292cu);
	arena_destroy(a);
}

static void test_map(void **state)
{
	struct arena *a = arena_create();
	static char keys[1000], values[1000];
	struct map m;
	size_t n = 0;

	map_init(&m, a);
	assert_null(map_get(&m, &keys[0]));
	assert_false(map_has(&m, &keys[0]));
	for (int i = 0; i < 1000; i++)
		map_put(&m, &keys[i], &values[i]);
	map_put(&m, &keys[5], NULL);
	assert_true(map_has(&m, &keys[5]));
	assert_null(map_get(&m, &keys[5]));
	assert_ptr_equal(map_get(&m, &keys[999]), &values[999]);
	map_foreach(it, &m)
		assert_ptr_equal(it->key, &keys[n++]);
	assert_int_equal(n, 1000);
	arena_destroy(a);
}

static void test_error(void **state)
{
	struct error *err = error_create_errno(ENOENT, "cannot open %s", "x");

	err = error_context(err, "while %s", "testing");
	err = error_hint(err, "try %d", 5);
	assert_int_equal(err->errnum, ENOENT);
	assert_string_equal(err->text, "while testing: cannot open x: No such file or directory");
	assert_string_equal(err->hint, "try 5");
	error_destroy(err);
	error_destroy(NULL);
	assert_ptr_equal(error_context(&error_no_memory, "x"), &error_no_memory);
	error_destroy(&error_no_memory);
}

/* File systems that do not tell what an entry is (DT_UNKNOWN) give the same answers; a link is no directory. */
static void test_entries(void **state)
{
	static const unsigned char types[][2] = { { DT_DIR, DT_LNK }, { DT_UNKNOWN, DT_UNKNOWN } };
	struct arena *a = arena_create();
	struct dirent entry = { 0 };
	const char *link;
	char *dir;

	assert_null(dir_create_temp(a, "spile-base-", &dir));
	link = path_join(a, dir, "link");
	assert_int_equal(symlink(dir, link), 0);
	for (int i = 0; i < 2; i++) {
		entry.d_type = types[i][0];
		assert_true(entry_is_directory(&entry, dir));
		entry.d_type = types[i][1];
		assert_false(entry_is_directory(&entry, link));
	}
	assert_false(entry_is_directory(&entry, path_join(a, dir, "nowhere")));
	assert_null(dir_remove_all(dir));
	arena_destroy(a);
}

static void test_files(void **state)
{
	struct arena *a = arena_create();
	struct file_map map;
	const char *path, *other;
	char *dir, *text;
	struct error *err;
	struct stat st;
	size_t len;

	assert_null(dir_create_temp(a, "spile-base-", &dir));
	path = path_join(a, dir, "one/two/three");
	assert_string_equal(path_base(path), "three");
	assert_string_equal(path_join(a, "/", "x"), "/x");
	assert_null(dir_create_all(path_join(a, dir, "one/two")));
	assert_null(dir_create_all(path_join(a, dir, "one/two")));
	assert_int_equal(file_write_all(-1, "x", 1), EBADF);
	assert_int_equal(file_write_all(-1, NULL, 0), 0);
	assert_null(file_write_atomic(path, "hello\0there", 11, 0640));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_null(file_read(path, &text, &len));
	assert_int_equal(len, 11);
	assert_memory_equal(text, "hello\0there", 12);
	free(text);
	other = path_join(a, dir, "copy");
	assert_null(file_copy(path, other));
	assert_null(file_map_open(other, &map));
	assert_int_equal(map.len, 11);
	file_map_close(&map);
	assert_null(file_write_atomic(other, "", 0, 0600));
	assert_null(file_map_open(other, &map));
	assert_null(map.data);
	file_map_close(&map);
	/* /proc files have no size */
	assert_null(file_read("/proc/self/status", &text, &len));
	assert_true(len > 100);
	free(text);
	err = file_read(path_join(a, dir, "absent"), &text, &len);
	assert_int_equal(err->errnum, ENOENT);
	error_destroy(err);
	err = dir_create_all(path_join(a, other, "below-a-file"));
	assert_non_null(err);
	error_destroy(err);
	assert_null(dir_remove_all(dir));
	assert_false(file_exists(dir));
	assert_null(dir_remove_all(dir));
	arena_destroy(a);
}

/* A full disk leaves the old file, and nothing beside it. */
static void test_failed_write(void **state)
{
	struct error *err = file_write_atomic("/proc/spile-test", "x", 1, 0600);

	assert_non_null(err);
	error_destroy(err);
	err = file_write_atomic("/dev/full/x", "x", 1, 0600);
	assert_non_null(err);
	error_destroy(err);
}

static void test_rotation(void **state)
{
	static const char *const bad[] = { "",    "0",    "x",     "-1", "1x", "1,",
					   "1,0", "1,-1", "1,2,3", ",1", " 1", "99999999999" };
	uint64_t bytes = 0;
	unsigned files = 9;
	size_t i;

	assert_true(file_rotation_parse("3", &bytes, &files));
	assert_int_equal(bytes, 3 << 20);
	assert_int_equal(files, 0);
	assert_true(file_rotation_parse("1,5", &bytes, &files));
	assert_int_equal(bytes, 1 << 20);
	assert_int_equal(files, 5);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(file_rotation_parse(bad[i], &bytes, &files));
}

static void test_expand_time(void **state)
{
	char *path = path_expand_time("a/%%-b");

	assert_string_equal(path, "a/%-b");
	free(path);
	path = path_expand_time("%Y%m%d");
	assert_int_equal(strspn(path, "0123456789"), 8);
	free(path);
}

static struct subprocess shell(const char *const argv[])
{
	return (struct subprocess){
		.argv = argv,
		.in = SUBPROCESS_NULL,
		.out = SUBPROCESS_NULL,
		.err = SUBPROCESS_NULL,
	};
}

static void test_subprocess(void **state)
{
	const char *const good[] = { "sh", "-c", "exit 0", NULL };
	const char *const bad[] = { "sh", "-c", "exit 3", NULL };
	const char *const killed[] = { "sh", "-c", "kill -9 $$", NULL };
	const char *const absent[] = { "/nonexistent/program", NULL };
	struct subprocess sp = shell(good);
	struct error *err;

	assert_null(subprocess_run(&sp));
	sp = shell(bad);
	err = subprocess_run(&sp);
	assert_string_equal(err->text, "sh failed with status 3");
	error_destroy(err);
	sp = shell(killed);
	err = subprocess_run(&sp);
	assert_string_equal(err->text, "sh was killed by signal 9");
	error_destroy(err);
	sp = shell(absent);
	err = subprocess_run(&sp);
	assert_int_equal(err->errnum, ENOENT);
	error_destroy(err);
}

static void test_capture(void **state)
{
	const char *const argv[] = {
		"sh",
		"-c",
		"pwd; echo $SPILE_A $HOME; head -c 300000 /dev/zero >&2; cat; exit 7",
		NULL,
	};
	const char *const env[] = { "SPILE_A=one", "HOME=two", NULL };
	struct subprocess sp = shell(argv);
	char *out, *err_out;
	size_t len;
	int status;

	sp.cwd = "/";
	sp.env = env;
	assert_null(subprocess_capture(&sp, &out, &len, &err_out, &status));
	assert_string_equal(out, "/\none two\n");
	assert_int_equal(len, 10);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	free(out);
	free(err_out);
	assert_null(subprocess_capture(&sp, &out, &len, NULL, &status));
	free(out);
}

/* A note of another kind in front, cut at every length, and a size that is no build-id's. */
static void test_build_id(void **state)
{
	char notes[] = "\5\0\0\0\1\0\0\0\6\0\0\0Linux\0\0\0x\0\0\0"
		       "\4\0\0\0\24\0\0\0\3\0\0\0GNU\0"
		       "ABCDEFGHIJKLMNOPQRST";
	size_t len = sizeof(notes) - 1;
	unsigned char id[BUILD_ID_SIZE] = { 7 };
	char hex[BUILD_ID_HEX];

	for (size_t n = 0; n < len; n++)
		assert_false(build_id_find(notes, n, id));
	assert_int_equal(id[0], 7);
	assert_true(build_id_find(notes, len, id));
	build_id_hex(id, hex);
	assert_string_equal(hex, "4142434445464748494a4b4c4d4e4f5051525354");
	notes[28] = 16;
	assert_false(build_id_find(notes, len, id));
	memset(notes, 0xff, 12);
	assert_false(build_id_find(notes, len, id));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_rest), cmocka_unit_test(test_arena),
		cmocka_unit_test(test_vec),        cmocka_unit_test(test_strbuf),
		cmocka_unit_test(test_intern),     cmocka_unit_test(test_map),
		cmocka_unit_test(test_error),      cmocka_unit_test(test_entries),
		cmocka_unit_test(test_files),      cmocka_unit_test(test_failed_write),
		cmocka_unit_test(test_rotation),   cmocka_unit_test(test_expand_time),
		cmocka_unit_test(test_subprocess), cmocka_unit_test(test_capture),
		cmocka_unit_test(test_build_id),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
