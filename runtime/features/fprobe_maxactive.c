// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/fprobe.h>

int test(struct fprobe *fp);
int test(struct fprobe *fp)
{
	return fp->nr_maxactive;
}
