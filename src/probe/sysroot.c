/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of another system that lies in a directory here: --sysroot, or the root of a process in a
 * name space of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/process.h"

/*
 * The part of PATH that the other system would write: without the directory, if it begins with
 * that.
 */
static const char *path_inside(const char *root, const char *path)
{
	size_t n = strlen(root);

	return !strncmp(path, root, n) && path[n] == '/' ? path + n : path;
}

/* Is that file at ROOT and PATH, which come to *ret? */
static bool is_at(const struct stat *file, const char *root, const char *path, char ret[PATH_MAX])
{
	struct stat st;

	errno = ENOENT;
	return (size_t)snprintf(ret, PATH_MAX, "%s%s", root, path) < PATH_MAX && !stat(ret, &st) &&
	       st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/*
 * A path that leads to an open file from here. What the kernel calls it is a path in the mounts it
 * was opened through: in those of a process of another name space it begins at the root there, or
 * at the directory that the process has for one.
 */
static bool path_of(const char *root, int fd, char real[PATH_MAX])
{
	char link[64], text[PATH_MAX], directory[PATH_MAX] = "";
	struct stat file;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, text, sizeof(text) - 1);
	if (n < 0 || fstat(fd, &file))
		return false;
	text[n] = '\0';
	n = readlink(root, directory, sizeof(directory) - 1);
	directory[n < 0 ? 0 : n] = '\0'; /* that of --sysroot is no link */
	return is_at(&file, "", text, real) || is_at(&file, root, text, real) ||
	       is_at(&file, root, path_inside(directory, text), real);
}

/*
 * openat2(2), Linux 5.6, follows links as if ROOT were "/", as no function of the C library does. A
 * relative path begins there.
 */
static bool resolve_in(const char *root, const char *path, char real[PATH_MAX])
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, saved;
	bool found;

	if (dir < 0)
		return false;
	fd = (int)syscall(SYS_openat2, dir, path_inside(root, path), &how, sizeof(how));
	saved = errno;
	close(dir);
	errno = saved;
	if (fd < 0)
		return false;
	found = path_of(root, fd, real);
	close(fd);
	return found;
}

const char *process_root(const struct probe_env *env, int64_t pid)
{
	const char *root = arena_printf(env->arena, "/proc/%lld/root", (long long)pid);
	const char *mounts = arena_printf(env->arena, "/proc/%lld/ns/mnt", (long long)pid);
	struct stat own, its;

	if (stat("/", &own) || stat(root, &its))
		return NULL;
	if (own.st_dev != its.st_dev || own.st_ino != its.st_ino)
		return root;
	if (stat("/proc/self/ns/mnt", &own) || stat(mounts, &its))
		return NULL;
	return own.st_dev != its.st_dev || own.st_ino != its.st_ino ? root : NULL;
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
