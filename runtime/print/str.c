// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings: views are copied only when stored, joined or handed to C. Results live in the context's
 * scratch.
 */
#include "../compat/portable.h"

#define DECIMAL_MAX 24 /* a stp_long as text, its sign and end */

static inline char *align_top(char *p)
{
	return (char *)(((unsigned long)p + 7) & ~7ul);
}

/**
 * stp_str_store - copy a string into its buffer
 * @buffer: @size bytes; gets a NUL, and what does not fit is dropped
 * @v: may view the buffer
 *
 * Context: any.
 */
struct stp_str stp_str_store(char *buffer, stp_u32 size, struct stp_str v)
{
	if (v.len >= size)
		v.len = size - 1;
	memmove(buffer, v.s, v.len);
	buffer[v.len] = '\0';
	return (struct stp_str){ buffer, v.len };
}

/**
 * stp_str_concat - two strings as one, in scratch
 *
 * Cut to MAXSTRINGLEN - 1 bytes, and not NUL-terminated. "" with the error set when scratch is used
 * up.
 *
 * Context: any handler.
 */
struct stp_str stp_str_concat(struct stp_ctx *c, struct stp_str a, struct stp_str b)
{
	stp_u32 max = stp_script.max_string - 1;
	char *p;

	if (a.len > max)
		a.len = max;
	if (b.len > max - a.len)
		b.len = max - a.len;
	p = stp_scratch(c, a.len + b.len + 1);
	if (!p)
		return stp_empty();
	memcpy(p, a.s, a.len);
	memcpy(p + a.len, b.s, b.len);
	return (struct stp_str){ p, a.len + b.len };
}

/**
 * stp_str_cmp - compare as strcmp() does, but by lengths
 *
 * NULs within are bytes like others. Context: any.
 */
int stp_str_cmp(struct stp_str a, struct stp_str b)
{
	stp_u32 n = a.len < b.len ? a.len : b.len;
	int diff = n ? memcmp(a.s, b.s, n) : 0;

	if (diff)
		return diff;
	return a.len < b.len ? -1 : a.len > b.len;
}

/**
 * stp_str_return - move a function's result to where its frame began
 * @mark: c->top at the call; what was above it is gone afterwards
 * @v: in scratch above @mark, or elsewhere
 *
 * "" with the error set when it does not fit, which can only be when it came from elsewhere.
 * Context: any handler.
 */
struct stp_str stp_str_return(struct stp_ctx *c, char *mark, struct stp_str v)
{
	char *start = align_top(mark);

	/*
	 * a view of caller's memory may not fit between mark and limit; one above mark always does
	 */
	if (start + v.len > c->limit) {
		c->top = start;
		stp_scratch(c, v.len); /* raises the error */
		return stp_empty();
	}
	memmove(start, v.s, v.len);
	c->top = align_top(start + v.len);
	if (c->top > c->limit)
		c->top = c->limit;
	return (struct stp_str){ start, v.len };
}

/**
 * stp_str_buffer - a copy for embedded C, with room for MAXSTRINGLEN bytes
 *
 * NUL-terminated. When scratch is used up the error is set and "" returned, which is not to be
 * written to.
 *
 * Context: any handler.
 */
char *stp_str_buffer(struct stp_ctx *c, struct stp_str v)
{
	char *p = stp_scratch(c, stp_script.max_string);

	if (!p)
		return "";
	stp_str_store(p, stp_script.max_string, v);
	return p;
}

/**
 * stp_enum_name - the name of an enumerator, or its value in decimal
 * @list: by value, ascending; searched in log n steps
 *
 * "" with the error set when scratch is used up. Context: any handler.
 */
struct stp_str stp_enum_name(struct stp_ctx *c, const struct stp_enumerator *list, stp_u32 n,
			     stp_long v)
{
	stp_u32 low = 0, high = n;
	char *text;

	while (low < high) {
		stp_u32 mid = (low + high) / 2;

		if (list[mid].value == v)
			return (struct stp_str){ list[mid].name, strlen(list[mid].name) };
		if (list[mid].value < v)
			low = mid + 1;
		else
			high = mid;
	}
	text = stp_scratch(c, DECIMAL_MAX);
	if (!text)
		return stp_empty();
	return (struct stp_str){ text, snprintf(text, DECIMAL_MAX, "%lld", (long long)v) };
}
