// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers to names: one table for all system calls, so no script carries its own.
 *
 * Context: any handler. A table is walked from its start; which it is, the translator knows.
 */
#include <linux/fcntl.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/internal.h"
#include "script.h"
#include "tapset/functions.h"

struct name_row {
	unsigned long value;
	const char *text;
	bool is_table; /* starts a table: value is its `low` */
};

#define TABLE(name, low) { low, name, true },
#define NAME(value, text) { value, text, false },
static const struct name_row rows[] = {
#include "uapi/names.def"
	{ 0, NULL, true },
};

/* The row behind the table's own, or NULL. */
static const struct name_row *find_table(stp_long table, unsigned long *low)
{
	if (table < 0 || table >= (stp_long)ARRAY_SIZE(rows) || !rows[table].is_table)
		return NULL;
	*low = rows[table].value;
	return &rows[table + 1];
}

static u32 add_text(char *buf, u32 size, u32 n, const char *text)
{
	return n + scnprintf(buf + n, size - n, "%s%s", n ? "|" : "", text);
}

/* Context: any handler. */
struct stp_str stp_fn_flags_str(struct stp_ctx *c, stp_long table, stp_long value)
{
	u32 size = stp_script.max_string, n = 0;
	/* an int that its call took with sign is what its 32 bits say */
	unsigned long rest = value < 0 && value >= S32_MIN ? (u32)value : value, low = 0;
	const struct name_row *r = find_table(table, &low);
	char *buf = stp_scratch(c, size);

	if (!buf)
		return stp_empty();
	/* a table without a number in its low bits may have a word for no flags */
	for (; !low && !value && r && !r->is_table; r++)
		if (!r->value)
			return stp_cstr(r->text);
	r = find_table(table, &low);
	/* the number in the low bits is said first, as the C programmer writes it */
	for (; low && r && !r->is_table; r++)
		if (!(r->value & ~low) && (rest & low) == r->value) {
			n = add_text(buf, size, n, r->text);
			rest &= ~low;
			break;
		}
	for (r = find_table(table, &low); r && !r->is_table; r++)
		if ((r->value & ~low) && (rest & r->value) == r->value) {
			n = add_text(buf, size, n, r->text);
			rest &= ~r->value;
		}
	if (rest || !n) {
		char hex[20];

		scnprintf(hex, sizeof(hex), "0x%lx", rest);
		n = add_text(buf, size, n, hex);
	}
	return (struct stp_str){ buf, n };
}

/* Context: any handler. */
struct stp_str stp_fn_enum_str(struct stp_ctx *c, stp_long table, stp_long value)
{
	unsigned long low;
	const struct name_row *r = find_table(table, &low);
	char *buf;

	for (; r && !r->is_table; r++)
		if (r->value == (unsigned long)value)
			return stp_cstr(r->text);
	buf = stp_scratch(c, 24);
	if (!buf)
		return stp_empty();
	return (struct stp_str){ buf, scnprintf(buf, 24, "%lld", value) };
}

/* Context: any handler. */
stp_long stp_fn_name_value(struct stp_ctx *c, stp_long table, struct stp_str name)
{
	unsigned long low;
	const struct name_row *r = find_table(table, &low);

	for (; r && !r->is_table; r++)
		if (strlen(r->text) == name.len && !memcmp(r->text, name.s, name.len))
			return r->value;
	return -1;
}

/**
 * stp_bit_names - names of bits, as __print_flags() of trace events gives them
 *
 * Cut at MAXSTRINGLEN. "" with the error set when scratch is used up. Context: any handler; at most
 * @n entries are looked at.
 */
struct stp_str stp_bit_names(struct stp_ctx *c, const struct stp_enumerator *list, u32 n,
			     const char *delimiter, const char *none, stp_long v)
{
	u32 size = stp_script.max_string, len = 0;
	u64 rest = v;
	char *text;

	if (!v)
		return stp_cstr(none);
	text = stp_scratch(c, size);
	if (!text)
		return stp_empty();
	for (u32 i = 0; i < n && rest; i++) {
		u64 bits = list[i].value;

		if (!bits || (rest & bits) != bits)
			continue;
		len += scnprintf(text + len, size - len, "%s%s", len ? delimiter : "",
				 list[i].name);
		rest &= ~bits;
	}
	if (rest)
		len += scnprintf(text + len, size - len, "%s0x%llx", len ? delimiter : "",
				 (unsigned long long)rest);
	return (struct stp_str){ text, len };
}
