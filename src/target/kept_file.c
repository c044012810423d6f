/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See kept_file.h. */
#include "target/kept_file.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/seal.h"
#include "base/subprocess.h"

/* Room for the words of the child's error. */
#define CHILD_TEXT 1024

/* The child: its exit status, with the words of its error in TEXT, shared memory. */
static int run(kept_file_maker *make, void *arg, const char *out, char *text)
{
	struct error *err = make(arg, out);

	if (err)
		snprintf(text, CHILD_TEXT, "%s", err->text);
	return err ? 1 : 0;
}

/* TEXT is all zeros; what the child leaves there is its error. */
static struct error *run_child(const char *from, kept_file_maker *make, void *arg, const char *out,
			       char *text)
{
	struct error *err;
	int status;
	pid_t pid;

	cleanup_hold();
	pid = fork();
	if (pid == 0) {
		cleanup_in_child();
		_exit(run(make, arg, out, text));
	}
	if (pid > 0)
		cleanup_add_child(pid, false);
	cleanup_release();
	if (pid < 0)
		return error_create_errno(errno, "cannot start the scan of %s", from);
	err = subprocess_wait(pid, &status);
	if (err)
		return err;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return NULL;
	text[CHILD_TEXT - 1] = '\0';
	return *text ? error_create("%s", text)
		     : error_create("%s: scanning the debug information failed", from);
}

static struct error *make_in_child(const char *from, kept_file_maker *make, void *arg,
				   const char *out)
{
	char *text =
		mmap(NULL, CHILD_TEXT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct error *err;

	if (text == MAP_FAILED)
		return error_create_errno(errno, "cannot start the scan of %s", from);
	err = run_child(from, make, arg, out, text);
	munmap(text, CHILD_TEXT);
	return err;
}

/* TEMP becomes FILE. */
static struct error *keep(const char *file, const char *temp)
{
	struct error *err = seal_write_one(file, temp);

	if (!err && rename(temp, file))
		err = error_create_errno(errno, "cannot create %s", file);
	return err;
}

static struct error *make_kept(const char *file, const char *from, kept_file_maker *make, void *arg,
			       bool apart)
{
	struct arena *scratch = arena_create();
	const char *temp = arena_printf(scratch, "%s.%d", file, (int)getpid());
	struct error *err = dir_create_all(dirname(arena_strdup(scratch, file)));

	cleanup_hold();
	cleanup_add_path(temp);
	cleanup_release();
	if (!err)
		err = apart ? make_in_child(from, make, arg, temp) : make(arg, temp);
	if (!err)
		err = keep(file, temp);
	if (err)
		unlink(temp);
	cleanup_drop_path(temp);
	arena_destroy(scratch);
	return err;
}

struct error *kept_file_make(const char *file, const char *from, kept_file_maker *make, void *arg)
{
	return make_kept(file, from, make, arg, false);
}

struct error *kept_file_make_apart(const char *file, const char *from, kept_file_maker *make,
				   void *arg)
{
	return make_kept(file, from, make, arg, true);
}
