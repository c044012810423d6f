// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source lines by address: uapi/line_table.h says how the tables are written. A block is decoded
 * for each question, so that is its bound.
 */
#include "access/access.h"
#include "probes/probes.h"
#include "uapi/line_table.h"
#include "unwind/lines.h"
#include "unwind/search.h"

/* ---- the parts of a table ---- */
static const u32 *blocks_of(const struct stp_line_table *t)
{
	return (const void *)(t + 1);
}

static const u32 *files_of(const struct stp_line_table *t)
{
	return blocks_of(t) + 2 * t->n_blocks;
}

static const u8 *rows_of(const struct stp_line_table *t)
{
	return (const void *)(files_of(t) + t->n_files);
}

static const char *names_of(const struct stp_line_table *t)
{
	return (const char *)rows_of(t) + t->rows_len;
}

/* The state behind a row, and where the next one is. */
struct cursor {
	const u8 *at, *end;
	u32 addr, file, line;
};

static u32 number(struct cursor *c)
{
	u32 v = 0, shift = 0;

	while (c->at < c->end && shift < 32) {
		u8 byte = *c->at++;

		v |= (u32)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	return v;
}

static void next_row(struct cursor *c)
{
	u32 lines;

	c->addr += number(c);
	lines = number(c);
	c->line += STP_LINE_UNZIGZAG(lines >> 1);
	if (lines & 1)
		c->file = number(c);
}

static void find(const struct stp_line_table *t, u32 addr, struct stp_source_line *ret)
{
	u32 block = stp_rows_until(blocks_of(t), t->n_blocks, 1, addr), i, from, end;
	struct cursor c = { 0 }, next;

	if (!block--)
		return;
	end = block + 1 < t->n_blocks ? blocks_of(t)[t->n_blocks + block + 1] : t->rows_len;
	from = blocks_of(t)[t->n_blocks + block];
	if (from > end || end > t->rows_len)
		return;
	next = (struct cursor){ rows_of(t) + from, rows_of(t) + end, blocks_of(t)[block] };
	for (i = 0; i < STP_LINE_BLOCK && next.at < next.end; i++) {
		next_row(&next);
		if (next.addr > addr)
			break;
		c = next;
	}
	if (!c.line || c.file >= t->n_files || files_of(t)[c.file] >= t->names_len)
		return;
	ret->file = names_of(t) + files_of(t)[c.file];
	ret->line = c.line;
}

/* Where a module's code is, as its table has it; 0: it is not there. */
static int in_module(const struct stp_lines *lines, u64 addr, u64 *ret)
{
	u32 i;

	for (i = 0; i < lines->n_sections; i++) {
		const struct stp_line_section *s = &lines->sections[i];
		u64 begin = stp_section_address(s->section, 0);

		if (!begin || addr < begin ||
		    addr - begin >= stp_script.sections[s->section - 1].size)
			continue;
		*ret = addr - begin + s->addr;
		return 1;
	}
	return 0;
}

/* The slide is 0 as long as it is not known: then nothing is found. */
static int in_kernel(const struct stp_lines *lines, u64 addr, u64 *ret)
{
	u64 slide = stp_kernel_address(stp_script.anchor_addr) - stp_script.anchor_addr;

	*ret = addr - slide;
	return stp_kernel_address(stp_script.anchor_addr) != 0;
}

/**
 * stp_kernel_place - where the tables have an address of the running kernel
 *
 * Modules are asked first: vmlinux has its addresses without bounds. Context: any handler.
 */
void stp_kernel_place(u64 addr, struct stp_line_place *ret)
{
	const struct stp_lines *kernel = NULL;
	u32 i;

	*ret = (struct stp_line_place){ NULL, 0 };
	for (i = 0; i < stp_script.n_lines; i++) {
		const struct stp_lines *lines = &stp_script.lines[i];
		const struct stp_object *object = &stp_script.objects[lines->object];

		if (!object->name && !object->path)
			kernel = lines;
		else if (!object->path && in_module(lines, addr, &ret->addr))
			ret->lines = lines;
	}
	if (!ret->lines && kernel && in_kernel(kernel, addr, &ret->addr))
		ret->lines = kernel;
}

/**
 * stp_source_line - the source line of a place
 *
 * Context: any handler.
 */
void stp_source_line(const struct stp_line_place *place, struct stp_source_line *ret)
{
	const struct stp_line_table *t = place->lines ? place->lines->lines : NULL;

	*ret = (struct stp_source_line){ NULL, 0 };
	if (t && place->addr >= t->base && place->addr - t->base <= U32_MAX)
		find(t, place->addr - t->base, ret);
}

/**
 * stp_put_line - " at FILE:LINE"
 *
 * Context: any handler.
 */
void stp_put_line(struct stp_text *t, const struct stp_source_line *line)
{
	if (!line->file)
		return;
	stp_text_add(t, " at ", 4);
	stp_text_add(t, line->file, strlen(line->file));
	stp_text_printf(t, ":%u", line->line);
}

/**
 * stp_line_str - a part of "FILE:LINE"; 0xADDR when no line is known
 *
 * "" with the error set when scratch is used up. Context: any handler.
 */
struct stp_str stp_line_str(struct stp_ctx *c, u64 addr, const struct stp_source_line *line,
			    enum stp_line_part part)
{
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (!line->file)
		stp_text_printf(&t, "0x%llx", addr);
	else if (part == STP_LINE_NUMBER)
		stp_text_printf(&t, "%u", line->line);
	else
		stp_text_printf(&t, "%s", line->file);
	if (line->file && part == STP_LINE_WHOLE)
		stp_text_printf(&t, ":%u", line->line);
	return stp_text_end(c, &t);
}
