/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Going to the background. The parent holds the terminal until the child tells that the session
 * has started, so that errors of starting are seen and have an exit status.
 */
#include "loader/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "base/signals.h"

/* What a handler needs. */
static volatile pid_t daemon_pid;

/* Until the session has started, asking us to end means it. */
static void pass_on(int sig)
{
	int saved = errno;

	kill(daemon_pid, SIGTERM);
	errno = saved;
}

/* The parent's exit status: 0 when the child wrote its byte, else the child's. */
static int wait_ready(int fd)
{
	/* to detach from and to rotate there is nothing yet */
	static const int ending[] = { SIGNALS_END };
	struct sigaction sa = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	ssize_t n;
	char byte;
	int st;

	signals_set(ending, sizeof(ending) / sizeof(ending[0]), &sa);
	while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
		;
	close(fd);
	if (n == 1) {
		printf("%d\n", (int)daemon_pid);
		return fflush(stdout) ? 1 : 0;
	}
	while (waitpid(daemon_pid, &st, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 1;
}

int daemon_fork(int *ready)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) || (daemon_pid = fork()) < 0) {
		fprintf(stderr, "ERROR: couldn't go to the background: %s\n", strerror(errno));
		return 1;
	}
	if (daemon_pid) {
		close(fds[1]);
		return wait_ready(fds[0]);
	}
	close(fds[0]);
	setsid();
	*ready = fds[1];
	return -1;
}

void daemon_leave_terminal(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	for (i = 0; fd >= 0 && i <= 2; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	openlog("staprun", LOG_PID, LOG_DAEMON);
}
