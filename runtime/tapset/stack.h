/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel stacks, for what prints them in another form (stack.c).
 *
 * Context: any handler.
 */
#ifndef STP_TAPSET_STACK_H
#define STP_TAPSET_STACK_H

#include "core/internal.h"
#include "uapi/depth.h"

/* those that are shown, and what there may be of ours before them */
#define STP_MAX_FRAMES (2 * STP_BACKTRACE_DEPTH)

/*
 * pcs[first] to pcs[n - 1] are shown. at_event: the first is where the event was; the others are
 * return addresses.
 */
struct stp_frames {
	unsigned long pcs[STP_MAX_FRAMES];
	u32 first, n;
	int at_event;
};

void stp_frames_take(struct stp_ctx *c, struct stp_frames *f);
/* "sym+0xOFF/0xSIZE [module]" */
void stp_symdata_put(struct stp_text *t, unsigned long addr);

/*
 * What the source calls frame I by: a return address is behind the call, which may be the last of
 * its line, or of its function.
 */
static inline unsigned long stp_frame_place(const struct stp_frames *f, u32 i)
{
	return f->pcs[i] - !(f->at_event && i == f->first);
}

#endif
