/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is /proc what the kernel shows? See loader/proc.h. */
#include "loader/proc.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include "base/file.h"

struct error *proc_check(void)
{
	struct statfs fs;

	if (statfs("/proc", &fs) || fs.f_type != PROC_SUPER_MAGIC)
		return error_hint(
			error_create(
				"/proc is not the kernel's file system of processes, by which a session is driven"),
			"mount it: mount -t proc proc /proc");
	if (!file_exists("/proc/filesystems"))
		return error_hint(
			error_create(
				"/proc shows processes only (subset=pid), and a session is driven by files beside them"),
			"mount another one there: mount -t proc proc /proc");
	return NULL;
}
