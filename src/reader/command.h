/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command of -c: forked at once so that its pid is known, held before exec until the probes are armed. */
#ifndef SPILE_READER_COMMAND_H
#define SPILE_READER_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct command {
	pid_t pid;   /* 0: none */
	int gate[2]; /* the child waits for a byte; [0] is closed here */
	bool ended;
	int status; /* as from waitpid, when ended */
};

struct error *command_prepare(struct command *cmd, const char *text) ERROR_MUST_CHECK;
void command_release(struct command *cmd); /* let it exec */
void command_kill(struct command *cmd);    /* it was never released */

/* Run a shell command in the background; for system(). Nothing happens when that fails. */
void command_shell(const char *text, size_t len);
/* Collect ended children: notes the command's status. True while others of command_shell still run. */
bool command_reap(struct command *cmd);

/* Does text need a shell? */
bool command_needs_shell(const char *text);

#endif
