/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching to a module: its files in /proc/systemtap/NAME/ are opened with the caller's own
 * rights, which the module grants to whoever loaded it. cmd carries commands and messages, script
 * and ledger and timing are read whole, ringN is mapped.
 */
#include "reader/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MSG_FIRST_CAP 4096

/*
 * A whole file of the module's, with a NUL behind; on the heap. Its size is not known beforehand.
 */
static struct error *read_all(const char *dir, const char *name, char **ret, size_t *len)
{
	char path[4096];
	size_t n = 0, cap = 65536;
	char *buf;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_create_errno(errno, "couldn't open %s", path);
	buf = malloc(cap + 1);
	while (buf) {
		ssize_t got = read(fd, buf + n, cap - n);

		if (got < 0) {
			struct error *err = error_create_errno(errno, "couldn't read %s", path);

			free(buf);
			close(fd);
			return err;
		}
		n += got;
		if (!got)
			break;
		if (n == cap) {
			char *bigger = realloc(buf, 2 * cap + 1);

			if (!bigger)
				free(buf);
			buf = bigger;
			cap *= 2;
		}
	}
	close(fd);
	if (!buf)
		return &error_no_memory;
	buf[n] = '\0';
	*ret = buf;
	*len = n;
	return NULL;
}

/* Rings exist for possible CPUs only; numbers without a file are passed over. */
static struct error *map_ring(struct control *c, int cpu)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct error *err;
	char path[4096];
	void *p;
	int fd;

	snprintf(path, sizeof(path), "%s/ring%d", c->dir, cpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return NULL; /* an impossible CPU */
	if (fd < 0)
		return error_create_errno(errno, "couldn't open %s", path);
	p = mmap(NULL, c->map_len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	err = p == MAP_FAILED ? error_create_errno(errno, "couldn't map %s", path) : NULL;
	close(fd);
	if (err)
		return err;
	err = ring_init(&c->rings[c->n_rings], p, c->map_len, page);
	if (err) {
		munmap(p, c->map_len);
		return err;
	}
	c->n_rings++;
	return NULL;
}

/* On failure those mapped so far stay for control_close(). */
static struct error *map_rings(struct control *c)
{
	struct error *err = NULL;
	stp_u32 cpu;

	c->map_len = sysconf(_SC_PAGESIZE) + c->tables.info->ring_len;
	c->rings = calloc(c->tables.info->n_cpus, sizeof(*c->rings));
	if (!c->rings)
		return &error_no_memory;
	for (cpu = 0; cpu < c->tables.info->n_cpus && !err; cpu++)
		err = map_ring(c, cpu);
	if (!err && !c->n_rings)
		err = error_create("the module has no output rings");
	return err;
}

/* Opening cmd is what attaches: EBUSY says that another reader has. */
static struct error *open_cmd(struct control *c)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/cmd", c->dir);
	c->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (c->fd >= 0)
		return NULL;
	if (errno == EBUSY)
		return error_create("another reader is attached to this module");
	return error_create_errno(errno, "couldn't open %s", path);
}

struct error *control_open(struct control *c, const char *root, const char *module)
{
	struct error *err;
	char *blob;
	size_t len;

	memset(c, 0, sizeof(*c));
	c->fd = -1;
	c->msg_cap = MSG_FIRST_CAP;
	c->msg = malloc(c->msg_cap);
	if (asprintf(&c->dir, "%s/%s", root, module) < 0)
		c->dir = NULL; /* what it is then is not defined, and control_close() frees it */
	if (!c->msg || !c->dir)
		return &error_no_memory;
	err = open_cmd(c);
	if (!err)
		err = read_all(c->dir, "script", &blob, &len);
	if (!err)
		err = tables_init(&c->tables, blob, len);
	if (!err)
		err = map_rings(c);
	return err ? error_context(err, "module '%s'", module) : NULL;
}

void control_close(struct control *c)
{
	size_t i;

	for (i = 0; i < c->n_rings; i++)
		munmap(c->rings[i].ctl, c->map_len);
	free(c->rings);
	tables_deinit(&c->tables);
	if (c->dir && c->fd >= 0)
		close(c->fd);
	free(c->dir);
	free(c->msg);
	memset(c, 0, sizeof(*c));
	c->fd = -1;
}

static struct error *command_write(struct control *c, const struct stp_cmd *cmd)
{
	ssize_t n;

	while ((n = write(c->fd, cmd, sizeof(*cmd))) < 0 && errno == EINTR)
		;
	if (n == sizeof(*cmd))
		return NULL;
	return error_create_errno(n < 0 ? errno : EIO, "couldn't talk to the module");
}

struct error *control_send(struct control *c, enum stp_cmd_type type, stp_long arg)
{
	return command_write(c, &(struct stp_cmd){ .type = type, .arg = arg });
}

struct error *control_send_zone(struct control *c)
{
	struct stp_cmd cmd = { .type = STP_CMD_ZONE };
	time_t now = time(NULL);
	struct tm tm;

	if (!localtime_r(&now, &tm))
		return NULL; /* UTC, then */
	cmd.more = -(int)tm.tm_gmtoff;
	memcpy(&cmd.arg, tm.tm_zone, strnlen(tm.tm_zone, sizeof(cmd.arg)));
	return command_write(c, &cmd);
}

struct error *control_receive(struct control *c, const struct stp_msg **ret)
{
	*ret = NULL;
	for (;;) {
		ssize_t n = read(c->fd, c->msg, c->msg_cap);
		struct stp_msg *bigger;

		if (n >= (ssize_t)sizeof(*c->msg) && c->msg->size <= n) {
			*ret = c->msg;
			return NULL;
		}
		if (n == 0 || (n < 0 && errno == EAGAIN))
			return NULL;
		if (n > 0)
			return error_create("the module sent a damaged message");
		if (errno == EINTR)
			continue;
		if (errno != EMSGSIZE)
			return error_create_errno(errno, "the module is gone");
		bigger = realloc(c->msg, 2 * c->msg_cap);
		if (!bigger)
			return &error_no_memory;
		c->msg = bigger;
		c->msg_cap *= 2;
	}
}

const char *control_text(const struct stp_msg *msg)
{
	size_t len = msg->size - sizeof(*msg);

	return len && !msg->text[len - 1] ? msg->text : "";
}

struct error *control_ledger(struct control *c, struct stp_ledger_row **ret, size_t *n)
{
	struct error *err;
	char *rows;
	size_t len;

	err = read_all(c->dir, "ledger", &rows, &len);
	if (err)
		return err;
	*n = c->tables.info->n_probes;
	if (len < *n * sizeof(**ret) + c->tables.info->n_points * sizeof(stp_u64)) {
		free(rows);
		return error_create("the module's ledger is cut short");
	}
	*ret = (struct stp_ledger_row *)(void *)rows;
	return NULL;
}

struct error *control_timing(struct control *c, struct stp_timing **ret)
{
	struct error *err;
	char *figures;
	size_t len;

	err = read_all(c->dir, "timing", &figures, &len);
	if (err)
		return err;
	if (len < sizeof(**ret) + c->tables.info->n_locks * sizeof(struct stp_lock_row) +
			  c->tables.info->n_points * sizeof(struct stp_timing_stat)) {
		free(figures);
		return error_create("the module's timing is cut short");
	}
	*ret = (struct stp_timing *)(void *)figures;
	return NULL;
}
