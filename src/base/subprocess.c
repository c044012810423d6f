/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Child processes. Every child is listed in base/cleanup between start and wait; the section held
 * around posix_spawn keeps a signal from coming between its creation and its listing.
 */
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/strbuf.h"

extern char **environ;

/*
 * Ours with the extra entries in place of those of the same name; a heap array of borrowed strings.
 */
static char **merged_environment(const char *const *extra)
{
	size_t n = 0, n_extra = 0, out = 0;
	char **env;

	while (environ[n])
		n++;
	while (extra[n_extra])
		n_extra++;
	env = calloc(n + n_extra + 1, sizeof(*env));
	if (!env)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t name = strcspn(environ[i], "=") + 1;
		bool overridden = false;

		for (size_t j = 0; j < n_extra && !overridden; j++)
			overridden = !strncmp(environ[i], extra[j], name);
		if (!overridden)
			env[out++] = environ[i];
	}
	for (size_t j = 0; j < n_extra; j++)
		env[out++] = (char *)extra[j];
	return env;
}

static int add_descriptor(posix_spawn_file_actions_t *actions, int to, int from)
{
	if (from == SUBPROCESS_INHERIT)
		return 0;
	if (from == SUBPROCESS_NULL)
		return posix_spawn_file_actions_addopen(actions, to, "/dev/null",
							to ? O_WRONLY : O_RDONLY, 0);
	/* dup2 of a descriptor onto itself clears close-on-exec too (POSIX 2017, glibc >= 2.29) */
	return posix_spawn_file_actions_adddup2(actions, from, to);
}

/* An errno value, 0 for success. */
static int spawn(const struct subprocess *sp, char **env, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int ret;

	ret = posix_spawn_file_actions_init(&actions);
	if (ret)
		return ret;
	ret = posix_spawnattr_init(&attr);
	if (ret) {
		posix_spawn_file_actions_destroy(&actions);
		return ret;
	}
	/*
	 * The child starts with no signal blocked and SIGPIPE at its default, whatever we do
	 * ourselves.
	 */
	sigemptyset(&none);
	sigemptyset(&all);
	sigaddset(&all, SIGPIPE);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						(sp->own_group ? POSIX_SPAWN_SETPGROUP : 0));
	if (sp->cwd)
		ret = posix_spawn_file_actions_addchdir_np(&actions, sp->cwd);
	if (!ret)
		ret = add_descriptor(&actions, 0, sp->in);
	if (!ret)
		ret = add_descriptor(&actions, 1, sp->out);
	if (!ret)
		ret = add_descriptor(&actions, 2, sp->err);
	if (!ret)
		ret = posix_spawnp(pid, sp->argv[0], &actions, &attr, (char *const *)sp->argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

struct error *subprocess_start(const struct subprocess *sp, pid_t *ret)
{
	char **env = environ;
	int errnum;
	pid_t pid;

	if (sp->env) {
		env = merged_environment(sp->env);
		if (!env)
			return &error_no_memory;
	}
	cleanup_hold();
	errnum = spawn(sp, env, &pid);
	if (!errnum)
		cleanup_add_child(pid, sp->own_group);
	cleanup_release();
	if (env != environ)
		free(env);
	if (errnum)
		return error_create_errno(errnum, "cannot run %s", sp->argv[0]);
	*ret = pid;
	return NULL;
}

struct error *subprocess_wait(pid_t pid, int *status)
{
	int errnum = 0;

	while (waitpid(pid, status, 0) < 0 && !errnum)
		errnum = errno == EINTR ? 0 : errno;
	/* one that a signal to us ended is nobody's news: this does not return then */
	if (!errnum && WIFSIGNALED(*status))
		cleanup_expect(WTERMSIG(*status));
	cleanup_hold();
	cleanup_drop_child(pid);
	cleanup_release();
	return errnum ? error_create_errno(errnum, "cannot wait for process %d", (int)pid) : NULL;
}

struct error *subprocess_run(const struct subprocess *sp)
{
	struct error *err;
	pid_t pid;
	int status;

	err = subprocess_start(sp, &pid);
	if (!err)
		err = subprocess_wait(pid, &status);
	if (err)
		return err;
	if (WIFSIGNALED(status))
		return error_create("%s was killed by signal %d", sp->argv[0], WTERMSIG(status));
	if (WEXITSTATUS(status))
		return error_create("%s failed with status %d", sp->argv[0], WEXITSTATUS(status));
	return NULL;
}

/* Read both pipes until they end, so neither can fill up and stop the child. */
static struct error *drain(int fds[2], struct strbuf bufs[2])
{
	while (fds[0] >= 0 || fds[1] >= 0) {
		struct pollfd polls[2] = { { .fd = fds[0], .events = POLLIN },
					   { .fd = fds[1], .events = POLLIN } };

		if (poll(polls, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return error_create_errno(errno, "cannot wait for output");
		}
		for (int i = 0; i < 2; i++) {
			char chunk[16384];
			ssize_t n;

			if (fds[i] < 0 || !polls[i].revents)
				continue;
			n = read(fds[i], chunk, sizeof(chunk));
			if (n > 0) {
				strbuf_add(&bufs[i], chunk, (size_t)n);
			} else if (!n || errno != EINTR) {
				close(fds[i]);
				fds[i] = -1;
			}
		}
	}
	return NULL;
}

/* Close unless closed already (-1). */
static void close_open(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

struct error *subprocess_capture(const struct subprocess *sp, char **out, size_t *out_len,
				 char **err_out, int *status)
{
	int out_pipe[2] = { -1, -1 }, err_pipe[2] = { -1, -1 };
	struct strbuf bufs[2];
	struct subprocess child = *sp;
	struct error *err, *wait_err;
	pid_t pid;

	if (pipe2(out_pipe, O_CLOEXEC))
		return error_create_errno(errno, "cannot run %s", sp->argv[0]);
	if (err_out && pipe2(err_pipe, O_CLOEXEC)) {
		err = error_create_errno(errno, "cannot run %s", sp->argv[0]);
		close_open(&out_pipe[0]);
		close_open(&out_pipe[1]);
		return err;
	}
	child.out = out_pipe[1];
	if (err_out)
		child.err = err_pipe[1];
	err = subprocess_start(&child, &pid);
	close_open(&out_pipe[1]);
	close_open(&err_pipe[1]);
	strbuf_init(&bufs[0]);
	strbuf_init(&bufs[1]);
	if (!err) {
		int fds[2] = { out_pipe[0], err_pipe[0] };

		err = drain(fds, bufs);
		out_pipe[0] = fds[0];
		err_pipe[0] = fds[1];
		close_open(&out_pipe[0]);
		close_open(&err_pipe[0]);
		wait_err = subprocess_wait(pid, status);
		if (err)
			error_destroy(wait_err);
		else
			err = wait_err;
	}
	close_open(&out_pipe[0]);
	close_open(&err_pipe[0]);
	if (!err) {
		*out_len = bufs[0].len;
		*out = strbuf_steal(&bufs[0]);
		if (err_out)
			*err_out = strbuf_steal(&bufs[1]);
	}
	strbuf_deinit(&bufs[0]);
	strbuf_deinit(&bufs[1]);
	return err;
}
