/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children of the reader. base/subprocess cannot hold a child before exec, so these fork
 * themselves. A simple command is executed without a shell, so that the pid known as target() is
 * the command's own.
 */
#include "reader/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command_words.h"
#include "base/path_search.h"
#include "reader/signals.h"

/*
 * What the child becomes. Made before the gate, so that behind it, where probes see the child, it
 * does nothing but exec.
 */
struct program {
	char **argv;
	char file[PATH_MAX]; /* "": it is for execvp() to find out what is wrong */
};

/* The file that execvp() would run. */
static void find_file(struct program *p)
{
	if (strlen(p->argv[0]) >= sizeof(p->file))
		p->file[0] = '\0';
	else if (strchr(p->argv[0], '/'))
		strcpy(p->file, p->argv[0]);
	else if (!path_search(p->argv[0], p->file))
		p->file[0] = '\0';
}

/* Strings are never given back: the child is another program soon, or gone. */
static void find_program(const char *text, struct program *ret)
{
	static char *shell[] = { "sh", "-c", NULL, NULL };
	static wordexp_t words;

	ret->file[0] = '\0';
	if (command_words(text, &words)) {
		ret->argv = words.we_wordv;
		if (ret->argv[0])
			find_file(ret);
		return;
	}
	shell[2] = (char *)text;
	ret->argv = shell;
	snprintf(ret->file, sizeof(ret->file), "/bin/sh");
}

/* What exec does not know is for execvp(): a script without an interpreter. */
static _Noreturn void exec_program(const struct program *p)
{
	const char *name = p->argv[0];

	if (p->file[0])
		execv(p->file, p->argv);
	if (name)
		execvp(name, p->argv);
	fprintf(stderr, "ERROR: couldn't run '%s': %s\n", name ? name : "",
		strerror(name ? errno : ENOENT));
	_exit(127);
}

struct error *command_prepare(struct command *cmd, const char *text)
{
	struct program program;
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
	find_program(text, &program);
	while ((n = read(cmd->gate[0], &byte, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(0); /* the session never started */
	exec_program(&program);
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

int command_shell(const char *text, size_t len)
{
	pid_t pid = fork();
	char *copy;

	if (pid)
		return pid < 0 ? errno : 0;
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
		if (WIFSTOPPED(status)) {
			/* it made us its tracer (PTRACE_TRACEME), and goes on as if it had not */
			ptrace(PTRACE_CONT, pid, NULL,
			       WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status));
			continue;
		}
		cmd->ended = true;
		cmd->status = status;
		if (cmd->gate[1] >= 0)
			close(cmd->gate[1]);
		cmd->gate[1] = -1;
	}
	return pid == 0 && (!cmd->pid || cmd->ended);
}
