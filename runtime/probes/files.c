// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files that points are in: found by path when the module is loaded, by whoever loads it and so
 * as they are named there (in a container, say), and held until it goes. A file that is not the one
 * the script was compiled for is refused: its instructions are elsewhere.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include "probes/probes.h"

struct stp_file {
	struct path path;
	u32 users;
	int err;         /* of finding it, then the path is empty, */
	const char *why; /* and the reason, a literal */
};

static int same_build_id(const struct path *path, const struct stp_object *o)
{
	char id[STP_BUILD_ID_SIZE];
	loff_t at = o->build_id_at;
	struct file *file = dentry_open(path, O_RDONLY | O_LARGEFILE, current_cred());
	ssize_t n;

	if (IS_ERR(file))
		return 0;
	n = kernel_read(file, id, sizeof(id), &at);
	fput(file);
	return n == sizeof(id) && !memcmp(id, o->build_id, sizeof(id));
}

/* What is no regular file is not opened: a FIFO would be waited for, and a device notices. */
static int is_same(const struct path *path, const struct stp_object *o)
{
	struct kstat stat;

	if (!d_is_reg(path->dentry))
		return 0;
	if (o->build_id)
		return same_build_id(path, o);
	return !vfs_getattr(path, &stat, STATX_BASIC_STATS, AT_STATX_SYNC_AS_STAT) &&
	       stat.size == o->size && stat.mtime.tv_sec == o->mtime;
}

/* Points in a file that is not there are refused when they are attached, not the module. */
static void file_open(struct stp_file *f, const struct stp_object *o)
{
	f->err = kern_path(o->path, LOOKUP_FOLLOW, &f->path);
	if (f->err) {
		f->path = (struct path){};
		f->why = "the file is not there";
		return;
	}
	if (is_same(&f->path, o))
		return;
	path_put(&f->path);
	f->path = (struct path){};
	f->err = -ENOEXEC;
	f->why = "the file is not the one this script was compiled for";
}

/**
 * stp_file_get - look for a file, and hold it until stp_file_put()
 *
 * Returns 0 also when it is not there, or -ENOMEM. Context: process, may sleep; at load, on behalf
 * of whoever loads the module.
 */
int stp_file_get(struct stp_object *o)
{
	if (!o->file) {
		o->file = kzalloc(sizeof(*o->file), GFP_KERNEL);
		if (!o->file)
			return -ENOMEM;
		file_open(o->file, o);
	}
	o->file->users++;
	return 0;
}

/**
 * stp_file_inode - what processes map of a file that is held
 *
 * Below an overlay, the file there. An ERR_PTR with @why, a literal, when it was not there, or
 * another one. Context: any.
 */
struct inode *stp_file_inode(const struct stp_object *o, const char **why)
{
	if (!o->file->err)
		return d_real_inode(o->file->path.dentry);
	*why = o->file->why;
	return ERR_PTR(o->file->err);
}

/**
 * stp_file_put - one user less
 *
 * Context: process, may sleep; at load and unload.
 */
void stp_file_put(struct stp_object *o)
{
	if (--o->file->users)
		return;
	path_put(&o->file->path);
	kfree(o->file);
	o->file = NULL;
}
