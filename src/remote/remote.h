/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a session runs when not here: what the driver needs of the guest, and no more. */
#ifndef SPILE_REMOTE_REMOTE_H
#define SPILE_REMOTE_REMOTE_H

#include "base/error.h"

struct arena;

/*
 * Which kernel --remote=vm[:WANTED] means: WANTED (a release or a directory of unpacked packages)
 * checked to exist, or with NULL the newest installed. The result is what -r takes.
 */
struct error *remote_vm_kernel(struct arena *arena, const char *wanted,
			       const char **ret) ERROR_MUST_CHECK;

struct remote_request {
	const char *kernel; /* as remote_vm_kernel gave it, or -r */
	const char *const *
		argv; /* program and arguments to run in the guest, in the same working directory */
	const char *output; /* stdout goes to this file of the host, or NULL */
	int verbose;
};

/*
 * Boot or restore a guest, run argv in it, stream stdout and stderr, forward Ctrl-C (a second one
 * ends the guest at once). *status is the command's exit status. A guest that panics or does not
 * start is an error with the kernel's message.
 */
struct error *remote_vm_run(const struct remote_request *request, int *status) ERROR_MUST_CHECK;

#endif
