/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removing the module in place of a staprun that was killed. Root asks the kernel itself; anybody
 * else runs a new staprun, which is allowed to.
 */
#include "reader/orphan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/module_cookie.h"
#include "base/subprocess.h"

#define TRIES 500
#define TRY_NS 20000000

/*
 * An errno value, 0 for success or when it is gone already. Tries for ten seconds while the
 * module is in use; meanwhile it may go, and another of its name come.
 */
static int delete_directly(const char *module, unsigned long long cookie)
{
	struct timespec pause = { 0, TRY_NS };
	int i;

	for (i = 0; i < TRIES; i++) {
		if (cookie && module_cookie(module) != cookie)
			return 0;
		if (!syscall(SYS_delete_module, module, O_NONBLOCK) || errno == ENOENT)
			return 0;
		if (errno != EAGAIN && errno != EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	return errno;
}

/* Beside this program, or where an installation has it; else by PATH. */
static void find_staprun(char *path, size_t size)
{
	static const char *const paths[] = { "staprun", "../../bin/staprun" };
	char dir[3000], *slash;
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	size_t i;

	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	for (i = 0; slash && i < sizeof(paths) / sizeof(paths[0]); i++) {
		snprintf(path, size, "%.*s/%s", (int)(slash - dir), dir, paths[i]);
		if (file_exists(path))
			return;
	}
	snprintf(path, size, "staprun");
}

static struct error *delete_by_staprun(const char *module)
{
	char path[3100];
	const char *const argv[] = { path, "-d", module, NULL };
	struct subprocess sp = { .argv = argv,
				 .in = SUBPROCESS_INHERIT,
				 .out = SUBPROCESS_INHERIT,
				 .err = SUBPROCESS_INHERIT };

	find_staprun(path, sizeof(path));
	return subprocess_run(&sp);
}

void orphan_remove_module(struct messages *m, const char *module, unsigned long long cookie)
{
	struct error *err;
	int errnum;

	if (geteuid() == 0) {
		errnum = delete_directly(module, cookie);
		err = errnum ? error_create_errno(errnum, "couldn't remove module '%s'", module)
			     : NULL;
	} else {
		err = delete_by_staprun(module);
	}
	if (!err)
		return;
	messages_errorf(m, "%s", err->text);
	error_destroy(err);
}
