/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See index_set.h. The file: a header, the table, ordered by key, and the indexes in no order. */
#include "target/index_set.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/seal.h"
#include "target/index_format.h"
#include "target/workers.h"

#define SET_MAGIC "SPILESET"

/* off: from the file's start, a multiple of 8 as tables of an index require; sum: CRC-32. */
struct entry {
	uint64_t key, identity, off, len;
	uint32_t sum, unused;
};

/* Numbers are in the machine's own byte order, as those of an index. */
struct header {
	char magic[8];
	uint32_t version, index_version;
	uint64_t n, file_size;
	uint32_t table_sum, unused;
};

struct index_set {
	char *path;
	struct file_map map;
	const struct entry *entries;
	size_t n;
	bool is_damaged; /* it was said */
};

/* ---- reading ---- */

static const char *const damaged = "its sum is another";

/* Says it once, and lets the file be made anew. */
static void give_up(struct index_set *set)
{
	if (set->is_damaged)
		return;
	set->is_damaged = true;
	seal_report(set->path, damaged);
	unlink(set->path);
}

static uint32_t sum_of(const void *data, size_t len)
{
	return (uint32_t)crc32_z(crc32(0, NULL, 0), data, len);
}

/* Points the table into the map. */
static bool attach(struct index_set *set)
{
	const struct header *h = (const void *)set->map.data;

	if (set->map.len < sizeof(*h) || memcmp(h->magic, SET_MAGIC, sizeof(h->magic)) ||
	    h->version != INDEX_SET_VERSION || h->index_version != INDEX_VERSION ||
	    h->file_size != set->map.len ||
	    h->n > (set->map.len - sizeof(*h)) / sizeof(struct entry))
		return false;
	set->entries = (const void *)(h + 1);
	set->n = h->n;
	return sum_of(set->entries, set->n * sizeof(*set->entries)) == h->table_sum;
}

struct index_set *index_set_open(const char *path)
{
	struct index_set *set = calloc(1, sizeof(*set));
	struct error *err;

	if (!set)
		return NULL;
	err = file_map_open(path, &set->map);
	error_destroy(err); /* not made yet */
	set->path = strdup(path);
	if (err || !set->path) {
		index_set_close(set);
		return NULL;
	}
	if (!attach(set)) {
		give_up(set);
		index_set_close(set);
		return NULL;
	}
	return set;
}

void index_set_close(struct index_set *set)
{
	if (!set)
		return;
	file_map_close(&set->map);
	free(set->path);
	free(set);
}

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

bool index_set_find(struct index_set *set, uint64_t key, uint64_t identity, struct index *ret)
{
	const struct entry wanted = { .key = key },
			   *e = bsearch(&wanted, set->entries, set->n, sizeof(*e), by_key);

	if (!e || e->identity != identity)
		return false;
	if (e->off % 8 == 0 && e->off <= set->map.len && e->len <= set->map.len - e->off &&
	    sum_of(set->map.data + e->off, e->len) == e->sum &&
	    index_open_borrowed(set->map.data + e->off, e->len, identity, ret))
		return true;
	give_up(set);
	return false;
}

/* ---- making ---- */

/* What children share: entries whose len is 0 are missing. */
struct shared {
	atomic_uint_fast64_t end; /* of what the file has this far */
	struct entry entries[];
};

struct index_set_maker {
	char *path, *temp;
	int fd;
	size_t n;
	struct shared *shared;
};

static size_t shared_size(size_t n)
{
	return sizeof(struct shared) + n * sizeof(struct entry);
}

static void destroy(struct index_set_maker *m)
{
	if (m->shared)
		workers_free(m->shared, shared_size(m->n));
	free(m->path);
	free(m);
}

struct index_set_maker *index_set_begin(const char *path, size_t n)
{
	struct index_set_maker *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->n = n;
	m->path = strdup(path);
	m->shared = workers_memory(shared_size(n));
	m->fd = m->path && m->shared ? file_replace_begin(path, 0644, &m->temp) : -1;
	if (m->fd < 0) {
		destroy(m);
		return NULL;
	}
	m->shared->end = sizeof(struct header) + n * sizeof(struct entry);
	return m;
}

/* All of it, or the errno of the write that failed; 0 is success. */
static int write_at(int fd, uint64_t at, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len) {
		ssize_t n = pwrite(fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		p += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

void index_set_add(struct index_set_maker *m, size_t i, uint64_t key, uint64_t identity,
		   const void *bytes, size_t len)
{
	struct entry *e = &m->shared->entries[i];

	e->off = atomic_fetch_add(&m->shared->end, (len + 7) & ~(uint64_t)7);
	e->key = key;
	e->identity = identity;
	e->sum = sum_of(bytes, len);
	if (!write_at(m->fd, e->off, bytes, len))
		e->len = len;
}

/* The table without what is missing, and the header before it. */
static int write_table(struct index_set_maker *m)
{
	struct entry *entries = m->shared->entries;
	struct header h = { .version = INDEX_SET_VERSION,
			    .index_version = INDEX_VERSION,
			    .file_size = m->shared->end };
	size_t size;
	int errnum;

	for (size_t i = 0; i < m->n; i++)
		if (entries[i].len)
			entries[h.n++] = entries[i];
	qsort(entries, h.n, sizeof(*entries), by_key);
	size = h.n * sizeof(*entries);
	memcpy(h.magic, SET_MAGIC, sizeof(h.magic));
	h.table_sum = sum_of(entries, size);
	errnum = write_at(m->fd, sizeof(h), entries, size);
	if (!errnum)
		errnum = write_at(m->fd, 0, &h, sizeof(h));
	/* the last index may end before its place does */
	if (!errnum && ftruncate(m->fd, (off_t)h.file_size))
		errnum = errno;
	return errnum;
}

struct error *index_set_finish(struct index_set_maker *m)
{
	struct error *err = file_replace_end(m->fd, m->temp, m->path, write_table(m));

	destroy(m);
	return err;
}
