/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent runs a command: parses the request, starts the child, hands its output and status
 * back. The child is a session and process group of its own, to which signals go.
 */
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The strings of a RUN payload, checked: cut into vectors that point into it. */
struct parsed {
	const char *cwd;
	char **argv, **envp;
	int has_input;
};

/* 0, with argv to be freed; -1 when the payload is malformed. */
static int parse(struct parsed *p, char *payload, size_t len)
{
	struct agent_run run;
	char *s = payload + sizeof(run), *end = payload + len;
	size_t n;
	char **v;

	if (len <= sizeof(run) || end[-1] != '\0')
		return -1;
	memcpy(&run, payload, sizeof(run));
	if (run.n_args == 0 || run.n_args > len || run.n_env > len)
		return -1;
	v = calloc((size_t)run.n_args + run.n_env + 2, sizeof(*v));
	if (!v)
		return -1;
	p->cwd = s;
	s += strlen(s) + 1;
	p->argv = v;
	p->envp = v + run.n_args + 1;
	p->has_input = run.has_input;
	n = 0;
	for (; s < end && n < (size_t)run.n_args + run.n_env; s += strlen(s) + 1, n++)
		(n < run.n_args ? p->argv : p->envp - run.n_args)[n] = s;
	if (n == (size_t)run.n_args + run.n_env)
		return 0;
	free(v);
	return -1;
}

/* In the child: STATUS_FD tells the agent why there is no command. */
static void exec_command(const struct parsed *p, const int fds[3], int status_fd)
{
	sigset_t none;
	int err;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			_exit(127);
	if (chdir(p->cwd) < 0 && chdir("/") < 0)
		_exit(127);
	environ = p->envp;
	execvp(p->argv[0], p->argv);
	err = errno;
	if (write(status_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

static void close_pair(const int fds[2])
{
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

/* Those that were opened are the caller's to close, also on failure. */
static int open_pipes(const struct parsed *p, int in[2], int out[2], int err[2], int report[2])
{
	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0 || pipe2(report, O_CLOEXEC) < 0)
		return -1;
	if (p->has_input) {
		if (pipe2(in, O_CLOEXEC) < 0)
			return -1;
		fcntl(in[1], F_SETFL, O_NONBLOCK);
	} else {
		in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (in[0] < 0)
			return -1;
	}
	fcntl(out[1], F_SETPIPE_SZ, 1 << 20);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	return 0;
}

int agent_command_start(struct agent_command *cmd, char *payload, size_t len, char *buf,
			size_t size)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 }, report[2] = { -1, -1 };
	struct parsed p;
	int why = 0;
	pid_t pid;

	if (parse(&p, payload, len) < 0) {
		snprintf(buf, size, "spile-agent: malformed command\n");
		return 125;
	}
	if (open_pipes(&p, in, out, err, report) < 0 || (pid = fork()) < 0) {
		snprintf(buf, size, "spile-agent: %s: %s\n", p.argv[0], strerror(errno));
		close_pair(in);
		close_pair(out);
		close_pair(err);
		close_pair(report);
		free(p.argv);
		return 125;
	}
	if (pid == 0)
		exec_command(&p, (const int[]){ in[0], out[1], err[1] }, report[1]);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	close(report[1]);
	cmd->in = in[1];
	cmd->out = out[0];
	cmd->err = err[0];
	cmd->pid = pid;
	cmd->exited = 0;
	/* Ends at once when exec worked: the other end closes. */
	if (read(report[0], &why, sizeof(why)) == sizeof(why))
		snprintf(buf, size, "%s: %s\n", p.argv[0], strerror(why));
	else
		buf[0] = '\0';
	close(report[0]);
	free(p.argv);
	return 0;
}
