// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of user addresses and stacks of the current process. Context: any handler. */
#include "access/access.h"
#include "tapset/functions.h"
#include "tapset/ustack.h"
#include "uapi/user_table.h"
#include "unwind/lines.h"

/* Which part of "FILE:LINE" is asked for. */
enum part { PART_BOTH, PART_FILE, PART_LINE };

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

static struct stp_str line_text(struct stp_ctx *c, stp_long addr, enum part part)
{
	struct stp_source_line line;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	user_line(stp_user_map_hold(c), addr, &line);
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

struct stp_str stp_fn_usymfileline(struct stp_ctx *c, stp_long addr)
{
	return line_text(c, addr, PART_BOTH);
}

struct stp_str stp_fn_usymfile(struct stp_ctx *c, stp_long addr)
{
	return line_text(c, addr, PART_FILE);
}

struct stp_str stp_fn_usymline(struct stp_ctx *c, stp_long addr)
{
	return line_text(c, addr, PART_LINE);
}

/* Behind the first frame are return addresses: the call, which may be the last of its line, is before them. */
static void frame_put(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm,
		      const struct stp_user_stack *s, u32 i)
{
	struct stp_source_line line;

	user_line(mm, s->pcs[i] - (i > 0), &line);
	stp_text_printf(t, " 0x%llx : ", s->pcs[i]);
	stp_usymdata_put(c, t, mm, s->pcs[i]);
	stp_put_line(t, &line);
	stp_text_char(t, '\n');
}

static void print_stack(struct stp_ctx *c, const struct stp_user_frame *from)
{
	char *mark = c->top;
	struct stp_user_stack s;
	struct mm_struct *mm = stp_ustack_take(c, from, &s);
	struct stp_text t;
	u32 i;

	for (i = 0; i < s.n && !c->error; i++) {
		if (!stp_text_begin(c, &t))
			return;
		frame_put(c, &t, mm, &s, i);
		stp_rec_text(c, STP_REC_TEXT, t.s, t.len);
		c->top = mark;
	}
	if (s.end != STP_STACK_WHOLE)
		stp_rec_text(c, STP_REC_TEXT, " ... : cut short\n", 17);
}

void stp_fn_print_ubacktrace_fileline(struct stp_ctx *c)
{
	print_stack(c, NULL);
}

void stp_fn_print_ubacktrace_fileline_from(struct stp_ctx *c, stp_long pc, stp_long sp, stp_long fp)
{
	const struct stp_user_frame from = { pc, sp, fp };

	print_stack(c, &from);
}
