/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fixed-width names usable without any other header, in the kernel, in generated code and in user
 * space.
 *
 * Context: any.
 */
#ifndef STP_UAPI_TYPES_H
#define STP_UAPI_TYPES_H

typedef signed long long stp_long; /* the script's "long" */
typedef unsigned long long stp_u64;
typedef unsigned int stp_u32;
typedef unsigned short stp_u16;
typedef unsigned char stp_u8;

/* A string is a view: not NUL-terminated unless said, never owned by the view. */
struct stp_str {
	const char *s;
	stp_u32 len; /* bytes */
};

#endif
