/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checking a table of a file before handlers search it (table_check.c). */
#ifndef STP_UNWIND_TABLE_CHECK_H
#define STP_UNWIND_TABLE_CHECK_H

#include "uapi/user_table.h"

int stp_user_table_valid(const struct stp_user_table *t, stp_u64 size);

#endif
