/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of a histogram: of a statistic in generated code, and of what the reader is to print.
 *
 * Context: any; constant data of the script.
 */
#ifndef STP_UAPI_HIST_H
#define STP_UAPI_HIST_H

#include "types.h"

/* enum values are part of the ABI with generated code too */
enum stp_hist_kind { STP_HIST_NONE = 0, STP_HIST_LOG, STP_HIST_LINEAR };
#define STP_HIST_LOG_BUCKETS 128

struct stp_hist_shape {
	stp_u32 kind;             /* enum stp_hist_kind */
	stp_u32 n_buckets;        /* out-of-range buckets included */
	stp_long low, high, step; /* linear only */
	stp_u32 width;            /* HIST_WIDTH, default 50 */
	stp_u32 elision;          /* HIST_ELISION as signed, default 2 */
};

#endif
