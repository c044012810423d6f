/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 6.7, commit def3ae83da02: the file that is mapped below an overlay has the path that it has there, and the one by which processes know it
 * beside that.
 *
 * Context: any; the file is held.
 */
#ifndef STP_COMPAT_FILE_H
#define STP_COMPAT_FILE_H

#include "stp_features.h"
#include <linux/fs.h>

/* As processes know it. */
static inline const struct path *stp_user_path(const struct file *file)
{
#ifdef STP_HAVE_FILE_USER_PATH
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

#endif
