/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text stream: one large buffer, written whole. */
#include "reader/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/print/hist.h"

#define BUFFER_SIZE (128u * 1024)
#define PATH_SIZE 4096

static struct error *open_file(const char *path, int *ret)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		return error_create_errno(errno, "couldn't open output file '%s'", path);
	*ret = fd;
	return NULL;
}

static char *expand_path(const char *path)
{
	time_t now = time(NULL);
	struct tm tm;
	char *full;
	size_t n;

	if (!strchr(path, '%'))
		return strdup(path);
	full = malloc(PATH_SIZE);
	if (!full)
		return NULL;
	localtime_r(&now, &tm);
	n = strftime(full, PATH_SIZE, path, &tm);
	if (n)
		return full;
	free(full);
	return strdup(path);
}

struct error *output_init(struct output *o, const char *path, int fd)
{
	struct error *err;

	memset(o, 0, sizeof(*o));
	o->fd = fd;
	o->cap = BUFFER_SIZE;
	o->buf = malloc(o->cap);
	if (!o->buf)
		return &error_no_memory;
	if (!path)
		return NULL;
	o->path = expand_path(path);
	err = o->path ? open_file(o->path, &o->fd) : &error_no_memory;
	if (err) {
		free(o->path);
		o->path = NULL;
		output_deinit(o);
	}
	return err;
}

void output_deinit(struct output *o)
{
	if (o->path && close(o->fd) && !o->errnum)
		o->errnum = errno;
	free(o->path);
	free(o->buf);
	o->path = NULL;
	o->buf = NULL;
}

static void write_whole(struct output *o, const char *p, size_t n)
{
	while (n && !o->errnum) {
		ssize_t done = write(o->fd, p, n);

		if (done >= 0) {
			p += done;
			n -= done;
		} else if (errno == EINTR) {
			if (o->interrupted && o->interrupted(o->cookie))
				o->errnum = EINTR;
		} else {
			o->errnum = errno;
		}
	}
}

void output_flush(struct output *o)
{
	write_whole(o, o->buf, o->len);
	o->len = 0;
}

void output_write(struct output *o, const void *data, size_t n)
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

/* Room for n bytes in the emptied buffer; n was asked for by a formatter, whose fields are bounded. */
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
	o->len += n;
}

void output_hist(struct output *o, const struct stp_hist_shape *shape, const stp_u64 *buckets)
{
	size_t n = stp_hist_format(o->buf + o->len, o->cap - o->len, shape, buckets);

	if (n > o->cap - o->len) {
		if (!make_room(o, n))
			return;
		stp_hist_format(o->buf, o->cap, shape, buckets);
	}
	o->len += n;
}

struct error *output_switch(struct output *o)
{
	struct error *err;
	char path[PATH_SIZE + 16];
	int fd = -1;

	if (!o->path)
		return NULL;
	output_flush(o);
	snprintf(path, sizeof(path), "%s.%u", o->path, o->n_switches + 1);
	err = open_file(path, &fd);
	if (err)
		return err;
	o->n_switches++;
	if (close(o->fd) && !o->errnum)
		o->errnum = errno;
	o->fd = fd;
	return NULL;
}
