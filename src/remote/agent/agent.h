/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent: the first and only program of a throwaway guest's initrd. It loads the drivers packed
 * beside it, says so on its port, and after SETUP runs commands in the host's file system one after
 * the other. It is linked statically and uses nothing of src/base: it is PID 1, so anything
 * unexpected ends in a message on the console and a power-off.
 */
#ifndef SPILE_REMOTE_AGENT_AGENT_H
#define SPILE_REMOTE_AGENT_AGENT_H

#include <stddef.h>
#include <sys/types.h>

#include "remote/agent_protocol.h"

/* Say why on the console and power off. */
void agent_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* agent_mounts.c: the kernel's own file systems, before anything else. */
void agent_mount_kernel(void);
/*
 * Load /mod/NN-NAME.ko in order. One that cannot be loaded is reported on the console and passed
 * over.
 */
void agent_load_modules(void);
/*
 * Open the port named AGENT_PORT once its device appears; non-blocking, close-on-exec. Dies when
 * it does not come within ten seconds.
 */
int agent_open_port(void);
/*
 * Clock, random seed, host root under a writable overlay as the new root. NULL or a reason in BUF.
 */
const char *agent_enter_root(const struct agent_setup *setup, const char *modules, char *buf,
			     size_t size);

/* agent_command.c: one command. */
struct agent_command {
	pid_t pid;        /* 0: none runs; also its process group */
	int in, out, err; /* our ends, -1 when closed */
	int exited, status;
};
/*
 * Start from the RUN payload, which is NUL-terminated and may be changed. 0, or the shell's exit
 * status when nothing was started; the reason, also why a started child could not execute it, is
 * then in BUF, which is empty otherwise.
 */
int agent_command_start(struct agent_command *cmd, char *payload, size_t len, char *buf,
			size_t size);

#endif
