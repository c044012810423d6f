/* links: base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may be believed of a cache: seals against damage, owners against others. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/file.h"
#include "base/seal.h"
#include "base/trust.h"

#define BIG (3 * 1024 * 1024)

struct world {
	struct arena *arena;
	char *dir;
	char reports[512];
};

static void note(void *arg, const char *path, const char *why)
{
	struct world *w = arg;

	snprintf(w->reports, sizeof(w->reports), "%s: %s", path_base(path), why);
}

static int set_up(void **state)
{
	static struct world w;

	memset(&w, 0, sizeof(w));
	w.arena = arena_create();
	assert_null(dir_create_temp(w.arena, "cache-test", &w.dir));
	seal_watch(note, &w);
	*state = &w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	seal_watch(NULL, NULL);
	error_destroy(dir_remove_all(w->dir));
	arena_destroy(w->arena);
	return 0;
}

static void overwrite(const char *path, long at, const char *bytes, size_t len)
{
	FILE *f = fopen(path, "r+");

	assert_non_null(f);
	fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	fclose(f);
}

static const char *put_sealed(struct world *w, const char *name, size_t len)
{
	const char *path = path_join(w->arena, w->dir, name);
	char *data = malloc(len);

	for (size_t i = 0; i < len; i++)
		data[i] = (char)(i * 31 + i / 256);
	assert_null(seal_write_data(path, data, len));
	free(data);
	return path;
}

static void assert_damaged(struct world *w, const char *path, const char *why)
{
	w->reports[0] = '\0';
	assert_false(seal_holds(path));
	if (!strstr(w->reports, why))
		fail_msg("\"%s\" does not say \"%s\"", w->reports, why);
	assert_false(file_exists(path));
	assert_false(file_exists(arena_printf(w->arena, "%s.seal", path)));
}

static void notices_damage(void **state)
{
	static const size_t sizes[] = { 1, 4096, 256 * 1024, 256 * 1024 + 1, BIG };
	struct world *w = *state;
	const char *path;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		path = put_sealed(w, "entry", sizes[i]);
		assert_true(seal_holds(path));
		assert_string_equal(w->reports, "");
		assert_int_equal(truncate(path, (off_t)sizes[i] - 1), 0);
		assert_damaged(w, path, "bytes instead of");
		w->reports[0] = '\0';
		path = put_sealed(w, "entry", sizes[i]);
		overwrite(path, 0, "\x7f", 1);
		assert_damaged(w, path, "entry was changed");
		path = put_sealed(w, "entry", sizes[i]);
		overwrite(path, -1, "\x5a", 1);
		assert_damaged(w, path, "entry was changed");
		w->reports[0] = '\0';
	}
	assert_false(seal_holds(path)); /* one that is not there is no damage */
	assert_string_equal(w->reports, "");
}

/* A run of zeros as a disk leaves it, somewhere in a file too large to be read whole. */
static void notices_zeroed_part(void **state)
{
	struct world *w = *state;
	const char *path = put_sealed(w, "entry", BIG);
	char *zeros = calloc(1, BIG / 4);

	overwrite(path, BIG / 2, zeros, BIG / 4);
	free(zeros);
	assert_damaged(w, path, "entry was changed");
}

static void notices_bad_seal(void **state)
{
	struct world *w = *state;
	const char *path = put_sealed(w, "entry", 100),
		   *seal = path_join(w->arena, w->dir, "entry.seal");

	assert_int_equal(unlink(seal), 0);
	assert_damaged(w, path, "it has no seal");
	path = put_sealed(w, "entry", 100);
	assert_int_equal(truncate(seal, 0), 0);
	assert_damaged(w, path, "its seal is damaged");
	path = put_sealed(w, "entry", 100);
	overwrite(seal, 0, "x", 1);
	assert_damaged(w, path, "its seal is damaged");
}

static void seals_several(void **state)
{
	struct world *w = *state;
	const char *seal = path_join(w->arena, w->dir, "seal");
	char *why;

	put_sealed(w, "a", 10);
	put_sealed(w, "b with blanks", 20);
	assert_null(seal_write(seal, w->dir, (const char *const[]){ "a", "b with blanks", NULL }));
	assert_null(seal_broken(seal, w->dir));
	overwrite(path_join(w->arena, w->dir, "b with blanks"), 3, "!", 1);
	why = seal_broken(seal, w->dir);
	assert_string_equal(why, "b with blanks was changed");
	free(why);
}

/* Longer than the clock that files get their times from stands still. */
static void let_time_pass(void)
{
	usleep(20 * 1000);
}

/* What a check found whole is read again only when it was changed, or the kernel was booted since. */
static void believes_its_last_check(void **state)
{
	struct world *w = *state;
	const char *path = put_sealed(w, "entry", 100),
		   *seal = path_join(w->arena, w->dir, "entry.seal");
	const struct timespec long_ago[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	let_time_pass();
	assert_true(seal_holds(path));
	let_time_pass();
	assert_true(seal_holds(path));
	overwrite(path, 3, "!", 1); /* a change after the last check */
	assert_damaged(w, path, "entry was changed");
	path = put_sealed(w, "entry", 100);
	overwrite(path, 3, "!", 1);
	let_time_pass();
	assert_int_equal(utimensat(AT_FDCWD, seal, NULL, 0), 0); /* as if it had been checked now */
	let_time_pass();
	assert_true(seal_holds(path));
	assert_int_equal(utimensat(AT_FDCWD, seal, long_ago, 0), 0); /* and in another boot */
	assert_damaged(w, path, "entry was changed");
}

static void assert_distrusted(const char *path, const char *why)
{
	char *text = path_distrust(path);

	assert_non_null(text);
	if (!strstr(text, why))
		fail_msg("\"%s\" does not say \"%s\"", text, why);
	free(text);
}

/* Each link is followed once: of links behind links there were 2 to the power of so many. */
static void trust_follows_links_once(void **state)
{
	struct world *w = *state;
	const char *at = w->dir, *by_links = w->dir;

	for (int i = 0; i < 36; i++) {
		by_links = path_join(w->arena, by_links, "by");
		assert_int_equal(symlink("to", path_join(w->arena, at, "by")), 0);
		at = path_join(w->arena, at, "to");
		assert_int_equal(mkdir(at, 0755), 0);
	}
	assert_null(path_distrust(by_links));
}

static void trusts_owners(void **state)
{
	struct world *w = *state;
	const char *dir = path_join(w->arena, w->dir, "d"), *file = path_join(w->arena, dir, "f"),
		   *link = path_join(w->arena, w->dir, "l"),
		   *far = path_join(w->arena, w->dir, "far"),
		   *open = path_join(w->arena, w->dir, "o");

	assert_null(path_distrust("/usr/bin"));
	assert_int_equal(mkdir(dir, 0755), 0);
	assert_null(path_distrust(file)); /* not there yet */
	assert_null(file_write_atomic(file, "x", 1, 0644));
	assert_null(path_distrust(file));
	assert_int_equal(symlink(dir, link), 0);
	assert_int_equal(chmod(dir, 0757), 0);
	assert_distrusted(file, "/d can be written by everybody");
	assert_distrusted(path_join(w->arena, dir, "new/dir"), "/d can be written by everybody");
	assert_distrusted(link, "/d can be written by everybody");
	assert_int_equal(chmod(dir, 01777), 0);
	assert_null(path_distrust(file)); /* sticky: others cannot replace what is ours */
	assert_int_equal(chmod(dir, 0755), 0);
	assert_null(path_distrust(link));
	assert_int_equal(mkdir(open, 0755), 0);
	assert_int_equal(symlink("../d", path_join(w->arena, open, "l")), 0);
	assert_int_equal(symlink("o/l", far), 0);
	assert_null(path_distrust(far));
	assert_int_equal(chmod(open, 0757), 0);
	assert_distrusted(path_join(w->arena, open, "l/f"), "/o can be written by everybody");
	assert_distrusted(path_join(w->arena, far, "f"), "/o can be written by everybody");
	assert_int_equal(chmod(file, 0646), 0);
	assert_distrusted(file, "/d/f can be written by everybody");
	if (geteuid())
		return;
	assert_int_equal(chmod(file, 0644), 0);
	assert_int_equal(chown(dir, 12345, 0), 0);
	assert_distrusted(file, "/d belongs to user 12345");
	assert_int_equal(chown(dir, 0, 12345), 0);
	assert_null(path_distrust(file));
	assert_int_equal(chmod(dir, 0775), 0);
	assert_distrusted(file, "/d can be written by group 12345");
	assert_int_equal(setegid(12345), 0); /* ours, but not ours alone as far as anybody knows */
	assert_distrusted(file, "/d can be written by group 12345");
	assert_int_equal(setegid(0), 0);
	assert_int_equal(chown(dir, 0, 0), 0);
	assert_null(path_distrust(file));
}

static void leaves_foreign_cache(void **state)
{
	struct world *w = *state;
	const char *dir = path_join(w->arena, w->dir, "open"), *used;

	assert_int_equal(mkdir(dir, 0755), 0);
	setenv("XDG_CACHE_HOME", dir, 1);
	assert_string_equal(cache_directory(w->arena), path_join(w->arena, dir, "spile"));
	assert_int_equal(chmod(dir, 0777), 0);
	used = cache_directory(w->arena);
	assert_null(strstr(used, dir));
	assert_null(path_distrust(used));
	assert_string_equal(cache_directory(w->arena), used); /* one for the process */
	assert_string_equal(cache_directory_wanted(w->arena), path_join(w->arena, dir, "spile"));
}

/* Where nothing can be made, root or not. */
static void does_without_unwritable_cache(void **state)
{
	struct world *w = *state;
	char *why = cache_refusal("/proc/no-home/cache");
	const char *used;

	assert_non_null(strstr(why, "/proc/no-home"));
	free(why);
	assert_null(cache_refusal(path_join(w->arena, w->dir, "new/cache")));
	assert_true(file_exists(path_join(w->arena, w->dir, "new/cache")));
	setenv("XDG_CACHE_HOME", "/proc/no-home", 1);
	used = cache_directory(w->arena);
	assert_null(strstr(used, "/proc/no-home"));
	assert_null(cache_refusal(used));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		T(notices_damage),
		T(notices_zeroed_part),
		T(notices_bad_seal),
		T(believes_its_last_check),
		T(seals_several),
		T(trusts_owners),
		T(trust_follows_links_once),
		T(leaves_foreign_cache),
		T(does_without_unwritable_cache),
	};

	return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
