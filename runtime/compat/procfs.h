/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.17, commit 359745d78351: PDE_DATA() became pde_data(). Context: any.
 *
 * vfs_path_lookup() has been exported all the time; <linux/namei.h> of old kernels does not
 * declare it.
 */
#ifndef STP_COMPAT_PROCFS_H
#define STP_COMPAT_PROCFS_H

#include "stp_features.h"
#include <linux/namei.h>
#include <linux/proc_fs.h>

int vfs_path_lookup(struct dentry *dentry, struct vfsmount *mount, const char *name,
		    unsigned int flags, struct path *path);

#ifdef STP_HAVE_PDE_DATA_UPPER
#define stp_pde_data(inode) PDE_DATA(inode)
#else
#define stp_pde_data(inode) pde_data(inode)
#endif

#endif
