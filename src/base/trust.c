/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who could change a file: owner and mode of it and of every directory above it, by the real
 * path. It is a check at one moment; what only the caller and root can write stays so afterwards.
 */
#include "base/trust.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

/* "PATH WHAT", heap. Never NULL, which would mean trusted: without memory the process ends. */
static char *say(const char *path, const char *fmt, unsigned id)
{
	char *what, *ret;

	if (asprintf(&what, fmt, id) < 0 || asprintf(&ret, "%s %s", path, what) < 0)
		arena_out_of_memory();
	free(what);
	return ret;
}

/* Is there a member but USER? */
static bool has_others(const struct group *group, const char *user)
{
	char **member;

	for (member = group->gr_mem; *member; member++) {
		if (strcmp(*member, user))
			return true;
	}
	return false;
}

/* Is it the primary group of somebody else than UID? */
static bool is_shared(gid_t gid, uid_t uid)
{
	const struct passwd *user;
	bool shared = false;

	setpwent();
	while (!shared && (user = getpwent()))
		shared = user->pw_gid == gid && user->pw_uid != uid;
	endpwent();
	return shared;
}

/*
 * Is the group of the name of the user, without other members, and nobody else's primary group? The
 * name is asked for because not every directory of users can be listed.
 */
static bool is_of_one(gid_t gid, uid_t uid)
{
	const struct passwd *self = getpwuid(uid);
	char *name = self ? strdup(self->pw_name) : NULL;
	const struct group *group = name ? getgrgid(gid) : NULL;
	bool ret = group && !strcmp(group->gr_name, name) && !has_others(group, name) &&
		   !is_shared(gid, uid);

	free(name);
	return ret;
}

/*
 * Is it the caller's alone, as many systems give each user a group of his own? Listing all users
 * takes long where a server has them, and every directory of a path asks: the answer is kept. The
 * guest's thread asks beside the main one, and the listing is of the whole process, hence the lock.
 */
static bool is_private(gid_t gid)
{
	static struct {
		bool known, is_private;
		uid_t uid;
		gid_t gid;
	} last;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uid_t uid = geteuid();
	bool ret;

	if (gid != getegid())
		return false;
	pthread_mutex_lock(&lock);
	if (!last.known || last.uid != uid || last.gid != gid) {
		last.is_private = is_of_one(gid, uid);
		last.uid = uid;
		last.gid = gid;
		last.known = true;
	}
	ret = last.is_private;
	pthread_mutex_unlock(&lock);
	return ret;
}

/*
 * One file or directory, not what is above it; ALSO is a user who is trusted, too. NULL: trusted,
 * or not there.
 */
static char *distrust_one(const char *path, uid_t also)
{
	struct stat st;
	bool sticky;

	if (lstat(path, &st))
		return NULL; /* not there: nobody's yet */
	if (st.st_uid != 0 && st.st_uid != geteuid() && st.st_uid != also)
		return say(path, "belongs to user %u", st.st_uid);
	sticky = S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX;
	if (st.st_mode & S_IWOTH && !sticky)
		return say(path, "can be written by everybody", 0);
	if (st.st_mode & S_IWGRP && !sticky && st.st_gid != 0 && !is_private(st.st_gid))
		return say(path, "can be written by group %u", st.st_gid);
	return NULL;
}

/* The longest part of PATH that is there, without links; heap. */
static char *existing(const char *path)
{
	char *copy = strdup(path), *real = NULL, *slash;

	while (copy && !(real = realpath(copy, NULL)) && errno == ENOENT) {
		slash = strrchr(copy, '/');
		if (!slash) {
			free(copy);
			return realpath(".", NULL);
		}
		if (slash == copy)
			slash++;
		*slash = '\0';
	}
	free(copy);
	return real;
}

/* Of PATH and all above it. */
static char *distrust(const char *path, uid_t also)
{
	char *real = existing(path), *why, *end;

	if (!real)
		return say(path, "cannot be followed", 0);
	why = distrust_one(real, also);
	while (!why && (end = strrchr(real, '/')) && real[1]) {
		end[end == real] = '\0';
		why = distrust_one(real, also);
	}
	free(real);
	return why;
}

char *path_distrust(const char *path)
{
	return distrust(path, 0);
}

char *path_distrust_but_owner(const char *path)
{
	struct stat st;

	return distrust(path, stat(path, &st) ? 0 : st.st_uid);
}
