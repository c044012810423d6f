// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies that are inlined where a frame is (--inline-stacks). They nest, and each knows the one around it: uapi/line_table.h. */
#include "access/access.h"
#include "probes/probes.h"
#include "uapi/line_table.h"
#include "unwind/lines.h"

#define MAX_DEPTH 32 /* copies in copies; compilers stop earlier */

static const struct stp_inline_copy *copies_of(const struct stp_inline_table *t)
{
	return (const void *)(t + 1);
}

static const char *name_of(const struct stp_inline_table *t, u32 offset)
{
	return offset < t->names_len ? (const char *)(copies_of(t) + t->n_copies) + offset : "";
}

/* From 1: the last copy that begins at or before ADDR; 0: none. */
static u32 last_before(const struct stp_inline_table *t, u32 addr)
{
	u32 low = 0, high = t->n_copies;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (copies_of(t)[middle].low <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Around ADDR, from copy N outwards; 0: none. Siblings before it have ended, so it is found among those around. */
static u32 around(const struct stp_inline_table *t, u32 n, u32 addr)
{
	u32 outer;

	for (; n && n <= t->n_copies && addr >= copies_of(t)[n - 1].high; n = outer) {
		outer = copies_of(t)[n - 1].outer;
		if (outer >= n)
			return 0;
	}
	return n <= t->n_copies ? n : 0;
}

/* The text so far becomes output, and there is room again. */
static void print(struct stp_ctx *c, struct stp_text *t)
{
	stp_rec_text(c, STP_REC_TEXT, t->s, t->len);
	t->len = 0;
}

/**
 * stp_put_inlined - struct stp_script.put_inlined
 *
 * Context: any handler.
 */
void stp_put_inlined(struct stp_ctx *c, struct stp_text *t, stp_u32 keep, stp_u64 pc, stp_u64 at,
		     struct stp_source_line *line)
{
	const struct stp_inline_table *table;
	const struct stp_inline_copy *copy;
	struct stp_line_place place;
	u32 n, depth, before;

	stp_kernel_place(at, &place);
	table = place.lines ? place.lines->inlines : NULL;
	if (!table || place.addr < table->base || place.addr - table->base > U32_MAX)
		return;
	n = around(table, last_before(table, place.addr - table->base), place.addr - table->base);
	for (depth = 0; n && depth < MAX_DEPTH; depth++) {
		copy = &copies_of(table)[n - 1];
		before = t->len;
		stp_text_printf(t, " 0x%llx : %s [inlined]", pc, name_of(table, copy->name));
		if (line) {
			stp_put_line(t, line);
			line->file = name_of(table, copy->call_file);
			line->line = copy->call_line;
		}
		stp_text_char(t, '\n');
		if (c) {
			print(c, t);
		} else if (t->size - 1 - t->len < keep) {
			t->len = before;
			return;
		}
		n = around(table, copy->outer, place.addr - table->base);
	}
}
