// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/systemtap, which all modules share: who comes first makes it, and it stays. To make it
 * twice would be a warning of the kernel's, and with panic_on_warn the machine's end; and the
 * kernel has no call that asks for an entry. So it is looked for where the loader has /proc, and
 * what is mounted there must be the kernel's own and show more than processes (subset=pid).
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/proc_fs.h>
#include "compat/portable.h"
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

/* 1: the kernel's; 0: not there; -ENOTDIR: something is mounted over it. */
static int look_for(const char *name)
{
	struct path path;
	int ret;

	if (kern_path(name, LOOKUP_FOLLOW, &path))
		return 0;
	ret = path.dentry->d_sb->s_magic == PROC_SUPER_MAGIC ? 1 : -ENOTDIR;
	path_put(&path);
	return ret;
}

static int find_or_make(void)
{
	int found;

	if (look_for("/proc/modules") != 1) {
		stp_log("the kernel's own /proc is not mounted where the module is loaded from");
		return -ENOENT;
	}
	found = look_for(STP_PROC_ROOT);
	if (found < 0)
		stp_log("something is mounted over " STP_PROC_ROOT ": unmount it");
	else if (!found && !proc_mkdir(STP_PROC_NAME, NULL))
		found = -ENOMEM;
	return min(found, 0);
}

/**
 * stp_root_make - see to it that /proc/systemtap is there
 *
 * Returns 0 or a negative errno; that /proc is another is in the kernel log. Context: process, at
 * load.
 */
int stp_root_make(void)
{
	int tries = TRIES, err;

	while ((err = register_filesystem(&root_lock)) != 0 && tries--)
		msleep(STEP_MS);
	if (err)
		return err;
	err = find_or_make();
	unregister_filesystem(&root_lock);
	return err;
}
