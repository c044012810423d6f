/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 6.7, commit def3ae83da02: the file that is mapped below an overlay has the path that it has
 * there, and the one by which processes know it beside that. 6.6, commit 9b6304c1d537: the time of
 * an inode's last change has accessors.
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

/* It is stored in two words: one that changes meanwhile is read as a time that never was. */
static inline struct timespec64 stp_inode_changed(const struct inode *inode)
{
#ifdef STP_HAVE_INODE_CTIME
	return inode_get_ctime(inode);
#else
	return inode->i_ctime;
#endif
}

#endif
