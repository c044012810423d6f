/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of files that the module does not carry, made by the reader while the session runs
 * (user_tables.c).
 *
 * Context: any handler, with the map of the current process held.
 */
#ifndef STP_UNWIND_USER_TABLES_H
#define STP_UNWIND_USER_TABLES_H

#include "core/internal.h"

struct stp_user_table;
struct vm_area_struct;

const struct stp_user_table *stp_user_table_met(const struct vm_area_struct *vma, int *wanted);
void stp_user_tables_tell(void);

#endif
