// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of kernel addresses and stacks. Context: any handler. */
#include "access/access.h"
#include "tapset/functions.h"
#include "tapset/stack.h"
#include "unwind/lines.h"

/* Which part of "FILE:LINE" is asked for. */
enum part { PART_BOTH, PART_FILE, PART_LINE };

static struct stp_str line_text(struct stp_ctx *c, stp_long addr, enum part part)
{
	struct stp_source_line line;
	struct stp_line_place place;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_kernel_place(addr, &place);
	stp_source_line(&place, &line);
	if (!line.file)
		stp_text_printf(&t, "0x%llx", addr);
	else if (part == PART_LINE)
		stp_text_printf(&t, "%u", line.line);
	else
		stp_text_printf(&t, "%s", line.file);
	if (line.file && part == PART_BOTH)
		stp_text_printf(&t, ":%u", line.line);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_symfileline(struct stp_ctx *c, stp_long addr)
{
	return line_text(c, addr, PART_BOTH);
}

struct stp_str stp_fn_symfile(struct stp_ctx *c, stp_long addr)
{
	return line_text(c, addr, PART_FILE);
}

struct stp_str stp_fn_symline(struct stp_ctx *c, stp_long addr)
{
	return line_text(c, addr, PART_LINE);
}

static void frame_put(struct stp_ctx *c, struct stp_text *t, const struct stp_frames *f, u32 i)
{
	unsigned long at = stp_frame_place(f, i);
	struct stp_source_line line;
	struct stp_line_place place;

	stp_kernel_place(at, &place);
	stp_source_line(&place, &line);
	if (stp_script.put_inlined)
		stp_script.put_inlined(c, t, 0, f->pcs[i], at, &line);
	stp_text_printf(t, " 0x%lx : ", f->pcs[i]);
	stp_symdata_put(t, f->pcs[i]);
	stp_put_line(t, &line);
	stp_text_char(t, '\n');
}

void stp_fn_print_backtrace_fileline(struct stp_ctx *c)
{
	char *mark = c->top;
	struct stp_frames f;
	struct stp_text t;
	u32 i;

	stp_frames_take(c, &f);
	for (i = f.first; i < f.n; i++) {
		if (!stp_text_begin(c, &t))
			return;
		frame_put(c, &t, &f, i);
		stp_rec_text(c, STP_REC_TEXT, t.s, t.len);
		c->top = mark;
	}
}
