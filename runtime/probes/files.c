// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files that points are in: found by path when the first of their points is attached, and held until the last is not. A file that is
 * not the one the script was compiled for is refused: its instructions are elsewhere.
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

/* 0, or a negative errno with *why. */
static int file_open(struct stp_file *f, const struct stp_object *o, const char **why)
{
	int err = kern_path(o->path, LOOKUP_FOLLOW, &f->path);

	if (err) {
		*why = "the file is not there";
		return err;
	}
	if (is_same(&f->path, o))
		return 0;
	path_put(&f->path);
	*why = "the file is not the one this script was compiled for";
	return -ENOEXEC;
}

/**
 * stp_file_get - the inode of a file, held until stp_file_put()
 *
 * An ERR_PTR with @why, a literal, when it is not there, or another one. Context: process, may sleep. The lock of
 * arming is held.
 */
struct inode *stp_file_get(struct stp_object *o, const char **why)
{
	int err = 0;

	*why = "out of memory";
	if (!o->file) {
		struct stp_file *f = kzalloc(sizeof(*f), GFP_KERNEL);

		if (!f)
			return ERR_PTR(-ENOMEM);
		err = file_open(f, o, why);
		if (err) {
			kfree(f);
			return ERR_PTR(err);
		}
		o->file = f;
	}
	o->file->users++;
	/* below an overlay, the file that processes map */
	return d_real_inode(o->file->path.dentry);
}

/**
 * stp_file_put - one user less
 *
 * Context: process, may sleep. The lock of arming is held.
 */
void stp_file_put(struct stp_object *o)
{
	if (--o->file->users)
		return;
	path_put(&o->file->path);
	kfree(o->file);
	o->file = NULL;
}
