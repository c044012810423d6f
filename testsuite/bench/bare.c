// SPDX-License-Identifier: GPL-2.0-or-later
/* The least that a uprobe costs: a module with one at OFFSET of the file PATH, whose handler does nothing. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/uprobes.h>
#include <linux/version.h>

static char *path;
module_param(path, charp, 0);
static long offset;
module_param(offset, long, 0);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
static int nothing(struct uprobe_consumer *c, struct pt_regs *regs, __u64 *data)
#else
static int nothing(struct uprobe_consumer *c, struct pt_regs *regs)
#endif
{
	return 0;
}

static struct uprobe_consumer consumer = { .handler = nothing };
static struct path file;

static int __init bare_init(void)
{
	int err = kern_path(path, LOOKUP_FOLLOW, &file);

	if (err)
		return err;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	err = PTR_ERR_OR_ZERO(uprobe_register(d_real_inode(file.dentry), offset, 0, &consumer));
#else
	err = uprobe_register(d_real_inode(file.dentry), offset, &consumer);
#endif
	if (err)
		path_put(&file);
	return err;
}
module_init(bare_init); /* none to leave by: the guest ends with it */
MODULE_LICENSE("GPL");
