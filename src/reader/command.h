/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command of -c: forked at once so that its pid is known, held before exec until the probes
 * are armed; and the commands of system(). Children run with the caller's own identity and
 * default signal dispositions.
 */
#ifndef SPILE_READER_COMMAND_H
#define SPILE_READER_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* The command of -c. Zeroed: there is none. */
struct command {
	pid_t pid;   /* 0: none */
	int gate[2]; /* the child waits for a byte; [0] is closed here */
	bool ended;
	int status; /* as from waitpid, when ended */
};

/*
 * Fork the child that will become TEXT, and hold it at the gate. On failure pid is 0, as for a
 * command that was not asked for.
 */
struct error *command_prepare(struct command *cmd, const char *text) ERROR_MUST_CHECK;
/* Let it exec; nothing for a zeroed command, and the second time. */
void command_release(struct command *cmd);
/*
 * It was never released: the child leaves without running anything. Nothing for one that was
 * released.
 */
void command_kill(struct command *cmd);

/*
 * Run a shell command in the background; for system(). 0, or the errno when no child could be made;
 * what the shell cannot do it says itself.
 */
int command_shell(const char *text, size_t len);
/*
 * Collect ended children, all that this process has: notes the command's status, and drops that of
 * others. True while some still run that are not the command.
 */
bool command_reap(struct command *cmd);

#endif
