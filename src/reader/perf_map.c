/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See perf_map.h. What a map says is its writer's: it is bounded, and nothing in it reaches a
 * terminal as a command to it.
 */
#include "reader/perf_map.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/bisect.h"

#define NS 1000000000ull
#define CHUNK (16 * PERF_MAP_LINE_MAX)
/* Among so many symbols that begin before an address the one around it is looked for. */
#define OVERLAPS_MAX 64
/* Clocks are compared that tick apart. */
#define CLOCK_SLACK 2
#define TAIL 64

struct symbol {
	stp_u64 start, size;
	size_t name; /* in names; grows with the line's number */
};

struct perf_map {
	stp_u32 pid, own_pid, uid;
	stp_u64 started;
	stp_u64 looked; /* when, as records count time; 0: never */
	stp_u64 asked;  /* time of the last record that asked */
	int fd;
	size_t read;            /* bytes of the file that are known, whole lines */
	char tail[TAIL];        /* the last of them */
	struct symbol *symbols; /* by start, then by name */
	size_t n, n_sorted, cap;
	char *names;
	size_t names_len, names_cap;
	bool any_long, any_beyond; /* lines left out, for their length and for their number */
	bool within_long;          /* what was read ends in such a line */
	bool warned;
};

/* ---- the file ---- */

/*
 * Is what has the number the process that was seen? Field 22 of stat is when it was started, in
 * ticks.
 */
static bool is_same_process(const struct perf_map *m)
{
	char path[32], text[1024], *at;
	unsigned long long ticks = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/stat", m->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strrchr(text, ')');
	if (!at ||
	    sscanf(at + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		   &ticks) != 1)
		return false;
	return ticks == m->started / (NS / (unsigned long)sysconf(_SC_CLK_TCK));
}

/*
 * The root of the process; when that has exited this one's, if it counted processes as the kernel
 * does.
 */
static int open_root(const struct perf_map *m)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/root", m->pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && is_same_process(m))
		return fd;
	if (fd >= 0)
		close(fd);
	return m->pid == m->own_pid ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
}

static void __attribute__((format(printf, 3, 4)))
warn(struct perf_map *m, struct messages *messages, const char *fmt, ...)
{
	char text[256];
	int n;
	va_list ap;

	if (m->warned)
		return;
	m->warned = true;
	n = snprintf(text, sizeof(text), "/tmp/perf-%u.map of process %u ", m->own_pid, m->pid);
	va_start(ap, fmt);
	n += vsnprintf(text + n, sizeof(text) - n, fmt, ap);
	va_end(ap);
	messages_warning(messages, text, n < (int)sizeof(text) ? n : (int)sizeof(text) - 1);
}

static bool is_older(const struct perf_map *m, const struct stat *st)
{
	struct timespec real, boot;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return st->st_mtime + CLOCK_SLACK < real.tv_sec - boot.tv_sec + (time_t)(m->started / NS);
}

static bool is_believed(struct perf_map *m, const struct stat *st, struct messages *messages)
{
	if (!S_ISREG(st->st_mode))
		warn(m, messages, "is not read: it is no regular file.");
	else if (st->st_uid && st->st_uid != m->uid)
		warn(m, messages, "is not read: it is user %u's, the process is user %u's.",
		     st->st_uid, m->uid);
	else if (is_older(m, st))
		warn(m, messages, "is not read: it is older than the process.");
	else
		return true;
	return false;
}

static void forget(struct perf_map *m)
{
	m->n = m->n_sorted = m->names_len = m->read = 0;
	m->within_long = false;
}

static void close_file(struct perf_map *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
	forget(m);
}

/* ---- room ---- */

static size_t room_of(const struct perf_map *m)
{
	return m->cap * sizeof(*m->symbols) + m->names_cap;
}

static void map_destroy(struct perf_maps *g, size_t i)
{
	struct perf_map *m = g->maps[i];

	g->maps[i] = NULL;
	if (!m)
		return;
	close_file(m);
	free(m->symbols);
	free(m->names);
	free(m);
}

/*
 * Could another take the place of one? Not while it is asked for: each would be read again for each
 * record.
 */
static bool is_idle(const struct perf_map *m, stp_u64 now)
{
	return now >= m->asked + PERF_MAP_IDLE;
}

/* Room for so much more in M: idle maps go, the longest idle first. False: there is none. */
static bool make_room(struct perf_maps *g, const struct perf_map *m, size_t more)
{
	for (;;) {
		size_t all = 0, oldest = PERF_MAPS_MAX;

		for (size_t i = 0; i < PERF_MAPS_MAX; i++) {
			const struct perf_map *it = g->maps[i];

			if (!it)
				continue;
			all += room_of(it);
			if (it != m && room_of(it) && is_idle(it, m->asked) &&
			    (oldest == PERF_MAPS_MAX || it->asked < g->maps[oldest]->asked))
				oldest = i;
		}
		if (all + more <= PERF_MAP_ROOM)
			return true;
		if (oldest == PERF_MAPS_MAX)
			return false;
		map_destroy(g, oldest);
	}
}

/*
 * Where it is, not opened; -1: there is none. Links are followed as if the process's root were "/",
 * but none that is the file itself.
 */
static int find_file(const struct perf_map *m)
{
	struct open_how how = { .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int root = open_root(m), fd;
	char name[32];

	if (root < 0)
		return -1;
	snprintf(name, sizeof(name), "/tmp/perf-%u.map", m->own_pid);
	fd = (int)syscall(SYS_openat2, root, name, &how, sizeof(how));
	close(root);
	return fd;
}

/*
 * What is not believed is not even opened: devices notice, and a container may make those of the
 * machine in its /tmp.
 */
static void open_file(struct perf_map *m, struct messages *messages)
{
	int fd = find_file(m);
	struct stat st;
	char path[32];

	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &st) && is_believed(m, &st, messages))
		m->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	close(fd);
}

/* ---- its lines ---- */

/* Room for NEEDED elements of that size in M; false: there is none. */
static bool reserve(struct perf_maps *g, struct perf_map *m, void **data, size_t needed,
		    size_t *cap, size_t size)
{
	size_t more = *cap ? 2 * *cap : 1024;
	void *bigger;

	if (needed <= *cap)
		return true;
	if (more < needed)
		more = needed;
	if (!make_room(g, m, (more - *cap) * size))
		return false;
	bigger = realloc(*data, more * size);
	if (!bigger)
		return false;
	*data = bigger;
	*cap = more;
	return true;
}

/*
 * What a terminal may take for the beginning of a command becomes '?': also C1's, alone or as UTF-8
 * has them.
 */
static char harmless(const char *text, size_t i)
{
	unsigned char c = text[i], before = i ? text[i - 1] : '\0';

	if (iscntrl(c) || (c >= 0x80 && c < 0xa0 && (before < 0x80 || before == 0xc2)))
		return '?';
	return text[i];
}

/* A line, without its newline; it ends in a NUL. What is no line of a map is passed over. */
static void add_line(struct perf_maps *g, struct perf_map *m, char *line, size_t len)
{
	struct symbol s;
	char *end;

	if (!isxdigit((unsigned char)*line))
		return;
	s.start = strtoull(line, &end, 16);
	if (*end != ' ' || !isxdigit((unsigned char)end[1]))
		return;
	s.size = strtoull(end + 1, &end, 16);
	if (*end != ' ' || !end[1])
		return;
	len -= end + 1 - line;
	line = end + 1;
	if (m->n == PERF_MAP_SYMBOLS_MAX ||
	    !reserve(g, m, (void **)&m->symbols, m->n + 1, &m->cap, sizeof(s)) ||
	    !reserve(g, m, (void **)&m->names, m->names_len + len + 1, &m->names_cap, 1)) {
		m->any_beyond = true;
		return;
	}
	s.name = m->names_len;
	for (size_t i = 0; i < len; i++)
		m->names[m->names_len++] = harmless(line, i);
	m->names[m->names_len++] = '\0';
	m->symbols[m->n++] = s;
}

/*
 * The lines of n bytes; returns how many bytes are done with: the last line may be a beginning,
 * which is left if it may become one.
 */
static size_t add_lines(struct perf_maps *g, struct perf_map *m, char *text, size_t n)
{
	size_t at = 0;

	while (at < n) {
		char *end = memchr(text + at, '\n', n - at);
		size_t len = end ? (size_t)(end - text) - at : n - at;
		bool is_long = m->within_long || len > PERF_MAP_LINE_MAX;

		if (!end && !is_long)
			return at;
		m->any_long |= is_long;
		m->within_long = !end;
		if (!is_long) {
			*end = '\0';
			add_line(g, m, text + at, len);
		}
		at += len + (end != NULL);
	}
	return at;
}

static int symbol_cmp(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Those behind n_sorted come to their places. False: there is no memory. */
static bool sort_symbols(struct perf_map *m)
{
	size_t n = m->n - m->n_sorted, old = m->n_sorted, at = m->n;
	struct symbol *fresh;

	if (!n)
		return true;
	fresh = malloc(n * sizeof(*fresh));
	if (!fresh)
		return false;
	memcpy(fresh, m->symbols + old, n * sizeof(*fresh));
	qsort(fresh, n, sizeof(*fresh), symbol_cmp);
	while (n)
		m->symbols[--at] = old && symbol_cmp(&m->symbols[old - 1], &fresh[n - 1]) > 0
					   ? m->symbols[--old]
					   : fresh[--n];
	free(fresh);
	m->n_sorted = m->n;
	return true;
}

/* Was the file only added to since it was read? */
static bool is_continued(const struct perf_map *m, const struct stat *st)
{
	size_t n = m->read < TAIL ? m->read : TAIL;
	char tail[TAIL];

	return (size_t)st->st_size >= m->read &&
	       pread(m->fd, tail, n, (off_t)(m->read - n)) == (ssize_t)n &&
	       !memcmp(tail, m->tail, n);
}

static void read_lines(struct perf_maps *g, struct perf_map *m, size_t size)
{
	static char text[CHUNK];
	size_t before = m->read;

	while (m->read < size) {
		size_t want = size - m->read < CHUNK ? size - m->read : CHUNK, used;
		ssize_t n = pread(m->fd, text, want, (off_t)m->read);

		used = n > 0 ? add_lines(g, m, text, (size_t)n) : 0;
		if (!used)
			break;
		m->read += used;
	}
	if (m->read == before)
		return;
	before = m->read < TAIL ? m->read : TAIL;
	if (pread(m->fd, m->tail, before, (off_t)(m->read - before)) != (ssize_t)before)
		close_file(m);
}

static void look(struct perf_maps *g, struct perf_map *m, struct messages *messages)
{
	struct timespec now;
	struct stat st;

	clock_gettime(CLOCK_MONOTONIC, &now);
	m->looked = now.tv_sec * NS + now.tv_nsec;
	if (m->fd >= 0 && !fstat(m->fd, &st) && !st.st_nlink) /* another may be in its place */
		close_file(m);
	if (m->fd < 0)
		open_file(m, messages);
	if (m->fd < 0 || fstat(m->fd, &st))
		return;
	if (!is_believed(m, &st, messages)) {
		close_file(m);
		return;
	}
	if (!is_continued(m, &st))
		forget(m);
	read_lines(g, m, st.st_size < PERF_MAP_FILE_MAX ? (size_t)st.st_size : PERF_MAP_FILE_MAX);
	if (st.st_size > PERF_MAP_FILE_MAX)
		warn(m, messages, "is larger than %u MB: names behind that are not known.",
		     PERF_MAP_FILE_MAX >> 20);
	if (m->any_beyond)
		warn(m, messages,
		     "has more names than are kept (%u, and %u MB of all processes): later ones are not known.",
		     PERF_MAP_SYMBOLS_MAX, PERF_MAP_ROOM >> 20);
	if (m->any_long)
		warn(m, messages, "has lines of more than %u bytes: these names are not known.",
		     PERF_MAP_LINE_MAX);
	if (!sort_symbols(m))
		close_file(m);
}

static const struct symbol *find(const struct perf_map *m, stp_u64 addr)
{
	const struct symbol *best = NULL;
	size_t low = bisect(i, m->n, m->symbols[i].start <= addr);

	for (size_t i = 0; i < OVERLAPS_MAX && i < low; i++) {
		const struct symbol *s = &m->symbols[low - 1 - i];

		if (addr - s->start < s->size && (!best || s->name > best->name))
			best = s;
	}
	return best;
}

/* ---- the processes ---- */

/*
 * That of the process; a new one takes the place of the one that was not asked for longest. NULL:
 * there is no room.
 */
static struct perf_map *map_of(struct perf_maps *g, const struct stp_rec_jit *rec, stp_u64 ts,
			       struct messages *messages)
{
	struct perf_map *m;
	size_t oldest = 0;

	for (size_t i = 0; i < PERF_MAPS_MAX; i++) {
		m = g->maps[i];
		if (m && m->pid == rec->pid && m->started == rec->started && m->uid == rec->uid)
			return m;
		if (g->maps[oldest] && (!m || m->asked < g->maps[oldest]->asked))
			oldest = i;
	}
	if (g->maps[oldest] && !is_idle(g->maps[oldest], ts)) {
		if (!g->warned)
			messages_warningf(
				messages,
				"More than %u processes have made code at once: names of some are not known.",
				PERF_MAPS_MAX);
		g->warned = true;
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	*m = (struct perf_map){ .pid = rec->pid,
				.own_pid = rec->own_pid,
				.uid = rec->uid,
				.started = rec->started,
				.fd = -1 };
	map_destroy(g, oldest);
	g->maps[oldest] = m;
	return m;
}

void perf_maps_write(struct perf_maps *g, const struct stp_rec_jit *rec, stp_u64 ts,
		     struct output *out, struct messages *messages)
{
	struct perf_map *m = map_of(g, rec, ts, messages);
	const struct symbol *s = NULL;
	char text[80];
	int n;

	if (m) {
		m->asked = ts;
		if (ts >= m->looked)
			look(g, m, messages);
		s = find(m, rec->addr - rec->back);
	}
	if (!s) {
		output_write(out, text, snprintf(text, sizeof(text), "0x%llx", rec->addr));
		return;
	}
	output_write(out, m->names + s->name, strlen(m->names + s->name));
	n = snprintf(text, sizeof(text), "+0x%llx", rec->addr - s->start);
	if (!rec->brief)
		n += snprintf(text + n, sizeof(text) - n, "/0x%llx", s->size);
	n += snprintf(text + n, sizeof(text) - n, " [/tmp/perf-%u.map]", m->own_pid);
	output_write(out, text, n);
}

void perf_maps_deinit(struct perf_maps *g)
{
	for (size_t i = 0; i < PERF_MAPS_MAX; i++)
		map_destroy(g, i);
	memset(g, 0, sizeof(*g));
}
