/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running compilers, linkers and make. What a child prints goes into an anonymous file rather
 * than a pipe, so that nobody has to read while it runs. Each is in a process group of its own,
 * which cleanup ends as a whole.
 */
#include "module/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/subprocess.h"

static const char *const tool_env[] = { "LC_ALL=C",   "MAKEFLAGS=",     "MFLAGS=",
					"MAKELEVEL=", "KBUILD_OUTPUT=", NULL };

void argv_init(struct argv *a, struct arena *arena)
{
	memset(a, 0, sizeof(*a));
	a->arena = arena;
}

void argv_add(struct argv *a, const char *arg)
{
	vec_push(a->arena, &a->args, arg);
}

void argv_addf(struct argv *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	argv_add(a, arena_vprintf(a->arena, fmt, ap));
	va_end(ap);
}

void argv_add_all(struct argv *a, const char *const *args)
{
	for (; args && *args; args++)
		argv_add(a, *args);
}

void argv_add_compile(struct argv *a, const char *source, const char *object)
{
	argv_add_all(a, (const char *const[]){ "-pipe", "-c", "-o", object, source, NULL });
}

const char *const *argv_done(struct argv *a)
{
	vec_push(a->arena, &a->args, NULL);
	a->args.n--;
	return a->args.data;
}

struct error *tool_memory_file(const char *text, int *ret)
{
	int fd = memfd_create("spile", MFD_CLOEXEC), errnum;

	if (fd < 0)
		return error_create_errno(errno, "cannot create an anonymous file");
	errnum = file_write_all(fd, text, strlen(text));
	if (errnum) {
		close(fd);
		return error_create_errno(errnum, "cannot fill an anonymous file");
	}
	if (lseek(fd, 0, SEEK_SET) < 0) {
		struct error *err = error_create_errno(errno, "cannot rewind an anonymous file");

		close(fd);
		return err;
	}
	*ret = fd;
	return NULL;
}

char *tool_collect(int fd)
{
	struct strbuf b;
	char block[4096];
	off_t at = 0;
	ssize_t n;

	strbuf_init(&b);
	while ((n = pread(fd, block, sizeof(block), at)) > 0) {
		strbuf_add(&b, block, (size_t)n);
		at += n;
	}
	close(fd);
	strbuf_add(&b, "", 0);
	return strbuf_steal(&b);
}

struct error *tool_start(const char *const *argv, const char *cwd, int in, int out, int err,
			 pid_t *ret)
{
	struct subprocess sp = { .argv = argv,
				 .cwd = cwd,
				 .env = tool_env,
				 .in = in,
				 .out = out,
				 .err = err,
				 .own_group = true };

	return subprocess_start(&sp, ret);
}

struct error *tool_wait(pid_t pid, int *status)
{
	int st;
	struct error *err = subprocess_wait(pid, &st);

	if (!err)
		*status = WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
	return err;
}

struct error *tool_run(const char *const *argv, const char *cwd, char **text, int *status)
{
	struct error *err;
	pid_t pid;
	int fd;

	err = tool_memory_file("", &fd);
	if (err)
		return err;
	err = tool_start(argv, cwd, SUBPROCESS_NULL, fd, fd, &pid);
	if (!err)
		err = tool_wait(pid, status);
	if (err) {
		close(fd);
		return err;
	}
	*text = tool_collect(fd);
	return NULL;
}

struct error *tool_must(const char *const *argv, const char *cwd)
{
	char *text, *digest;
	int status;
	struct error *err = tool_run(argv, cwd, &text, &status);

	if (err)
		return err;
	if (status) {
		digest = tool_digest(text);
		err = error_create("%s failed with status %d: %s", argv[0], status, digest);
		free(digest);
	}
	free(text);
	return err;
}

/* Lines with "error" come first in importance; a compiler's notes after them rarely help. */
char *tool_digest(const char *text)
{
	struct strbuf b;
	unsigned lines = 0, pass;

	strbuf_init(&b);
	for (pass = 0; pass < 2 && lines == 0; pass++) {
		const char *p = text, *end;

		for (; *p && lines < 8; p = *end ? end + 1 : end) {
			end = strchrnul(p, '\n');
			if (end == p || (pass == 0 && !memmem(p, (size_t)(end - p), "error", 5) &&
					 !memmem(p, (size_t)(end - p), "undefined", 9)))
				continue;
			if (lines++)
				strbuf_addc(&b, '\n');
			strbuf_add(&b, p, (size_t)(end - p));
		}
	}
	if (!lines)
		strbuf_adds(&b, "it printed nothing");
	return strbuf_steal(&b);
}

/* Waits for a job and calls its done; nothing for a free place. */
static struct error *job_finish(struct tool_job *job)
{
	struct error *err;
	int status = 0;

	if (!job->pid)
		return NULL;
	err = tool_wait(job->pid, &status);
	job->pid = 0;
	if (err)
		close(job->err);
	else
		job->done(job->arg, status, tool_collect(job->err));
	return err;
}

struct error *tool_pool_add(struct tool_pool *pool, const char *const *argv,
			    void (*done)(void *arg, int status, char *text), void *arg)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	struct tool_job *job = &pool->jobs[pool->next];
	struct error *err = job_finish(job);

	if (!pool->size)
		pool->size = n < 1 ? 1 : n > TOOL_JOBS_MAX ? TOOL_JOBS_MAX : (unsigned)n;
	if (err)
		return err;
	err = tool_memory_file("", &job->err);
	if (err)
		return err;
	err = tool_start(argv, NULL, SUBPROCESS_NULL, job->err, job->err, &job->pid);
	if (err) {
		close(job->err);
		job->pid = 0;
		return err;
	}
	job->done = done;
	job->arg = arg;
	pool->next = (pool->next + 1) % pool->size;
	return NULL;
}

struct error *tool_pool_wait(struct tool_pool *pool)
{
	struct error *first = NULL, *err;
	unsigned i;

	for (i = 0; i < pool->size; i++) {
		err = job_finish(&pool->jobs[(pool->next + i) % pool->size]);
		if (!first)
			first = err;
		else
			error_destroy(err);
	}
	return first;
}
