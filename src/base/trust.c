/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who could change a file: owner and mode of it and of every directory above it, by the real path,
 * and of every link that leads there. It is a check at one moment; what only the caller and root
 * can write stays so afterwards.
 */
#include "base/trust.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

#define MAX_LINKS 40 /* followed for one path, as by the kernel: path_resolution(7) */

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

/* Of REAL, which has no links, and all above it. REAL is spoilt. */
static char *distrust_real(char *real, uid_t also)
{
	char *why = distrust_one(real, also), *end;

	while (!why && (end = strrchr(real, '/')) && real[1]) {
		end[end == real] = '\0';
		why = distrust_one(real, also);
	}
	return why;
}

static char *distrust_links(const char *path, uid_t also, unsigned *links);

/*
 * LINK leads to somewhere else when its owner, or one who can write to its directory, says so. Its
 * target is followed from that directory's real path, in which there are no links to follow again.
 */
static char *distrust_link(const char *link, uid_t owner, uid_t also, unsigned *links)
{
	const char *slash = strrchr(link, '/');
	char to[PATH_MAX], *above = NULL, *real, *why;
	ssize_t n;

	if (owner != 0 && owner != geteuid() && owner != also)
		return say(link, "belongs to user %u", owner);
	if (asprintf(&above, "%.*s.", slash ? (int)(slash + 1 - link) : 0, link) < 0)
		arena_out_of_memory();
	real = ++*links > MAX_LINKS ? NULL : realpath(above, NULL);
	free(above);
	if (!real)
		return say(link, "cannot be followed", 0);
	n = readlink(link, to, sizeof(to) - 1);
	if (n > 0) {
		to[n] = '\0';
		if (asprintf(&above, "%s/%s", *to == '/' ? "" : real, to) < 0)
			arena_out_of_memory();
	} else {
		above = NULL; /* gone: nobody's yet */
	}
	why = distrust_real(real, also);
	if (!why && above)
		why = distrust_links(above, also, links);
	free(real);
	free(above);
	return why;
}

/* Of what decides where PATH leads to; *LINKS counts those that were followed. */
static char *distrust_links(const char *path, uid_t also, unsigned *links)
{
	char *copy = strdup(path), *end, *why = NULL;
	struct stat st;

	if (!copy)
		arena_out_of_memory();
	for (end = copy; *end && !why;) {
		char kept;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		kept = *end;
		*end = '\0';
		if (!lstat(copy, &st) && S_ISLNK(st.st_mode))
			why = distrust_link(copy, st.st_uid, also, links);
		*end = kept;
	}
	free(copy);
	return why;
}

/* Of PATH and all above it. */
static char *distrust(const char *path, uid_t also)
{
	char *real = existing(path), *why;
	unsigned links = 0;

	if (!real)
		return say(path, "cannot be followed", 0);
	why = distrust_real(real, also);
	free(real);
	return why ? why : distrust_links(path, also, &links);
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
