// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of user addresses and stacks of the current process. Context: any handler. */
#include "access/access.h"
#include "tapset/functions.h"
#include "tapset/ustack.h"
#include "uapi/user_table.h"
#include "unwind/lines.h"

static void user_line(struct mm_struct *mm, u64 addr, struct stp_source_line *ret)
{
	struct stp_line_place line = { NULL, 0 };
	struct stp_user_place place;
	u32 i;

	stp_user_place(mm, addr, &place);
	for (i = 0; place.carried && i < stp_script.n_lines; i++) {
		if (stp_script.lines[i].object != place.carried->object)
			continue;
		line.lines = &stp_script.lines[i];
		line.addr = place.carried->table->base + place.addr;
	}
	stp_source_line(&line, ret);
}

static struct stp_str line_str(struct stp_ctx *c, stp_long addr, enum stp_line_part part)
{
	struct stp_source_line line;

	user_line(stp_user_map_hold(c), addr, &line);
	return stp_line_str(c, addr, &line, part);
}

struct stp_str stp_fn_usymfileline(struct stp_ctx *c, stp_long addr)
{
	return line_str(c, addr, STP_LINE_WHOLE);
}

struct stp_str stp_fn_usymfile(struct stp_ctx *c, stp_long addr)
{
	return line_str(c, addr, STP_LINE_FILE);
}

struct stp_str stp_fn_usymline(struct stp_ctx *c, stp_long addr)
{
	return line_str(c, addr, STP_LINE_NUMBER);
}

static void frame_put(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm,
		      const struct stp_user_stack *s, u32 i)
{
	u32 back = stp_user_back(s, i);
	struct stp_source_line line;

	user_line(mm, s->pcs[i] - back, &line);
	stp_text_printf(t, " 0x%llx : ", s->pcs[i]);
	stp_usymdata_put(c, t, mm, s->pcs[i], back);
	stp_put_line(t, &line);
	stp_text_char(t, '\n');
}

void stp_fn_print_ubacktrace_fileline(struct stp_ctx *c)
{
	stp_ustack_print(c, NULL, frame_put);
}

void stp_fn_print_ubacktrace_fileline_from(struct stp_ctx *c, stp_long pc, stp_long sp, stp_long fp)
{
	const struct stp_user_frame from = { pc, sp, fp };

	stp_ustack_print(c, &from, frame_put);
}
