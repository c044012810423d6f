/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seals: size and CRC-32 of cached files, so that entries damaged by a full disk or a lost power
 * supply are found before they are used. Errors of writing are the caller's; damage is reported
 * through the listener, once per check.
 *
 * Summing hello's base and members took as long as all the rest of pass 4, so a seal that holds
 * gets the time of that check. What was whole then can have been cut or zeroed only by a loss of
 * power, after which the kernel was booted, and been changed or replaced only with a later change
 * time.
 */
#include "base/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"

#define WHOLE (256 * 1024) /* bytes: files up to this are summed whole, */
#define END (64 * 1024)    /* of others so much at either end */
#define PAGE 4096
#define PAGES 16 /* and so many pages between */

static struct {
	void (*say)(void *arg, const char *path, const char *why);
	void *arg;
} watcher;

void seal_watch(void (*say)(void *arg, const char *path, const char *why), void *arg)
{
	watcher.say = say;
	watcher.arg = arg;
}

void seal_report(const char *path, const char *why)
{
	if (watcher.say)
		watcher.say(watcher.arg, path, why);
}

/* What is sealed: an open file, or data that will be one. */
struct source {
	const unsigned char *data; /* NULL: fd */
	int fd;
};

/* Adds len bytes at an offset to the sum; false when they cannot be read. */
static bool sum_range(const struct source *s, uint64_t at, uint64_t len, uLong *sum)
{
	unsigned char block[16384];

	if (s->data)
		*sum = crc32_z(*sum, s->data + at, len);
	while (len && !s->data) {
		size_t want = len < sizeof(block) ? (size_t)len : sizeof(block);
		ssize_t n = pread(s->fd, block, want, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		*sum = crc32(*sum, block, (uInt)n);
		at += (uint64_t)n;
		len -= (uint64_t)n;
	}
	return true;
}

/*
 * Of a large source both ends and PAGES pages spread evenly between are summed; the same bytes
 * for the same size every time.
 */
static bool sum_source(const struct source *s, uint64_t size, uLong *sum)
{
	uint64_t step = size / (PAGES + 1) & ~(uint64_t)(PAGE - 1);
	bool ok;

	*sum = crc32(0, NULL, 0);
	if (size <= WHOLE)
		return sum_range(s, 0, size, sum);
	ok = sum_range(s, 0, END, sum) && sum_range(s, size - END, END, sum);
	for (unsigned i = 1; ok && i <= PAGES; i++)
		ok = sum_range(s, i * step, PAGE, sum);
	return ok;
}

static struct error *measure(const char *path, uint64_t *size, uLong *sum)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct source s = { .fd = fd };
	struct error *err = NULL;
	struct stat st;

	if (fd < 0)
		return error_create_errno(errno, "cannot open %s", path);
	if (fstat(fd, &st) || !sum_source(&s, (uint64_t)st.st_size, sum))
		err = error_create_errno(errno, "cannot read %s", path);
	else
		*size = (uint64_t)st.st_size;
	close(fd);
	return err;
}

static void put_line(struct strbuf *text, uint64_t size, uLong sum, const char *name)
{
	strbuf_addf(text, "%llu %08lx %s\n", (unsigned long long)size, sum, name);
}

static struct error *add_line(struct strbuf *text, const char *path, const char *name)
{
	uint64_t size;
	uLong sum;
	struct error *err = measure(path, &size, &sum);

	if (!err)
		put_line(text, size, sum, name);
	return err;
}

struct error *seal_write(const char *seal, const char *dir, const char *const *names)
{
	struct arena *arena = arena_create();
	struct error *err = NULL;
	struct strbuf text;

	strbuf_init(&text);
	for (; !err && *names; names++)
		err = add_line(&text, path_join(arena, dir, *names), *names);
	if (!err)
		err = file_write_atomic(seal, strbuf_cstr(&text), text.len, 0644);
	strbuf_deinit(&text);
	arena_destroy(arena);
	return err;
}

static int64_t nanoseconds(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* As files get it: no later than the change of one that is changed after this. */
static struct timespec file_time(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return now;
}

/* One check: where the files are, and when all were found whole before in this boot; 0: never. */
struct check {
	struct arena *arena;
	const char *dir;
	int64_t checked;
	bool summed; /* at least one was read */
};

/* What is wrong with one file, in the arena; NULL: nothing. */
static const char *check_line(struct check *c, char *line)
{
	unsigned long long sealed_size;
	unsigned long sealed_sum;
	const char *path;
	struct error *err;
	struct stat st;
	uint64_t size;
	uLong sum;
	int n = 0;

	if (sscanf(line, "%llu %lx %n", &sealed_size, &sealed_sum, &n) != 2 || !n || !line[n])
		return "its seal is damaged";
	path = path_join(c->arena, c->dir, line + n);
	if (!stat(path, &st) && (unsigned long long)st.st_size == sealed_size &&
	    nanoseconds(st.st_ctim) < c->checked)
		return NULL;
	c->summed = true;
	err = measure(path, &size, &sum);
	if (err) {
		error_destroy(err);
		return arena_printf(c->arena, "%s cannot be read", line + n);
	}
	if (size != sealed_size)
		return arena_printf(c->arena, "%s has %llu bytes instead of %llu", line + n,
				    (unsigned long long)size, sealed_size);
	if (sum != sealed_sum)
		return arena_printf(c->arena, "%s was changed", line + n);
	return NULL;
}

/* When the seal was checked last, if that was since the kernel was booted; else 0. */
static int64_t last_checked(const char *seal, int64_t now)
{
	struct timespec up = { 0 };
	struct stat st;
	int64_t at;

	if (stat(seal, &st) || clock_gettime(CLOCK_BOOTTIME, &up))
		return 0;
	at = nanoseconds(st.st_mtim);
	return at > now - nanoseconds(up) && at <= now ? at : 0;
}

char *seal_broken(const char *seal, const char *dir)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, file_time() };
	struct check c = { .arena = arena_create(),
			   .dir = dir,
			   .checked = last_checked(seal, nanoseconds(times[1])) };
	const char *why = NULL;
	char *text = NULL, *rest, *line, *ret;
	size_t len = 0;
	struct error *err = file_read(seal, &text, &len);

	if (err)
		why = "it has no seal";
	else if (!len || text[len - 1] != '\n')
		why = "its seal is damaged";
	error_destroy(err);
	for (rest = text; !why && (line = strsep(&rest, "\n"));)
		if (*line)
			why = check_line(&c, line);
	if (!why && c.summed)
		utimensat(AT_FDCWD, seal, times, 0); /* in a read-only cache all is summed again */
	ret = why ? strdup(why) : NULL;
	if (why && !ret)
		arena_out_of_memory(); /* NULL would mean whole */
	free(text);
	arena_destroy(c.arena);
	return ret;
}

static const char *directory_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

/* PATH.seal, atomically; an old one is replaced. */
static struct error *write_beside(const char *path, const struct strbuf *text)
{
	struct arena *arena = arena_create();
	struct error *err =
		file_write_atomic(arena_printf(arena, "%s.seal", path), text->s, text->len, 0644);

	arena_destroy(arena);
	return err;
}

struct error *seal_write_one(const char *path, const char *from)
{
	struct strbuf text;
	struct error *err;

	strbuf_init(&text);
	err = add_line(&text, from, path_base(path));
	if (!err)
		err = write_beside(path, &text);
	strbuf_deinit(&text);
	return err;
}

struct error *seal_write_data(const char *path, const void *data, size_t len)
{
	const struct source s = { .data = data };
	struct strbuf text;
	struct error *err;
	uLong sum;

	sum_source(&s, len, &sum);
	strbuf_init(&text);
	put_line(&text, len, sum, path_base(path));
	err = write_beside(path, &text);
	strbuf_deinit(&text);
	return err ? err : file_write_atomic(path, data, len, 0644);
}

bool seal_holds(const char *path)
{
	struct arena *arena;
	const char *seal;
	bool holds;
	char *why;

	if (!file_exists(path))
		return false;
	arena = arena_create();
	seal = arena_printf(arena, "%s.seal", path);
	why = seal_broken(seal, directory_of(arena, path));
	if (why) {
		seal_report(path, why);
		unlink(path);
		unlink(seal);
	}
	holds = !why;
	arena_destroy(arena);
	free(why);
	return holds;
}
