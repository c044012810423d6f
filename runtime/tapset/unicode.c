// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings of UTF-16 and UTF-32, in the machine's byte order, as UTF-8. What is no code point
 * becomes U+FFFD.
 *
 * Context: any handler. Faults are caught; a string is read up to MAXSTRINGLEN.
 */
#include <linux/kernel.h>
#include "access/access.h"
#include "tapset/functions.h"

#define REPLACEMENT 0xfffd

/* The unit of 2 or 4 bytes at addr; 0 on a fault. */
static int unit_read(enum stp_space space, u64 addr, u32 size, u32 *ret)
{
	*ret = 0;
	return !stp_copy_from(space, ret, addr, size);
}

/* The code point at *addr, which moves behind it; 0 on a fault. */
static int point_read(enum stp_space space, u64 *addr, u32 size, u32 *ret)
{
	u32 low;

	if (!unit_read(space, *addr, size, ret))
		return 0;
	*addr += size;
	if (size == 2 && *ret >= 0xd800 && *ret < 0xdc00) {
		if (!unit_read(space, *addr, size, &low))
			return 0;
		if (low >= 0xdc00 && low < 0xe000) {
			*addr += size;
			*ret = 0x10000 + ((*ret - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	if ((*ret >= 0xd800 && *ret < 0xe000) || *ret > 0x10ffff)
		*ret = REPLACEMENT;
	return 1;
}

/* Returns its bytes in UTF-8. */
static u32 utf8_encode(u32 point, char to[4])
{
	u32 n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4, i;

	for (i = n - 1; i; i--, point >>= 6)
		to[i] = 0x80 | (point & 0x3f);
	to[0] = n == 1 ? point : (0xf00 >> n & 0xff) | point;
	return n;
}

/* 0 on a fault, with nothing left in scratch. */
static int wide_read(struct stp_ctx *c, stp_long user, stp_long size, u64 addr, struct stp_str *ret)
{
	enum stp_space space = user ? STP_USER : STP_KERNEL;
	char *mark = c->top, one[4];
	struct stp_text t;
	u32 point, n;

	*ret = stp_empty();
	if (!stp_text_begin(c, &t))
		return 1; /* the error is set */
	for (;;) {
		if (!point_read(space, &addr, size == 2 ? 2 : 4, &point)) {
			c->top = mark;
			return 0;
		}
		n = utf8_encode(point, one);
		if (!point || t.len + n >= t.size)
			break;
		stp_text_add(&t, one, n);
	}
	*ret = stp_text_end(c, &t);
	return 1;
}

struct stp_str stp_fn_wide_string(struct stp_ctx *c, stp_long user, stp_long size, stp_long addr)
{
	struct stp_str s;

	if (!wide_read(c, user, size, addr, &s))
		stp_errorf(c, "%s string copy fault%s at 0x%llx [man error::fault]",
			   user ? "user" : "kernel", user ? " -14" : "", (u64)addr);
	return s;
}

struct stp_str stp_fn_wide_string_or(struct stp_ctx *c, stp_long user, stp_long size, stp_long addr,
				     struct stp_str instead)
{
	struct stp_str s;

	return wide_read(c, user, size, addr, &s) ? s : instead;
}

struct stp_str stp_fn_wide_string_quoted(struct stp_ctx *c, stp_long user, stp_long size,
					 stp_long addr)
{
	struct stp_str s;
	struct stp_text t;

	if (addr && wide_read(c, user, size, addr, &s))
		return c->error ? s : stp_fn_string_quoted(c, s);
	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_printf(&t, "0x%llx", (u64)addr);
	return stp_text_end(c, &t);
}
