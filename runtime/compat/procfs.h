/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.17, commit 359745d78351: PDE_DATA() became pde_data().
 *
 * Context: any.
 */
#ifndef STP_COMPAT_PROCFS_H
#define STP_COMPAT_PROCFS_H

#include "stp_features.h"
#include <linux/proc_fs.h>

#ifdef STP_HAVE_PDE_DATA_UPPER
#define stp_pde_data(inode) PDE_DATA(inode)
#else
#define stp_pde_data(inode) pde_data(inode)
#endif

#endif
