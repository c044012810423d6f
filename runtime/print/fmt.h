/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one formatter of printf and sprintf: compiled into base.o for sprintf and into the reader for
 * records.
 *
 * A format is what the compiler checked: at most one flag, width and precision as digits or '*',
 * one conversion. What it could not have let through is copied as it stands, so a damaged record
 * never leads astray. Arguments come from union stp_val (kernel) or from the payload of a FORMAT
 * record (reader), see wire.h. Nothing here allocates or fails; a payload that ends early reads as
 * zeros and empty strings.
 *
 * Context: any, in the kernel and in the reader.
 */
#ifndef STP_PRINT_FMT_H
#define STP_PRINT_FMT_H

#include "../uapi/script.h"

/*
 * The bytes %m and %M show; called in vals mode only. An empty view ends the conversion (the error
 * is the callee's).
 */
typedef struct stp_str stp_fetch_fn(void *cookie, stp_u64 addr, stp_u32 n, int user);

/* Cursor over arguments: set vals (+ n) or wire (+ end), the rest zero. Using one moves it. */
struct stp_fmt_args {
	const union stp_val *vals; /* the next, and */
	stp_u32 n;                 /* how many are left */
	const stp_u8 *wire,
		*end;        /* what is left of a payload; no more than end - wire bytes are read */
	stp_fetch_fn *fetch; /* vals mode; NULL: %m and %M show nothing */
	void *cookie;        /* fetch's */
};

/* One conversion, parsed. */
struct stp_fmt_spec {
	char flag; /* 0 or one of "0+- #" */
	char conv; /* 0: no conversion, only '%' */
	stp_u8 star_width,
		star_precision; /* 1: the number is an argument, in front of the value's */
	int width;              /* 0 when not given; digits are cut at 65536, as are those of */
	int precision;          /* -1 when not given */
};

const char *stp_fmt_parse(const char *p, struct stp_fmt_spec *spec);

/* Bytes that %m and %M copy when PRECISION (or -1) is given. */
static inline stp_u32 stp_fmt_dump_len(int precision)
{
	return precision < 0 ? 1 : precision;
}

unsigned long stp_format(char *out, unsigned long size, const char *fmt, struct stp_fmt_args *args);

#endif
