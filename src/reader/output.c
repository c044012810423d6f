/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text stream: one large buffer, written whole. Formatters write into the buffer directly,
 * and once more after a flush when they did not fit. File sizes count what is buffered, so the
 * limit holds to the record.
 */
#include "reader/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "runtime/print/hist.h"

#define BUFFER_SIZE (128u * 1024)

/* The name of file number n, expanded now; NULL without memory. */
static char *name_file(const struct output *o, unsigned n)
{
	char *path = path_expand_time(o->options.path), *full = NULL;

	if (!path || (!n && !o->options.limit))
		return path;
	if (asprintf(&full, "%s.%u", path, n) < 0)
		full = NULL;
	free(path);
	return full;
}

/* Takes the name over. */
static void remember_file(struct output *o, char *name)
{
	free(o->path);
	o->path = name;
	if (!o->options.keep)
		return;
	if (o->n_kept == o->options.keep) {
		unlink(o->kept[0]);
		free(o->kept[0]);
		memmove(o->kept, o->kept + 1, --o->n_kept * sizeof(*o->kept));
	}
	o->kept[o->n_kept] = strdup(name);
	o->n_kept += o->kept[o->n_kept] != NULL;
}

/* Go on in file number n. On failure nothing has changed. */
static struct error *open_file(struct output *o, unsigned n)
{
	char *name = name_file(o, n);
	struct error *err;
	int fd;

	if (!name)
		return &error_no_memory;
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		err = error_create_errno(errno, "couldn't open output file '%s'", name);
		free(name);
		return err;
	}
	if (o->path && close(o->fd) && !o->errnum)
		o->errnum = errno;
	o->fd = fd;
	o->number = n;
	o->written = 0;
	remember_file(o, name);
	return NULL;
}

struct error *output_init(struct output *o, const struct output_options *options, int fd)
{
	struct error *err = NULL;

	memset(o, 0, sizeof(*o));
	o->options = *options;
	o->fd = fd;
	o->cap = BUFFER_SIZE;
	o->buf = malloc(o->cap);
	if (options->path && options->keep)
		o->kept = calloc(options->keep, sizeof(*o->kept));
	if (!o->buf || (options->path && options->keep && !o->kept))
		err = &error_no_memory;
	else if (options->path)
		err = open_file(o, 0);
	if (err)
		output_deinit(o);
	return err;
}

void output_deinit(struct output *o)
{
	if (o->path && close(o->fd) && !o->errnum)
		o->errnum = errno;
	while (o->n_kept)
		free(o->kept[--o->n_kept]);
	free(o->kept);
	free(o->path);
	free(o->buf);
	o->kept = NULL;
	o->path = NULL;
	o->buf = NULL;
}

/*
 * For a descriptor that somebody has made non-blocking: programs that share a terminal or a pipe
 * with us share that, too. 0, or the errno.
 */
static int wait_for_room(const struct output *o)
{
	struct pollfd room = { .fd = o->fd, .events = POLLOUT };

	return poll(&room, 1, -1) < 0 ? errno : 0;
}

/* All n bytes, unless a write fails or the caller gives up while one is interrupted. */
static void write_whole(struct output *o, const char *p, size_t n)
{
	while (n && !o->errnum) {
		ssize_t done = write(o->fd, p, n);
		int errnum = done < 0 ? errno : 0;

		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
		if (errnum == EAGAIN)
			errnum = wait_for_room(o);
		if (errnum == EINTR && !(o->interrupted && o->interrupted(o->cookie)))
			errnum = 0;
		o->errnum = errnum;
	}
}

void output_flush(struct output *o)
{
	write_whole(o, o->buf, o->len);
	o->len = 0;
}

/* Does what comes next, n bytes, belong into the next file? A file gets at least one record. */
static bool is_full(const struct output *o, size_t n)
{
	return o->options.limit && o->path && o->written && o->written + n > o->options.limit;
}

/* A next file that cannot be opened ends the output like a write that failed. */
static void start_next(struct output *o)
{
	struct error *err;

	write_whole(o, o->buf, o->len);
	err = o->errnum ? NULL : open_file(o, o->number + 1);
	if (err)
		o->errnum = err->errnum ? err->errnum : ENOMEM;
	error_destroy(err);
}

/* n bytes were formatted behind what is buffered. */
static void add_formatted(struct output *o, size_t n)
{
	if (is_full(o, n)) {
		start_next(o);
		memmove(o->buf, o->buf + o->len, n);
		o->len = 0;
	}
	o->len += n;
	o->written += n;
}

/* n bytes come next, all into one file. */
static void choose_file(struct output *o, size_t n)
{
	if (is_full(o, n)) {
		start_next(o);
		o->len = 0;
	}
	o->written += n;
}

/* Behind what is buffered, or written at once. */
static void append(struct output *o, const void *data, size_t n)
{
	if (n > o->cap - o->len)
		output_flush(o);
	if (n > o->cap) {
		write_whole(o, data, n);
		return;
	}
	memcpy(o->buf + o->len, data, n);
	o->len += n;
}

void output_write(struct output *o, const void *data, size_t n)
{
	choose_file(o, n);
	append(o, data, n);
}

void output_write_pair(struct output *o, const void *a, size_t n_a, const void *b, size_t n_b)
{
	choose_file(o, n_a + n_b);
	append(o, a, n_a);
	append(o, b, n_b);
}

/*
 * Room for n bytes in the emptied buffer; n was asked for by a formatter, whose fields are bounded.
 */
static bool make_room(struct output *o, size_t n)
{
	char *bigger;

	output_flush(o);
	if (n <= o->cap)
		return true;
	bigger = realloc(o->buf, n);
	if (!bigger) {
		o->errnum = ENOMEM;
		return false;
	}
	o->buf = bigger;
	o->cap = n;
	return true;
}

void output_format(struct output *o, const char *fmt, struct stp_fmt_args args)
{
	struct stp_fmt_args again = args;
	size_t n = stp_format(o->buf + o->len, o->cap - o->len, fmt, &args);

	if (n > o->cap - o->len) {
		if (!make_room(o, n))
			return;
		stp_format(o->buf, o->cap, fmt, &again);
	}
	add_formatted(o, n);
}

void output_hist(struct output *o, const struct stp_hist_shape *shape, const stp_u64 *buckets)
{
	size_t n = stp_hist_format(o->buf + o->len, o->cap - o->len, shape, buckets);

	if (n > o->cap - o->len) {
		if (!make_room(o, n))
			return;
		stp_hist_format(o->buf, o->cap, shape, buckets);
	}
	add_formatted(o, n);
}

struct error *output_switch(struct output *o)
{
	if (!o->path)
		return NULL;
	output_flush(o);
	return open_file(o, o->number + 1);
}
