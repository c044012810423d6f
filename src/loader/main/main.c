/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun: insert the module, run its reader, remove the module - whatever happens in between. */
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "loader/image.h"
#include "loader/insert.h"
#include "loader/options.h"
#include "loader/session.h"
#include "runtime/uapi/wire.h"

static int fail(struct error *err)
{
	fprintf(stderr, "ERROR: %s\n", err->text);
	if (err->hint)
		fprintf(stderr, "%s\n", err->hint);
	error_destroy(err);
	return 1;
}

/* The parameter string of the module; its form is fixed in wire.h. */
static void build_params(const struct loader_options *opt, struct strbuf *to)
{
	size_t i;

	strbuf_init(to);
	strbuf_addf(to, "_uid=%u", (unsigned)getuid());
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

static struct error *rename_image(struct image *img)
{
	char name[MODULE_NAME_MAX + 1], suffix[16];
	int n = snprintf(suffix, sizeof(suffix), "_%d", (int)getpid());

	snprintf(name, sizeof(name), "%.*s%s", MODULE_NAME_MAX - n, img->name, suffix);
	return image_rename(img, name);
}

/* Installed set-uid root, staprun serves members of stapdev; they may remove what is theirs. */
static bool caller_may(const struct loader_options *opt)
{
	const struct group *dev;
	gid_t groups[256];
	struct stat st;
	char path[128];
	int n, i;

	if (getuid() == 0)
		return true;
	snprintf(path, sizeof(path), "/proc/systemtap/%s/cmd", opt->module);
	if (opt->remove && (strchr(opt->module, '/') || stat(path, &st) || st.st_uid != getuid()))
		return false;
	dev = getgrnam("stapdev");
	n = dev ? getgroups(256, groups) : 0;
	for (i = 0; i < n; i++)
		if (groups[i] == dev->gr_gid)
			return true;
	return dev && getgid() == dev->gr_gid;
}

static int run(const struct loader_options *opt, struct image *img)
{
	struct strbuf params;
	struct error *err;
	int status = 1;

	if (opt->rename) {
		err = rename_image(img);
		if (err)
			return fail(err);
	}
	build_params(opt, &params);
	loader_catch_signals();
	err = module_insert(img, strbuf_cstr(&params));
	if (opt->verbose > 1 && !err)
		fprintf(stderr, "staprun: inserted %s with %s\n", img->name, strbuf_cstr(&params));
	strbuf_deinit(&params);
	if (err)
		return fail(err);
	err = loader_run_reader(opt, img->name, &status);
	if (err)
		status = fail(err);
	err = module_remove(img->name, 1);
	if (err)
		status = fail(err);
	return status;
}

int main(int argc, char **argv)
{
	struct loader_options opt;
	struct image img;
	struct error *err;
	int status;

	file_guard_standard();
	status = loader_options_parse(&opt, argc, argv);
	if (status >= 0)
		return status;
	if (geteuid() != 0) {
		fputs("ERROR: The effective user ID of staprun must be set to the root user.\n", stderr);
		return 1;
	}
	if (!caller_may(&opt)) {
		fputs("ERROR: You need to be root or a member of the group stapdev to load modules, and may remove only "
		      "your own.\n",
		      stderr);
		return 1;
	}
	if (opt.remove) {
		err = module_remove(opt.module, 0);
		return err ? fail(err) : 0;
	}
	err = image_load(&img, opt.module);
	if (err)
		return fail(err);
	status = run(&opt, &img);
	image_release(&img);
	return status;
}
