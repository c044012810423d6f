/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun: insert the module, run its reader, remove the module - whatever happens in between,
 * unless the reader was told to leave the session running.
 *
 * It runs as root, or set-uid root for members of stapdev. Standard descriptors are guarded
 * first, for what was closed by the caller must not become a file that is opened here. The
 * caller's identity is the real user id throughout.
 */
#include <errno.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/module_cookie.h"
#include "base/strbuf.h"
#include "loader/daemon.h"
#include "loader/guard.h"
#include "loader/image.h"
#include "loader/insert.h"
#include "loader/loaded.h"
#include "loader/options.h"
#include "loader/session.h"
#include "runtime/uapi/wire.h"

/*
 * Behind a session of ours, which has ended: who has a file of a procfs probe open may close it
 * yet.
 */
#define REMOVE_ENDED_MS 10000

/* A daemon has no terminal to complain on, or will soon have none. */
static int fail(const struct loader_options *opt, struct error *err)
{
	fprintf(stderr, "ERROR: %s\n", err->text);
	if (err->hint)
		fprintf(stderr, "%s\n", err->hint);
	if (opt->daemon)
		syslog(LOG_ERR, "%s", err->text);
	error_destroy(err);
	return 1;
}

/* The parameter string of the module; its form is fixed in wire.h. */
static void build_params(const struct loader_options *opt, stp_u64 cookie, struct strbuf *to)
{
	size_t i;

	strbuf_init(to);
	strbuf_addf(to, "_uid=%u _cookie=%llu", (unsigned)getuid(), cookie);
	if (opt->buffer_mb)
		strbuf_addf(to, " _ring_kb=%u", opt->buffer_mb * 1024);
	for (i = 0; i < opt->n_params; i++) {
		if (i)
			strbuf_addc(to, STP_ARGS_SEPARATOR);
		else
			strbuf_adds(to, " args=\"");
		strbuf_adds(to, opt->params[i]);
	}
	if (opt->n_params)
		strbuf_addc(to, '"');
}

/* -R: the name with the process id behind, cut to fit. */
static struct error *rename_image(struct image *img)
{
	char name[STP_MODULE_NAME_MAX + 1], suffix[16];
	int n = snprintf(suffix, sizeof(suffix), "_%d", (int)getpid());

	snprintf(name, sizeof(name), "%.*s%s", STP_MODULE_NAME_MAX - n, img->name, suffix);
	return image_rename(img, name);
}

/* Installed set-uid root, staprun serves members of stapdev. */
static bool caller_may(void)
{
	const struct group *dev;
	gid_t groups[256];
	int n, i;

	if (getuid() == 0)
		return true;
	dev = getgrnam("stapdev");
	n = dev ? getgroups(256, groups) : 0;
	for (i = 0; i < n; i++)
		if (groups[i] == dev->gr_gid)
			return true;
	return dev && getgid() == dev->gr_gid;
}

/*
 * The module that the session was of. Without a cookie (insmod, or no /sys) there is but its name
 * to go by.
 */
static struct error *remove_own(const char *module, stp_u64 cookie)
{
	return cookie ? loaded_remove_own(module, cookie, REMOVE_ENDED_MS)
		      : module_remove(module, REMOVE_ENDED_MS, true);
}

/* From here on the module is loaded. It stays only when the reader says so. */
static int run_session(const struct loader_options *opt, const char *module, int ready)
{
	stp_u64 cookie = module_cookie(module);
	int status = opt->attach ? STP_READER_REFUSED : 1;
	struct error *err;

	err = loader_run_reader(opt, module, ready, &status);
	if (err)
		fail(opt, err);
	if (status == STP_READER_DETACHED)
		return 0;
	if (status == STP_READER_FAILED || (status == STP_READER_REFUSED && opt->attach))
		return 1;
	err = remove_own(module, cookie);
	if (err && err->errnum == EAGAIN)
		err = error_hint(err,
				 "The kernel still holds it; its log says why: dmesg | grep %s",
				 module);
	return err ? fail(opt, err) : status;
}

/* Tells the module we insert from any other of its name; never 0. */
static stp_u64 draw_cookie(void)
{
	stp_u64 cookie = 0;

	if (getrandom(&cookie, sizeof(cookie), 0) != sizeof(cookie))
		cookie = (stp_u64)getpid() << 32 | (stp_u32)time(NULL);
	return cookie | 1;
}

/*
 * Reads the image, starts the guard and inserts the module. On failure *guard may be set all the
 * same: the caller releases it.
 */
static struct error *load(const struct loader_options *opt, struct image *img, int *guard)
{
	stp_u64 cookie = draw_cookie();
	struct strbuf params;
	struct error *err = image_load(img, opt->module);

	if (err)
		return err;
	if (opt->rename)
		err = rename_image(img);
	build_params(opt, cookie, &params);
	if (!err)
		err = guard_start(img->name, cookie, guard);
	if (!err)
		err = module_insert(img, strbuf_cstr(&params));
	if (opt->verbose > 1 && !err)
		fprintf(stderr, "staprun: inserted %s with %s\n", img->name, strbuf_cstr(&params));
	strbuf_deinit(&params);
	image_release(img);
	return err;
}

/* One session, from loading or attaching to the end; the exit status. */
static int run(const struct loader_options *opt, int ready)
{
	int guard = -1, status;
	struct error *err;
	struct image img;

	loader_catch_signals(opt->parent);
	if (opt->attach) {
		err = loaded_check(opt->module);
		return err ? fail(opt, err) : run_session(opt, opt->module, ready);
	}
	err = load(opt, &img, &guard);
	status = err ? fail(opt, err) : run_session(opt, img.name, ready);
	guard_release(guard);
	return status;
}

/* -d: each name is tried; the status is 1 when one failed. */
static int remove_modules(const struct loader_options *opt)
{
	struct error *err = loaded_remove(opt->module);
	int status = err ? fail(opt, err) : 0;
	size_t i;

	for (i = 0; i < opt->n_params; i++) {
		err = loaded_remove(opt->params[i]);
		if (err)
			status = fail(opt, err);
	}
	return status;
}

int main(int argc, char **argv)
{
	struct loader_options opt;
	int status, ready = -1;

	file_guard_standard();
	status = loader_options_parse(&opt, argc, argv);
	if (status >= 0)
		return status;
	if (geteuid() != 0) {
		fputs("ERROR: The effective user ID of staprun must be set to the root user.\n"
		      "Try as root, or see staprun(8) on who else may load modules.\n",
		      stderr);
		return 1;
	}
	if (!caller_may()) {
		fputs("ERROR: You need to be root or a member of the group stapdev to load modules.\n",
		      stderr);
		return 1;
	}
	if (opt.remove)
		return remove_modules(&opt);
	if (opt.daemon) {
		status = daemon_fork(&ready);
		if (status >= 0)
			return status;
	}
	return run(&opt, ready);
}
