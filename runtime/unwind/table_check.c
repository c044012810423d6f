// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is what somebody hands in a table of a file (uapi/user_table.h)? Handlers search tables without a
 * doubt: lengths, order and offsets are looked at once, here. What is true of it then is that no
 * search leaves it; whether its rules are those of a file, nobody can tell, and walking a stack by
 * any rule reads nothing but what may be read.
 */
#include "unwind/table_check.h"

/* No address of a segment is beyond 32 bits, where handlers count them. */
static int segments_valid(const struct stp_user_segment *s, stp_u32 n)
{
	const stp_u64 end = 1ull << 32;
	stp_u32 i;

	for (i = 0; i < n; i++) {
		if (s[i].addr > end || s[i].size > end - s[i].addr ||
		    s[i].offset + s[i].size < s[i].offset)
			return 0;
	}
	return 1;
}

static int ascends(const stp_u32 *addrs, stp_u32 n)
{
	stp_u32 i;

	for (i = 1; i < n; i++) {
		if (addrs[i - 1] >= addrs[i])
			return 0;
	}
	return 1;
}

static int all_below(const stp_u32 *values, stp_u32 n, stp_u32 mask, stp_u32 limit)
{
	stp_u32 i;

	for (i = 0; i < n; i++) {
		if ((values[i] & mask) >= limit)
			return 0;
	}
	return 1;
}

/**
 * stp_user_table_valid - is that a table, of SIZE bytes and no more?
 * @t: aligned as a stp_u64 is
 *
 * Context: process: it looks at all of it.
 */
int stp_user_table_valid(const struct stp_user_table *t, stp_u64 size)
{
	const struct stp_user_segment *segments = (const void *)(t + 1);
	const stp_u32 *rules, *symbols;
	const char *names;

	if (size < sizeof(*t) || t->n_segments > STP_USER_SEGMENTS_MAX || !t->names_len ||
	    size != sizeof(*t) + t->n_segments * (stp_u64)sizeof(*segments) + t->n_rules * 8ull +
			    t->n_symbols * 8ull + t->names_len)
		return 0;
	rules = (const void *)(segments + t->n_segments);
	symbols = rules + 2ull * t->n_rules;
	names = (const void *)(symbols + 2ull * t->n_symbols);
	return segments_valid(segments, t->n_segments) && ascends(rules, t->n_rules) &&
	       all_below(rules + t->n_rules, t->n_rules, 7, STP_RULE_END + 1) &&
	       ascends(symbols, t->n_symbols) &&
	       all_below(symbols + t->n_symbols, t->n_symbols, ~0u, t->names_len) && !names[0] &&
	       !names[t->names_len - 1];
}
