/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that formats dump, read at the event (dump.c). */
#ifndef STP_PRINT_DUMP_H
#define STP_PRINT_DUMP_H

#include "../uapi/script.h"

/* A stp_fetch_fn of fmt.h; the cookie is the context. */
struct stp_str stp_dump_fetch(void *cookie, stp_u64 addr, stp_u32 n, int user);

#endif
