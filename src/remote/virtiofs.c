/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * virtiofsd as a child process. It writes to what it serves like any program, so it gets a mount
 * namespace of its own in which everything is read-only.
 */
#include "remote/virtiofs.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"

struct error *virtiofs_find(struct arena *arena, const char **ret)
{
	/* Debian 12, Debian 13 and Fedora, others */
	static const char *const paths[] = { "/usr/lib/qemu/virtiofsd", "/usr/libexec/virtiofsd",
					     "/usr/bin/virtiofsd" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (access(paths[i], X_OK) == 0) {
			*ret = paths[i];
			return NULL;
		}
	return error_hint(
		error_create("no virtiofsd to give the guest this machine's files with"),
		"install the package virtiofsd (on Debian 12, qemu-system-common), or take a "
		"kernel that has 9p");
}

/* A listening socket without a name anybody else would find, and a connection to it. */
static struct error *make_sockets(int *listener, int *client)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(address.sun_family);

	*listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	*client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* unix(7): an address of nothing but the family is chosen by the kernel */
	if (*listener >= 0 && *client >= 0 && !bind(*listener, (struct sockaddr *)&address, len) &&
	    !listen(*listener, 1)) {
		len = sizeof(address);
		if (!getsockname(*listener, (struct sockaddr *)&address, &len) &&
		    !connect(*client, (struct sockaddr *)&address, len))
			return NULL;
	}
	return error_create_errno(errno, "socket for virtiofsd");
}

/* In the child: all it sees is read only, for itself and so for the guest. */
static void exec_daemon(const char *program, int listener, int errors, pid_t parent)
{
	struct mount_attr read_only = { .attr_set = MOUNT_ATTR_RDONLY };
	int null = open("/dev/null", O_RDWR);
	char fd[32];

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	dup2(null, 0);
	dup2(errors, 1);
	dup2(errors, 2);
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof(read_only)) < 0) {
		perror("virtiofsd: a read-only view of this machine's files (needs root)");
		_exit(1);
	}
	fcntl(listener, F_SETFD, 0);
	snprintf(fd, sizeof(fd), "--fd=%d", listener);
	/* as with 9p (agent_mounts.c): what was seen of a file is not asked for again */
	execl(program, program, fd, "-f", "-o",
	      "source=/,cache=always,sandbox=chroot,log_level=err", (char *)NULL);
	perror(program);
	_exit(127);
}

struct error *virtiofs_start(const char *program, int errors, pid_t *ret_pid, int *ret_socket)
{
	int listener = -1, client = -1;
	struct error *err = make_sockets(&listener, &client);
	pid_t self = getpid(), pid = -1;

	if (!err) {
		pid = fork();
		if (pid == 0)
			exec_daemon(program, listener, errors, self);
		if (pid < 0)
			err = error_create_errno(errno, "fork");
	}
	if (listener >= 0)
		close(listener);
	if (err) {
		if (client >= 0)
			close(client);
		return err;
	}
	*ret_pid = pid;
	*ret_socket = client;
	return NULL;
}
