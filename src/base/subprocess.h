/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Child processes through posix_spawn (vfork speed; the 4 ms a fork of a mapped process costs
 * matter here). No shell. All our descriptors are close-on-exec.
 */
#ifndef SPILE_BASE_SUBPROCESS_H
#define SPILE_BASE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * What to run. The caller keeps argv, env and the descriptors, and may release them once the
 * child is started. The child starts with no signal blocked and SIGPIPE at its default; other
 * signals that we ignore stay ignored.
 */
struct subprocess {
	const char *const *argv; /* NULL-terminated; argv[0] sought in PATH when it has no slash */
	const char *cwd;         /* NULL: ours */
	const char *const *env;  /* NULL: ours; else extra NAME=VALUE entries that override ours */
	int in, out, err;        /* descriptors to use, or SUBPROCESS_INHERIT / SUBPROCESS_NULL */
	bool own_group; /* no Ctrl-C of the terminal: cleanup.h ends it, and all it started */
};
#define SUBPROCESS_INHERIT (-1)
#define SUBPROCESS_NULL (-2)

/*
 * The child is listed for cleanup, so it ends with us, until subprocess_wait(). A program that
 * cannot be executed is an error here (posix_spawn reports it), with its errno.
 */
struct error *subprocess_start(const struct subprocess *sp, pid_t *ret) ERROR_MUST_CHECK;
/* Wait for it to end; *status as from waitpid. Interrupted waits go on. */
struct error *subprocess_wait(pid_t pid, int *status) ERROR_MUST_CHECK;
/* Start, wait, and turn a non-zero exit or a signal into an error naming argv[0]. */
struct error *subprocess_run(const struct subprocess *sp) ERROR_MUST_CHECK;
/*
 * Run and collect stdout, and stderr when err_out is not NULL, as NUL-terminated heap texts that
 * the caller frees. *status is as from waitpid; a non-zero one is no error here. On failure
 * nothing is returned, and the child was waited for.
 */
struct error *subprocess_capture(const struct subprocess *sp, char **out, size_t *out_len,
				 char **err_out, int *status) ERROR_MUST_CHECK;

#endif
