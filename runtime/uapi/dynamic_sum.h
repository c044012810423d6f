/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By which a program or library is known from its dynamic section alone: a sum over the entries
 * before DT_NULL but DT_DEBUG, which the dynamic linker writes. Values are as linked. Made by
 * src/target/linking.c, and of what is loaded by runtime/unwind/link_map.c.
 */
#ifndef STP_UAPI_DYNAMIC_SUM_H
#define STP_UAPI_DYNAMIC_SUM_H

#include "types.h"

/* Entries that count; what comes behind does not. */
#define STP_DYNAMIC_MAX 128

/* FNV-1a (RFC 9923) by words. */
static inline stp_u64 stp_dynamic_sum(stp_u64 sum, stp_u64 tag, stp_u64 value)
{
	const stp_u64 prime = 0x100000001b3ULL;

	return ((sum ^ tag) * prime ^ value) * prime;
}

#endif
