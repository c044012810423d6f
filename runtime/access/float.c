// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Floating-point numbers, as bits only: a handler must not use the processor's floating-point
 * registers, which hold what the interrupted program left there. Scripts know one form, IEEE 754
 * binary64.
 */
#include "uapi/script.h"

/**
 * stp_float_widen - the bits of a binary32 as those of the same number in binary64
 * @bits: the binary32; anything above bit 31 is ignored
 *
 * Exact, subnormal numbers included; the payload of a NaN keeps its place behind the point.
 *
 * Context: any.
 */
stp_u64 stp_float_widen(stp_u64 bits)
{
	stp_u64 sign = (bits >> 31 & 1) << 63, fraction = bits & 0x7fffff;
	stp_u32 exponent = bits >> 23 & 0xff;

	if (exponent == 0xff)
		return sign | 0x7ffULL << 52 | fraction << 29;
	if (!exponent && !fraction)
		return sign;
	if (!exponent) {
		/* subnormal: shift the first bit up to where normal numbers hide it */
		stp_u32 shift = __builtin_clz((stp_u32)fraction) - 8;

		fraction = fraction << shift & 0x7fffff;
		exponent = 1 - shift;
	}
	return sign | (stp_u64)(exponent + 1023 - 127) << 52 | fraction << 29;
}
