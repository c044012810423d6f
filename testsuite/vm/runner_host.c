/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/qemu.h"
#include "runner.h"

const char *shell_quote(struct arena *arena, const char *text)
{
	struct strbuf b;
	const char *ret;

	strbuf_init(&b);
	strbuf_addc(&b, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_adds(&b, "'\\''");
		else
			strbuf_addc(&b, *text);
	strbuf_addc(&b, '\'');
	ret = arena_strdup(arena, b.s);
	strbuf_deinit(&b);
	return ret;
}

static void exec_shell(const struct host_command *cmd, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
	    chdir(cmd->dir) < 0)
		_exit(127);
	for (const char *const *e = cmd->env; e && *e; e++)
		putenv((char *)*e);
	execl("/bin/sh", "sh", "-c", cmd->shell, (char *)NULL);
	_exit(127);
}

/* Read both until they end; false when the time is up first. */
static bool collect(int out_fd, int err_fd, struct strbuf *out, struct strbuf *err, double deadline)
{
	struct pollfd p[2] = { { out_fd, POLLIN, 0 }, { err_fd, POLLIN, 0 } };
	struct strbuf *to[2] = { out, err };

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		double left = deadline - monotonic_seconds();

		if (left <= 0)
			return false;
		if (poll(p, 2, left * 1000 + 1) <= 0)
			continue;
		for (int i = 0; i < 2; i++) {
			char buf[65536];
			ssize_t n;

			if (p[i].fd < 0 || !p[i].revents)
				continue;
			n = read(p[i].fd, buf, sizeof(buf));
			if (n > 0)
				strbuf_add(to[i], buf, n);
			else if (n == 0 || errno != EINTR)
				p[i].fd = -1;
		}
	}
	return true;
}

struct error *host_run(const struct host_command *cmd, struct strbuf *out, struct strbuf *err,
		       int *ret_status)
{
	int o[2], e[2], status = 0;
	bool in_time;
	pid_t pid;

	if (pipe2(o, O_CLOEXEC) < 0)
		return error_create_errno(errno, "pipe");
	if (pipe2(e, O_CLOEXEC) < 0) {
		close(o[0]);
		close(o[1]);
		return error_create_errno(errno, "pipe");
	}
	pid = fork();
	if (pid == 0)
		exec_shell(cmd, o[1], e[1]);
	close(o[1]);
	close(e[1]);
	in_time = pid > 0 && collect(o[0], e[0], out, err, monotonic_seconds() + cmd->timeout);
	close(o[0]);
	close(e[0]);
	if (pid < 0)
		return error_create_errno(errno, "fork");
	if (!in_time)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!in_time)
		*ret_status = HOST_LATE;
	else
		*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return NULL;
}
