/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines of the kernel, its modules and programs, by the tables that the module carries
 * (lines.c), and frames with them.
 *
 * Context: any handler.
 */
#ifndef STP_UNWIND_LINES_H
#define STP_UNWIND_LINES_H

#include "core/internal.h"

/* A place in one of the tables. */
struct stp_line_place {
	const struct stp_lines *lines; /* NULL: none knows it */
	u64 addr;                      /* as the tables have it */
};

/* Of an address of the running kernel. */
void stp_kernel_place(u64 addr, struct stp_line_place *ret);
/* ret->file NULL: no line is known. */
void stp_source_line(const struct stp_line_place *place, struct stp_source_line *ret);
/* " at FILE:LINE"; nothing when it is not known. */
void stp_put_line(struct stp_text *t, const struct stp_source_line *line);

/* Which part of "FILE:LINE" is asked for. */
enum stp_line_part { STP_LINE_WHOLE, STP_LINE_FILE, STP_LINE_NUMBER };

struct stp_str stp_line_str(struct stp_ctx *c, u64 addr, const struct stp_source_line *line,
			    enum stp_line_part part);

#endif
