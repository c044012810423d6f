// SPDX-License-Identifier: GPL-2.0-or-later
/* A livepatch of /proc/uptime (Documentation/livepatch/livepatch.rst). */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int patched_uptime(struct seq_file *m, void *v)
{
	seq_puts(m, "patched\n");
	return 0;
}

static struct klp_func functions[] = {
	{ .old_name = "uptime_proc_show", .new_func = patched_uptime },
	{},
};

static struct klp_object objects[] = { { .funcs = functions }, {} };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit patch_exit(void)
{
}

module_init(patch_init);
module_exit(patch_exit);
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("livepatch of a probed function");
