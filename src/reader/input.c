/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte is one write(), so one hit of the probes. A handler that fails is the script's business,
 * and reported as such; so is a hit that is skipped.
 */
#include "reader/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "runtime/uapi/wire.h"

/* -1 when the script has no probe for it. */
static int open_file(const char *dir, const char *name)
{
	int fd, at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return -1;
	fd = openat(at, name, O_WRONLY | O_CLOEXEC);
	close(at);
	return fd;
}

/*
 * The terminal is the shell's while this job is in the background: it would be stopped for a
 * change.
 */
static int set_terminal(int fd, const struct termios *mode)
{
	return tcgetpgrp(fd) == getpgrp() ? tcsetattr(fd, TCSANOW, mode) : -1;
}

/* Characters of a terminal come when they are typed, not by the line. */
static void set_unbuffered(struct input *in)
{
	struct termios now;

	if (tcgetattr(in->from, &in->was))
		return;
	now = in->was;
	now.c_lflag &= ~(tcflag_t)ICANON;
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	in->unbuffered = !set_terminal(in->from, &now);
}

void input_open(struct input *in, const char *dir)
{
	in->chars = open_file(dir, STP_INPUT_CHARS);
	in->lines = open_file(dir, STP_INPUT_LINES);
	in->from = in->chars >= 0 || in->lines >= 0 ? STDIN_FILENO : -1;
	if (in->chars >= 0)
		set_unbuffered(in);
}

/* false when nobody is there any more. */
static bool give(int to, char c)
{
	return to < 0 || write(to, &c, 1) == 1 || errno == EIO || errno == EAGAIN || errno == EINTR;
}

void input_forward(struct input *in)
{
	char buf[256];
	ssize_t n = read(in->from, buf, sizeof(buf));
	bool there = n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));

	for (ssize_t i = 0; i < n && there; i++)
		there = give(in->chars, buf[i]) && give(in->lines, buf[i]);
	if (n == 0 && in->in_line)
		give(in->lines, '\n');
	if (n > 0)
		in->in_line = buf[n - 1] != '\n';
	if (!there)
		in->from = -1;
}

void input_close(struct input *in)
{
	if (in->unbuffered)
		set_terminal(STDIN_FILENO, &in->was);
	if (in->chars >= 0)
		close(in->chars);
	if (in->lines >= 0)
		close(in->lines);
	*in = (struct input){ .from = -1, .chars = -1, .lines = -1 };
}
