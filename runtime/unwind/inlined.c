// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies that are inlined where a frame is (--inline-stacks). They nest, and each knows the one
 * around it: uapi/line_table.h.
 */
#include "access/access.h"
#include "probes/probes.h"
#include "uapi/line_table.h"
#include "unwind/lines.h"
#include "unwind/search.h"

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
	return stp_rows_until(&copies_of(t)->low, t->n_copies, sizeof(struct stp_inline_copy) / 4,
			      addr);
}

/*
 * Around ADDR, from copy N outwards; 0: none. Siblings before it have ended, so it is found among
 * those around.
 */
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

/**
 * stp_put_inlined - struct stp_script.put_inlined
 *
 * Context: any handler.
 */
void stp_put_inlined(struct stp_text *t, stp_u32 keep, stp_u64 pc, stp_u64 at,
		     struct stp_source_line *line)
{
	const struct stp_inline_table *table;
	const struct stp_inline_copy *copy;
	struct stp_line_place place;
	const char *name;
	u32 n, depth, before;

	stp_kernel_place(at, &place);
	table = place.lines ? place.lines->inlines : NULL;
	if (!table || place.addr < table->base || place.addr - table->base > U32_MAX)
		return;
	n = around(table, last_before(table, place.addr - table->base), place.addr - table->base);
	for (depth = 0; n && depth < MAX_DEPTH; depth++) {
		copy = &copies_of(table)[n - 1];
		before = t->len;
		name = name_of(table, copy->name);
		stp_text_printf(t, " 0x%llx : ", pc);
		stp_text_add(t, name, strlen(name));
		stp_text_add(t, " [inlined]", 10);
		if (line) {
			stp_put_line(t, line);
			line->file = name_of(table, copy->call_file);
			line->line = copy->call_line;
		}
		stp_text_char(t, '\n');
		if (!t->out && t->size - 1 - t->len < keep) {
			t->len = before;
			return;
		}
		n = around(table, copy->outer, place.addr - table->base);
	}
}
