/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap-table: the table of a file that a user stack met while a session ran
 * (runtime/uapi/user_table.h). Standard input is the file; the table is written to standard output,
 * where that stands, or nothing is, and one line to standard error says why. The exit status is 0
 * or 1.
 *
 * A program of its own, so that the reader starts without what reads ELF and DWARF, goes on
 * printing while a large file is read, and outlives a file that brings libdw down. Started by the
 * reader (reader/user_tables.h), which says what files are believed.
 */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "diag/diag.h"
#include "module/module.h"
#include "target/objects.h"
#include "target/target.h"

#define INPUT "/proc/self/fd/0"
#define NOBODY 65534 /* the kernel's overflowuid, Debian's nobody and nogroup */

struct request {
	struct arena *arena;
	const char *path;      /* by which the file is opened */
	const char *cache_dir; /* NULL: the usual one */
	bool is_temporary;     /* cache_dir is, and goes */
};

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/*
 * The path by which the file is known here, too; NULL: it has none: it was removed, or is a
 * container's.
 */
static const char *known_path(struct arena *arena)
{
	char path[PATH_MAX];
	ssize_t n = readlink(INPUT, path, sizeof(path) - 1);
	struct stat here, there;

	path[n > 0 ? n : 0] = '\0';
	return *path == '/' && !fstat(STDIN_FILENO, &here) && !stat(path, &there) &&
			       is_same(&here, &there)
		       ? arena_strdup(arena, path)
		       : NULL;
}

/*
 * That of stap, where tables are those of pass 3; what cannot be told apart by a path is kept for
 * now only.
 */
static struct error *choose_cache(struct request *r)
{
	char *dir = module_cache_default_dir(), *why = dir ? cache_refusal(dir) : NULL;
	struct error *err = NULL;

	if (!r->path) {
		r->path = INPUT;
		r->is_temporary = true;
		err = dir_create_temp(r->arena, "stap-table-", (char **)&r->cache_dir);
	} else if (dir && !why) {
		r->cache_dir = arena_strdup(r->arena, dir);
	}
	free(dir);
	free(why);
	return err;
}

static struct error *copy_out(const char *table)
{
	struct file_map map;
	struct error *err = file_map_open(table, &map);
	int errnum;

	if (err)
		return err;
	errnum = file_write_all(STDOUT_FILENO, map.data, map.len);
	file_map_close(&map);
	return errnum ? error_create_errno(errnum, "the table") : NULL;
}

static struct error *make(const struct request *r, struct target *t)
{
	const struct target_object *o;
	struct error *err = target_open_file(t, r->path, &o);
	const char *table, *why;

	if (err)
		return err;
	table = target_user_table(o, &why);
	return table ? copy_out(table) : error_create("%s", why);
}

/*
 * What has no name here is a container's: its root decides what is in it, and shall be no root here
 * if it brings libdw down.
 */
static struct error *drop_privileges(void)
{
	pid_t reader = getppid();
	int sig = 0; /* what its end sends us: a change of user takes that away */

	if (geteuid())
		return NULL;
	if (prctl(PR_GET_PDEATHSIG, &sig) || setgroups(0, NULL) ||
	    setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_PDEATHSIG, sig) ||
	    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)) /* else what is below /proc/self would be root's */
		return error_create_errno(errno, "cannot give up privileges");
	if (sig && getppid() != reader)
		return error_create("nobody waits for the table any more");
	return NULL;
}

static struct error *run(struct request *r)
{
	struct target_options options = { .debuginfo_path = getenv("SYSTEMTAP_DEBUGINFO_PATH"),
					  .files_only = true };
	struct target *t;
	struct error *err;

	r->path = known_path(r->arena);
	err = r->path ? NULL : drop_privileges();
	if (!err)
		err = choose_cache(r);
	if (err)
		return err;
	options.cache_dir = r->cache_dir;
	err = target_open(&options, &t);
	if (!err) {
		err = make(r, t);
		target_close(t);
	}
	if (r->is_temporary)
		error_destroy(dir_remove_all(r->cache_dir));
	return err;
}

int main(void)
{
	struct request r = { .arena = arena_create() };
	struct error *err;

	cleanup_guard(NULL, NULL);
	err = run(&r);
	if (err)
		fprintf(stderr, "%s\n", err->text);
	error_destroy(err);
	arena_destroy(r.arena);
	return err != NULL;
}
