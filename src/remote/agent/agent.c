/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent's loop: one port, one command, everything non-blocking in one poll. It is PID 1, so
 * it also reaps what its commands leave behind.
 */
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct agent {
	int port, signals;
	struct agent_command cmd;
	/* From the host: a frame being read. */
	char *in;
	size_t in_len;
	/*
	 * To the host: what the port has not taken yet. Commands are read only while it is empty,
	 * so a slow host makes the command wait and the agent still hears signals.
	 */
	char *out;
	size_t out_len, out_pos, out_cap;
	/* Standard input waiting for the command to take it. */
	char *stdin_data;
	size_t stdin_len, stdin_pos;
	int stdin_ended;
};

void agent_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("spile-agent: FATAL: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

/* Queues a frame; it is written by flush_port(). */
static void send_frame(struct agent *a, enum agent_frame type, const void *data, size_t len)
{
	struct agent_header h = { .type = type, .len = len };

	if (a->out_len + sizeof(h) + len > a->out_cap) {
		a->out_cap = (a->out_len + sizeof(h) + len) * 2;
		a->out = realloc(a->out, a->out_cap);
		if (!a->out)
			agent_die("out of memory");
	}
	memcpy(a->out + a->out_len, &h, sizeof(h));
	memcpy(a->out + a->out_len + sizeof(h), data, len);
	a->out_len += sizeof(h) + len;
}

/* As much as the port takes now. */
static void flush_port(struct agent *a)
{
	while (a->out_pos < a->out_len) {
		ssize_t n = write(a->port, a->out + a->out_pos, a->out_len - a->out_pos);

		if (n <= 0)
			return;
		a->out_pos += n;
	}
	a->out_pos = a->out_len = 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Tells the host at once when there is nothing to wait for. */
static void start_command(struct agent *a, char *payload, size_t len)
{
	char why[512] = "";
	uint32_t status;

	a->stdin_len = a->stdin_pos = 0;
	a->stdin_ended = 0;
	status = agent_command_start(&a->cmd, payload, len, why, sizeof(why));
	if (why[0])
		send_frame(a, AGENT_ERRORS, why, strlen(why));
	if (status)
		send_frame(a, AGENT_EXIT, &status, sizeof(status));
}

/*
 * As much of the queued input as the command takes now; when it has taken all, the host may send
 * more.
 */
static void feed_command(struct agent *a)
{
	while (a->cmd.in >= 0 && a->stdin_pos < a->stdin_len) {
		ssize_t n =
			write(a->cmd.in, a->stdin_data + a->stdin_pos, a->stdin_len - a->stdin_pos);

		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) { /* nobody reads it any more */
			close_fd(&a->cmd.in);
			return;
		}
		a->stdin_pos += n;
	}
	if (a->stdin_len && a->cmd.in >= 0)
		send_frame(a, AGENT_INPUT, "", 0);
	a->stdin_pos = a->stdin_len = 0;
	if (a->stdin_ended)
		close_fd(&a->cmd.in);
}

/* An empty frame is the end of the input. */
static void queue_input(struct agent *a, const char *data, size_t len)
{
	if (len == 0) {
		a->stdin_ended = 1;
	} else {
		a->stdin_data = realloc(a->stdin_data, a->stdin_len + len);
		if (!a->stdin_data)
			agent_die("out of memory");
		memcpy(a->stdin_data + a->stdin_len, data, len);
		a->stdin_len += len;
	}
	feed_command(a);
}

/* data is NUL-terminated behind len bytes. */
static void take_frame(struct agent *a, uint32_t type, char *data, size_t len)
{
	struct agent_setup setup;
	char why[512];
	uint32_t sig;

	switch (type) {
	case AGENT_SETUP:
		if (len < sizeof(setup))
			agent_die("short setup frame");
		memcpy(&setup, data, sizeof(setup));
		why[0] = '\0';
		agent_enter_root(&setup, data + sizeof(setup), why, sizeof(why));
		send_frame(a, AGENT_READY, why, strlen(why));
		break;
	case AGENT_RUN:
		if (!a->cmd.pid)
			start_command(a, data, len);
		break;
	case AGENT_INPUT:
		queue_input(a, data, len);
		break;
	case AGENT_SIGNAL:
		if (a->cmd.pid && len == sizeof(sig)) {
			memcpy(&sig, data, sizeof(sig));
			kill(-a->cmd.pid, sig);
		}
		break;
	default:
		agent_die("unknown frame %u", type);
	}
}

/* All that is there. The buffer holds the largest frame and a byte more. */
static void read_port(struct agent *a)
{
	for (;;) {
		size_t room = sizeof(struct agent_header) + AGENT_RUN_MAX - a->in_len;
		struct agent_header h;
		ssize_t n = read(a->port, a->in + a->in_len, room);

		if (n <= 0)
			return;
		a->in_len += n;
		while (a->in_len >= sizeof(h)) {
			memcpy(&h, a->in, sizeof(h));
			if (h.len > AGENT_RUN_MAX)
				agent_die("frame of %u bytes", h.len);
			if (a->in_len < sizeof(h) + h.len)
				break;
			/*
			 * Text payloads may be read as strings: the byte after them is ours to
			 * borrow.
			 */
			char saved = a->in[sizeof(h) + h.len];

			a->in[sizeof(h) + h.len] = '\0';
			take_frame(a, h.type, a->in + sizeof(h), h.len);
			a->in[sizeof(h) + h.len] = saved;
			a->in_len -= sizeof(h) + h.len;
			memmove(a->in, a->in + sizeof(h) + h.len, a->in_len);
		}
	}
}

/* One read of what the command wrote; returns whether there may be more now. */
static int relay(struct agent *a, int *fd, enum agent_frame type)
{
	static char data[AGENT_DATA_MAX];
	ssize_t n;

	if (*fd < 0)
		return 0;
	n = read(*fd, data, sizeof(data));
	if (n > 0)
		send_frame(a, type, data, n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		close_fd(fd);
	return n > 0;
}

/* Every child that has ended; only the command's status is kept. */
static void reap(struct agent *a)
{
	struct signalfd_siginfo si;
	int status;
	pid_t pid;

	while (read(a->signals, &si, sizeof(si)) == sizeof(si))
		continue;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != a->cmd.pid)
			continue;
		a->cmd.exited = 1;
		a->cmd.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
}

/*
 * The command is gone: what it left in the pipes, then its status. Those it left running end with
 * it.
 */
static void finish_command(struct agent *a)
{
	uint32_t status = a->cmd.status;

	if (relay(a, &a->cmd.out, AGENT_OUTPUT) | relay(a, &a->cmd.err, AGENT_ERRORS))
		return;
	kill(-a->cmd.pid, SIGKILL);
	close_fd(&a->cmd.in);
	close_fd(&a->cmd.out);
	close_fd(&a->cmd.err);
	a->cmd.pid = 0;
	send_frame(a, AGENT_EXIT, &status, sizeof(status));
}

/* Sleeps until something happens, and does what there is to do. */
static void step(struct agent *a)
{
	const struct timespec pause = { 0, 1000000 };
	int idle = a->out_len == 0;
	struct pollfd p[] = {
		{ .fd = a->port, .events = POLLIN | (idle ? 0 : POLLOUT) },
		{ .fd = a->signals, .events = POLLIN },
		{ .fd = idle ? a->cmd.out : -1, .events = POLLIN },
		{ .fd = idle ? a->cmd.err : -1, .events = POLLIN },
		{ .fd = a->stdin_len ? a->cmd.in : -1, .events = POLLOUT },
	};
	int done = a->cmd.pid && a->cmd.exited && idle;

	if (poll(p, 5, done ? 0 : -1) < 0)
		return;
	/*
	 * No host at the other end for the moment (a restore): the port only says so, again and
	 * again.
	 */
	if ((p[0].revents & POLLHUP) && !(p[0].revents & POLLIN))
		nanosleep(&pause, NULL);
	if (p[0].revents & POLLIN)
		read_port(a);
	if (p[1].revents)
		reap(a);
	if (p[2].revents)
		relay(a, &a->cmd.out, AGENT_OUTPUT);
	if (p[3].revents)
		relay(a, &a->cmd.err, AGENT_ERRORS);
	if (p[4].revents)
		feed_command(a);
	if (a->cmd.pid && a->cmd.exited && a->out_len == 0)
		finish_command(a);
	flush_port(a);
}

int main(void)
{
	struct agent a = { .cmd = { .in = -1, .out = -1, .err = -1 } };
	sigset_t set;
	int fd;

	agent_mount_kernel();
	fd = open("/dev/console", O_RDWR | O_NOCTTY);
	for (int i = 0; fd >= 0 && i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	agent_load_modules();
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	a.signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	a.in = malloc(sizeof(struct agent_header) + AGENT_RUN_MAX + 1);
	if (a.signals < 0 || !a.in)
		agent_die("cannot start: %s", strerror(errno));
	a.port = agent_open_port();
	send_frame(&a, AGENT_BOOTED, "", 0);
	flush_port(&a);
	for (;;)
		step(&a);
}
