/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of finished modules: DIR/ab/stap_abcd..._LEN.ko. Files appear by rename; a hit sets the
 * file's time, so "oldest first" is "least recently used first". Nothing else in the directory
 * is counted: indexes go by their age (cache_stale.c), kernels/ is base.c's.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/seal.h"
#include "base/vec.h"
#include "module/cache_stale.h"
#include "module/module.h"

#define MB_LIMIT 256
#define INTERVAL 300

/* An open cache; paths are made in its arena, which grows with each call. */
struct module_cache {
	struct arena *arena;
	const char *dir;
	bool off; /* a store failed: say it once, then leave it */
};

char *module_cache_default_dir(void)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home = getenv("HOME");
	struct passwd *pw;
	char *ret;

	if (dir && *dir)
		return asprintf(&ret, "%s/cache", dir) < 0 ? NULL : ret;
	if (!home || !*home) {
		pw = getpwuid(getuid());
		home = pw ? pw->pw_dir : NULL;
	}
	if (!home || !*home)
		return NULL;
	return asprintf(&ret, "%s/.systemtap/cache", home) < 0 ? NULL : ret;
}

/* A limit file, created with its default. Unreadable content means the default. */
static struct error *read_limit(struct module_cache *cache, const char *name, long value, long *ret)
{
	const char *path = path_join(cache->arena, cache->dir, name);
	struct error *err = NULL;
	char *text, *end;
	size_t len;

	*ret = value;
	if (!file_exists(path)) {
		text = arena_printf(cache->arena, "%ld\n", value);
		return file_write_atomic(path, text, strlen(text), 0644);
	}
	err = file_read(path, &text, &len);
	if (err)
		return err;
	value = strtol(text, &end, 10);
	if (end != text && value >= 0)
		*ret = value;
	free(text);
	return NULL;
}

struct error *module_cache_open(const char *dir, struct module_cache **ret)
{
	struct arena *arena = arena_create();
	struct module_cache *cache = arena_new(arena, struct module_cache);
	struct error *err;
	long unused;

	cache->arena = arena;
	cache->dir = arena_strdup(arena, dir);
	err = dir_create_all(dir);
	if (!err)
		err = read_limit(cache, CACHE_LIMIT_FILE, MB_LIMIT, &unused);
	if (!err)
		err = read_limit(cache, CACHE_INTERVAL_FILE, INTERVAL, &unused);
	if (err) {
		module_cache_close(cache);
		return error_hint(
			error_context(err, "cannot use the cache %s", dir),
			"set SYSTEMTAP_DIR to a directory with space that can be written");
	}
	*ret = cache;
	return NULL;
}

void module_cache_close(struct module_cache *cache)
{
	if (cache)
		arena_destroy(cache->arena);
}

void module_key_make(struct module_key *ret, const char *const *parts)
{
	struct sha256_ctx s;
	uint8_t digest[16];
	size_t len = 0;
	char hex[33];

	sha256_init(&s);
	for (; *parts; parts++) {
		size_t n = strlen(*parts) + 1; /* the NUL separates */

		sha256_update(&s, n, (const uint8_t *)*parts);
		len += n - 1;
	}
	sha256_digest(&s, sizeof(digest), digest);
	base16_encode_update(hex, sizeof(digest), digest);
	hex[32] = '\0';
	snprintf(ret->text, sizeof(ret->text), "%s_%zu", hex, len);
}

/* In a directory of the first two digits, so that none gets too many entries. */
static const char *entry_path(struct module_cache *cache, const struct module_key *key,
			      const char *suffix)
{
	return arena_printf(cache->arena, "%s/%.2s/stap_%s%s", cache->dir, key->text, key->text,
			    suffix);
}

char *module_cache_lookup(struct module_cache *cache, const struct module_key *key,
			  const char *suffix)
{
	const char *path = entry_path(cache, key, suffix);

	if (!seal_holds(path))
		return NULL;
	utimensat(AT_FDCWD, path, NULL, 0); /* in a read-only cache it just ages */
	return strdup(path);
}

struct error *module_cache_store(struct module_cache *cache, const struct module_key *key,
				 const char *suffix, const char *from)
{
	const char *path = entry_path(cache, key, suffix);
	struct error *err;

	if (cache->off)
		return NULL;
	err = dir_create_all(arena_strndup(cache->arena, path, strlen(cache->dir) + 3));
	if (!err)
		err = seal_write_one(path, from);
	if (!err)
		err = file_copy(from, path);
	if (!err)
		return NULL;
	unlink(arena_printf(cache->arena, "%s.seal", path));
	cache->off = true;
	return error_hint(error_context(err, "cannot store into the cache %s", cache->dir),
			  "this and later results of this run are not kept; free some space, lower "
			  "%s/%s, or set "
			  "SYSTEMTAP_DIR",
			  cache->dir, CACHE_LIMIT_FILE);
}

char *module_cache_stored(struct module_cache *cache, const struct module_key *key,
			  const char *suffix)
{
	const char *path = entry_path(cache, key, suffix);

	return file_exists(path) ? strdup(path) : NULL;
}

/* ---- cleaning ---- */

struct entry {
	const char *path;
	struct timespec used;
	off_t size;
};

/* What there is to clean, with its size in all; seals are not counted. */
struct listing {
	VEC(struct entry) entries;
	uint64_t total;
};

static bool is_seal(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && !strcmp(dot, ".seal");
}

static void list_subdir(struct module_cache *cache, const char *dir, struct listing *l)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct entry entry = { 0 };
		struct stat st;

		/* a seal goes with what it seals */
		if (strncmp(e->d_name, "stap_", 5) || is_seal(e->d_name))
			continue;
		entry.path = path_join(cache->arena, dir, e->d_name);
		if (lstat(entry.path, &st) || !S_ISREG(st.st_mode))
			continue;
		entry.used = st.st_mtim;
		entry.size = st.st_size;
		l->total += (uint64_t)st.st_size;
		vec_push(cache->arena, &l->entries, entry);
	}
	if (d)
		closedir(d);
}

static void list_all(struct module_cache *cache, struct listing *l)
{
	DIR *d = opendir(cache->dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (strlen(e->d_name) == 2 && isxdigit((unsigned char)e->d_name[0]) &&
		    isxdigit((unsigned char)e->d_name[1]))
			list_subdir(cache, path_join(cache->arena, cache->dir, e->d_name), l);
	if (d)
		closedir(d);
}

/* By time of use, then by path: the order does not depend on that of the directory. */
static int oldest_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	if (x->used.tv_nsec != y->used.tv_nsec)
		return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* The interval file's time is that of the last cleaning. */
static bool due(struct module_cache *cache)
{
	const char *path = path_join(cache->arena, cache->dir, CACHE_INTERVAL_FILE);
	struct error *err;
	struct stat st;
	long interval;

	err = read_limit(cache, CACHE_INTERVAL_FILE, INTERVAL, &interval);
	if (err) {
		error_destroy(err);
		return false;
	}
	return !stat(path, &st) && time(NULL) - st.st_mtime >= interval &&
	       !utimensat(AT_FDCWD, path, NULL, 0);
}

unsigned module_cache_clean(struct module_cache *cache, bool now)
{
	struct listing l = { 0 };
	struct error *err;
	unsigned gone = 0;
	long limit;

	if (!due(cache) && !now)
		return 0;
	gone = module_cache_drop_stale(cache->arena, cache->dir);
	err = read_limit(cache, CACHE_LIMIT_FILE, MB_LIMIT, &limit);
	if (err) {
		error_destroy(err);
		return gone;
	}
	list_all(cache, &l);
	if (l.total <= (uint64_t)limit << 20)
		return gone;
	qsort(l.entries.data, l.entries.n, sizeof(*l.entries.data), oldest_first);
	vec_foreach(entry, &l.entries) {
		if (l.total <= (uint64_t)limit << 20)
			break;
		if (unlink(entry->path))
			continue;
		unlink(arena_printf(cache->arena, "%s.seal", entry->path));
		l.total -= (uint64_t)entry->size;
		gone++;
	}
	return gone;
}
