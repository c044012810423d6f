/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guard process: waits on a pipe for staprun's end. A byte releases it; end of file without
 * one means that staprun died, and the module is removed if it is the one staprun inserted, told
 * by its cookie.
 */
#include "loader/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/loaded.h"

/* A reader that has lost its staprun runs `end` and drains before it lets go of the module. */
#define PATIENCE_MS 60000

/* Nothing of the terminal, the caller's pipes or its directory is held on to. */
static void let_go(int keep)
{
	int null = open("/dev/null", O_RDWR), fd;

	for (fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
	if (keep > 3)
		close_range(3, keep - 1, 0);
	close_range(keep + 1, ~0u, 0);
	if (chdir("/"))
		return; /* then a file system stays busy while the session lasts */
}

/*
 * Does not return. All signals are ignored, for the guard must outlive what kills its group; only
 * SIGKILL ends it.
 */
static void guard(const char *module, stp_u64 cookie, int fd)
{
	ssize_t n;
	char byte;
	int sig;

	setsid();
	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	prctl(PR_SET_NAME, "staprun_guard");
	let_go(fd);
	while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
		;
	/*
	 * staprun's end of the pipe closes when its last system call has returned: the module is
	 * loaded or never will be
	 */
	if (n == 0)
		error_destroy(loaded_remove_own(module, cookie, PATIENCE_MS));
	_exit(0);
}

struct error *guard_start(const char *module, stp_u64 cookie, int *ret)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return error_create_errno(errno, "cannot guard the module");
	pid = fork();
	if (!pid)
		guard(module, cookie, fds[0]);
	close(fds[0]);
	if (pid < 0) {
		close(fds[1]);
		return error_create_errno(errno, "cannot guard the module");
	}
	*ret = fds[1];
	return NULL;
}

void guard_release(int guard)
{
	if (guard < 0)
		return;
	signal(SIGPIPE, SIG_IGN);
	if (write(guard, "", 1) == 1 || errno == EPIPE) /* or somebody has killed it */
		close(guard);
}
