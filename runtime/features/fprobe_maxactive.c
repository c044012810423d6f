// SPDX-License-Identifier: GPL-2.0-or-later
/* An fprobe says how many calls may be on their way; with fgraph the kernel decides that. */
#include <linux/fprobe.h>

int test(struct fprobe *fp);
int test(struct fprobe *fp)
{
	return fp->nr_maxactive;
}
