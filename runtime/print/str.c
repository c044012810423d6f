/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings: views are copied only when stored, joined or handed to C. Results live in the context's scratch. */
#include "../compat/portable.h"

#define DECIMAL_MAX 24 /* a stp_long as text, its sign and end */

static inline char *align_top(char *p)
{
	return (char *)(((unsigned long)p + 7) & ~7ul);
}

struct stp_str stp_str_store(char *slot, stp_u32 size, struct stp_str v)
{
	if (v.len >= size)
		v.len = size - 1;
	memmove(slot, v.s, v.len);
	slot[v.len] = '\0';
	return (struct stp_str){ slot, v.len };
}

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

int stp_str_cmp(struct stp_str a, struct stp_str b)
{
	stp_u32 n = a.len < b.len ? a.len : b.len;
	int diff = n ? memcmp(a.s, b.s, n) : 0;

	if (diff)
		return diff;
	return a.len < b.len ? -1 : a.len > b.len;
}

struct stp_str stp_str_return(struct stp_ctx *c, char *mark, struct stp_str v)
{
	char *start = align_top(mark);

	/* a view of caller's memory may not fit between mark and limit; one above mark always does */
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

char *stp_str_buffer(struct stp_ctx *c, struct stp_str v)
{
	char *p = stp_scratch(c, stp_script.max_string);

	if (!p)
		return "";
	stp_str_store(p, stp_script.max_string, v);
	return p;
}

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
