// SPDX-License-Identifier: GPL-2.0-or-later
/* Gone with 5.11; files_lookup_fd_raw() is what it did. */
#include <linux/fdtable.h>

struct file *test(struct files_struct *files);
struct file *test(struct files_struct *files)
{
	return fcheck_files(files, 0);
}
