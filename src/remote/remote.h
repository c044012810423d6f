/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --remote=vm[:KERNEL]: a session in a throwaway guest. The guest sees the host's files, so the
 * module, staprun and the script's command are named by their host paths; what the session writes
 * to files is forgotten with the guest, so output meant for a file of the host must come through
 * standard output.
 */
#ifndef SPILE_REMOTE_REMOTE_H
#define SPILE_REMOTE_REMOTE_H

#include <stdbool.h>

#include "base/error.h"

/*
 * A guest on its way: it boots or is restored in a thread while the caller compiles. Never fails;
 * what goes wrong remote_vm_run says. NULL when there is no memory for it.
 */
struct remote_guest;
/* KERNEL is as in struct remote_request. */
struct remote_guest *remote_vm_prepare(const char *kernel);
/* Nobody will use it; NULL is fine. To be followed by the end of the process. */
void remote_vm_forget(struct remote_guest *prepared);

/* One session; read until remote_vm_run() returns. */
struct remote_request {
	/* a release, an unpacked kernel's directory, or NULL: newest installed */
	const char *kernel;
	struct remote_guest *prepared; /* of the same kernel, or NULL; remote_vm_run takes it */
	/* staprun by its absolute path, its arguments and the module; NULL-terminated */
	const char *const *argv;
	const char *const *env; /* complete, or NULL: ours */
	bool forward_input;     /* give the session our standard input */
	int output_fd;          /* where its standard output goes; -1: our own */
	double timeout;         /* seconds, or 0 */
	unsigned int verbose;   /* 1: say on standard error how long the guest took */
};

/*
 * Run and stream; INT, TERM and HUP go to the session, QUIT as INT, for nothing can be left in a
 * guest that goes; a second one gives the guest up.
 * *ret_status is the session's exit status. A kernel that dies is an error (errnum EIO) with its
 * message; one that only complains is reported on standard error. request->prepared is used up in
 * any case.
 */
struct error *remote_vm_run(const struct remote_request *request, int *ret_status) ERROR_MUST_CHECK;

/*
 * What --remote=vm would boot: its release, and where its modules are, for compiling. On the
 * heap, the caller frees both; kernel as in remote_request.
 */
struct error *remote_vm_kernel(const char *kernel, char **ret_release,
			       char **ret_modules) ERROR_MUST_CHECK;

#endif
