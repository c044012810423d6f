/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of another system that lies in a directory here: --sysroot. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/process.h"

/* The part of PATH that the other system would write: without the directory, if it begins with that. */
static const char *path_inside(const char *root, const char *path)
{
	size_t n = strlen(root);

	return !strncmp(path, root, n) && path[n] == '/' ? path + n : path;
}

/*
 * openat2(2), Linux 5.6, follows links as if ROOT were "/", as no function of the C library does. A
 * relative path begins there.
 */
static bool resolve_in(const char *root, const char *path, char real[PATH_MAX])
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, saved;
	char link[64];
	bool found;

	if (dir < 0)
		return false;
	fd = (int)syscall(SYS_openat2, dir, path_inside(root, path), &how, sizeof(how));
	saved = errno;
	close(dir);
	errno = saved;
	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	found = realpath(link, real) != NULL;
	close(fd);
	return found;
}

bool process_resolve(const struct probe_env *env, const char *path, char real[PATH_MAX])
{
	return env->sysroot ? resolve_in(env->sysroot, path, real) : realpath(path, real) != NULL;
}

const char *process_variable(const struct probe_env *env, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = env->n_variables; i--;)
		if (!strncmp(env->variables[i], name, n) && env->variables[i][n] == '=')
			return env->variables[i] + n + 1;
	return NULL;
}
