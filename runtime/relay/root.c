// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/systemtap, which all modules share: who comes first makes it, and it stays. To make it
 * twice would be a warning of the kernel's, and with panic_on_warn the machine's end; and the
 * kernel has no call that asks for an entry. What the loader has at /proc need not be the kernel's,
 * or shows processes only (subset=pid), so where it is not seen there, it is looked for in a mount
 * that nobody else sees.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/proc_fs.h>
#include "compat/procfs.h"
#include "relay/relay.h"

#define TRIES 1000 /* for other modules to have looked for it, or made it */
#define STEP_MS 2

static int no_file_system(struct fs_context *fc)
{
	return -ENODEV;
}

/*
 * A lock between all modules of ours that load at once. The kernel exports none that would do, but
 * its table of file systems takes a name only once, and refuses a second without a word.
 */
static struct file_system_type root_lock = {
	.name = "systemtap_root_lock",
	.owner = THIS_MODULE,
	.init_fs_context = no_file_system,
};

/* One of that path that is not of procfs says nothing. */
static int is_seen(void)
{
	struct path path;
	int seen;

	if (kern_path(STP_PROC_ROOT, LOOKUP_FOLLOW, &path))
		return 0;
	seen = path.dentry->d_sb->s_magic == PROC_SUPER_MAGIC;
	path_put(&path);
	return seen;
}

/* 0, -ENOENT, or why it cannot be told. */
static int find_unseen(void)
{
	/* built into the kernel: it need not be put */
	struct file_system_type *type = get_fs_type("proc");
	struct vfsmount *mount;
	struct path path;
	int err;

	if (!type)
		return -ENODEV;
	mount = vfs_kern_mount(type, SB_KERNMOUNT, type->name, NULL);
	if (IS_ERR(mount))
		return PTR_ERR(mount);
	err = vfs_path_lookup(mount->mnt_root, mount, STP_PROC_NAME, 0, &path);
	if (!err)
		path_put(&path);
	mntput(mount);
	return err;
}

/**
 * stp_root_make - see to it that /proc/systemtap is there
 *
 * Returns 0 or a negative errno. Context: process, at load.
 */
int stp_root_make(void)
{
	int tries = TRIES, err;

	while ((err = register_filesystem(&root_lock)) != 0 && tries--)
		msleep(STEP_MS);
	if (err)
		return err;
	err = is_seen() ? 0 : find_unseen();
	if (err == -ENOENT)
		err = proc_mkdir(STP_PROC_NAME, NULL) ? 0 : -ENOMEM;
	unregister_filesystem(&root_lock);
	return err;
}
