/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules that are loaded already: whose they are, by the owner of their cmd file, which the
 * module sets to whoever loaded it, which one it is, by its cookie, and removing them.
 */
#include "loader/loaded.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/module_cookie.h"
#include "loader/image.h"
#include "loader/insert.h"
#include "loader/proc.h"
#include "runtime/uapi/wire.h"

/*
 * For staprun -d: a session that is attached stays until somebody ends it, which the user is told
 * soon.
 */
#define REMOVE_IDLE_MS 1000
#define PAUSE_MS 20

struct error *loaded_check(const char *name)
{
	char path[sizeof(STP_PROC_ROOT) + STP_MODULE_NAME_MAX + sizeof("//cmd")];
	struct error *err;
	struct stat st;

	if (strlen(name) > STP_MODULE_NAME_MAX || strchr(name, '/'))
		return error_create("'%s' is not the name of a module", name);
	err = proc_check();
	if (err)
		return err;
	snprintf(path, sizeof(path), STP_PROC_ROOT "/%s/cmd", name);
	if (stat(path, &st))
		return error_create("no module '%s' that stap made is loaded", name);
	if (getuid() != 0 && getuid() != st.st_uid)
		return error_create("module '%s' was loaded by somebody else", name);
	return NULL;
}

/*
 * While it is waited for it may go, and another of its name come: so the cookie is looked at before
 * each try.
 */
struct error *loaded_remove_own(const char *name, stp_u64 cookie, int patience_ms)
{
	struct timespec pause = { 0, PAUSE_MS * 1000000 };
	struct error *err;
	int waited;

	for (waited = 0; module_cookie(name) == cookie; waited += PAUSE_MS) {
		err = module_remove(name, 0, true);
		if (!err || err->errnum != EAGAIN || waited >= patience_ms)
			return err;
		error_destroy(err);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

/*
 * Entries that are not the caller's, and those in use, are passed over. Stops at the first that
 * fails otherwise.
 */
static struct error *remove_unused(void)
{
	struct error *err = NULL;
	struct dirent *entry;
	DIR *dir = opendir(STP_PROC_ROOT);

	if (!dir)
		return NULL; /* none was loaded since the machine started */
	while (!err && (entry = readdir(dir)) != NULL) {
		err = loaded_check(entry->d_name);
		if (err) {
			error_destroy(err);
			err = NULL;
			continue;
		}
		err = module_remove(entry->d_name, 0, true);
		if (err && err->errnum == EAGAIN) {
			error_destroy(err);
			err = NULL;
		}
	}
	closedir(dir);
	return err;
}

struct error *loaded_remove(const char *name)
{
	struct error *err;

	if (!strcmp(name, LOADED_ALL))
		return remove_unused();
	err = loaded_check(name);
	if (!err)
		err = module_remove(name, REMOVE_IDLE_MS, false);
	if (err && err->errnum == EAGAIN)
		return error_hint(
			err,
			"Somebody is attached to it: end that session (Ctrl-C), or let it detach (SIGQUIT).");
	return err;
}
