// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of kernel addresses and stacks. Context: any handler. */
#include "access/access.h"
#include "tapset/functions.h"
#include "tapset/stack.h"
#include "unwind/lines.h"

static struct stp_str line_str(struct stp_ctx *c, stp_long addr, enum stp_line_part part)
{
	struct stp_source_line line;
	struct stp_line_place place;

	stp_kernel_place(addr, &place);
	stp_source_line(&place, &line);
	return stp_line_str(c, addr, &line, part);
}

struct stp_str stp_fn_symfileline(struct stp_ctx *c, stp_long addr)
{
	return line_str(c, addr, STP_LINE_WHOLE);
}

struct stp_str stp_fn_symfile(struct stp_ctx *c, stp_long addr)
{
	return line_str(c, addr, STP_LINE_FILE);
}

struct stp_str stp_fn_symline(struct stp_ctx *c, stp_long addr)
{
	return line_str(c, addr, STP_LINE_NUMBER);
}

static void frame_put(struct stp_text *t, const struct stp_frames *f, u32 i)
{
	unsigned long at = stp_frame_place(f, i);
	struct stp_source_line line;
	struct stp_line_place place;

	stp_kernel_place(at, &place);
	stp_source_line(&place, &line);
	if (stp_script.put_inlined)
		stp_script.put_inlined(t, 0, f->pcs[i], at, &line);
	stp_text_printf(t, " 0x%lx : ", f->pcs[i]);
	stp_symdata_put(t, f->pcs[i]);
	stp_put_line(t, &line);
	stp_text_char(t, '\n');
}

void stp_fn_print_backtrace_fileline(struct stp_ctx *c)
{
	struct stp_frames f;
	struct stp_text t;
	u32 i;

	stp_frames_take(c, &f);
	for (i = f.first; i < f.n; i++) {
		if (!stp_text_print(c, &t))
			return;
		frame_put(&t, &f, i);
		stp_text_printed(&t);
	}
}
