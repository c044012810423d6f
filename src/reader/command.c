/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children of the reader. base/subprocess cannot hold a child before exec, so these fork
 * themselves. A simple command is executed without a shell, so that the pid known as target() is
 * the command's own.
 */
#include "reader/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command_words.h"
#include "reader/signals.h"

/* In the child. */
static void exec_text(const char *text)
{
	wordexp_t words;

	if (!command_words(text, &words)) {
		execl("/bin/sh", "sh", "-c", text, (char *)NULL);
		fprintf(stderr, "ERROR: couldn't run /bin/sh: %s\n", strerror(errno));
	} else {
		char **argv = words.we_wordv;

		if (argv[0])
			execvp(argv[0], argv);
		fprintf(stderr, "ERROR: couldn't run '%s': %s\n", argv[0] ? argv[0] : text,
			strerror(argv[0] ? errno : ENOENT));
	}
	_exit(127);
}

struct error *command_prepare(struct command *cmd, const char *text)
{
	char byte;
	ssize_t n;

	memset(cmd, 0, sizeof(*cmd));
	if (pipe2(cmd->gate, O_CLOEXEC))
		return error_create_errno(errno, "couldn't prepare '%s'", text);
	cmd->pid = fork();
	if (cmd->pid < 0) {
		close(cmd->gate[0]);
		close(cmd->gate[1]);
		cmd->pid = 0;
		return error_create_errno(errno, "couldn't fork for '%s'", text);
	}
	if (cmd->pid) {
		close(cmd->gate[0]);
		return NULL;
	}
	signals_reset();
	close(cmd->gate[1]);
	while ((n = read(cmd->gate[0], &byte, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0); /* the session never started */
	exec_text(text);
	_exit(127);
}

void command_release(struct command *cmd)
{
	if (!cmd->pid || cmd->gate[1] < 0)
		return;
	while (write(cmd->gate[1], "", 1) < 0 && errno == EINTR)
		;
	close(cmd->gate[1]);
	cmd->gate[1] = -1;
}

void command_kill(struct command *cmd)
{
	if (!cmd->pid || cmd->gate[1] < 0)
		return;
	close(cmd->gate[1]); /* it reads end of file and leaves */
	cmd->gate[1] = -1;
}

void command_shell(const char *text, size_t len)
{
	char *copy;

	if (fork())
		return;
	signals_reset();
	copy = strndup(text, len);
	if (copy)
		execl("/bin/sh", "sh", "-c", copy, (char *)NULL);
	_exit(127);
}

bool command_reap(struct command *cmd)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != cmd->pid)
			continue;
		cmd->ended = true;
		cmd->status = status;
		if (cmd->gate[1] >= 0)
			close(cmd->gate[1]);
		cmd->gate[1] = -1;
	}
	return pid == 0 && (!cmd->pid || cmd->ended);
}
